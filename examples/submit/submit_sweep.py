"""Submits a sweep to QS1 of the queue three-shares: priority 0, and at most two preemptions for each job."""

from quota_verifier.aws.submission import Submission
from quota_verifier.aws.submit import submit_jobs

jobs = [
    Submission(
        name=f"sweep-{number}",
        share="QS1",
        priority=0,
        preemption_retries=2,
        timeout_s=8 * 3600,
        payload={
            "TrainingJobName": f"sweep-{number}",
            "RoleArn": "arn:aws:iam::123456789012:role/training",
            "AlgorithmSpecification": {
                "TrainingImage": "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.5",
                "TrainingInputMode": "File",
            },
            "CheckpointConfig": {"S3Uri": f"s3://training-data/sweep-{number}"},
            "HyperParameters": {"learning-rate": rate},
            "OutputDataConfig": {"S3OutputPath": "s3://training-data/models"},
            "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
            "StoppingCondition": {"MaxRuntimeInSeconds": 8 * 3600},
        },
    )
    for number, rate in enumerate(["0.1", "0.01", "0.001"], start=1)
]
for receipt in submit_jobs(jobs, "three-shares"):
    print(receipt.name, receipt.share, receipt.outcome, receipt.problem or receipt.job_arn.rpartition(":")[0])
