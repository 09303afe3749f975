"""Simulating a queue inside a test: fixtures, results, and assertions that read like the claim."""

from __future__ import annotations

import pytest

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.policy import policy_from_data
from quota_verifier.pytest_plugin import collection  # noqa: F401 (numpy must not be imported first in a run of pytester)
from quota_verifier.testing import assert_holds, run_workload
from quota_verifier.workload import Workload

pytest_plugins = ["pytester"]

G5 = "ml.g5.xlarge"
QUEUE = Queue(
    Environment({G5: 3}),
    (
        Share("QS1", {G5: 1}, Strategy.LEND_AND_BORROW, 200, in_share_preemption=True),
        Share("QS2", {G5: 1}, Strategy.LEND),
        Share("QS3", {G5: 1}, Strategy.RESERVE),
    ),
)
QUEUE_FILE = """\
environment: {ml.g5.xlarge: 3}
shares:
  - {name: QS1, limits: {ml.g5.xlarge: 1}, strategy: LEND_AND_BORROW, borrow_limit: 200, in_share_preemption: true}
  - {name: QS2, limits: {ml.g5.xlarge: 1}, strategy: LEND}
  - {name: QS3, limits: {ml.g5.xlarge: 1}, strategy: RESERVE}
"""
ROWS = [
    {"id": "high", "share": "QS1", "work": "1h", "instances": 1, "priority": 3},
    {"id": "med", "share": "QS1", "work": "1h", "instances": 1, "priority": 2},
    {"id": "owner", "share": "QS2", "submit": "10s", "work": "1h", "instances": 1},
]
WAITS = {"share": "QS2", "wait": {"max": "<= 10s"}}


def failure(assertion, *args, **kwargs) -> str:
    with pytest.raises(AssertionError) as error:
        assertion(*args, **kwargs)
    return str(error.value)


def test_a_result_has_the_figures_of_shares_and_the_ends_of_jobs():
    done = run_workload(QUEUE, ROWS)
    assert done.share("QS2").wait.p95 == 0
    assert done.share("QS1").wait.max == 0
    assert done.share("QS1").preemptions == 1
    assert done.share("QS3").utilization == {G5: 0}
    med = done.job("med")
    assert (med.state, med.preemptions, med.wait_ms, med.lost_ms) == ("SUCCEEDED", 1, 0, 10_000)
    assert (done.job("owner").first_start_ms, done.job("owner").end_ms) == (10_000, 3_610_000)


def test_a_time_that_never_came_is_none():
    done = run_workload(QUEUE, ROWS, until="5s")
    assert (done.job("high").state, done.job("high").end_ms) == ("RUNNING", None)
    assert (done.job("owner").first_start_ms, done.job("owner").wait_ms) == (None, None)


def test_timing_and_assumptions_are_as_in_a_policy_file():
    done = run_workload(QUEUE, ROWS, timing={"startup": {"default": "1s"}, "stop": "20s"}, assume=["A8=back"])
    assert done.run.timing.startup.of({G5: 1}) == 1_000
    assert done.run.assumptions.requeue_place == "back"
    assert done.job("owner").first_start_ms == 30_000


@pytest.mark.parametrize("name", ["jobs.csv", "jobs.yaml", "policy.yaml"])
def test_a_workload_comes_from_a_file(tmp_path, name):
    text = {
        "jobs.csv": "id,share,work,instances\nhigh,QS1,1h,1\n",
        "jobs.yaml": "jobs: [{id: high, share: QS1, work: 1h, instances: 1}]",
        "policy.yaml": "workload: {jobs: [{id: high, share: QS1, work: 1h, instances: 1}]}\nexpect: [{finished: all}]",
    }[name]
    (tmp_path / name).write_text(text)
    assert run_workload(QUEUE, tmp_path / name).job("high").state == "SUCCEEDED"


def test_a_workload_is_data_a_policy_or_a_workload():
    policy = policy_from_data({"workload": {"jobs": ROWS}, "expect": [WAITS], "timing": {"startup": "1m"}})
    loaded = run_workload(QUEUE, ROWS).policy.workload
    assert isinstance(loaded, Workload)
    ends = {run_workload(QUEUE, given).job("owner").end_ms for given in (ROWS, {"jobs": ROWS}, loaded)}
    assert ends == {3_610_000}
    assert run_workload(QUEUE, policy).job("owner").end_ms == 3_670_000


