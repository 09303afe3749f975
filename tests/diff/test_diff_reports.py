"""The report of a change as text, Markdown and JSON: whole ones are pinned, and what Markdown must survive is tried."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from diff_queues import BORROW, G5, LEND, MINUTE, job, queue, share, tried
from jsonschema import Draft202012Validator

from quota_verifier.diff import diff
from quota_verifier.diff.subject import subject_of
from quota_verifier.diff.trial import experiment
from quota_verifier.report.diff_document import diff_document
from quota_verifier.report.diff_figures import signed
from quota_verifier.report.diff_markdown import MARK, code, diff_markdown, fenced, prose
from quota_verifier.report.diff_text import diff_report
from quota_verifier.report.json_text import json_text
from quota_verifier.report.schemas import document_schema
from quota_verifier.report.text import rendered
from quota_verifier.report.timeline import timeline
from quota_verifier.scheduler import Delay, Timing
from quota_verifier.workload import Workload

PAIRS = Path(__file__).parents[1] / "fixtures" / "diff"

JOBS = (
    job("v1", "vision", 0, 120, 2, checkpoint_ms=30 * MINUTE),
    job("v2", "vision", 10, 120, 2),
    job("r1", "research", 15, 90, 2),
    job("r2", "research", 20, 90, 2),
    job("s1", "speech", 50, 60, 2),
    job("v3", "vision", 180, 30, 4),
)


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch):
    monkeypatch.chdir(PAIRS)


def both(old, new, jobs=JOBS, at=60, **rest):
    """The report on a pair, and its workload tried."""
    report = diff(old, new)
    workload = Workload(tuple(jobs), source="week.csv")
    timing = Timing(stop=Delay(20_000))
    return report, experiment(subject_of(report), workload, at_ms=at * MINUTE, timing=timing, **rest)


FENCED = re.compile(r"^```text\n.*?^```$", re.DOTALL | re.MULTILINE)

CASES = {
    "limit lowered at an instant": lambda: both("base.yaml", "limit_lowered.yaml"),
    "share removed at an instant": lambda: both("base.yaml", "share_removed.yaml"),
    "deployment that fails": lambda: both("base.yaml", "share_id_renamed.yaml"),
    "nothing to run on new": lambda: both("base.yaml", "fair_share.yaml"),
    "stacks": lambda: (diff("stacks", "stacks_queue_replaced"), None),
    "no change": lambda: (diff("base.yaml", "base.yaml"), None),
    "left open": lambda: (diff("base.yaml", "parameter.yaml"), None),
    "waived": lambda: (diff("base.yaml", "waived.yaml"), None),
}


@pytest.mark.parametrize("case", CASES)
def test_the_text_reads_from_findings_to_what_happens_to_jobs(case, snapshot):
    assert rendered(diff_report(*CASES[case]())) == snapshot


@pytest.mark.parametrize("case", CASES)
def test_the_markdown_is_fit_for_a_pull_request(case, snapshot):
    # The sentences of the timeline are pinned where they are made.
    assert FENCED.sub("(timeline)", diff_markdown(*CASES[case]())) == snapshot


def test_the_timeline_is_that_of_the_run_with_the_change():
    report, of = both("base.yaml", "limit_lowered.yaml")
    (block,) = FENCED.findall(diff_markdown(report, of))
    assert block.splitlines()[1:-1] == timeline(of.changed.trial.run, 60 * MINUTE, max_rows=30).splitlines()


def closed(schema):
    """The schema without room for further keys, so that a key nobody documented fails."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    return {"additionalProperties": False, **parts} if "properties" in parts else parts


@pytest.mark.parametrize("case", CASES)
def test_the_document_is_what_its_schema_says(case):
    document = json.loads(json_text(diff_document(*CASES[case]())))
    Draft202012Validator(closed(document_schema("diff"))).validate(document)
    assert list(document["findings"][0] if document["findings"] else {})[:6] in (
        [],
        ["rule", "severity", "logical_id", "construct_path", "message", "fix"],
    )


