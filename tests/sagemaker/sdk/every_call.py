"""Every public call of the SDK's aws_batch module."""

from __future__ import annotations

import json

import boto3
from sagemaker.train.aws_batch.exception import NoTrainingJob
from sagemaker.train.aws_batch.training_queue import TrainingQueue
from training import BUCKET, IMAGE, advance, tell, trainer

from quota_verifier.aws.submission import Submission
from quota_verifier.aws.submit import submit_jobs

queue, model_trainer = TrainingQueue("q"), trainer()


def refusal(act):
    try:
        act()
    except Exception as error:  # noqa: BLE001 (which one it is, the test says)
        return [type(error).__name__, str(error)]
    return None


def names(jobs):
    return [job.job_name for job in jobs]


def stand_in_for_batch(job):
    """What Batch does and the emulator does not: the training job in SageMaker (here moto) of the latest attempt."""
    described = job.describe()
    name = described["latestAttempt"]["serviceResourceId"]["value"].rpartition("/")[2]
    payload = json.loads(described["serviceRequestPayload"])
    boto3.client("sagemaker").create_training_job(**{**payload, "TrainingJobName": name})
    return name


def submit_without_the_sdk(count, payload):
    """More jobs than a page of ListServiceJobs holds, without their training files."""
    batch = boto3.client("batch")
    for number in range(count):
        batch.submit_service_job(
            jobName=f"many-{number}", jobQueue="q", serviceJobType="SAGEMAKER_TRAINING", quotaShareName="QS1",
            serviceRequestPayload=payload,
        )  # fmt: skip


one = queue.submit(
    model_trainer, inputs=None, job_name="one", priority=0, quota_share_name="QS2",
    timeout={"attemptDurationSeconds": 600},
    retry_config={"attempts": 2, "evaluateOnExit": [{"action": "Retry", "onStatusReason": "*"}]},
    preemption_config={"preemptionRetriesBeforeTermination": 2}, tags={"quota-shares:work": "60s", "team": "vision"},
)  # fmt: skip
before = refusal(one.get_model_trainer)
mapped = queue.map(
    model_trainer, inputs=[None, None], job_names=["m1", "m2"], priority=1, quota_share_name="QS3",
    tags={"quota-shares:work": "30s"},
)  # fmt: skip
submitted = [job.describe()["status"] for job in (one, *mapped)]
advance(1)
described = {name: value for name, value in one.describe().items() if name != "ResponseMetadata"}
running, waiting = names(queue.list_jobs()), names(queue.list_jobs(status="RUNNABLE"))
by_share = names(queue.list_jobs_by_share(status="RUNNABLE", quota_share_name="QS3"))
training_job = stand_in_for_batch(one)
again = one.get_model_trainer()
updated = mapped[1].update(7)
raised = mapped[1].describe()["schedulingPriority"]
mapped[1].terminate("not needed any more")
advance(0)
failed = refusal(mapped[1].result)
waited = mapped[0].wait(timeout=1)["status"]  # the SDK asks again after 5 s
late = refusal(lambda: mapped[0].result(timeout=1))
advance(60)
payload = model_trainer._create_training_job_args(input_data_config=None, boto3=True)
helped = [
    Submission(name=name, share="QS3", payload=payload, priority=0, preemption_retries=2) for name in ("h1", "h2")
]
receipts = [receipt.outcome.value for receipt in submit_jobs(helped, "q")]
helped_view = queue.get_job("h2").describe()
succeeded = [mapped[0].wait()["status"], one.result()["status"]]
submit_without_the_sdk(230, described["serviceRequestPayload"])
advance(0)
tell(
    no_training_job=[before[0], NoTrainingJob.__name__],
    submitted=submitted,
    described=described,
    training_job=training_job,
    trainer=[again._latest_training_job.training_job_name, again.training_image == IMAGE, again.compute.instance_type],
    running=running,
    waiting=waiting,
    by_share=by_share,
    got=[queue.get_job("M1").job_name, refusal(lambda: queue.get_job("nobody"))],
    updated=[updated["jobArn"] == mapped[1].job_arn, updated["jobName"], raised],
    failed=failed,
    waited=waited,
    late=late[0],
    succeeded=succeeded,
    receipts=receipts,
    helped=[helped_view["schedulingPriority"], helped_view["preemptionConfiguration"]],
    listed=sorted(names(queue.list_jobs_by_share(status="RUNNABLE", quota_share_name="QS1"))),
    staged=boto3.client("s3").list_objects_v2(Bucket=BUCKET)["KeyCount"] > 0,
    no_preemption_config_in_map=refusal(lambda: queue.map(model_trainer, inputs=[], preemption_config={})),
)
