"""C20: a percentage that is no whole number of instances is a warning that can be acknowledged."""

from __future__ import annotations

import aws_cdk as cdk
import pytest
from aws_cdk.assertions import Annotations, Match
from batch_builders import G5, P5, managed_queue

from quota_shares import BORROW_LIMIT_BELOW_ONE, FRACTIONAL_BORROW_LIMIT, QuotaShare, ResourceSharing


def share(stack: cdk.Stack, limits: dict[str, int], percent: int | None) -> QuotaShare:
    queue = managed_queue(stack, capacity_limits={G5: 10, P5: 10})
    return queue.add_share("A", capacity_limits=limits, resource_sharing=ResourceSharing.lend_and_borrow(percent))


def warnings(stack: cdk.Stack) -> list[str]:
    found = Annotations.from_stack(stack).find_warning("*", Match.any_value())
    return [str(message.entry.data) for message in found]


@pytest.mark.parametrize(
    ("limits", "percent"),
    [({G5: 10}, 50), ({G5: 3}, 0), ({G5: 3}, -1), ({G5: 3}, None), ({G5: 3}, 100), ({G5: 4, P5: 8}, 25)],
)
def test_a_whole_number_of_instances_warns_of_nothing(
    stack: cdk.Stack, limits: dict[str, int], percent: int | None
) -> None:
    share(stack, limits, percent)

    assert warnings(stack) == []


def test_a_fraction_above_one_instance_is_named(stack: cdk.Stack) -> None:
    share(stack, {G5: 3}, 50)

    (text,) = warnings(stack)
    assert text.startswith("50 % of 3 ml.g5.xlarge is 1.5 instances")
    assert FRACTIONAL_BORROW_LIMIT in text


def test_a_limit_below_one_instance_switches_borrowing_off(stack: cdk.Stack) -> None:
    share(stack, {G5: 8, P5: 1}, 25)

    (text,) = warnings(stack)
    assert text.startswith("25 % of 1 ml.p5.48xlarge is 0.25: rounded down this switches borrowing off")
    assert BORROW_LIMIT_BELOW_ONE in text


def test_both_kinds_in_one_share_are_two_warnings(stack: cdk.Stack) -> None:
    share(stack, {G5: 3, P5: 1}, 50)

    assert len(warnings(stack)) == 2


def test_an_acknowledged_warning_is_gone_and_the_other_stays(stack: cdk.Stack) -> None:
    noisy = share(stack, {G5: 3, P5: 1}, 50)
    cdk.Validations.of(noisy).acknowledge(
        cdk.Acknowledgment(id=BORROW_LIMIT_BELOW_ONE, reason="one instance is not lent on purpose")
    )

    (text,) = warnings(stack)
    assert FRACTIONAL_BORROW_LIMIT in text