def test_the_document_has_the_numbers_of_the_change():
    """C17, in JSON."""
    document = diff_document(*both("base.yaml", "limit_lowered.yaml", at=30))
    changed = document["experiment"]["changed"]
    assert changed["held"][2] == {
        "share": "vision",
        "unit": G5,
        "held": 4,
        "ending": 0,
        "old_limit": 4,
        "new_limit": 2,
        "above_before": 0,
        "above": 2,
        "borrowed": 0,
        "over_limit": 2,
        "preemptible": 2,
    }
    assert [one["job"] for one in changed["eligible"] if one["newly"]] == ["v1", "v2"]
    old, new = document["experiment"]["old"], document["experiment"]["new"]
    deltas = document["experiment"]["new_less_old"]["queue"]
    assert deltas["never_schedulable"] == new["queue"]["never_schedulable"] - old["queue"]["never_schedulable"] == 1
    assert deltas["wait_max"] is None


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_leaves_every_byte_as_it_is(seed):
    rows = list(JOBS)
    random.Random(seed).shuffle(rows)  # noqa: S311 (a test's own order of rows)
    straight, shuffled = both("base.yaml", "limit_lowered.yaml"), both("base.yaml", "limit_lowered.yaml", jobs=rows)
    assert diff_markdown(*straight) == diff_markdown(*shuffled)
    assert rendered(diff_report(*straight)) == rendered(diff_report(*shuffled))
    assert json_text(diff_document(*straight)) == json_text(diff_document(*shuffled))


def cells(line):
    return re.split(r"(?<!\\)\|", line)[1:-1]


@pytest.mark.parametrize("case", CASES)
def test_every_row_of_a_markdown_table_has_as_many_cells_as_its_heading(case):
    blocks = re.findall(r"(?:^\|.*\n)+", diff_markdown(*CASES[case]()), re.MULTILINE)
    for block in blocks:
        rows = [cells(line) for line in block.splitlines()]
        assert {len(row) for row in rows} == {len(rows[0])}


@pytest.mark.parametrize("case", CASES)
def test_markdown_begins_with_its_mark_and_closes_what_it_opens(case):
    text = diff_markdown(*CASES[case]())
    assert text.startswith(f"{MARK}\n")
    assert text.count("<details>") == text.count("</details>") == text.count("<summary>")
    assert not any(line.endswith(" ") for line in text.splitlines())
    # GitHub reads Markdown inside <details> only after a blank line.
    assert text.count("</summary>\n\n") == text.count("<summary>")


NASTY = "a|b`c_d*<script>@team #12 [x](y) \\ & ~~z~~"


def test_names_cannot_break_the_markdown():
    of = tried(
        queue(2, share(NASTY, 2, BORROW), share("L", 0, LEND)),
        queue(2, share(NASTY, 1, BORROW), share("L", 1, LEND)),
        job("j|1", NASTY, 0, 60, 2),
        job("k", "L", 20, 5),
        at=10,
    )
    text = diff_markdown(diff("base.yaml", "base.yaml"), of)
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<script>" not in outside
    assert "@team" not in outside
    assert "#12" not in outside
    for block in re.findall(r"(?:^\|.*\n)+", outside, re.MULTILINE):
        rows = [cells(line) for line in block.splitlines()]
        assert {len(row) for row in rows} == {len(rows[0])}


def test_code_and_fences_hold_backticks():
    assert code("a`b") == "``a`b``"
    assert code("`a") == "`` `a ``"
    assert code("a|b\nc") == r"`a\|b c`"
    assert list(fenced(["x ```` y"])) == ["`````text", "x ```` y", "`````"]
    assert prose("4 -> 2 of *all*") == r"4 -> 2 of \*all\*"


@pytest.mark.parametrize(
    ("size", "up", "text"),
    [("5m", True, "+5m"), ("2", False, "-2"), ("<0.1 points", True, "<+0.1 points"), ("<0.1", False, ">-0.1")],
)
def test_a_difference_has_a_sign_and_never_reads_as_one_that_is_not_so(size, up, text):
    assert signed(size, up=up) == text


def test_a_report_names_ten_jobs_and_counts_the_rest():
    jobs = [job(f"j{n:02}", "R", 0, 60) for n in range(12)]
    of = tried(queue(12, share("R", 12)), queue(12, share("R", 1), share("S", 11)), *jobs, at=10)
    report = diff("base.yaml", "base.yaml")
    for text in (" ".join(rendered(diff_report(report, of)).split()), diff_markdown(report, of)):
        assert "j00" in text
        assert "and 2 more" in text
    assert len(diff_document(report, of)["experiment"]["changed"]["eligible"]) == 12
