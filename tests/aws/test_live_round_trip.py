"""Deploy a queue in the emulator, let it work, and find all of it again: import, drift, try, calibrate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running_emulator import UNIT, RunningEmulator, running_emulator, small_queue, submit

from quota_verifier import verify
from quota_verifier.aws.live import client as live_client
from quota_verifier.aws.live.calibrate import calibrate
from quota_verifier.aws.live.client import Connection, batch_client
from quota_verifier.aws.live.deployed import deployed_queue
from quota_verifier.aws.live.job_list import described, job_ids
from quota_verifier.aws.live.past_jobs import History, history_of
from quota_verifier.cli.main import main
from quota_verifier.model import Queue, Strategy
from quota_verifier.scheduler import Assumptions
from quota_verifier.template import read_queue
from quota_verifier.workload import read_workload

ROOT = Path(__file__).parents[2]
IAM_POLICY = ROOT / "examples" / "live" / "iam-policy.json"


@pytest.fixture
def reached(monkeypatch):
    """Leads boto3 to an emulator, and notes every operation that is called."""
    called: set[str] = set()
    make = live_client.batch_client

    def watched(connection: Connection):
        client = make(connection)
        client.meta.events.register("before-call.batch", lambda model, **_: called.add(model.name))
        return client

    def reach(emulator: RunningEmulator) -> set[str]:
        for name, value in emulator.environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("AWS_PROFILE", raising=False)
        return called

    monkeypatch.setattr(live_client, "batch_client", watched)
    return reach


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def three_shares(emulator: RunningEmulator) -> dict[str, str]:
    """AWS's example: lending, a reclaim, and an in-share preemption by a new priority. The shares' ARNs."""
    batch = emulator.batch
    shares = small_queue(batch)
    jobs: dict[str, str] = {}
    for name, priority in (("high", 3), ("med", 2), ("low", 1)):
        jobs[name] = submit(batch, "q", "QS1", name, "30m", schedulingPriority=priority)
        emulator.advance(1)
    emulator.advance(299)
    jobs["qs2_job_1"] = submit(batch, "q", "QS2", "qs2_job_1", "40m")
    emulator.advance(300)
    batch.update_service_job(jobId=jobs["low"], schedulingPriority=4)
    emulator.advance(4 * 3600)
    return shares


def test_the_three_shares_are_found_again(reached, capsys, tmp_path):
    with running_emulator("--stepped", "--startup", "30s") as emulator:
        called = reached(emulator)
        shares = three_shares(emulator)
        out = tmp_path / "found"

        code, text, warnings = run(capsys, "import", "--queue", "q", "--out", str(out))
        assert (code, warnings) == (0, "")
        assert "4 jobs" in text
        assert "startup      30s for ml.g5.xlarge (4 runs, 30s to 30s)" in text

        queue = read_queue(out / "queue.yaml")
        assert [(s.name, s.strategy, s.borrow_limit, s.in_share_preemption) for s in queue.shares] == [
            ("QS1", Strategy.LEND_AND_BORROW, 200, True),
            ("QS2", Strategy.LEND, None, False),
            ("QS3", Strategy.RESERVE, None, False),
        ]
        declared = read_queue(out / "template.json")
        assert [(s.name, s.limits, s.borrow_limit) for s in declared.shares] == [
            (s.name, s.limits, s.borrow_limit) for s in queue.shares
        ]
        workload = read_workload(out / "workload.json", queue=queue)
        assert {job.labels["name"]: job.work_ms for job in workload.jobs} == {
            "high": 1_800_000, "med": 1_800_000, "low": 1_800_000, "qs2_job_1": 2_400_000,
        }  # fmt: skip

        verdicts = verify(out / "queue.yaml", out / "policy.yaml")
        assert verdicts.ok
        assert sum(len(policy.verdicts) for policy in verdicts.policies) == 4
        code, record, _ = run(capsys, "verify", str(out / "queue.yaml"), "--policy", str(out / "policy.yaml"), "--json")
        assert code == 0
        (tmp_path / "verified.json").write_text(record)

        verified = ("--verified", str(tmp_path / "verified.json"))
        for declaration in ("queue.yaml", "template.json"):
            code, text, _ = run(capsys, "drift", str(out / declaration), "--queue", "q", *verified)
            assert code == 0, text
            assert text.endswith("No drift.\n")

        emulator.batch.update_quota_share(
            quotaShareArn=shares["QS1"], resourceSharingConfiguration={"strategy": "LEND_AND_BORROW", "borrowLimit": 0}
        )
        code, text, _ = run(capsys, "drift", str(out / "template.json"), "--queue", "q", *verified)
        assert code == 1
        assert text.count("ResourceSharingConfiguration.BorrowLimit 0 -> 200") == 2
        code, text, _ = run(capsys, "drift", str(out / "queue.yaml"), "--queue", "q", "--json")
        found = json.loads(text)
        assert (code, found["drifted"], found["verified"]) == (1, True, None)
        assert [change["old_logical_id"] for change in found["declared"]["changes"]] == ["QS1"]

        run(capsys, "calibrate", "--queue", "q")
        run(capsys, "try", "--queue", "q", "--job", "{share: QS2, work: 1h, instances: 1}")
        allowed = json.loads(IAM_POLICY.read_text())["Statement"][0]["Action"]
        assert sorted(f"batch:{name}" for name in called) == allowed


def busy_day(emulator: RunningEmulator) -> None:
    """Work that borrows, is preempted in both ways, and queues up; no two jobs come at the same instant."""
    batch = emulator.batch
    small_queue(batch, limits=2)

    def job(share: str, name: str, work: str, instances: int = 1, priority: int = 0, then: int = 60) -> None:
        submit(batch, "q", share, name, work, instances, schedulingPriority=priority)
        emulator.advance(then)

    job("QS1", "a0", "50m", 1, 2)
    job("QS1", "a1", "45m", 1, 2)
    job("QS1", "a2", "40m", 1, 2)
    job("QS1", "a3", "35m", 1, 2)
    job("QS1", "wide", "10m", 3, 2)
    job("QS1", "small", "5m", 1, 1)
    job("QS2", "b0", "15m", then=240)
    job("QS2", "b1", "20m", then=600)
    job("QS1", "urgent", "5m", 1, 9, then=900)
    job("QS2", "b2", "25m", then=600)
    job("QS1", "a4", "15m", 2, 2)
    job("QS3", "c0", "30m", then=60)
    job("QS1", "a5", "15m", 1, 2)
    emulator.advance(6 * 3600)


def past(emulator: RunningEmulator) -> tuple[Queue, History]:
    client = batch_client(Connection())
    queue = deployed_queue(client, "q")
    return queue, history_of(described(client, job_ids(client, queue.source)), queue.source)


@pytest.mark.parametrize("answer", ["", "A1=skip", "A7=oldest", "A8=back"])
def test_calibrate_names_the_answers_that_the_emulator_was_started_with(reached, answer):
    assumed = ("--assume", answer) if answer else ()
    with running_emulator("--stepped", "--startup", "90s", "--stop", "20s", *assumed) as emulator:
        reached(emulator)
        busy_day(emulator)
        found = calibrate(*past(emulator))
    assert (found.timing.startup.default_ms, found.timing.stop.default_ms) == (90_000, 20_000)
    assert found.best.likeness.rank == (0, 0, 0)
    assert found.best.assumptions.deviations == ((answer,) if answer else ())
    assert {one.id for one in found.questions if one.told_apart} >= {answer.partition("=")[0] or "A8"}
    if answer:
        assert found.first.likeness.wrong > 0


def test_calibrate_says_which_answers_a_history_cannot_tell_apart(reached):
    with running_emulator("--stepped", "--stop", "20s", "--assume", "A7=smallest") as emulator:
        reached(emulator)
        busy_day(emulator)
        found = calibrate(*past(emulator))
    assert found.best.likeness.rank == (0, 0, 0)
    assert found.best.assumptions == Assumptions()
    assert "smallest" in next(one for one in found.questions if one.id == "A7").alike


def test_changes_that_aws_does_not_remember_are_told_by_a_file(reached, capsys, tmp_path):
    with running_emulator("--stepped", "--startup", "30s") as emulator:
        reached(emulator)
        three_shares(emulator)
        run(capsys, "import", "--queue", "q", "--out", str(tmp_path))
    saved = ("--history", str(tmp_path / "history.json"), "--queue-file", str(tmp_path / "queue.yaml"), "--json")
    code, without, _ = run(capsys, "calibrate", *saved)
    assert code == 0
    assert json.loads(without)["best"]["wrong"] > 0
    updates = tmp_path / "updates.yaml"
    updates.write_text("updates:\n- {at: 2s, job: low, priority: 1}\n- {at: 602s, job: low, priority: 4}\n")
    code, with_them, _ = run(capsys, "calibrate", *saved, "--updates", str(updates))
    assert code == 0
    assert json.loads(with_them)["best"] == {
        "assumptions": [], "as_best": True, "wrong": 0, "preemptions_off": 0, "starts": 8,
        "mean": 0.0, "median": 0.0, "p95": 0.0, "worst": 0.0,
    }  # fmt: skip
    assert run(capsys, "calibrate", *saved, "--updates", str(updates)) == (0, with_them, "")

    updates.write_text("updates:\n- {at: 2s, job: lou, priority: 1}\n")
    code, text, error = run(capsys, "calibrate", *saved, "--updates", str(updates))
    assert (code, text) == (2, "")
    assert "lou" in error


def test_a_job_is_tried_on_what_the_deployed_queue_runs_now(reached, capsys):
    with running_emulator("--stepped", "--startup", "30s", "--stop", "20s") as emulator:
        reached(emulator)
        small_queue(emulator.batch)
        names = {}
        for name, priority in (("high", 3), ("med", 2), ("low", 1)):
            names[submit(emulator.batch, "q", "QS1", name, "30m", schedulingPriority=priority)] = name
            emulator.advance(60)

        def tried(job: str, *more: str) -> dict:
            code, text, error = run(
                capsys, "try", "--queue", "q", "--job", job, "--stop", "20s", "--startup", "30s", *more, "--json"
            )
            assert (code, error) == (0, "")
            return json.loads(text)

        owner = tried("{share: QS2, work: 10m, instances: 1}")
        assert owner["answer"] == "waits"
        victims = [names[arn] for arn in names for each in owner["preempts"] if arn.endswith(each["victims"][0])]
        assert victims == ["med"]
        assert owner["explanation"]["starts"]["earliest"]["start"] == pytest.approx(owner["job"]["submit"] + 20)
        assert tried("{share: QS3, work: 10m, instances: 1}")["answer"] == "runs now"
        borrower = tried("{share: QS1, work: 10m, instances: 1}", "--expect", "1h")
        assert (borrower["answer"], borrower["preempts"]) == ("waits", [])

        before = emulator.batch.get_job_queue_snapshot(jobQueue="q")["queueUtilization"]["totalCapacityUsage"]
        assert before == [{"capacityUnit": UNIT, "quantity": 2.0}]


def test_jobs_that_fail_are_terminated_or_still_run_are_told_as_they_were(reached, capsys, tmp_path):
    with running_emulator("--stepped", "--startup", "60s", "--stop", "20s") as emulator:
        reached(emulator)
        batch = emulator.batch
        small_queue(batch, limits=2)
        rules = [{"action": "RETRY", "onStatusReason": "Received*"}, {"action": "EXIT", "onStatusReason": "*"}]
        retry = {"attempts": 3, "evaluateOnExit": rules}
        fails = {"quota-shares:failures": "5m Received status from SageMaker: AlgorithmError / 4m out of luck"}

        def job(name: str, work: str, then: int = 30, share: str = "QS1", instances: int = 1, **more) -> str:
            priority = int(name != "fragile")
            arn = submit(batch, "q", share, name, work, instances, schedulingPriority=priority, **more)
            emulator.advance(then)
            return arn

        job("long", "50m")
        job("failing", "20m", retryStrategy=retry, tags=fails)
        job("fragile", "30m", preemptionConfiguration={"preemptionRetriesBeforeTermination": 0})
        stopped = job("stopped", "40m")
        waiting = job("waiting", "10m", 600)
        job("owner", "15m", 300, "QS2", 2)
        batch.terminate_service_job(jobId=waiting, reason="no longer wanted")
        emulator.advance(60)
        batch.terminate_service_job(jobId=stopped, reason="no longer wanted")
        emulator.advance(300)
        job("timed", "30m", timeoutConfig={"attemptDurationSeconds": 600}, share="QS3", instances=2)
        emulator.advance(2400)
        job("unfinished", "5h", 400)
        job("too_much", "5m", 300, "QS2", 4)
        queue, history = past(emulator)
        _, text, _ = run(capsys, "import", "--queue", "q", "--out", str(tmp_path), "--json")
    states = {job.details.labels["name"]: job.status for job in history.jobs}
    assert states == {
        "long": "SUCCEEDED", "failing": "FAILED", "fragile": "FAILED", "stopped": "FAILED", "waiting": "FAILED",
        "owner": "SUCCEEDED", "timed": "FAILED", "unfinished": "RUNNING", "too_much": "RUNNABLE",
    }  # fmt: skip
    found = calibrate(queue, history)
    assert [(miss.name, miss.real, miss.predicted) for miss in found.best.likeness.misses] == []
    assert found.best.assumptions == Assumptions()

    account = json.loads(text)["workload"]
    read = read_workload(tmp_path / "workload.json", queue=queue)
    assert account["jobs"] + sum(account["skipped"].values()) + account["censored"] == len(states)
    assert account["jobs"] == len(read.jobs)
    failing = next(job for job in read.jobs if job.labels["name"] == "failing")
    assert [failure.after_ms for failure in failing.failures] == [300_000, 240_000]
    assert (failing.attempts, [rule.action for rule in failing.retry_rules]) == (3, ["RETRY", "EXIT"])
    assert "serviceRequestPayload" not in (tmp_path / "history.json").read_text()
    assert verify(tmp_path / "queue.yaml", tmp_path / "policy.yaml").ok
