"""What may stand in a sweep file, as pydantic models and as a JSON schema."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, Strict, model_validator

from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel
from quota_verifier.words import shown
from quota_verifier.workload.schema import Name

BASELINE = "baseline"
"""The queue as its template has it; the first variant of every sweep."""

MOST_SEEDS = 1_000


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    raise InputError(f"{shown(value)} is no value of a property", remedy="write a whole number, a word, true or null")


Setting = Annotated[
    Annotated[bool, Strict()] | Annotated[int, Strict()] | Annotated[str, Strict()] | None, BeforeValidator(_plain)
]
Values = Annotated[tuple[Setting, ...], Field(min_length=1)]
Seed = Annotated[int, Strict(), Field(ge=0)]


Seeds = int | tuple[int, ...]
"""How many workloads are generated, or by which seeds."""


def _all_different(seeds: Seeds) -> Seeds:
    twice = [] if isinstance(seeds, int) else [seed for seed in seeds if seeds.count(seed) > 1]
    if twice:
        raise InputError(f"the seed {twice[0]} is given twice", remedy="give each once, or it counts double")
    return seeds


def _own_name(name: str) -> str:
    if name == BASELINE:
        raise InputError(f"{name!r} is the queue without changes", remedy="give the variant another name")
    return name


def _some_seed(seeds: object) -> object:
    if seeds in ([], ()):
        raise InputError("no seed is given", remedy="give a number of seeds, or a list of them")
    return seeds


class VariantEntry(FileModel):
    """One variant: a name, and what it changes."""

    name: Annotated[Name, AfterValidator(_own_name)]
    settings: Annotated[dict[Name, Setting], Field(min_length=1)] = Field(
        alias="set", description="Values by key, such as {shares.QS1.borrow_limit: 100}."
    )


class SweepFile(FileModel):
    """Changes to a queue that are tried on the same workloads."""

    description: str = Field(default="", description="What the sweep is to find out, in a sentence.")
    grid: dict[Name, Values] = Field(
        default={},
        description="Values by key; every combination is a variant. Keys are shares.NAME.borrow_limit, .strategy, "
        ".in_share_preemption, .state and .limits.UNIT, and environment.UNIT.",
    )
    variants: tuple[VariantEntry, ...] = Field(default=(), description="Variants besides those of the grid.")
    seeds: Annotated[
        Annotated[int, Strict(), Field(ge=1, le=MOST_SEEDS)]
        | Annotated[tuple[Seed, ...], Field(min_length=1, max_length=MOST_SEEDS)],
        AfterValidator(_all_different),
        BeforeValidator(_some_seed),
    ] = Field(
        default=10,
        description="How many workloads to generate, counting up from the policy's own seed; or the seeds.",
    )
    objectives: Annotated[tuple[Name, ...], Field(min_length=1)] | None = Field(
        default=None, description="What variants are compared by, such as [capacity, wait_p95.QS3]."
    )

    @model_validator(mode="after")
    def _names_differ(self) -> SweepFile:
        names = [entry.name for entry in self.variants]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise InputError(f"two variants are called {twice[0]!r}", remedy="give every variant its own name")
        return self


def sweep_file_schema() -> dict[str, object]:
    """The JSON schema of sweep files, for editors."""
    schema = SweepFile.model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Sweep file"}


def schema_text() -> str:
    """The schema as the published file holds it (docs/schemas/sweep-file.schema.json)."""
    return json.dumps(sweep_file_schema(), indent=2) + "\n"
