"""A counterexample as a policy file of its own: `quota-shares verify` fails on it with the same measured value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import indent

from quota_verifier.cost.prices import Prices
from quota_verifier.documents import dump_yaml
from quota_verifier.durations import format_duration
from quota_verifier.errors import InputError
from quota_verifier.policy.claims import MeasureClaim, Subject
from quota_verifier.policy.policy import Policy
from quota_verifier.policy.wording import bound_text
from quota_verifier.scheduler.timing import Delay, Timing
from quota_verifier.search.results import Counterexample
from quota_verifier.workload.write import job_row
from quota_verifier.workload.write_yaml import yaml_text

_INTRODUCTION = """\
# A counterexample, found by quota-shares search: the claim below does not hold of these jobs.
# Judge it again with: quota-shares verify TEMPLATE --policy THIS_FILE
"""
FORMS = (".yaml", ".yml", ".json")


def write_replay(policy: Policy, found: Counterexample, path: str | Path) -> None:
    """Write the policy file to `path`, as `.yaml`, `.yml` or `.json`. Raises InputError where it cannot be written."""
    check_form(path)
    text = replay_json(policy, found) if Path(path).suffix.lower() == ".json" else replay_yaml(policy, found)
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None


def check_form(path: str | Path) -> None:
    """Raises InputError for a name that no policy file ends in, or in a folder that is not there."""
    ending = Path(path).suffix.lower()
    if ending not in FORMS:
        raise InputError(
            f"the ending {ending!r} names no form of policy file",
            source=str(path),
            remedy=f"end the name in {', '.join(FORMS)}",
        )
    if not Path(path).parent.is_dir():
        raise InputError(f"there is no folder {str(Path(path).parent)!r}", source=str(path), remedy="create it first")


def replay_yaml(policy: Policy, found: Counterexample) -> str:
    """The policy file in YAML, one job a line."""
    data = replay_data(policy, found)
    before = [
        f"{key}: {json.dumps(data[key], ensure_ascii=False)}\n" for key in ("description", "queue") if key in data
    ]
    after = {key: value for key, value in data.items() if key not in ("description", "queue", "workload")}
    jobs = indent(yaml_text([job_row(job) for job in found.jobs], ()), "  ")
    return f"{_INTRODUCTION}{''.join(before)}workload:\n{jobs}{dump_yaml(after)}"


def replay_json(policy: Policy, found: Counterexample) -> str:
    """The policy file in JSON."""
    return json.dumps(replay_data(policy, found), indent=1, ensure_ascii=False) + "\n"


def replay_data(policy: Policy, found: Counterexample) -> dict[str, object]:
    """The policy file as plain data: jobs, timing, assumptions and the one claim, judged under those alone."""
    answers = dict(choice.split("=", 1) for choice in found.assumptions.deviations)
    data: dict[str, object] = {
        "description": f"Counterexample: {found.claim.text}, but it comes to {found.measured.text}",
        "queue": policy.queue,
        "workload": {"jobs": [job_row(job) for job in found.jobs]},
        "timing": _timing(policy.timing),
        "prices": _prices(policy.prices),
        "assume": answers or None,
        "under": "default",
        "until": None if policy.until_ms is None else format_duration(policy.until_ms),
        "expect": [claim_row(found.claim)],
    }
    return {key: value for key, value in data.items() if value is not None}


def claim_row(claim: MeasureClaim) -> dict[str, object]:
    """A claim as policy files write it."""
    bound = bound_text(claim.bound)
    measure: object = {claim.part: bound} if claim.part else bound
    return {**_subject_row(claim.subject), claim.measure: measure}


def _subject_row(subject: Subject) -> dict[str, object]:
    row = {"share": subject.share, "class": dict(subject.labels) or None, "unit": subject.unit, "job": subject.job}
    return {key: value for key, value in row.items() if value is not None}


def _prices(prices: Prices | None) -> Mapping[str, object] | None:
    if prices is None:
        return None
    return {"currency": prices.currency, "per_hour": {unit: str(price) for unit, price in prices.per_hour.items()}}


def _timing(timing: Timing) -> Mapping[str, object] | None:
    named = (("startup", timing.startup), ("stop", timing.stop), ("restore", timing.restore))
    written = {name: _delay(delay) for name, delay in named if delay != Delay()}
    return written or None


def _delay(delay: Delay) -> str | Mapping[str, str]:
    if not delay.by_unit:
        return format_duration(delay.default_ms)
    by_unit = {unit: format_duration(ms) for unit, ms in delay.by_unit.items()}
    return {"default": format_duration(delay.default_ms), **by_unit}
