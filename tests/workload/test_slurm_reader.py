from __future__ import annotations

from pathlib import Path

import pytest
from workload_helpers import G5, P5, QUEUE, TWO_UNITS, message, read, write

FIELDS = "JobID|JobIDRaw|JobName|User|Account|Partition|QOS|State|Submit|Start|End|ElapsedRaw|ReqTRES|AllocTRES\n"
CHOICES = {"timezone": "Europe/Berlin", "shares": {"vision": "QS1", "*": "QS2"}, "gpus_per_instance": 8}
BY = {**CHOICES, "group_by": "account"}
TRES = "billing=8,cpu=8,gres/gpu:a100={n},gres/gpu={n},mem=64G,node=1".format


def at(minutes: int | str) -> str:
    return f"2023-07-01T10:{minutes:02d}:00" if isinstance(minutes, int) else minutes


def row(
    job: str, submit: int | str, start: int | str, end: int | str, *, gpus: int = 8, state: str = "COMPLETED",
    tres: str | None = None, elapsed: object = "", name: str = "train", account: str = "vision",
) -> str:  # fmt: skip
    given = TRES(n=gpus) if tres is None else tres
    times = "|".join(map(at, (submit, start, end)))
    return f"{job}|{job}|{name}|ann|{account}|gpu|normal|{state}|{times}|{elapsed}|{given}|{given}\n"


def test_jobs_are_read_by_heading_and_their_steps_belong_to_them(tmp_path: Path) -> None:
    text = FIELDS + (
        row("7", 0, 5, 15, elapsed=600, gpus=16)
        + row("7.batch", 5, 5, 15)
        + row("7.extern", 5, 5, 15)
        + row("7.0", 5, 5, 15)
        + row("8_4", 1, 1, 2, account="speech", name='5" disk')
        + row("9+0", 2, 2, 3)
        + row("9+1", 2, 2, 3)
    )
    workload = read(write(tmp_path, "a.txt", text), "slurm", queue=QUEUE, **BY, priorities={"normal": 3})
    assert [(j.id, j.share, j.submit_ms, j.work_ms, j.instances, j.priority) for j in workload.jobs] == [
        ("7", "QS1", 0, 600_000, 2, 3),
        ("8_4", "QS2", 60_000, 60_000, 1, 3),
        ("9+0", "QS1", 120_000, 60_000, 1, 3),
        ("9+1", "QS1", 120_000, 60_000, 1, 3),
    ]
    assert (workload.merged, workload.skipped, workload.queue_delays["7"]) == (3, (), 300_000)
    assert workload.jobs[0].labels == {"group": "vision", "user": "ann", "class": "normal", "gpu": "a100"}
    assert workload.rules["start"] == "2023-07-01T08:00:00Z"
    assert workload.warnings == ("components of heterogeneous jobs, each read as a job: 2",)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (row("2", 0, "None", 5, state="CANCELLED by 1000"), "cancelled before it started"),
        (row("2", 0, "Unknown", 5, state="CANCELLED"), "cancelled before it started"),
        (row("2", 0, "Unknown", 5, state="FAILED"), "never started"),
        (row("2", 0, 5, 6, tres="cpu=8,mem=64G"), "no GPU"),
        (row("2", 0, 5, 6, gpus=0), "no GPU"),
        (row("2", 0, 5, 4), "ends before it starts"),
        (row("2", 0, "soon", 4), "Start is no date"),
        (row("2", 0, 5, "later"), "End is no date"),
        (row("2", "Unknown", 5, 6), "Submit is no date"),
        (row("", 0, 5, 6), "no JobID"),
        (row("2", 0, 5, 6, name="a|b"), "row of 15 cells in place of 14"),
        ("\n", "blank row"),
    ],
)
def test_a_record_that_is_no_job_is_skipped_with_a_reason(tmp_path: Path, bad: str, reason: str) -> None:
    workload = read(write(tmp_path, "a.txt", FIELDS + row("1", 0, 1, 2) + bad), "slurm", queue=QUEUE, **BY)
    assert [job.id for job in workload.jobs] == ["1"]
    assert [(skip.where, skip.reason) for skip in workload.skipped] == [("line 3", reason)]


