"""Where a claim stands in its policy file, to the very key of its measure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from quota_verifier.documents import DataPath, Document, load_document
from quota_verifier.errors import InputError
from quota_verifier.policy.claims import Claim, JobSetClaim, MeasureClaim, PreemptorsClaim, StateClaim
from quota_verifier.policy.policy import Policy

_ROW = re.compile(r"expect\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file; line and column are 1-based."""

    file: str
    line: int = 1
    column: int = 1


@dataclass(slots=True)
class Spots:
    """Finds the places of a policy's claims; its file is read once more for the columns."""

    policy: Policy
    _document: Document | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        try:
            self._document = load_document(self.policy.source) if self.policy.source else None
        except InputError:
            self._document = None  # a policy made from data, whose source is only a name

    def of(self, claim: Claim) -> Spot:
        """The place of a claim; only its line, or the first one, where its file cannot be read."""
        row = _ROW.match(claim.where)
        if self._document is not None and row is not None:
            path = _path(self._document.data, int(row[1]), claim)
            return Spot(self.policy.source, self._document.line_of(path), self._document.column_of(path))
        file, _, line = claim.source.rpartition(":")
        return Spot(file, int(line)) if file and line.isdecimal() else Spot(claim.source or self.policy.source)


def _path(data: object, row: int, claim: Claim) -> DataPath:
    """The keys of the claim's measure, as far as the file writes them."""
    match claim:
        case MeasureClaim():
            keys: tuple[str, ...] = (claim.measure, claim.part)
        case StateClaim():
            keys = ("state",)
        case JobSetClaim():
            keys = (claim.which,)
        case PreemptorsClaim():
            keys = ("preempted_by",)
    return ("expect", row, *(key for key in keys if key))
