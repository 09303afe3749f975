"""Whatever the world: explanations and dry runs are told, as their schemas say, and whatever the order of rows."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from quota_verifier.explain import explain, preemptions, try_job
from quota_verifier.report.explain_document import explain_document
from quota_verifier.report.explain_text import explain_report
from quota_verifier.report.schemas import document_schema
from quota_verifier.report.text import rendered
from quota_verifier.report.try_document import try_document
from quota_verifier.report.try_text import try_report
from quota_verifier.testing import permuted, property_settings, worlds

SCHEMAS = {command: Draft202012Validator(document_schema(command)) for command in ("explain", "try")}


def explained(world, name, at_ms):
    """The explanation of a job, in words and as its document."""
    found = explain(
        world.queue,
        world.workload,
        name,
        at_ms=at_ms,
        assumptions=world.assumptions,
        timing=world.timing,
        under="one-at-a-time",
    )
    parts = (found.run, world.workload, found, preemptions(found.run))
    return rendered(explain_report(*parts)), json.loads(json.dumps(explain_document(*parts)))


@property_settings(15)
@given(world=worlds(), pick=st.integers(0, 100), at=st.integers(0, 30), random=st.randoms(use_true_random=False))
def test_every_explanation_is_told_alike_whatever_the_order_of_rows(world, pick, at, random: Random):
    if not world.workload.jobs:
        return
    name = world.workload.jobs[pick % len(world.workload.jobs)].id
    text, document = explained(world, name, at * 1000)
    SCHEMAS["explain"].validate(document)
    assert (text, document) == explained(permuted(world, random), name, at * 1000)


@property_settings(15)
@given(world=worlds(), pick=st.integers(0, 100), at=st.integers(0, 30))
def test_every_dry_run_is_told(world, pick, at):
    if not world.workload.jobs:
        return
    job = replace(world.workload.jobs[pick % len(world.workload.jobs)], id="tried", submit_ms=at * 1000)
    found = try_job(
        world.queue, world.workload, job, assumptions=world.assumptions, timing=world.timing, under="default"
    )
    assert rendered(try_report(found, world.workload))
    SCHEMAS["try"].validate(json.loads(json.dumps(try_document(found, world.workload))))
