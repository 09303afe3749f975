"""Settings: another value for one property of a queue, named by a key such as `shares.QS1.borrow_limit`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from quota_verifier.errors import InputError
from quota_verifier.model import Queue, Share
from quota_verifier.template.queue_document import queue_document
from quota_verifier.template.queue_file import EnvironmentEntry, ShareEntry
from quota_verifier.validation import validate_file
from quota_verifier.words import did_you_mean, field_path, shown

Value = int | str | bool | None
"""What a property may be set to, in the words of queue files."""

SHARE_FIELDS = ("borrow_limit", "strategy", "in_share_preemption", "state")
M = TypeVar("M", EnvironmentEntry, ShareEntry)

FORMS = "shares.NAME.borrow_limit, shares.NAME.strategy, shares.NAME.limits.UNIT and environment.UNIT"


@dataclass(frozen=True, slots=True)
class Key:
    """A property that a sweep can change: a field of a share, or (`share` None) the environment's capacity.

    `unit` is empty but for capacities. `text` is the key as files write it.
    """

    text: str
    share: str | None
    field: str
    unit: str = ""

    @property
    def short(self) -> str:
        """The key as names of variants write it: without its first word."""
        return self.text.partition(".")[2]


@dataclass(frozen=True, slots=True)
class Setting:
    """A value for the property that `key` names; `source` is the place where it was written."""

    key: str
    value: Value
    source: str = ""


def read_key(text: str, queue: Queue) -> Key:
    """The property of `queue` that `text` names. Raises InputError, with what was probably meant."""
    kind, _, rest = text.partition(".")
    if kind == "environment" and rest:
        return Key(text, None, "limits", _unit(rest, queue))
    if kind == "shares" and rest:
        return _share_key(text, rest, queue)
    near = did_you_mean(kind, ("shares", "environment"))
    raise InputError(
        f"{text!r} is no property that a sweep can change",
        remedy=near if near.startswith("did") and kind not in ("shares", "environment") else f"keys are {FORMS}",
    )


def _share_key(text: str, rest: str, queue: Queue) -> Key:
    """Names may hold dots, so the longest share name that fits is meant."""
    names = [share.name for share in queue.shares]
    name = max((name for name in names if rest.startswith(f"{name}.")), key=len, default=None)
    if name is None:
        named = rest.partition(".")[0]
        if named in names:
            raise InputError(f"{text!r} names no property of share {named!r}", remedy=f"keys are {FORMS}")
        raise InputError(f"the queue has no share {named!r}", remedy=did_you_mean(named, names))
    field, _, unit = rest.removeprefix(f"{name}.").partition(".")
    if field == "limits" and unit:
        return Key(text, name, field, _unit(unit, queue))
    if field in SHARE_FIELDS and not unit:
        return Key(text, name, field)
    if field in (*SHARE_FIELDS, "limits"):
        right = "limits.UNIT" if field == "limits" else field
        raise InputError(f"{text!r} is no property of a share", remedy=f"write shares.{name}.{right}")
    raise InputError(f"a share has no property {field!r}", remedy=did_you_mean(field, (*SHARE_FIELDS, "limits")))


def _unit(unit: str, queue: Queue) -> str:
    if unit not in queue.units:
        raise InputError(f"the queue has no unit {unit!r}", remedy=did_you_mean(unit, queue.units))
    return unit


def changed(queue: Queue, settings: Sequence[Setting]) -> Queue:
    """`queue` with the settings applied together.

    A strategy that does not borrow drops the share's borrow limit unless that is set too, as a strategy
    replaces the whole resource sharing configuration (R20). Raises InputError, with the setting's key
    and source, for a key that does not exist and a value that a queue file could not have.
    """
    keyed = [(_placed(setting, queue), setting) for setting in settings]
    shares = tuple(
        _changed_share(share, document, {key: setting for key, setting in keyed if key.share == share.name})
        for share, document in zip(queue.shares, _share_documents(queue), strict=True)
    )
    capacity = {key: setting for key, setting in keyed if key.share is None}
    if not capacity:
        return replace(queue, shares=shares)
    limits = {**queue.environment.limits, **{key.unit: setting.value for key, setting in capacity.items()}}
    entry = _legal(EnvironmentEntry, {"limits": limits}, capacity)
    return replace(queue, shares=shares, environment=replace(queue.environment, limits=entry.limits))


def _placed(setting: Setting, queue: Queue) -> Key:
    try:
        return read_key(setting.key, queue)
    except InputError as error:
        raise InputError(error.problem, source=setting.source, remedy=error.remedy) from None


def _share_documents(queue: Queue) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", queue_document(queue)["shares"])


def _changed_share(share: Share, document: dict[str, object], settings: Mapping[Key, Setting]) -> Share:
    if not settings:
        return share
    fields = {key.field: setting.value for key, setting in settings.items() if not key.unit}
    strategy = fields.get("strategy")
    if isinstance(strategy, str) and strategy.upper() in ("LEND", "RESERVE") and "borrow_limit" not in fields:
        document.pop("borrow_limit", None)
    limits = {**share.limits, **{key.unit: setting.value for key, setting in settings.items() if key.unit}}
    entry = _legal(ShareEntry, {**document, **fields, "limits": limits}, settings)
    return replace(
        share,
        limits=entry.limits,
        strategy=entry.strategy,
        borrow_limit=entry.borrow_limit,
        in_share_preemption=entry.in_share_preemption,
        enabled=entry.state == "ENABLED",
    )


def _legal(kind: type[M], data: object, settings: Mapping[Key, Setting]) -> M:
    """`data` as a queue file would have it. Raises InputError about the setting that is at fault."""
    try:
        return validate_file(kind, data, "")
    except InputError as error:
        paths = {field_path((key.field, key.unit) if key.unit else (key.field,)): key for key in settings}
        key = paths.get(error.where, next(iter(settings)))
        setting = settings[key]
        raise InputError(error.problem, source=setting.source, where=key.text, remedy=error.remedy) from None


def value_text(value: Value) -> str:
    """A value as a name or a table writes it: `100`, `LEND`, `null`, `true`."""
    return value if isinstance(value, str) else shown(value)
