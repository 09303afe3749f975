"""What AWS answers to a request that it cannot serve."""

from __future__ import annotations

from typing import Final

CLIENT: Final = "ClientException"
"""Anything that the client got wrong (API reference)."""

SERVER: Final = "ServerException"
UNKNOWN_OPERATION: Final = "UnknownOperationException"


class AwsError(Exception):
    """An error answer: `code` is AWS's name of the error, `message` what boto3 shows, `status` HTTP's."""

    def __init__(self, message: str, *, code: str = CLIENT, status: int = 400) -> None:
        self.message = message
        self.code = code
        self.status = status
        super().__init__(message)


ALREADY_EXISTS: Final = "Object already exists"
"""AWS's sample code compares with this text, letter by letter."""


def missing(what: str, name: str) -> AwsError:
    """The error for a resource that is not there; AWS's tests look for `does not exist`."""
    return AwsError(f"{what} {name} does not exist")
