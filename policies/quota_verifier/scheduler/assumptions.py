"""A1-A10: what AWS leaves open, each with a default and its alternatives.

None of these is AWS's documented behaviour. A verdict says under which of them it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, get_args

from quota_verifier.errors import InputError

HeadBlocking = Literal["strict", "per-unit", "skip"]
ShareOrder = Literal["oldest-head", "declaration", "round-robin", "least-used"]
BorrowOrder = Literal["submitted", "head-since"]
BorrowRounding = Literal["floor", "ceil"]
WaitingLender = Literal["lend", "hold"]
UnassignedCapacity = Literal["unusable", "borrowable"]
VictimOrder = Literal["priority", "latest", "oldest", "most-borrowed", "least-work-lost", "smallest"]
RequeuePlace = Literal["original", "back"]
MeansOrder = Literal["borrow-first", "preempt-first"]
DisabledShare = Literal["lent as before", "withheld"]
Profiles = Literal["default", "one-at-a-time", "all"]


@dataclass(frozen=True, slots=True)
class Assumptions:
    """One answer to each open question; `Assumptions()` is the default profile."""

    head_blocking: HeadBlocking = "strict"
    share_order: ShareOrder = "oldest-head"
    borrow_order: BorrowOrder = "submitted"
    borrow_rounding: BorrowRounding = "floor"
    waiting_lender: WaitingLender = "lend"
    unassigned_capacity: UnassignedCapacity = "unusable"
    victim_order: VictimOrder = "priority"
    requeue_place: RequeuePlace = "original"
    means_order: MeansOrder = "borrow-first"
    disabled_share: DisabledShare = "lent as before"

    @property
    def deviations(self) -> tuple[str, ...]:
        """How this profile differs from the default one, such as ("A1=skip",)."""
        return tuple(
            f"{question.id}={getattr(self, question.field)}"
            for question in QUESTIONS
            if getattr(self, question.field) != question.default
        )

    def as_choices(self) -> dict[str, str]:
        """The answer to every question by its id, in the order A1..A10."""
        return {question.id: getattr(self, question.field) for question in QUESTIONS}


@dataclass(frozen=True, slots=True)
class Question:
    """A question that AWS leaves open; the first choice is the default."""

    id: str
    field: str
    text: str
    choices: tuple[str, ...]

    @property
    def default(self) -> str:
        """The answer of the default profile."""
        return self.choices[0]


QUESTIONS: tuple[Question, ...] = (
    Question(
        "A1",
        "head_blocking",
        "does a head that cannot start block the jobs behind it",
        get_args(HeadBlocking),
    ),
    Question("A2", "share_order", "the order in which shares are visited", get_args(ShareOrder)),
    Question("A3", "borrow_order", "first in, first out by which time when borrowing", get_args(BorrowOrder)),
    Question("A4", "borrow_rounding", "a fraction of an instance in a borrow cap", get_args(BorrowRounding)),
    Question("A5", "waiting_lender", "idle capacity of a lender whose head waits for more", get_args(WaitingLender)),
    Question("A6", "unassigned_capacity", "environment capacity that no share owns", get_args(UnassignedCapacity)),
    Question("A7", "victim_order", "the rank of preemption victims", get_args(VictimOrder)),
    Question("A8", "requeue_place", "the place of a preempted job", get_args(RequeuePlace)),
    Question("A9", "means_order", "borrowing before in-share preemption, or after", get_args(MeansOrder)),
    Question("A10", "disabled_share", "idle capacity of a DISABLED share", get_args(DisabledShare)),
)


def assume(choices: Sequence[str], base: Assumptions | None = None) -> Assumptions:
    """Assumptions from texts such as `A1=skip`. Raises InputError for an unknown id or choice."""
    profile = base or Assumptions()
    by_id = {question.id: question for question in QUESTIONS}
    for text in choices:
        name, _, choice = text.partition("=")
        question = by_id.get(name.strip().upper())
        if question is None:
            raise InputError(
                f"unknown assumption {name!r}",
                source="--assume",
                remedy=f"one of {', '.join(by_id)}, as in A1=skip",
            )
        if choice.strip() not in question.choices:
            raise InputError(
                f"{question.id} ({question.text}) cannot be {choice.strip()!r}",
                source="--assume",
                remedy=f"one of {', '.join(question.choices)}",
            )
        profile = replace(profile, **{question.field: choice.strip()})
    return profile


def profiles(which: Profiles, base: Assumptions | None = None) -> Iterator[Assumptions]:
    """The profiles to judge under, `base` always first.

    `one-at-a-time` adds each single alternative (17 of them); `all` is every combination of them.
    """
    start = base or Assumptions()
    yield start
    if which == "one-at-a-time":
        for question in QUESTIONS:
            for choice in question.choices:
                if choice != getattr(start, question.field):
                    yield replace(start, **{question.field: choice})
    elif which == "all":
        for answers in product(*(question.choices for question in QUESTIONS)):
            profile = Assumptions(**dict(zip((q.field for q in QUESTIONS), answers, strict=True)))  # type: ignore[arg-type]
            if profile != start:
                yield profile
