"""The emulator over HTTP: one route for each operation of botocore's model, and AWS's form of errors."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quota_verifier.aws.emulator.emulator import Emulator
from quota_verifier.aws.emulator.errors import SERVER, UNKNOWN_OPERATION, AwsError
from quota_verifier.aws.emulator.operations import OPERATIONS
from quota_verifier.aws.emulator.service_model import operation, outside_body
from quota_verifier.aws.emulator.shapes import read_request, refusal, write_answer

BODY_BYTES = 1024 * 1024
SUBMIT_BYTES = 30 * 1024
"""The most that a SubmitServiceJob request may hold (AWS user guide, service limits)."""

CONTROL = "/_emulator"
"""Where the emulator's own requests go: a path that AWS has no operation under."""

Endpoint = Callable[[HttpRequest], Awaitable[Response]]
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def build_app(emulator: Emulator, lifespan: Lifespan | None = None) -> Starlette:
    """The ASGI application of an emulator."""
    routes = [_route(emulator, name) for name in OPERATIONS]
    routes += [
        Route(f"{CONTROL}/time", _time(emulator), methods=["GET"]),
        Route(f"{CONTROL}/advance", _advance(emulator), methods=["POST"]),
    ]
    handlers = {HTTPException: _no_such_operation, Exception: _fault}
    return Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)  # type: ignore[arg-type]


def _route(emulator: Emulator, name: str) -> Route:
    known = operation(name)
    limit = SUBMIT_BYTES if name == "SubmitServiceJob" else BODY_BYTES
    path = known.path.replace("}", ":path}")  # an ARN has slashes

    async def answer(http: HttpRequest) -> Response:
        try:
            request = read_request(name, await _body(http, limit), _outside(name, http))
            content = write_answer(name, emulator.call(name, request))
        except AwsError as error:
            return _refusal(error)
        return Response(content, media_type="application/json")

    return Route(path, answer, methods=[known.method])


async def _body(http: HttpRequest, limit: int) -> bytes:
    """The request's body. Raises AwsError for one above the limit, without reading all of it."""
    parts: list[bytes] = []
    size = 0
    async for part in http.stream():
        size += len(part)
        if size > limit:
            raise AwsError(f"the request must be no longer than {limit} bytes", status=413)
        parts.append(part)
    return b"".join(parts)


def _outside(operation: str, http: HttpRequest) -> Mapping[str, object]:
    """The members that stand in the path or the query."""
    return {
        member: unquote(http.path_params[name]) if place == "uri" else http.query_params.getlist(name)
        for member, place, name in outside_body(operation)
    }


class _Advance(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    seconds: float
    settle: bool = True


def _advance(emulator: Emulator) -> Endpoint:
    async def advance(http: HttpRequest) -> Response:
        try:
            wanted = _Advance.model_validate_json(await _body(http, BODY_BYTES))
            ms = round(wanted.seconds * 1000)
            if ms < 0:
                raise AwsError("seconds: time does not go back")
            now = emulator.advance(ms, settle=wanted.settle)
        except ValidationError as error:
            return _refusal(refusal(error))
        except AwsError as error:
            return _refusal(error)
        return JSONResponse({"now": now})

    return advance


def _time(emulator: Emulator) -> Endpoint:
    async def time(_http: HttpRequest) -> Response:
        emulator.tick()
        return JSONResponse({"now": emulator.account.now})

    return time


async def _no_such_operation(http: HttpRequest, error: HTTPException) -> Response:
    text = f"{http.method} {http.url.path} is no operation that this emulator serves"
    return _refusal(AwsError(text, code=UNKNOWN_OPERATION, status=404 if error.status_code == 404 else 405))


async def _fault(_http: HttpRequest, error: Exception) -> Response:
    return _refusal(AwsError(f"a fault of the emulator: {error!r}", code=SERVER, status=500))


def _refusal(error: AwsError) -> Response:
    content = json.dumps({"__type": error.code, "message": error.message})
    headers = {"x-amzn-ErrorType": error.code}
    return Response(content, error.status, headers, media_type="application/json")
