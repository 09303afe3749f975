"""A claim of a policy file, with its several measures and statistics, as single comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast, get_args

from pydantic import BaseModel

from quota_verifier.policy.bounds import Bound
from quota_verifier.policy.claims import (
    Claim,
    JobSetClaim,
    Measure,
    MeasureClaim,
    Part,
    PreemptorsClaim,
    StateClaim,
    Subject,
)
from quota_verifier.policy.schema import ClaimRow


def claims_of(row: ClaimRow, source: str = "", where: str = "") -> Iterator[Claim]:
    """The single claims of `row`, in the order in which `ClaimRow` names their measures.

    `source` and `where` say where the row stands, for messages.
    """
    subject = Subject(row.share, tuple(sorted((row.labels or {}).items())), row.unit, row.job)
    for measure in get_args(Measure):
        value: object = getattr(row, measure)
        if isinstance(value, Bound):
            yield MeasureClaim(subject, measure, "", value, source, where)
        elif isinstance(value, BaseModel):
            for part in type(value).model_fields:
                bound: Bound | None = getattr(value, part)
                if bound is not None:
                    yield MeasureClaim(subject, measure, cast("Part", part), bound, source, where)
    if row.state is not None:
        yield StateClaim(subject, row.state, row.at, source, where)
    for which, jobs in (("running", row.running), ("waiting", row.waiting)):
        if jobs is not None and row.at is not None:
            yield JobSetClaim(subject, "running" if which == "running" else "waiting", jobs, row.at, source, where)
    if row.preempted_by is not None:
        yield PreemptorsClaim(subject, row.preempted_by, source, where)
