"""Columns of a run hold the same rows as its sequences of records."""

from quota_verifier.model import Environment, Job, Queue, Share
from quota_verifier.scheduler import simulate
from quota_verifier.scheduler.columns import STATES, event_columns, outcome_columns, span_columns
from quota_verifier.scheduler.run import Run
from quota_verifier.workload import Workload


def _run() -> Run:
    queue = Queue(Environment({"g5": 2}), (Share("A", {"g5": 2}),))
    jobs = tuple(Job(str(index), "A", index * 10, 1000, {"g5": 1 if index < 2 else 3}) for index in range(4))
    return simulate(queue, Workload(jobs))


def test_event_and_span_columns_hold_every_field_of_the_records():
    run = _run()
    events, spans = event_columns(run), span_columns(run)
    rows = zip(events.at, events.kind, events.job, events.by, events.reason, events.value, strict=True)
    assert list(rows) == [tuple(event) for event in run.events]
    rows = zip(
        spans.job, spans.attempt, spans.start, spans.run, spans.stop, spans.end, spans.how, spans.by, spans.lost_ms,
        strict=True,
    )  # fmt: skip
    assert list(rows) == [tuple(span) for span in run.spans]


def test_outcome_columns_name_states_and_details_by_code():
    run = _run()
    table = outcome_columns(run)
    assert [STATES[code] for code in table.state] == [outcome.state for outcome in run.outcomes]
    assert [table.details[code] for code in table.detail] == [outcome.detail for outcome in run.outcomes]
    assert table.details[table.detail[2]].startswith("MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE")


def test_a_run_without_records_has_empty_columns():
    queue = Queue(Environment({"g5": 2}), (Share("A", {"g5": 2}),))
    run = simulate(queue, Workload(()))
    assert len(event_columns(run).at) == len(span_columns(run).job) == len(outcome_columns(run).state) == 0
