"""Tags of policies, environments, queues, quota shares and jobs."""

from __future__ import annotations

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.errors import AwsError
from quota_verifier.aws.emulator.identity import ENVIRONMENT, JOB, POLICY, QUEUE, SHARE
from quota_verifier.aws.emulator.limits import MOST_TAGS, check_tags
from quota_verifier.aws.emulator.shapes import Answer, Request


def tag(account: Account, request: Request) -> Answer:
    """TagResource."""
    tags, new = _tags_of(account, request["resourceArn"]), check_tags(request["tags"])
    if len({**tags, **new}) > MOST_TAGS:
        raise AwsError(f"tags: a resource has at most {MOST_TAGS} tags")
    tags.update(new)
    return {}


def untag(account: Account, request: Request) -> Answer:
    """UntagResource; a key that is not there is no error."""
    tags = _tags_of(account, request["resourceArn"])
    for key in request["tagKeys"]:
        tags.pop(key, None)
    return {}


def listing(account: Account, request: Request) -> Answer:
    """ListTagsForResource."""
    return {"tags": dict(_tags_of(account, request["resourceArn"])) or None}


def _tags_of(account: Account, arn: str) -> dict[str, str]:
    prefix = account.identity.prefix
    if not arn.startswith(prefix):
        raise AwsError(f"resourceArn: {arn} is not an ARN of this account and Region")
    kind, _, name = arn.removeprefix(prefix).partition("/")
    if kind == QUEUE and f"/{SHARE}/" in name:
        return account.share(arn)[1].tags
    finders = {POLICY: account.policy, ENVIRONMENT: account.environment, QUEUE: account.queue, JOB: account.job}
    if kind not in finders:
        raise AwsError(f"resourceArn: {arn} cannot have tags")
    return finders[kind](arn).tags
