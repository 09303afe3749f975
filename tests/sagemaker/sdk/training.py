"""What the scripts share: a ModelTrainer as AWS's sample notebook makes it, and the emulator's time."""

from __future__ import annotations

import json
import logging
import os

import boto3
import urllib3
from sagemaker.core.helper.session_helper import Session
from sagemaker.train.configs import Compute, SourceCode, StoppingCondition
from sagemaker.train.model_trainer import ModelTrainer

logging.disable(logging.WARNING)
BUCKET = "training-data"
IMAGE = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.5"
_TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "sagemaker.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}


def trainer() -> ModelTrainer:
    boto3.client("s3").create_bucket(Bucket=BUCKET)
    role = boto3.client("iam").create_role(RoleName="training", AssumeRolePolicyDocument=json.dumps(_TRUST))
    return ModelTrainer(
        sagemaker_session=Session(default_bucket=BUCKET),  # else it asks STS, at an address that cannot be redirected
        role=role["Role"]["Arn"],
        training_image=IMAGE,
        base_job_name="hello",
        source_code=SourceCode(command="echo 'Hello World'"),
        compute=Compute(instance_type="ml.g5.xlarge", instance_count=1),
        stopping_condition=StoppingCondition(max_runtime_in_seconds=7200),
    )


def advance(seconds: float) -> None:
    answer = urllib3.request("POST", f"{os.environ['EMULATOR']}/_emulator/advance", json={"seconds": seconds})
    assert answer.status == 200, answer.data


def tell(**observed: object) -> None:
    """Print what the script is about."""
    print(json.dumps(observed))
