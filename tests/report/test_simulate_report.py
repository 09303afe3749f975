from __future__ import annotations

import itertools
import re
from fractions import Fraction

import pytest
from report_queues import BORROW, G5, LEND, P5, RESERVE, job, queue, share, simulated, three_shares

from quota_verifier.durations import parse_duration
from quota_verifier.model import Failure, JobUpdate, ShareUpdate
from quota_verifier.scheduler import Delay, Timing, assume
from quota_verifier.workload import Skipped, Workload


def aws_example(**rest) -> Workload:
    """C01."""
    jobs = (
        job("high", "QS1", 0, 3600, priority=3),
        job("med", "QS1", 0, 3600, priority=2),
        job("low", "QS1", 0, 3600, priority=1),
        job("qs2j", "QS2", 10, 3600, priority=1),
    )
    return Workload(jobs, (JobUpdate(20_000, "low", priority=4),), source="workload.yaml", **rest)


def by_id(document):
    return {entry["id"]: entry for entry in document["jobs"]}


def ending(span):
    return span["how"], span["by"], span["end"]


def table(text, title, column):
    """The cells of one column of the table under a heading, by the first column."""
    lines = text.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith(title))
    place = re.split(" {2,}", lines[start + 1].strip()).index(column)
    rows = itertools.takewhile(lambda line: line.startswith("  "), lines[start + 2 :])
    cells = [re.split(" {2,}", line.strip()) for line in rows]
    return {row[0]: row[place] for row in cells}


def test_a_run_reads_from_provenance_to_the_jobs_that_did_not_make_it(snapshot):
    of = queue(
        {G5: 8, P5: 1},
        share("vision", {G5: 4, P5: 1}, BORROW),
        share("speech", 4, LEND),
        share("release", {G5: 0}, RESERVE),
    )
    jobs = [job(f"v{n}", "vision", n * 1800, 7200, 2) for n in range(6)]
    jobs += [job(f"s{n}", "speech", 3600 + n * 3600, 1500, 4) for n in range(3)]
    jobs += [job("huge", "vision", 0, 60, 9), job("train", "vision", 60, 600, {P5: 1})]
    workload = Workload(
        tuple(jobs),
        source="week.csv",
        skipped=(Skipped("line 9", "no size"), Skipped("line 4", "no size"), Skipped("line 7", "cancelled")),
        censored=1,
        merged=2,
        rules={"shares": "vc1 to vision, * to speech", "timezone": "UTC"},
    )
    timing = Timing(startup=Delay(180_000, {P5: 600_000}), stop=Delay(20_000))
    text, _ = simulated(of, workload, timing=timing, assumptions=assume(["A1=skip"]), until_ms=4 * 3_600_000)
    assert text == snapshot


def test_the_worked_example_of_aws_reads_as_aws_tells_it():
    """C01."""
    text, document = simulated(three_shares(), aws_example())
    jobs = by_id(document)
    assert ending(jobs["med"]["spans"][0]) == (
        "preempted-cross-share",
        "qs2j",
        10.0,
    )
    assert ending(jobs["high"]["spans"][0]) == (
        "preempted-in-share",
        "low",
        20.0,
    )
    assert [name for name, entry in jobs.items() if entry["first_start"] == 20.0] == ["low"]
    assert sum(entry["preemptions"] for entry in document["jobs"]) == 2
    assert "1 cross-share, 1 in-share" in text
    assert table(text, "Shares", "preempted") == {"QS1": "2", "QS2": "0", "QS3": "0"}
    assert table(text, "Shares", "preempts") == {"QS1": "1", "QS2": "1", "QS3": "0"}


def test_times_are_seconds_with_milliseconds_and_null_where_they_never_came():
    work = Workload((job("a", "A", 0.25, 1.125), job("b", "A", 0.5, 10), job("c", "A", 9, 1)))
    _, document = simulated(queue(1, share("A", 1, LEND)), work, until_ms=2_000)
    a, b, c = (by_id(document)[name] for name in "abc")
    assert (a["submit"], a["first_start"], a["end"]) == (0.25, 0.25, 1.375)
    assert (b["state"], b["first_start"], b["end"]) == ("RUNNING", 1.375, None)
    assert b["spans"] == [
        {"attempt": 1, "start": 1.375, "run": 1.375, "stop": None, "end": None, "how": None, "by": None}
    ]
    assert (c["state"], c["first_start"], c["end"], c["spans"]) == ("SUBMITTED", None, None, [])
    assert (document["start"], document["end"], document["provenance"]["until"]) == (0.25, 2.0, 2.0)


