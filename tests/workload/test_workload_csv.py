"""Workload files in CSV."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest
from workload_helpers import G5, P5, QUEUE, TWO_UNITS, message, read, write

from quota_verifier.model import EnvironmentUpdate, Failure, Job, JobUpdate, RetryRule, ShareUpdate
from quota_verifier.workload import Skipped


def test_a_table_of_jobs_is_read_with_the_same_names(tmp_path: Path) -> None:
    text = """\
id,share,submit,work,instances,priority,attempts,preemption_retries,timeout,checkpoint,fails,retry_rules,labels
high, QS1 ,5m,1h,2,3,2,0,2h,10m,"[{""after"": ""5m""}]","[{""action"": ""exit""}]",class=urgent;team=a
17,QS2,0,90.5,1,,,null,,null,,,

"""
    workload = read(write(tmp_path, "w.csv", text), queue=QUEUE)
    assert workload.jobs == (
        Job("17", "QS2", 0, 90_500, {G5: 1}),
        Job(
            "high",
            "QS1",
            300_000,
            3_600_000,
            {G5: 2},
            priority=3,
            attempts=2,
            preemption_retries=0,
            timeout_ms=7_200_000,
            checkpoint_ms=600_000,
            failures=(Failure(300_000),),
            retry_rules=(RetryRule("EXIT", "*"),),
            labels={"class": "urgent", "team": "a"},
        ),
    )
    assert workload.skipped == (Skipped("line 4", "blank row"),)


@pytest.mark.parametrize(
    ("header", "cell", "demand"),
    [
        ("demand", f"{G5}=1", {G5: 1}),
        ("demand", f"{G5}=1; {P5} = 2", {G5: 1, P5: 2}),
        ("demand", f'"{{""{G5}"": 1, ""{P5}"": 2}}"', {G5: 1, P5: 2}),
        (f"demand.{G5},demand.{P5}", "1,2", {G5: 1, P5: 2}),
        (f"demand.{G5},demand.{P5}", "1,0", {G5: 1}),
        (f"demand.{G5},demand.{P5}", ",2", {P5: 2}),
    ],
)
def test_demand_is_pairs_or_json_or_a_column_for_each_unit(
    tmp_path: Path, header: str, cell: str, demand: dict[str, int]
) -> None:
    path = write(tmp_path, "w.csv", f"id,share,work,{header},labels.class\na,QS1,5,{cell},x\n")
    job = read(path, queue=TWO_UNITS).jobs[0]
    assert (job.demand, job.labels) == (demand, {"class": "x"})


def test_rows_with_a_time_in_at_are_updates(tmp_path: Path) -> None:
    text = """\