@pytest.mark.parametrize(
    "open_row",
    [
        row("2", 0, 5, "Unknown", state="RUNNING"),
        row("2_[5-9%2]", 0, "Unknown", "Unknown", state="PENDING"),
        row("2", 0, 5, "Unknown", state="SUSPENDED"),
        row("2", 0, 5, "Unknown", state="COMPLETED"),
    ],
)
def test_a_job_that_has_not_ended_is_censored(tmp_path: Path, open_row: str) -> None:
    workload = read(write(tmp_path, "a.txt", FIELDS + row("1", 0, 1, 2) + open_row), "slurm", queue=QUEUE, **BY)
    assert ([job.id for job in workload.jobs], workload.censored, workload.skipped) == (["1"], 1, ())


def test_a_cancelled_job_that_ran_keeps_its_time_without_its_suspension(tmp_path: Path) -> None:
    text = FIELDS + row("1", 0, 1, 9, state="CANCELLED by 1000", elapsed=300)
    workload = read(write(tmp_path, "a.txt", text), "slurm", queue=QUEUE, **BY)
    assert [job.work_ms for job in workload.jobs] == [300_000]


@pytest.mark.parametrize("backwards", [False, True])
def test_runs_of_a_requeued_job_are_one_job_with_its_last_run(tmp_path: Path, backwards: bool) -> None:
    runs = [
        row("1", 0, 1, 5, state="PREEMPTED"),
        row("1", 5, 7, 9, state="NODE_FAIL"),
        row("1", 9, 20, 50),
        row("2", 0, 1, 5, state="REQUEUED"),
        row("2", 5, "Unknown", "Unknown", state="PENDING"),
    ]
    path = write(tmp_path, "a.txt", FIELDS + "".join(runs[::-1] if backwards else runs))
    workload = read(path, "slurm", queue=QUEUE, **BY)
    assert [(job.id, job.submit_ms, job.work_ms) for job in workload.jobs] == [("1", 0, 1_800_000)]
    assert (workload.merged, workload.censored, workload.queue_delays) == (3, 1, {"1": 60_000})


def test_gpus_may_be_told_by_type_alone_or_only_as_requested(tmp_path: Path) -> None:
    fields = "JobID|State|Submit|Start|End|ReqTRES|AllocTRES|\n"
    times = "COMPLETED|2023-07-01T10:00:00|2023-07-01T10:00:00|2023-07-01T10:01:00"
    text = fields + (
        f"1|{times}|cpu=1|gres/gpu:a100=4,gres/gpu:v100=2|\n"
        + f"2|{times}|gres/gpu:v100=3||\n"
        + f"3|{times}||cpu=1|\n"
    )
    choices = {"timezone": "UTC", "shares": {"*": "QS1"}, "gpus_per_instance": 1, "units": {"a100": P5, "v100": G5}}
    workload = read(write(tmp_path, "a.txt", text), "slurm", queue=TWO_UNITS, **choices)
    assert {job.id: job.demand for job in workload.jobs} == {"1": {P5: 6}, "2": {G5: 3}}


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    assert message(write(tmp_path, "a.txt", "JobID|State|Submit\n"), "slurm", queue=QUEUE, **BY) == (
        "a.txt:1: there is no column 'Start'; the columns of this format are JobID, State, Submit, Start, End, Account"
    )
    text = "JobID|State|Submit|Start|End\n1|COMPLETED|" + "|".join(map(at, (0, 1, 2))) + "\n"
    choices = {**CHOICES, "shares": {"*": "QS1"}}
    assert message(write(tmp_path, "b.txt", text), "slurm", queue=QUEUE, **choices) == (
        "b.txt: the trace holds no job to use; of its rows, no GPU: 1 "
        "(no row tells GPUs in AllocTRES or ReqTRES: add AllocTRES to sacct's --format)"
    )