@pytest.mark.parametrize(
    ("rest", "how"),
    [
        ({}, ["finished"]),
        ({"failures": (Failure(1_000),)}, ["failed"]),
        ({"failures": (Failure(1_000),), "attempts": 2}, ["failed", "finished"]),
        ({"timeout_ms": 2_000}, ["timeout"]),
        ({"failures": (Failure(1_000, "CapacityError: none"),)}, ["capacity-error", "finished"]),
    ],
)
def test_each_run_of_a_job_says_how_it_ended(rest, how):
    _, document = simulated(queue(1, share("A", 1, LEND)), Workload((job("a", "A", 0, 5, **rest),)))
    assert [span["how"] for span in by_id(document)["a"]["spans"]] == how


def test_a_job_that_can_never_start_is_listed_with_the_reason_of_aws_and_the_largest_that_could():
    """C02 (c)."""
    of = queue(10, share("A", 2, BORROW, 100), share("B", 8, LEND))
    text, document = simulated(of, Workload((job("big", "A", 0, 60, 5), job("small", "B", 0, 60))))
    (never,) = document["never_schedulable"]
    assert (never["id"], never["largest"], never["asked"]) == ("big", 4, 5)
    assert never["reason"] == (
        "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - "
        "Job requirements exceed quota share capacity limits and borrow limits."
    )
    assert "big (A) asks for 5 ml.g5.xlarge, at most 4 can ever start" in text
    assert "2: 1 succeeded, 1 never schedulable" in text
    assert table(text, "Shares", "wait p50")["A"] == "never"


def test_a_list_of_jobs_names_ten_and_counts_the_rest():
    jobs = tuple(job(f"j{n:02}", "A", 0, 60, 2) for n in range(13))
    text, document = simulated(queue(2, share("A", 1, LEND)), Workload(jobs))
    assert len(document["never_schedulable"]) == 13
    assert [name for name in (f"j{n:02} (A)" for n in range(13)) if name in text] == [f"j{n:02} (A)" for n in range(10)]
    assert "  and 3 more; --json lists them all" in text


def test_an_offered_load_above_capacity_takes_the_meaning_from_the_waits():
    """C53: 133 % of capacity."""
    jobs = tuple(job(f"j{n}", "A", n * 100, 266, 5) for n in range(20))
    text, document = simulated(queue(10, share("A", 10, LEND)), Workload(jobs))
    assert document["offered_load"] == {"by_unit": {G5: 1.33}, "waits_meaningful": False}
    assert "Waits are not meaningful: ml.g5.xlarge is offered 133 % of its capacity" in text


def test_a_small_load_leaves_the_waits_their_meaning():
    jobs = tuple(job(f"j{n}", "A", n * 100, 50, 5) for n in range(20))
    text, document = simulated(queue(10, share("A", 10, LEND)), Workload(jobs))
    assert document["offered_load"] == {"by_unit": {G5: 0.25}, "waits_meaningful": True}
    assert "not meaningful" not in text
    assert "ml.g5.xlarge 25 % of capacity" in text


def test_a_burst_of_jobs_has_no_offered_load():
    text, document = simulated(three_shares(), aws_example())
    assert document["offered_load"] == {"by_unit": {G5: None}, "waits_meaningful": True}
    assert "the jobs come in one burst" in text


def test_a_little_borrowing_does_not_read_as_none():
    """C16: one instance of 1001 for a second."""
    of = queue(1001, share("A", 1, LEND), share("B", 1000, BORROW))
    text, _ = simulated(of, Workload((job("b", "B", 0, 1, 1001), job("c", "B", 10, 3600))))
    assert table(text, G5, "borrowed") == {"A": "0", "B": "<0.1"}
    assert table(text, G5, "utilization")["B"] == "0.1 %"


