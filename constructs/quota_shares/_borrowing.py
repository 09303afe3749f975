"""Warnings about borrow limits that do not come out as whole instances."""

from __future__ import annotations

import aws_cdk as cdk
import jsii
from constructs import IConstruct

from quota_shares._capacity import CapacityLimits
from quota_shares._checks import is_token

FRACTIONAL_BORROW_LIMIT = "quota-shares:fractional-borrow-limit"
"""A borrow limit that is no whole number of instances."""

BORROW_LIMIT_BELOW_ONE = "quota-shares:borrow-limit-below-one-instance"
"""A borrow limit that comes to less than one instance."""


def warn_of_fractions(share: IConstruct, limits: CapacityLimits, percent: jsii.Number | None) -> None:
    """Warn where percent x limit is not whole: AWS does not say what a fraction of an instance becomes.

    Both warnings can be acknowledged by their ids. Values known at deployment only are passed over.
    """
    if percent is None or is_token(percent) or percent <= 0:
        return
    below_one: list[str] = []
    fractional: list[str] = []
    for unit, own in limits.items():
        if is_token(own):
            continue
        whole, hundredths = divmod(int(own) * int(percent), 100)
        if hundredths:
            exact = f"{whole}.{hundredths:02d}".rstrip("0")
            (fractional if whole else below_one).append(f"{percent} % of {own} {unit} is {exact}")
    validations = cdk.Validations.of(share)
    if below_one:
        validations.add_warning(
            BORROW_LIMIT_BELOW_ONE,
            f"{'; '.join(below_one)}: rounded down this switches borrowing off, and AWS does not say how it rounds",
        )
    if fractional:
        validations.add_warning(
            FRACTIONAL_BORROW_LIMIT,
            f"{'; '.join(fractional)} instances: AWS does not say what the fraction becomes;"
            " the simulation rounds down",
        )
