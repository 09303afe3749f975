"""Quota shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.errors import ALREADY_EXISTS, AwsError
from quota_verifier.aws.emulator.limits import check_name, check_tags, limits_view, read_limits
from quota_verifier.aws.emulator.paging import page
from quota_verifier.aws.emulator.records import JobQueue, QuotaShare
from quota_verifier.aws.emulator.shapes import Answer, Request
from quota_verifier.model import UNLIMITED_BORROWING, ShareUpdate, Strategy

MOST_SHARES = 20


def create(account: Account, request: Request) -> Answer:
    """CreateQuotaShare; it is VALID at once. Shares may promise more than the environment has."""
    name = check_name("quotaShareName", request["quotaShareName"])
    queue = account.queue(request["jobQueue"])
    limits = _limits(queue, request)
    strategy, borrow_limit = _sharing(request["resourceSharingConfiguration"])
    tags = check_tags(request.get("tags"))
    if name in queue.shares:
        raise AwsError(ALREADY_EXISTS)
    if len(queue.shares) >= MOST_SHARES:
        raise AwsError(f"a job queue has at most {MOST_SHARES} quota shares")
    share = QuotaShare(
        name,
        account.identity.share_arn(queue.name, name),
        limits,
        strategy,
        borrow_limit,
        request["preemptionConfiguration"]["inSharePreemption"],
        request.get("state") or "ENABLED",
        tags,
    )
    queue.shares[name] = share
    queue.scheduler.open().add_share(share.model)
    return _named(share)


def describe(account: Account, request: Request) -> Answer:
    """DescribeQuotaShare."""
    queue, share = account.share(request["quotaShareArn"])
    return {**_view(queue, share), "tags": share.tags or None}


def listing(account: Account, request: Request) -> Answer:
    """ListQuotaShares."""
    queue = account.queue(request["jobQueue"])
    found, token = page(list(queue.shares.values()), request)
    return {"quotaShares": [_view(queue, share) for share in found], "nextToken": token}


def update(account: Account, request: Request) -> Answer:
    """UpdateQuotaShare; no running job is stopped. The resource-sharing configuration is replaced as a whole."""
    queue, share = account.share(request["quotaShareArn"])
    if share.is_deleting:
        raise AwsError(f"Quota share {share.arn} is being deleted")
    limits = share.limits if request.get("capacityLimits") is None else _limits(queue, request)
    sharing, preemption = request.get("resourceSharingConfiguration"), request.get("preemptionConfiguration")
    if sharing is not None:
        share.strategy, share.borrow_limit = _sharing(sharing)
    share.limits = limits
    if preemption is not None:
        share.in_share_preemption = preemption["inSharePreemption"]
    share.state = request.get("state") or share.state
    model = share.model
    queue.scheduler.open().configure(
        ShareUpdate(
            account.now,
            share.name,
            model.limits,
            model.strategy,
            model.borrow_limit,
            model.in_share_preemption,
            model.enabled,
        )
    )
    return _named(share)


def delete(account: Account, request: Request) -> Answer:
    """DeleteQuotaShare, which must be DISABLED. Its jobs are terminated; it is gone once the last has stopped."""
    queue, share = account.share(request["quotaShareArn"])
    if share.state != "DISABLED":
        raise AwsError(f"Quota share {share.arn} must be DISABLED before it is deleted")
    live = queue.scheduler.open()
    share.is_deleting = True
    for active in live.jobs_of(share.name):
        job = queue.scheduler.jobs[active.index]
        job.is_terminated, job.termination_reason = True, "Quota share deleted"
        live.update_job(active, terminate=True)
    if not live.is_busy(share.name):
        live.remove_share(share.name)
        del queue.shares[share.name]
    return {}


def _limits(queue: JobQueue, request: Request) -> dict[str, int]:
    limits = read_limits(request["capacityLimits"])
    for unit in limits:
        if unit not in queue.environment.limits:
            raise AwsError(f"capacityLimits: service environment {queue.environment.name} has no {unit}")
    return limits


def _sharing(given: Mapping[str, Any]) -> tuple[Strategy, int | None]:
    strategy, borrow_limit = Strategy(given["strategy"]), given.get("borrowLimit")
    place = "resourceSharingConfiguration.borrowLimit"
    if borrow_limit is not None and not strategy.borrows:
        raise AwsError(f"{place}: can only be given with {Strategy.LEND_AND_BORROW}")
    if borrow_limit is not None and borrow_limit < UNLIMITED_BORROWING:
        raise AwsError(f"{place}: {borrow_limit} is less than {UNLIMITED_BORROWING}")
    return strategy, borrow_limit


def _named(share: QuotaShare) -> Answer:
    return {"quotaShareName": share.name, "quotaShareArn": share.arn}


def _view(queue: JobQueue, share: QuotaShare) -> Answer:
    sharing: dict[str, object] = {"strategy": str(share.strategy)}
    if share.strategy.borrows:
        sharing["borrowLimit"] = UNLIMITED_BORROWING if share.borrow_limit is None else share.borrow_limit
    return {
        **_named(share),
        "jobQueueArn": queue.arn,
        "capacityLimits": limits_view(share.limits),
        "resourceSharingConfiguration": sharing,
        "preemptionConfiguration": {"inSharePreemption": share.in_share_preemption},
        "state": share.state,
        "status": "DELETING" if share.is_deleting else "VALID",
    }
