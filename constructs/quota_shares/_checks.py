"""Checks of arguments at construction: tokens pass, everything else must be what AWS documents.

Numbers, strings and lists may stand for values that exist at deployment only. A number token is a huge
negative float, so every check asks for a token before it compares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import aws_cdk as cdk
from constructs import Construct

from quota_shares._source import caller
from quota_verifier.errors import InputError

_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")


def is_token(value: object) -> bool:
    """Whether the value is known at deployment only."""
    return cdk.Token.is_unresolved(value)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an argument was given: the construct that is being made."""

    scope: Construct
    id: str

    @property
    def path(self) -> str:
        """The construct path that the construct has or would have."""
        return "/".join(part for part in (self.scope.node.path, self.id) if part)

    def error(self, problem: str, remedy: str = "") -> InputError:
        """An error that names the user's line and the construct."""
        return InputError(problem, source=caller(), where=self.path, remedy=remedy)


def check_name(what: str, name: str | None, place: Place) -> None:
    """AWS Batch names: 1 to 128 letters, digits, hyphens and underscores; None leaves the name to CloudFormation."""
    if name is None or is_token(name):
        return
    if _NAME.fullmatch(name) is None:
        raise place.error(f"{what} must be 1 to 128 letters, digits, hyphens (-) and underscores (_), got {name!r}")


def check_integer(what: str, value: object, place: Place, *, at_least: int, at_most: int | None = None) -> None:
    """A whole number inside AWS's range, or a number token."""
    if is_token(value):
        if isinstance(value, int | float):
            return
        raise place.error(
            f"{what} must be a number, got a token of another type", "wrap it in cdk.Token.as_number(...)"
        )
    allowed = f"of at least {at_least}" if at_most is None else f"between {at_least} and {at_most}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise place.error(f"{what} must be an integer {allowed}, got {value!r}")
    if value < at_least or (at_most is not None and value > at_most):
        raise place.error(f"{what} must be an integer {allowed}, got {value}")


def check_flag(what: str, value: object, place: Place) -> None:
    """True or False: a text such as "DISABLED" would count as true."""
    if not isinstance(value, bool):
        raise place.error(f"{what} must be True or False, got {value!r}")


def check_reference(what: str, value: object, reference: str, importer: str, place: Place) -> None:
    """A construct that can be referred to: names and ARNs as text would make no dependency in the template."""
    if not hasattr(value, reference):
        raise place.error(f"{what} must be a construct, got {value!r}", f"import an existing one with {importer}(...)")


def resource_name_of(arn: str, resource: str, place: Place) -> str:
    """The name in a literal AWS Batch ARN; InputError where the ARN is a token or that of something else.

    `resource` is `job-queue`, `service-environment`, `scheduling-policy` or `quota-share`.
    """
    if is_token(arn):
        raise place.error(
            f"the {resource} ARN is only known at deployment, and its name must be split out of it",
            "give a literal ARN, or import by name",
        )
    path = "job-queue/QUEUE/quota-share" if resource == "quota-share" else resource
    names = path.replace("QUEUE", _NAME.pattern)
    match = re.fullmatch(rf"arn:[a-z-]+:batch:[a-z0-9-]+:\d{{12}}:{names}/({_NAME.pattern})", arn)
    if match is None:
        raise place.error(
            f"{arn!r} is not the ARN of a {resource}",
            f"expected arn:aws:batch:REGION:ACCOUNT:{path}/NAME",
        )
    return match[1]
