"""Queue files: a quota-managed queue in a few lines, for what-if questions without any template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Strict, Tag, ValidationInfo, field_validator

from quota_verifier.documents import Document
from quota_verifier.durations import Duration, format_duration
from quota_verifier.errors import InputError
from quota_verifier.model import (
    UNLIMITED_BORROWING,
    Environment,
    Queue,
    Share,
    Strategy,
    TimeLimitAction,
    TimeLimitReason,
)
from quota_verifier.template.properties import LARGEST
from quota_verifier.validation import FileModel, validate_document

LEAST_WAIT_MS, MOST_WAIT_MS = 600_000, 86_400_000


def _upper(value: object) -> object:
    """CloudFormation takes enumerations in any case, and so do queue files."""
    return value.upper() if isinstance(value, str) else value


def _allowed_wait(wait_ms: int) -> int:
    if not LEAST_WAIT_MS <= wait_ms <= MOST_WAIT_MS:
        raise InputError(f"{format_duration(wait_ms)} is not allowed", remedy="write 10m to 24h")
    return wait_ms


Name = Annotated[str, Field(min_length=1, max_length=128)]
Unit = Annotated[str, Field(min_length=1)]
Whole = Annotated[int, Strict()]
State = Annotated[Literal["ENABLED", "DISABLED"], BeforeValidator(_upper)]
EnvironmentLimits = Annotated[dict[Unit, Annotated[Whole, Field(ge=0, le=LARGEST)]], Field(min_length=1)]
ShareLimits = Annotated[dict[Unit, Annotated[Whole, Field(ge=1, le=LARGEST)]], Field(min_length=1)]


class EnvironmentEntry(FileModel):
    """The capacity that the shares divide, with a name or a state."""

    limits: EnvironmentLimits = Field(description="Instances of each unit.")
    name: Name = Environment.__dataclass_fields__["name"].default
    state: State = "ENABLED"


class ShareEntry(FileModel):
    """One quota share."""

    name: Name
    limits: ShareLimits = Field(description="Instances of each unit that the share may use without borrowing.")
    strategy: Annotated[Strategy, BeforeValidator(_upper)] = Field(
        description="Whether idle capacity is kept, lent, or lent and borrowed."
    )
    borrow_limit: Annotated[Whole, Field(ge=UNLIMITED_BORROWING, le=LARGEST)] | None = Field(
        default=None,
        description="Percent of the share's own limits that it may borrow on top of them;"
        " absent and -1 are unlimited, 0 is no borrowing. With LEND_AND_BORROW alone.",
    )
    in_share_preemption: Annotated[bool, Strict()] = False
    state: State = "ENABLED"

    @field_validator("borrow_limit")
    @classmethod
    def _only_for_borrowers(cls, limit: int | None, info: ValidationInfo) -> int | None:
        strategy = cast("Strategy | None", info.data.get("strategy"))
        if limit is not None and strategy is not None and not strategy.borrows:
            raise InputError(
                f"a share of strategy {strategy} does not borrow",
                remedy="remove borrow_limit, or use LEND_AND_BORROW",
            )
        return limit


class TimeLimitEntry(FileModel):
    """Terminate a job that heads its share, blocked for a reason, for a time."""

    reason: Annotated[TimeLimitReason, BeforeValidator(_upper)]
    max_time: Annotated[Duration, AfterValidator(_allowed_wait)] = Field(description="10m to 24h.")


def _form(value: object) -> str:
    return "in full" if isinstance(value, Mapping) and "limits" in value else "by unit"


class QueueFile(FileModel):
    """A quota-managed job queue: its environment and its shares."""

    environment: Annotated[
        Annotated[EnvironmentLimits, Tag("by unit")] | Annotated[EnvironmentEntry, Tag("in full")],
        Discriminator(_form),
    ]
    shares: tuple[ShareEntry, ...]
    name: Name = Queue.__dataclass_fields__["name"].default
    state: State = "ENABLED"
    time_limits: tuple[TimeLimitEntry, ...] = ()


def parse_queue_file(document: Document) -> Queue:
    """The queue that a queue file describes. Raises InputError for the first mistake in it."""
    file = validate_document(QueueFile, document)
    _refuse_equal_names(file, document)
    written = file.environment
    entry = written if isinstance(written, EnvironmentEntry) else EnvironmentEntry(limits=written)
    return Queue(
        environment=Environment(entry.limits, name=entry.name, enabled=entry.state == "ENABLED", source="environment"),
        shares=tuple(_share(share, f"shares[{index}]") for index, share in enumerate(file.shares)),
        name=file.name,
        enabled=file.state == "ENABLED",
        time_limits=tuple(TimeLimitAction(limit.reason, limit.max_time) for limit in file.time_limits),
        source=document.source,
    )


def _share(entry: ShareEntry, source: str) -> Share:
    return Share(
        name=entry.name,
        limits=entry.limits,
        strategy=entry.strategy,
        borrow_limit=entry.borrow_limit,
        in_share_preemption=entry.in_share_preemption,
        enabled=entry.state == "ENABLED",
        source=source,
    )


def _refuse_equal_names(file: QueueFile, document: Document) -> None:
    first: dict[str, int] = {}
    for index, share in enumerate(file.shares):
        if share.name in first:
            raise InputError(
                f"{share.name!r} is also the name of shares[{first[share.name]}]",
                source=document.at(("shares", index, "name")),
                where=f"shares[{index}].name",
                remedy="give every share its own name",
            )
        first[share.name] = index