def test_what_a_lowered_limit_leaves_above_it_is_over_the_limit_and_not_borrowed():
    """C17."""
    of = queue(4, share("A", 4, RESERVE))
    work = Workload(
        (job("r1", "A", 0, 3600, 2), job("r2", "A", 0, 3600, 2)), (ShareUpdate(1_800_000, "A", limits={G5: 2}),)
    )
    text, document = simulated(of, work)
    assert table(text, G5, "over limit") == {"A": "1"}
    assert table(text, G5, "borrowed") == {"A": "0"}
    (ledger,) = document["shares"][0]["ledger"]
    assert (ledger["over_limit"], ledger["borrowed"]) == (3600.0, 0.0)


def test_waits_are_told_by_size_so_that_a_starved_large_job_shows():
    """C11, under skip: the job of 50 starts at 1060."""
    jobs = [job("j1", "A", 0, 100, 30), job("j2", "A", 0, 110, 30), job("j3", "A", 1, 100, 50)]
    jobs += [job(f"s{n:03}", "A", 2 + 5 * n, 50, 10) for n in range(200)]
    text, document = simulated(
        queue(100, share("A", 100, LEND)), Workload(tuple(jobs)), assumptions=assume(["A1=skip"])
    )
    waited = table(text, "Waits by size", "max")
    assert parse_duration(waited["33-64"]) == 1_059_000
    assert document["size_classes"]["33-64"]["wait"]["max"] == 1059.0


def test_rows_that_are_no_jobs_are_counted_by_reason():
    skipped = (Skipped("line 2", "no size"), Skipped("line 5", "no size"), Skipped("line 3", "cancelled"))
    text, document = simulated(three_shares(), aws_example(skipped=skipped, censored=4, merged=1))
    account = document["provenance"]["workload"]
    assert account["skipped"] == {"no size": 2, "cancelled": 1}
    assert (account["censored"], account["merged"]) == (4, 1)
    assert document["skipped"][0] == {"where": "line 2", "reason": "no size"}
    assert "3 rows skipped:" in text
    assert "2  no size" in text
    assert "4 jobs left out, whose end the source does not tell" in text


def test_the_delays_and_assumptions_that_were_used_are_stated():
    timing = Timing(startup=Delay(180_000), stop=Delay(20_000, {P5: 120_000}))
    text, document = simulated(three_shares(), aws_example(), timing=timing, assumptions=assume(["A8=back"]))
    assert document["timing"] == {"startup": 180.0, "stop": 20.0, "restore": 0.0, "by_unit": {P5: {"stop": 120.0}}}
    assert document["assumptions"]["A8"] == "back"
    assert "startup 3m, stop 20s (ml.p5.48xlarge 2m), restore 0s" in text
    assert "A8=back, the other defaults" in text


def test_the_order_of_rows_changes_no_byte():
    """C44, I9."""
    jobs = aws_example().jobs
    one, two = (
        simulated(three_shares(), Workload(order, aws_example().updates)) for order in (jobs, tuple(reversed(jobs)))
    )
    assert one == two


def test_shares_of_instance_time_add_up_in_the_report_as_in_the_document():
    text, document = simulated(three_shares(), aws_example())
    own = sum(row["own"] for entry in document["shares"] for row in entry["ledger"])
    shown = sum(Fraction(cell.lstrip("<")) for cell in table(text, G5, "own").values())
    assert abs(Fraction(own) / 3600 - shown) <= Fraction(3, 10)


def test_the_timeline_around_an_instant_is_told_on_request(snapshot):
    text, document = simulated(three_shares(), aws_example(), around_ms=10_000)
    assert text[text.index("Timeline") :] == snapshot
    told = "preempted to make room for qs2j (QS2): QS1 holds 2 of its limit 1 on ml.g5.xlarge (R13)"
    assert any(line.endswith(told) for line in document["timeline"])
    assert max(map(len, text.splitlines())) <= 80
    plain, without = simulated(three_shares(), aws_example())
    assert "Timeline" not in plain
    assert without["timeline"] is None


def test_the_timeline_around_an_instant_long_past_is_that_of_the_last_events():
    text, _ = simulated(three_shares(), aws_example(), around_ms=10**9)
    assert text.splitlines()[-1].endswith("= ml.g5.xlarge: QS1 0/1, QS2 0/1, QS3 0/1; 3 of 3 free")