id,share,work,instances,at,job,priority,terminate,limits,state,in_share_preemption,environment
a,QS1,5m,1,,,,,,,,
,,,,20s,a,4,,,,,
,,,,30s,a,,TRUE,,,,
,QS1,,,40s,,,,ml.g5.xlarge=2,disabled,false,
,,,,50s,,,,,,,ml.g5.xlarge=1
,,,,60s,,,,,ENABLED,,null
"""
    assert read(write(tmp_path, "w.csv", text), queue=QUEUE).updates == (
        JobUpdate(20_000, "a", priority=4),
        JobUpdate(30_000, "a", terminate=True),
        ShareUpdate(40_000, "QS1", limits={G5: 2}, in_share_preemption=False, enabled=False),
        EnvironmentUpdate(50_000, limits={G5: 1}),
        EnvironmentUpdate(60_000, enabled=True),
    )


def test_a_table_with_other_headings_is_read_through_columns(tmp_path: Path) -> None:
    text = "job,team,arrived,gpus,runtime,owner\nj1,red,10,2,60,x\nj2,blue,5,1,30,y\nj3,green,6,1,30,z\n"
    path = write(tmp_path, "w.csv", text)
    columns = {"id": "job", "share": "team", "submit": "arrived", "instances": "gpus", "work": "runtime"}
    workload = read(path, queue=QUEUE, columns=columns, shares={"red": "QS1", "blue": "QS2"})
    assert workload.jobs == (Job("j2", "QS2", 5_000, 30_000, {G5: 1}), Job("j1", "QS1", 10_000, 60_000, {G5: 2}))
    assert workload.skipped == (Skipped("line 4", "group 'green' has no share"),)
    assert workload.rules == {
        "columns": "id from job, instances from gpus, share from team, submit from arrived, work from runtime",
        "ignored columns": "owner",
        "shares": "blue to QS2, red to QS1",
    }
    assert [job.share for job in read(path, queue=QUEUE, columns=columns, shares={"*": "QS3"}).jobs] == ["QS3"] * 3


def test_jobs_from_before_the_recording_are_set_apart(tmp_path: Path) -> None:
    # C53: time 0 may mean "before", which would look like a burst.
    path = write(tmp_path, "w.csv", "id,share,submit,work,instances\na,QS1,0,5,1\nb,QS1,0,5,1\nc,QS1,9,5,1\n")
    workload = read(path, queue=QUEUE, recording_start="0")
    assert [job.id for job in workload.jobs] == ["c"]
    assert workload.skipped_by_reason == {"submitted before the recording started": 2}


def test_compressed_files_are_unpacked(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbfid,share,work,instances\r\na,QS1,5,1\r\n"
    (tmp_path / "w.csv.gz").write_bytes(gzip.compress(text))
    with zipfile.ZipFile(tmp_path / "w.csv.zip", "w") as archive:
        archive.writestr("folder/w.csv", text)
    for name in ("w.csv.gz", "w.csv.zip"):
        assert read(tmp_path / name, queue=QUEUE).jobs == (Job("a", "QS1", 0, 5_000, {G5: 1}),)


def test_a_compressed_file_that_cannot_be_unpacked_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(b"no gzip")
    (tmp_path / "b.csv.zip").write_bytes(b"no zip")
    with zipfile.ZipFile(tmp_path / "c.csv.zip", "w") as archive:
        archive.writestr("a.csv", "")
        archive.writestr("b.csv", "")
    (tmp_path / "d.csv").write_bytes(b"id\n\xff\n")
    (tmp_path / "e.csv").mkdir()
    assert message(tmp_path / "a.csv.gz") == "a.csv.gz: cannot be read: Not a gzipped file (b'no')"
    assert message(tmp_path / "b.csv.zip") == "b.csv.zip: cannot be read: File is not a zip file"
    assert message(tmp_path / "c.csv.zip") == "c.csv.zip: the archive holds 2 files; pack one trace in it"
    assert message(tmp_path / "d.csv") == "d.csv: byte 4 is not UTF-8 text; save it as UTF-8"
    assert message(tmp_path / "e.csv") == "e.csv: this is a directory; name a file in it"


KNOWN = (
    "known are id, share, submit, work, demand, instances, priority, attempts, preemption_retries, timeout, "
    "checkpoint, fails, retry_rules, labels, at, job, terminate, limits, strategy, borrow_limit, "
    "in_share_preemption, state, environment"
)

MISTAKES = [
    ("", "w.csv:1: there is no header; name the columns: " + KNOWN.removeprefix("known are ").partition(", at,")[0]),
    ("id,shre\n", "w.csv:1: unknown column 'shre'; did you mean 'share'?; other headings go through columns"),
    ("id,xyzzy\n", f"w.csv:1: unknown column 'xyzzy'; {KNOWN}; other headings go through columns"),
    ("id,id\n", "w.csv:1: the column 'id' stands twice; keep one of them"),
    (
        "timestamp,duration,num_gpus,gpu_time,cluster\n",
        "w.csv:1: unknown column 'timestamp'; the columns are those of the format philly: name it",
    ),
    (
        "job_id,user,vc,gpu_num,cpu_num,state,submit_time,start_time,end_time,duration,queue\n",
        "w.csv:1: unknown column 'job_id'; the columns are those of the format helios: name it",
    ),
    ("id,share,work,instances\n", "w.csv: the workload has no jobs; give at least one"),
    (
        "id,share,work,instances\na,QS1,5\n",
        "w.csv:2: the row has 3 cells, the header has 4; put cells that hold a comma in double quotes",
    ),
    (
        "id,share,work,instances\n\n\na,QS1,soon,1\n",
        "w.csv:4: work: 'soon' is not a duration; "
        "write a duration such as 90s, 5m, 1h30m, 2d or 250ms; a plain number is seconds",
    ),
    (
        'id,share,work,instances,labels\n"a",QS1,5,1,"x=\n\n1"\nb,QS1,5,1.5,\n',
        "w.csv:5: instances: '1.5' is not a whole number; write a number such as 4",
    ),
    ("id,share,work,instances\na,QS1,5,0\n", "w.csv:2: instances: 0 is below 1; write 1 or more"),
    ("id,share,work,instances\na,QS1,,1\n", "w.csv:2: work: is missing; add 'work'"),
    ("id,share,work,instances\na,QS9,5,1\n", "w.csv:2: share: the queue has no share 'QS9'; known are QS1, QS2, QS3"),
    (
        "id,share,work,instances\na,QS1,5,1\na,QS1,5,1\n",
        "w.csv:3: id: job id 'a' was given before, at w.csv:2: id; give every job its own id",
    ),
    (
        "id,share,work,demand\na,QS1,5,x\n",
        "w.csv:2: demand: 'x' is not NAME=VALUE; write ml.g5.xlarge=1;ml.p5.48xlarge=2, or a JSON map",
    ),
    (
        "id,share,work,demand\na,QS1,5,x=1;x=2\n",
        "w.csv:2: demand: 'x' stands twice; write ml.g5.xlarge=1;ml.p5.48xlarge=2, or a JSON map",
    ),
    ("id,share,work,demand\na,QS1,5,x=0\n", "w.csv:2: demand.x: 0 is below 1; write 1 or more"),
    (
        "id,share,work,demand,demand.x\na,QS1,5,x=1,2\n",
        "w.csv:2: demand.x: is given twice; fill demand or its split columns",
    ),
    (
        "id,share,work,instances,fails\na,QS1,5,1,5m\n",
        """w.csv:2: fails: '5m' is not JSON; write a list such as [{"after": "5m"}]""",
    ),
    (
        "id,share,work,instances,at,priority\na,QS1,5,1,,\n,,,,5,1\n",
        "w.csv:3: the update names neither job, share nor environment; "
        "say what it changes (environment: null with a state alone)",
    ),
    (
        "id,share,work,instances,at,job,terminate\na,QS1,5,1,,,\n,,,,5,a,maybe\n",
        "w.csv:3: terminate: 'maybe' ends nothing; write true, or leave it out",
    ),
    (
        "id,share,work,instances,at,job,priority\na,QS1,5,1,,,\n,,,,5,b,1\n",
        "w.csv:3: job: the workload has no job 'b'; known are a",
    ),
    (
        "id,share,submit,work,instances\na,QS1,2026-03-01T08:00:00,5,1\n",
        "w.csv:2: submit: the date '2026-03-01T08:00:00' has no zone; "
        "append Z or an offset such as +01:00, or name the time zone (timezone: Europe/Berlin)",
    ),
    ('id,share\n"a', "w.csv:2: malformed CSV: unexpected end of data"),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES, ids=[said[:70] for _, said in MISTAKES])
def test_a_mistake_in_a_table_is_named_with_its_line_and_column(tmp_path: Path, text: str, said: str) -> None:
    assert message(write(tmp_path, "w.csv", text), queue=QUEUE) == said


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (
            {"id": "nme", "work": "t"},
            "w.csv:1: columns: columns takes 'id' from 'nme', which the file does not have; did you mean 'name'?",
        ),
        (
            {"id": "name", "wrk": "t"},
            "w.csv:1: unknown column 'wrk'; did you mean 'work'?; other headings go through columns",
        ),
    ],
)
def test_columns_that_do_not_exist_are_refused(tmp_path: Path, columns: dict[str, str], said: str) -> None:
    assert message(write(tmp_path, "w.csv", "name,t\na,5\n"), columns=columns) == said


def test_options_that_a_workload_file_has_no_use_for_are_refused(tmp_path: Path) -> None:
    assert message(write(tmp_path, "w.csv", "id\n"), gpus_per_instance=8) == (
        "w.csv: the format csv has no use for gpus_per_instance; "
        "leave it out; known are timezone, shares, unit, columns, recording_start, checkpoint"
    )
