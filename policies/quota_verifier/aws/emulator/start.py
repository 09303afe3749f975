"""An emulator as the command line asks for it: a new state or an old one, its clock, its journal."""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass

from quota_verifier.aws.emulator.account import Account, EventSink, Settings
from quota_verifier.aws.emulator.clock import STEPPED_START_MS, Clock, RunningClock, SteppedClock, wall_ms
from quota_verifier.aws.emulator.emulator import Emulator
from quota_verifier.aws.emulator.store import FORMAT, Store
from quota_verifier.errors import InputError

STEPPED = 0
"""In place of a speed: time stands still until it is advanced."""

_STEPPED_SEED = uuid.UUID(int=0)


@dataclass(frozen=True, slots=True)
class Start:
    """What an emulator is started with: `speed` times real time or STEPPED, its settings and where its state is."""

    settings: Settings
    speed: int = 1
    state: str | None = None


def start(how: Start, deliver: EventSink | None = None) -> Emulator:
    """A new emulator, or one with the state of a file. Raises InputError for a file made under other settings.

    Real and accelerated time goes on while no emulator runs, as AWS's does; stepped time does not.
    """
    store = Store(how.state) if how.state else None
    known = store.settings() if store else {}
    _check(how, known)
    seed = uuid.UUID(known["seed"]) if known else _STEPPED_SEED if how.speed == STEPPED else uuid.uuid4()
    began = int(known["began"]) if known else STEPPED_START_MS if how.speed == STEPPED else wall_ms()
    account = Account(how.settings, seed, began, deliver)
    emulator = Emulator(account, SteppedClock(began), store)
    if store is not None and not known:
        store.set(format=str(FORMAT), seed=str(seed), began=str(began), settings=_text(how.settings))
    emulator.replay()
    now = max(account.now, _present(known, account.now))
    emulator.clock = _clock(how.speed, now)
    emulator.tick()
    if store is not None:
        store.set(anchor=json.dumps({"wall": wall_ms(), "now": now, "speed": how.speed}))
    return emulator


def _present(known: dict[str, str], last: int) -> int:
    """What time it is by the clock of the emulator that ran last."""
    if "anchor" not in known:
        return last
    anchor = json.loads(known["anchor"])
    return anchor["now"] + max(0, wall_ms() - anchor["wall"]) * anchor["speed"]


def _clock(speed: int, now: int) -> Clock:
    return SteppedClock(now) if speed == STEPPED else RunningClock(now, speed)


def _text(settings: Settings) -> str:
    told = {**asdict(settings), "assumptions": settings.assumptions.as_choices()}
    return json.dumps(told, sort_keys=True)


def _check(how: Start, known: dict[str, str]) -> None:
    if not known:
        return
    if known.get("format") != str(FORMAT):
        raise InputError("the state is of another version", source=how.state or "", remedy="start with a new file")
    made, asked = json.loads(known["settings"]), json.loads(_text(how.settings))
    for name, value in made.items():
        if asked[name] != value:
            raise InputError(
                f"the state was made with {name} {json.dumps(value)}",
                source=how.state or "",
                remedy="start with the same options, or with a new file",
            )
