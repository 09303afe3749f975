"""uvicorn around the emulator: a socket, the clock's ticks, a template deployed at the start."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress

import uvicorn
from starlette.applications import Starlette

from quota_verifier.aws.emulator.app import build_app
from quota_verifier.aws.emulator.emulator import Emulator
from quota_verifier.errors import InputError

TICK_S = 0.02
"""How often the clock is looked at where nobody asks: how late an event may be, in real seconds."""

LOOPBACK = "127.0.0.1"


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on. Raises InputError where the address cannot be had."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        found = socket.create_server((host, port), family=family, backlog=1024)
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else an answer waits 40 ms for the client's ACK
    except OSError as error:
        raise InputError(f"cannot listen on {host} port {port}: {error.strerror or error}", source="--port") from None
    return found


def address(listening: socket.socket) -> str:
    """The URL of a listening socket."""
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    return f"http://{shown}:{port}"


def serve(
    emulator: Emulator, listening: socket.socket, prepare: Callable[[str], None], ready: Callable[[str], None]
) -> None:
    """Serve until interrupted. `prepare` runs beside the server and may use it; then `ready` is told the address.

    Raises InputError where `prepare` does.
    """
    refused: list[InputError] = []
    url = address(listening)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        tasks = [asyncio.create_task(_tick(emulator)), asyncio.create_task(begin())]
        yield
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def begin() -> None:
        try:
            await asyncio.to_thread(prepare, url)
        except InputError as error:
            refused.append(error)
            server.should_exit = True
            return
        ready(url)

    app = build_app(emulator, lifespan)
    config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    if refused:
        raise refused[0]


async def _tick(emulator: Emulator) -> None:
    while True:
        await asyncio.sleep(TICK_S)
        emulator.tick()
