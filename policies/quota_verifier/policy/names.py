"""A short stable name for each claim: what people waive, acknowledge and filter by."""

from __future__ import annotations

from collections.abc import Iterable

from quota_verifier.durations import format_duration
from quota_verifier.policy.claims import Claim, JobSetClaim, MeasureClaim, PreemptorsClaim, StateClaim, Subject
from quota_verifier.words import dotted_name


def claim_names(claims: Iterable[Claim]) -> list[str]:
    """A name for each claim of a policy: subject and measure, whatever the bound, so that it outlives a new bound.

    Claims that would have one name are numbered from the second on.
    """
    seen: dict[str, int] = {}
    names: list[str] = []
    for claim in claims:
        name = dotted_name(_subject_name(claim.subject), _measure_name(claim))
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return names


def _subject_name(subject: Subject) -> str:
    labels = (f"{key}-{value}" for key, value in subject.labels)
    job = f"job-{subject.job}" if subject.job else None
    return ".".join(part for part in (subject.share, *labels, subject.unit, job) if part) or "queue"


def _measure_name(claim: Claim) -> str:
    match claim:
        case MeasureClaim():
            measure = "reclaim" if claim.measure == "reclaimed_within" else claim.measure.replace("_", "-")
            part = "" if claim.part in ("", "every", "total") else f"-{claim.part.replace('_', '-')}"
            return measure + part
        case StateClaim():
            return "state-at-the-end" if claim.at_ms is None else f"state-at-{format_duration(claim.at_ms)}"
        case JobSetClaim():
            return f"{claim.which}-at-{format_duration(claim.at_ms)}"
        case PreemptorsClaim():
            return "preempted-by"
