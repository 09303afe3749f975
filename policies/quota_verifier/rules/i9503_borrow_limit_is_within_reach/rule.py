"""I9503: a share can use its whole borrow limit."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation
from quota_verifier.lint.queues import shares_may_be_elsewhere
from quota_verifier.lint.sharing import (
    BORROW_LIMIT,
    KnownShare,
    borrowers,
    may_borrow,
    may_lend,
    percent_of,
    read_shares,
)
from quota_verifier.template import QUOTA_SHARE, Template, quota_managed_queues


def check(template: Template) -> Iterator[Result]:
    """What the environment has bounds it too, but only where the shares promise more (E9516)."""
    for queue in quota_managed_queues(template):
        shares, missing = read_shares(template, queue)
        limited = [(known, unit) for known, unit in borrowers(shares) if known.share.borrow_cap(unit) is not None]
        yield from (note for note in missing if may_borrow(note.resource))
        lenders = [note for note in missing if may_lend(note.resource)]
        if limited and lenders:
            yield from lenders
        elif limited and shares_may_be_elsewhere(template, queue):
            yield Unknown(queue, (), "may have more shares in another stack")
        else:
            for known, unit in limited:
                yield from _of(shares, known, unit)


def _of(shares: tuple[KnownShare, ...], known: KnownShare, unit: str) -> Iterator[Result]:
    cap, own = known.share.borrow_cap(unit) or 0, known.share.limit(unit)
    lent = sum(other.share.limit(unit) for other in shares if other is not known and other.share.strategy.lends)
    if 0 < lent < cap:
        message = f"{percent_of(known.share, unit)}, but the others lend at most {lent}"
        fix = f"lower BorrowLimit to {-(-lent * 100 // own)}, or lend more"
        yield Violation(known.resource, BORROW_LIMIT, message, fix)


RULE = Rule(
    id="I9503",
    title="A share can use its whole borrow limit",
    why="The largest job that can ever start is bounded by what the others lend, not by the percentage alone (R21).",
    source="https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable_misconfiguration.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.BorrowLimit",)},
    check=check,
)
