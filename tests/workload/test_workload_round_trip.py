"""What is written reads back the same, in every form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from workload_helpers import G5

from quota_verifier.errors import InputError
from quota_verifier.model import (
    EnvironmentUpdate,
    Failure,
    Job,
    JobUpdate,
    RetryRule,
    ShareUpdate,
    Strategy,
)
from quota_verifier.workload import Workload, read_workload, write_workload

words = [
    "a",
    "on",
    "No",
    "null",
    "1e3",
    "0x1f",
    "1:30",
    "017",
    "~",
    "90m",
    "a;b",
    "k=v",
    "{",
    "- x",
    "#",
    "'",
    '"',
    "\\",
]
letters = st.characters(codec="utf-8", exclude_categories=("C", "Z"))
names = st.sampled_from(words) | st.text(letters, min_size=1, max_size=4)
texts = st.text(max_size=4) | names
times = st.integers(min_value=0, max_value=10**12)
units = st.dictionaries(names, st.integers(min_value=1, max_value=99), min_size=1, max_size=3)
limits = st.dictionaries(names, st.integers(min_value=0, max_value=99), min_size=1, max_size=3)
periods = st.none() | st.integers(min_value=1, max_value=10**10)
switch = st.none() | st.booleans()

jobs = st.builds(
    Job,
    id=names,
    share=names,
    submit_ms=times,
    work_ms=times,
    demand=units,
    priority=st.integers(min_value=0, max_value=9999),
    attempts=st.integers(min_value=1, max_value=10),
    preemption_retries=st.none() | st.integers(min_value=0, max_value=5),
    timeout_ms=periods,
    checkpoint_ms=periods,
    failures=st.lists(st.builds(Failure, times, texts), max_size=2).map(tuple),
    retry_rules=st.lists(st.builds(RetryRule, st.sampled_from(["RETRY", "EXIT"]), texts), max_size=2).map(tuple),
    labels=st.dictionaries(names, texts, max_size=2),
)


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    some = draw(st.lists(jobs, min_size=1, max_size=4, unique_by=lambda job: job.id))
    late = st.integers(min_value=10**12, max_value=10**13)
    id_ = st.sampled_from([job.id for job in some])
    updates = draw(
        st.lists(
            st.builds(JobUpdate, late, id_, st.integers(min_value=0, max_value=9999))
            | st.builds(JobUpdate, late, id_, terminate=st.just(value=True))
            | st.builds(
                ShareUpdate,
                late,
                names,
                st.none() | limits,
                st.none() | st.sampled_from(list(Strategy)),
                st.none() | st.integers(min_value=-1, max_value=500),
                switch,
                st.booleans(),
            )
            | st.builds(EnvironmentUpdate, late, limits, switch)
            | st.builds(EnvironmentUpdate, late, st.none(), st.booleans()),
            max_size=3,
            unique_by=lambda update: update.at_ms,
        )
    )
    return Workload(tuple(some), tuple(updates))


@pytest.mark.parametrize("ending", ["json", "yaml", "yml", "csv"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
@given(workload=workloads())
def test_a_workload_reads_back_from_the_file_that_it_was_written_to(
    tmp_path: Path, ending: str, workload: Workload
) -> None:
    path = tmp_path / f"w.{ending}"
    write_workload(workload, path)
    again = read_workload(path)
    assert again.jobs == workload.jobs
    assert again.updates == workload.updates


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
@given(workload=workloads())
def test_the_yaml_means_the_same_to_a_yaml_1_1_reader(tmp_path: Path, workload: Workload) -> None:
    write_workload(workload, tmp_path / "w.yaml")
    write_workload(workload, tmp_path / "w.json")
    from_yaml = yaml.safe_load((tmp_path / "w.yaml").read_text("utf-8"))
    assert from_yaml == json.loads((tmp_path / "w.json").read_text("utf-8"))


WORKLOAD = Workload(
    (Job("low", "QS1", 0, 5_400_000, {G5: 1}), Job("high", "QS1", 90_500, 60_000, {G5: 2}, 3, labels={"class": "x"})),
    (EnvironmentUpdate(3_600_000, {G5: 2}), JobUpdate(100_000, "low", 4)),
    source="elsewhere.swf",
    rules={"timezone": "UTC"},
)


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (
            "yaml",
            """\
jobs:
- {id: low, share: QS1, submit: 0s, work: 90m, demand: {ml.g5.xlarge: 1}}
- {id: high, share: QS1, submit: 1m30.5s, work: 1m, demand: {ml.g5.xlarge: 2}, priority: 3, labels: {class: x}}
updates:
- {at: 100s, job: low, priority: 4}
- {at: 1h, environment: {ml.g5.xlarge: 2}}
""",
        ),
        (
            "json",
            """\
{
 "jobs": [
  {"id": "low", "share": "QS1", "submit": "0s", "work": "90m", "demand": {"ml.g5.xlarge": 1}},
  {"id": "high", "share": "QS1", "submit": "1m30.5s", "work": "1m", "demand": {"ml.g5.xlarge": 2}, \
"priority": 3, "labels": {"class": "x"}}
 ],
 "updates": [
  {"at": "100s", "job": "low", "priority": 4},
  {"at": "1h", "environment": {"ml.g5.xlarge": 2}}
 ]
}
""",
        ),
        (
            "csv",
            """\
id,share,submit,work,demand,priority,labels,at,job,environment
low,QS1,0s,90m,ml.g5.xlarge=1,,,,,
high,QS1,1m30.5s,1m,ml.g5.xlarge=2,3,class=x,,,
,,,,,4,,100s,low,
,,,,,,,1h,,ml.g5.xlarge=2
""",
        ),
    ],
)
def test_a_file_holds_one_job_a_line_and_no_defaults(tmp_path: Path, ending: str, text: str) -> None:
    write_workload(WORKLOAD, tmp_path / f"w.{ending}")
    assert (tmp_path / f"w.{ending}").read_bytes().decode() == text


def test_a_file_that_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        write_workload(WORKLOAD, tmp_path / "w.txt")
    assert str(caught.value) == (
        f"{tmp_path}/w.txt: the ending '.txt' names no form of workload file; end the name in .json, .yaml, .yml, .csv"
    )
    with pytest.raises(InputError) as caught:
        write_workload(WORKLOAD, tmp_path / "none" / "w.csv")
    assert str(caught.value) == f"{tmp_path}/none/w.csv: cannot be written: No such file or directory"
    spaced = Workload((Job("a ", "QS1", 0, 1, {G5: 1}),))
    with pytest.raises(InputError) as caught:
        write_workload(spaced, tmp_path / "w.csv")
    assert str(caught.value) == (
        f"{tmp_path}/w.csv: jobs[0].id: 'a ' is empty, starts or ends with a space, "
        "or holds a character that does not print; write a plain name"
    )
    assert not (tmp_path / "w.csv").exists()
