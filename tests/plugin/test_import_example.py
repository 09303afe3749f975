"""The example of an app elsewhere: it knows the installed package alone, and its policy guards it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from command_runs import ROOT, python

EXAMPLE = ROOT / "examples" / "import_into_your_stack"


def _synthesised(folder: Path, *, borrow: bool = True) -> tuple[int, str]:
    app = (EXAMPLE / "app.py").read_text()
    if not borrow:
        borrowing = "ResourceSharing.lend_and_borrow(borrow_limit_percent=50)"
        assert borrowing in app
        app = app.replace(borrowing, "ResourceSharing.lend()")
    shutil.copytree(EXAMPLE, folder / "research", ignore=shutil.ignore_patterns("cdk.out"))
    (folder / "research" / "app.py").write_text(app.replace("cdk.App()", 'cdk.App(outdir="cdk.out")'))
    done = python(folder / "research", "app.py")
    return done.returncode, done.stderr


def test_it_synthesises_two_shares_a_grant_and_a_notice_of_preemptions(tmp_path: Path) -> None:
    assert _synthesised(tmp_path) == (0, "")

    template = json.loads((tmp_path / "research" / "cdk.out" / "Research.template.json").read_text())
    resources = list(template["Resources"].values())
    shares = [found["Properties"] for found in resources if found["Type"] == "AWS::Batch::QuotaShare"]
    assert [share["QuotaShareName"] for share in shares] == ["vision", "language"]
    (policy,) = (found["Properties"] for found in resources if found["Type"] == "AWS::IAM::Policy")
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert statement["Action"] == "batch:SubmitServiceJob"
    (rule,) = (found["Properties"] for found in resources if found["Type"] == "AWS::Events::Rule")
    assert rule["EventPattern"]["detail-type"] == [
        "Batch Service Job Preemption Started",
        "Batch Service Job Preemption Completed",
    ]
    (target,) = rule["Targets"]
    assert "Preemptions" in target["Arn"]["Ref"]


def test_its_policy_fails_where_vision_may_not_borrow(tmp_path: Path) -> None:
    code, report = _synthesised(tmp_path, borrow=False)

    assert code == 1
    assert "ERROR share vision: wait p95 <= 10h: fails, measured " in report
    assert "vision's own limit is 4 ml.g5.2xlarge and it borrows nothing of the 2 that others lend" in report
    assert "Claimed at policies/research.yaml:" in report
