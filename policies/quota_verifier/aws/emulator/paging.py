"""maxResults and nextToken."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import TypeVar

from quota_verifier.aws.emulator.errors import AwsError
from quota_verifier.aws.emulator.shapes import Request

T = TypeVar("T")

MOST = 100
"""The most that one page holds, and the default (API reference)."""


def page_size(request: Request) -> int:
    """How much the page may hold. Raises AwsError outside 1 to 100."""
    size = request.get("maxResults")
    if size is None:
        return MOST
    if not 1 <= size <= MOST:
        raise AwsError(f"maxResults: {size} is not between 1 and {MOST}")
    return size


def position(request: Request) -> int | None:
    """Where the page starts, None for the first. Raises AwsError for a token that nobody gave out."""
    token = request.get("nextToken")
    if token is None:
        return None
    try:
        return int(base64.b64decode(token, validate=True).decode("ascii"))
    except (binascii.Error, ValueError):
        raise AwsError("nextToken: this token is not valid") from None


def token(where: int) -> str:
    """The token of a page that starts at `where`."""
    return base64.b64encode(str(where).encode("ascii")).decode("ascii")


def page(items: Sequence[T], request: Request) -> tuple[Sequence[T], str | None]:
    """The part of `items` that the request asks for, and the token of the next page. Raises AwsError."""
    size, start = page_size(request), position(request) or 0
    if start < 0:
        raise AwsError("nextToken: this token is not valid")
    end = start + size
    return items[start:end], token(end) if end < len(items) else None
