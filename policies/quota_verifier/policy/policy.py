"""Policies: what must hold of a queue under a workload, and reading them from files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from quota_verifier.cost.prices import Prices, PricesFile, prices_from, read_prices
from quota_verifier.documents import Document, load_document, read_text
from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.policy.claims import Claim
from quota_verifier.policy.expand import claims_of
from quota_verifier.policy.schema import PolicyFile, TimingSection, WorkloadSection
from quota_verifier.policy.waivers import Waiver, waivers_of
from quota_verifier.scheduler.assumptions import Assumptions, Profiles, assume
from quota_verifier.scheduler.timing import Delay, Timing
from quota_verifier.validation import validate_document, validate_file
from quota_verifier.words import field_path
from quota_verifier.workload import Workload
from quota_verifier.workload.build import workload_from_rows
from quota_verifier.workload.check import Place
from quota_verifier.workload.envelope_spec import EnvelopeSpec
from quota_verifier.workload.files import read_trace, read_workload
from quota_verifier.workload.generate import generate_workload

_BARE_GREATER = re.compile(r"[:,{\[]\s*>=?\s*\d")


@dataclass(frozen=True, slots=True)
class WorkloadPlan:
    """A policy file's `workload` section; jobs are read or generated once the queue is known.

    `place` says where a path of the policy's data stands, for messages; `base` is the folder of its files.
    """

    section: WorkloadSection
    place: Place
    source: str
    base: Path

    @property
    def absent(self) -> Path | None:
        """The file of an optional trace that is not there."""
        trace = self.section.trace
        if trace is None or not trace.optional:
            return None
        file = Path(os.path.normpath(self.base / trace.file))
        return None if file.exists() else file

    def load(self, queue: Queue) -> Workload:
        """The workload for `queue`. Raises InputError for files that cannot be read and names it does not have."""
        section = self.section
        if section.generate is not None:
            return generate_workload(
                section.generate, queue, place=lambda path: self.place(("workload", "generate", *path))
            )
        if section.trace is not None:
            return read_trace(section.trace, base=self.base, queue=queue)
        if section.file is not None:
            return read_workload(self.base / section.file, queue=queue)
        return workload_from_rows(
            section.jobs or (),
            section.updates or (),
            place=lambda path: self.place(("workload", *path)),
            source=self.source,
            queue=queue,
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """Claims about one workload, with the timing and the assumptions they are judged under.

    `under` says which profiles are tried beside `assumptions`; `until_ms` stops the simulation. `queue` names
    the job queue where a template has several; `source` is the file, for messages. `waivers` are claims that
    may fail for now. `envelope` is where a search for counterexamples may look; a verdict is about `workload` alone.
    `prices` are needed by claims about money, and by nothing else.
    """

    claims: tuple[Claim, ...]
    workload: Workload | WorkloadPlan
    description: str = ""
    timing: Timing = field(default_factory=Timing)
    assumptions: Assumptions = field(default_factory=Assumptions)
    under: Profiles = "one-at-a-time"
    until_ms: int | None = None
    queue: str | None = None
    source: str = ""
    waivers: tuple[Waiver, ...] = ()
    envelope: EnvelopeSpec | None = None
    prices: Prices | None = None


def read_policy(path: str | PathLike[str]) -> Policy:
    """The policy in a YAML or JSON file. Raises InputError for the first mistake, with file, line and remedy.

    Files that it names are relative to its own folder; they are read when the policy is verified.
    """
    document = _load(Path(path))
    file = validate_document(PolicyFile, document)
    return _policy(file, document.source, Path(path).parent, lambda where: (document.at(where), field_path(where)))


def _load(path: Path) -> Document:
    """The document, with a word on YAML's own meaning of a bare `>`, which claims invite."""
    try:
        return load_document(path)
    except InputError as error:
        if error.remedy or not error.problem.startswith("malformed") or not _BARE_GREATER.search(read_text(path)):
            raise
        remedy = "put a comparison that starts with > in quotes, as in '>= 60%'"
        raise InputError(error.problem, source=error.source, where=error.where, remedy=remedy) from None


def policy_from_data(data: object, *, source: str = "", base: str | Path = ".") -> Policy:
    """The policy that plain data describes, in the words of a policy file. Raises InputError.

    `source` names it in messages; files that it names are relative to `base`.
    """
    file = validate_file(PolicyFile, data, source)
    return _policy(file, source, Path(base), lambda where: (source, field_path(where)))


def _policy(file: PolicyFile, source: str, base: Path, place: Place) -> Policy:
    claims = tuple(
        claim for index, row in enumerate(file.expect) for claim in claims_of(row, *place(("expect", index)))
    )
    return Policy(
        claims=claims,
        workload=WorkloadPlan(file.workload, place, source, base),
        description=file.description,
        timing=timing_from(file.timing),
        assumptions=assume([f"{question}={choice}" for question, choice in file.assume.items()]),
        under=file.under,
        until_ms=file.until,
        queue=file.queue,
        source=source,
        waivers=waivers_of(file.waive, claims, place),
        envelope=file.envelope,
        prices=_prices(file.prices, source, base),
    )


def _prices(section: str | PricesFile | None, source: str, base: Path) -> Prices | None:
    if section is None:
        return None
    return read_prices(base / section) if isinstance(section, str) else prices_from(section, source)


def timing_from(section: TimingSection) -> Timing:
    """The delays that a policy file's `timing` gives."""
    return Timing(_delay(section.startup), _delay(section.stop), _delay(section.restore))


def _delay(by_unit: Mapping[str, int]) -> Delay:
    units = {unit: ms for unit, ms in by_unit.items() if unit != "default"}
    return Delay(by_unit.get("default", 0), units)
