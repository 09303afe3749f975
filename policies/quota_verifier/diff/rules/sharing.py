"""How a share lends, borrows and preempts, changed under running jobs."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.diff.changes import Comparison
from quota_verifier.diff.links import shares_in_place
from quota_verifier.diff.pairs import Found
from quota_verifier.diff.rule import ChangeRule, api_page, batch_page
from quota_verifier.lint.results import Result, Unknown, Violation
from quota_verifier.lint.sharing import BORROW_LIMIT, SHARING, STRATEGY, borrow_limit, read_share, strategy
from quota_verifier.lint.values import called, value_at, word
from quota_verifier.model import UNLIMITED_BORROWING, Share, Strategy
from quota_verifier.template import Resource

_IN_SHARE = ("PreemptionConfiguration", "InSharePreemption")


def in_share_preemption_begins(comparison: Comparison) -> Iterator[Result]:
    """W9406."""
    for _, old, new in shares_in_place(comparison):
        was, now = (word(value_at(found.resource, *_IN_SHARE)) for found in (old, new))
        if (was, now) == ("DISABLED", "ENABLED"):
            yield Violation(
                new.resource,
                _IN_SHARE,
                f"{called(new.resource)}: in-share preemption DISABLED -> ENABLED: running jobs become preemptible by "
                "waiting jobs of the same share with higher priority, at once",
                "check the priorities of what runs, and give long jobs checkpoints",
            )


def borrowing_becomes_unlimited(comparison: Comparison) -> Iterator[Result]:
    """W9407."""
    for _, old, new in shares_in_place(comparison):
        was = borrow_limit(old.resource)
        if not _borrows(old.resource) or not _borrows(new.resource) or not isinstance(was, int):
            continue
        if was != UNLIMITED_BORROWING and value_at(new.resource, *BORROW_LIMIT) is None:
            yield Violation(
                new.resource,
                (SHARING,),
                f"{called(new.resource)}: BorrowLimit {was} -> absent, which is unlimited borrowing, not none",
                f"write BorrowLimit {was} to keep it, or 0 for no borrowing",
            )


def _borrows(resource: Resource) -> bool:
    return strategy(resource) is Strategy.LEND_AND_BORROW


def _known(old: Found, new: Found) -> tuple[Share, Share] | None:
    before, after = read_share(old.resource), read_share(new.resource)
    return None if isinstance(before, Unknown) or isinstance(after, Unknown) else (before, after)


def lending_changes(comparison: Comparison) -> Iterator[Result]:
    """I9402."""
    for _, old, new in shares_in_place(comparison):
        was, now = strategy(old.resource), strategy(new.resource)
        if not isinstance(was, Strategy) or not isinstance(now, Strategy) or was.lends == now.lends:
            continue
        effect = (
            "its idle capacity is lent, and comes back by preempting whoever borrowed it"
            if now.lends
            else "its idle capacity is kept, and nobody can borrow it any more; what is lent comes back when its jobs "
            "need it"
        )
        yield Violation(
            new.resource,
            STRATEGY,
            f"{called(new.resource)}: {was.value} -> {now.value}: {effect}",
            "",
        )


def borrowing_shrinks(comparison: Comparison) -> Iterator[Result]:
    """I9405."""
    for _, old, new in shares_in_place(comparison):
        both = _known(old, new)
        if both is None:
            continue
        was, now = both
        if not was.strategy.borrows or (was.borrow_limit == now.borrow_limit and now.strategy.borrows):
            continue
        falls = [
            f"{_cap(old_cap)} -> {_cap(new_cap)} {unit}"
            for unit in sorted(was.limits)
            if _less(new_cap := now.borrow_cap(unit), old_cap := was.borrow_cap(unit))
        ]
        if falls:
            yield Violation(
                new.resource,
                BORROW_LIMIT if now.strategy.borrows else STRATEGY,
                f"{now.name}: may borrow {', '.join(falls)}: what it holds above its limits goes on until it ends or "
                "is taken back",
                "",
            )


def _cap(cap: int | None) -> str:
    return "unlimited" if cap is None else str(cap)


def _less(new: int | None, old: int | None) -> bool:
    return new is not None and (old is None or new < old)


RULES = (
    ChangeRule(
        "W9406",
        "In-share preemption is switched on",
        "Waiting jobs preempt running ones of lower priority in the same share (R16).",
        batch_page("preemption"),
        in_share_preemption_begins,
    ),
    ChangeRule(
        "W9407",
        "A borrow limit is dropped",
        "An absent limit is unlimited; the resource-sharing configuration is replaced as a whole.",
        api_page("QuotaShareResourceSharingConfiguration"),
        borrowing_becomes_unlimited,
    ),
    ChangeRule(
        "I9402",
        "A share begins or ceases to lend",
        "What others can borrow changes with it.",
        batch_page("quota-shares"),
        lending_changes,
    ),
    ChangeRule(
        "I9405",
        "A share may borrow less",
        "Nothing is stopped; nothing more is borrowed above the new cap (R20).",
        batch_page("quota-shares"),
        borrowing_shrinks,
    ),
)
