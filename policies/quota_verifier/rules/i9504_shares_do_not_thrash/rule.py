"""I9504: no two shares may each borrow all that the other owns."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.sharing import BORROW_LIMIT, KnownShare, borrowers, may_borrow, read_shares
from quota_verifier.template import QUOTA_SHARE, Template, quota_managed_queues


def check(template: Template) -> Iterator[Result]:
    """One finding for a queue and type, however many shares are in it."""
    for queue in quota_managed_queues(template):
        shares, missing = read_shares(template, queue)
        of_unit: dict[str, list[KnownShare]] = {}
        for known, unit in borrowers(shares):
            of_unit.setdefault(unit, []).append(known)
        left_open = [note for note in missing if may_borrow(note.resource)]
        if left_open:
            yield from left_open
            continue
        for unit, members in of_unit.items():
            traders = [one for one in members if any(_trade(one, other, unit) for other in members)]
            if traders:
                names = ", ".join(one.share.name for one in traders)
                message = f"{unit}: {names} may each borrow all that another of them owns"
                fix = "state a lower BorrowLimit, or let one of them only lend; give long jobs checkpoints"
                yield Violation(traders[0].resource, BORROW_LIMIT, message, fix)


def _trade(one: KnownShare, other: KnownShare, unit: str) -> bool:
    return one is not other and _takes_all(one, other, unit) and _takes_all(other, one, unit)


def _takes_all(borrower: KnownShare, owner: KnownShare, unit: str) -> bool:
    cap = borrower.share.borrow_cap(unit)
    return cap is None or cap >= owner.share.limit(unit)


RULE = Rule(
    id="I9504",
    title="No two shares may each borrow all that the other owns",
    why="Their capacity changes hands whenever one of them returns, and each time jobs are preempted (R13).",
    source="https://docs.aws.amazon.com/batch/latest/userguide/preemption.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.BorrowLimit",)},
    check=check,
)
