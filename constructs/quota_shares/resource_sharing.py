"""What a quota share does with idle capacity."""

from __future__ import annotations

from dataclasses import dataclass

import aws_cdk as cdk
import jsii

from quota_shares._source import caller
from quota_verifier.errors import InputError
from quota_verifier.model import Strategy


@dataclass(frozen=True, slots=True)
class ResourceSharing:
    """A resource-sharing strategy with its borrow limit; make one with reserve(), lend() or lend_and_borrow().

    Only a share that borrows has a borrow limit, so the other two take none.
    """

    strategy: Strategy
    borrow_limit_percent: jsii.Number | None = None

    def __post_init__(self) -> None:
        limit = self.borrow_limit_percent
        if limit is None:
            return
        if self.strategy is not Strategy.LEND_AND_BORROW:
            raise InputError(
                f"a borrow limit can only be applied with {Strategy.LEND_AND_BORROW}, got {limit!r} with"
                f" {self.strategy}",
                source=caller(),
            )
        if cdk.Token.is_unresolved(limit):
            return
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < -1:
            raise InputError(
                f"borrow limit must be an integer percentage of at least -1, got {limit!r}",
                source=caller(),
                remedy="-1 is unlimited, 0 is no borrowing, 100 is as much again as the share owns",
            )

    @classmethod
    def reserve(cls) -> ResourceSharing:
        """RESERVE: idle capacity stays with the share; it neither lends nor borrows."""
        return cls(Strategy.RESERVE)

    @classmethod
    def lend(cls) -> ResourceSharing:
        """LEND: other shares may use idle capacity; the share itself never exceeds its own limits."""
        return cls(Strategy.LEND)

    @classmethod
    def lend_and_borrow(cls, borrow_limit_percent: jsii.Number | None = None) -> ResourceSharing:
        """LEND_AND_BORROW: lends idle capacity, and may use what other shares lend.

        :param borrow_limit_percent: How much the share may borrow, in percent of its OWN limit on each
            unit and in addition to it: limit 2 with 100 can hold 4. -1 is unlimited, 0 is no borrowing.
            AWS does not say what a fraction of an instance becomes; quota_shares warns where there is one.
            Default: not rendered, which AWS Batch takes as -1, unlimited.
        """
        return cls(Strategy.LEND_AND_BORROW, borrow_limit_percent)