def test_a_claim_that_holds_says_nothing():
    assert_holds(QUEUE, WAITS, {"never_schedulable": 0}, workload=ROWS)
    run_workload(QUEUE, ROWS).expect("share QS2", wait={"max": "<= 10s"}, preemptions=0)
    run_workload(QUEUE, ROWS).expect(finished="all")


def test_a_claim_that_fails_shows_claim_figures_worst_job_and_timeline():
    text = failure(assert_holds, QUEUE, {"share": "QS1", "preemptions": 0}, WAITS, workload=ROWS)
    assert "FAILS    share QS1: preemptions == 0  1" in text
    assert "worst job: " in text
    assert "preempted" in text
    assert "share QS2" not in text.split("worst job")[0]


def test_expect_reads_like_the_claim():
    done = run_workload(QUEUE, ROWS)
    assert "job med: preemptions == 0  1" in failure(done.expect, "job med", preemptions=0)
    assert "queue: preemptions == 0  1" in failure(done.expect, preemptions=0)
    assert "wait max" in failure(done.expect, "share QS2", wait={"max": "> 10s"})


def test_assert_holds_tries_every_answer_and_expect_its_own():
    claim = {"job": "high", "preemptions": 0}
    assert "depends" in failure(assert_holds, QUEUE, claim, workload=ROWS)
    assert_holds(QUEUE, claim, workload=ROWS, under="default")
    run_workload(QUEUE, ROWS).expect("job high", preemptions=0)


def test_a_policy_brings_its_own_claims():
    policy = policy_from_data({"workload": {"jobs": ROWS}, "expect": [{"share": "QS1", "preemptions": 0}]})
    assert "share QS1: preemptions == 0" in failure(assert_holds, QUEUE, workload=policy)
    assert_holds(QUEUE, WAITS, workload=policy)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda done: done.share("QS4"), "there is no share 'QS4'; did you mean 'QS"),
        (lambda done: done.job("hihg"), "there is no job 'hihg'; did you mean 'high'?"),
        (lambda done: done.expect("team a", wait="<= 1m"), "'team a' is no subject"),
        (lambda done: done.expect("share QS2", wiat="<= 1m"), "unknown key 'wiat'; did you mean 'wait'?"),
        (lambda done: done.expect("share QS9", wait="<= 1m"), "the queue has no share 'QS9'"),
        (lambda _: run_workload(QUEUE, {"job": ROWS}), "unknown key 'job'; did you mean 'jobs'?"),
        (lambda _: assert_holds(QUEUE, workload=ROWS), "no claim to judge"),
    ],
)
def test_a_mistake_is_an_input_error_never_a_pass(act, said):
    with pytest.raises(InputError) as error:
        act(run_workload(QUEUE, ROWS))
    assert said in str(error.value)


def test_the_fixtures_are_there(pytester):
    (pytester.path / "queue.yaml").write_text(QUEUE_FILE)
    pytester.makepyfile(
        f"""
        ROWS = {ROWS!r}

        def test_queue(quota_queue):
            assert [share.name for share in quota_queue.shares] == ["QS1", "QS2", "QS3"]

        def test_simulate(simulate):
            done = simulate(ROWS, timing={{"stop": "20s"}})
            assert done.share("QS2").wait.p95 == 20_000
            done.expect("share QS2", wait={{"p95": "<= 20s"}})

        def test_fails(simulate):
            simulate(ROWS).expect("share QS1", preemptions=0)
        """
    )
    done = pytester.runpytest("--quota-template=queue.yaml")
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(
        ["*simulate(ROWS).expect(*", "*FAILS    share QS1: preemptions == 0  1*", "*worst job: *"]
    )
    done.stdout.no_fnmatch_line("*simulation.py:*")


def test_a_fixture_without_a_template_says_how_to_give_one(pytester):
    pytester.makepyfile("def test_queue(quota_queue): pass")
    done = pytester.runpytest()
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*no template is configured; give --quota-template FILE*"])


def test_a_project_may_have_a_queue_of_its_own(pytester):
    (pytester.path / "mine.yaml").write_text(QUEUE_FILE)
    pytester.makeconftest(
        """
        import pytest
        from quota_verifier import read_queue

        @pytest.fixture
        def quota_queue():
            return read_queue("mine.yaml")
        """
    )
    pytester.makepyfile(f"def test_it(simulate): simulate({ROWS!r}).expect(finished='all')")
    pytester.runpytest().assert_outcomes(passed=1)
