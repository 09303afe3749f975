"""ARNs of one account in one Region, and names out of them."""

from __future__ import annotations

from dataclasses import dataclass

from quota_verifier.aws.emulator.errors import AwsError, missing

POLICY, ENVIRONMENT, QUEUE, JOB = "scheduling-policy", "service-environment", "job-queue", "service-job"
SHARE = "quota-share"


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose resources these are."""

    region: str = "us-east-1"
    account: str = "123456789012"
    partition: str = "aws"

    @property
    def prefix(self) -> str:
        """What every ARN of Batch starts with here."""
        return f"arn:{self.partition}:batch:{self.region}:{self.account}:"

    def arn(self, kind: str, name: str) -> str:
        """The ARN of a resource."""
        return f"{self.prefix}{kind}/{name}"

    def share_arn(self, queue: str, share: str) -> str:
        """The ARN of a quota share; it holds the queue's name."""
        return f"{self.prefix}{QUEUE}/{queue}/{SHARE}/{share}"

    def training_job_arn(self, name: str) -> str:
        """The ARN of the training job that an attempt is."""
        return f"arn:{self.partition}:sagemaker:{self.region}:{self.account}:training-job/{name}"

    def name(self, kind: str, name_or_arn: str) -> str:
        """The name that a name or an ARN gives. Raises AwsError for an ARN of something else."""
        if not name_or_arn.startswith("arn:"):
            return name_or_arn
        start = f"{self.prefix}{kind}/"
        if not name_or_arn.startswith(start):
            raise AwsError(f"{name_or_arn} is not the ARN of a {kind} in {self.region}, account {self.account}")
        return name_or_arn.removeprefix(start)

    def share_names(self, arn: str) -> tuple[str, str]:
        """The queue and the share that a quota share's ARN names. Raises AwsError for another text."""
        queue, separator, share = self.name(QUEUE, arn).partition(f"/{SHARE}/")
        if not arn.startswith("arn:"):
            raise AwsError(f"quotaShareArn: {arn} is not an ARN")
        if not separator:
            raise missing("Quota share", arn)
        return queue, share
