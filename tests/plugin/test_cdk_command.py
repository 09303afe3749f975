"""The real CDK command line: it synthesises and deploys what holds, and refuses the rest with a readable report."""

from __future__ import annotations

import re
from pathlib import Path

from command_runs import TWO_JOBS, cdk, demo_app, needs_cdk, python, small_app

RESERVES = 'queue.add_share("QS3", capacity_limits={UNIT: 1}, resource_sharing=ResourceSharing.reserve())'
LENDS = RESERVES.replace("reserve()", "lend_and_borrow()")


def _masked(report: str) -> str:
    """The report without line numbers, which move with every comment of the demo."""
    return re.sub(r"(app\.py|\.yaml):\d+", r"\1:LINE", report)


@needs_cdk
def test_one_changed_word_makes_synth_fail_and_the_word_back_makes_it_pass(tmp_path: Path, snapshot: object) -> None:
    folder = demo_app(tmp_path)
    good = (folder / "app.py").read_text()
    assert RESERVES in good
    (folder / "app.py").write_text(good.replace(RESERVES, LENDS))

    code, report = cdk(folder, "synth", "--quiet", builtin_validation=True)
    assert code == 1
    assert report.rstrip().endswith("Synthesis finished with errors")
    assert _masked(report) == snapshot

    # cdk.out still has the report of the run that failed.
    assert (folder / "cdk.out" / "validation-report.json").exists()
    (folder / "app.py").write_text(good)
    code, report = cdk(folder, "synth", "--quiet")
    assert (code, "ERROR" in report) == (0, False)


@needs_cdk
def test_deploy_refuses_before_it_asks_for_an_account(tmp_path: Path) -> None:
    code, report = cdk(small_app(tmp_path, "plain"), "deploy", "--require-approval", "never")

    assert code == 1
    assert "ERROR share QS3: every wait <= 1m: fails, measured 1h" in report
    assert "credentials" not in report


@needs_cdk
def test_an_acknowledged_claim_passes(tmp_path: Path) -> None:
    code, report = cdk(small_app(tmp_path, "acknowledged"), "synth", "--quiet")

    assert (code, "ERROR" in report) == (0, False)


@needs_cdk
def test_a_bad_policy_file_fails_synth_with_one_readable_line(tmp_path: Path) -> None:
    folder = small_app(tmp_path, "plain", TWO_JOBS.replace("share: QS3, wait", "share: QS3, wiat"))
    code, report = cdk(folder, "synth", "--quiet")

    assert code == 1
    lines = report.splitlines()
    assert lines[0] == (
        "FATAL policy.yaml:6: expect[0].wiat: unknown key 'wiat'; policy.yaml was not checked (quota-shares)"
    )
    assert not any("Traceback" in line for line in lines)


def test_python_alone_fails_too_and_prints_the_report(tmp_path: Path) -> None:
    done = python(small_app(tmp_path, "plain"), "app.py")

    assert done.returncode == 1
    assert "ERROR share QS3: every wait <= 1m: fails, measured 1h" in done.stderr
    assert "Validation failed" in done.stderr


def test_python_alone_passes_what_holds(tmp_path: Path) -> None:
    done = python(small_app(tmp_path, "plain", TWO_JOBS.replace("<= 1m", "<= 1h")), "app.py")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_cdk
def test_an_unforeseen_exception_fails_synth_and_shows_its_traceback(tmp_path: Path) -> None:
    # The CDK's command line drops the failure of a plugin that raises, and exits with 0.
    code, report = cdk(small_app(tmp_path, "broken"), "synth", "--quiet")

    assert code == 1
    assert "Traceback (most recent call last)" in report
    assert (
        "FATAL quota-shares failed while checking Small/Training/JobQueue against its policies:"
        " ZeroDivisionError: division by zero\n" in report
    )
