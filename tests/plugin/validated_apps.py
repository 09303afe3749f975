"""Apps with the plugin, and what it reports of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aws_cdk as cdk

from quota_shares import QuotaManagedQueue, QuotaShareValidation, ResourceSharing

G5 = "ml.g5.xlarge"

WAITS = """\
description: Two jobs of QS3 at once
workload:
  jobs:
    - {id: first, share: QS3, submit: 0s, work: 1h, instances: 1}
    - {id: second, share: QS3, submit: 0s, work: 30m, instances: 1}
expect:
  - share: QS3
    wait: {max: "<= BOUND"}
"""
"""`second` waits for an hour, for QS3 owns one instance and keeps to itself."""


def policy(name: str = "urgent.yaml", text: str = WAITS, **words: str) -> Path:
    """A policy file in the working directory, with words of the text replaced; the bound fails unless given."""
    for word, meant in {"BOUND": "1m", **words}.items():
        text = text.replace(word, meant)
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def queue(scope: Any, id: str = "Training", **changes: Any) -> QuotaManagedQueue:
    """The demo's queue: three shares of one instance."""
    made = QuotaManagedQueue(scope, id, **{"capacity_limits": {G5: 3}, **changes})
    borrow = ResourceSharing.lend_and_borrow(borrow_limit_percent=200)
    made.add_share("QS1", capacity_limits={G5: 1}, resource_sharing=borrow, in_share_preemption=True)
    made.add_share("QS2", capacity_limits={G5: 1}, resource_sharing=ResourceSharing.lend())
    made.add_share("QS3", capacity_limits={G5: 1}, resource_sharing=ResourceSharing.reserve())
    return made


def validate(app: cdk.App, *policies: str | Path) -> list[dict[str, Any]]:
    """Synthesise with the plugin; its violations as the JSON report has them.

    Checks that synth fails exactly where one of them is an error.
    """
    cdk.Validations.of(app).add_plugins(QuotaShareValidation(policies=policies))
    failed = False
    try:
        app.synth()
    except RuntimeError as error:
        failed = "ValidationFailed" in str(error)
    found = plugin_report(app)
    assert failed == any(violation["severity"] in ("error", "fatal") for violation in found["violations"])
    return found["violations"]


def plugin_report(app: cdk.App) -> dict[str, Any]:
    """What the CDK's report has of the plugin; no violations where it has nothing."""
    report = json.loads((Path(app.outdir) / "validation-report.json").read_text())
    ours = [found for found in report["pluginReports"] if found["pluginName"] == "quota-shares"]
    return ours[0] if ours else {"violations": []}


def only(violations: list[dict[str, Any]]) -> dict[str, Any]:
    """The one violation there is."""
    assert [violation["ruleName"] for violation in violations] == [violations[0]["ruleName"]]
    return violations[0]


def about(violation: dict[str, Any]) -> str:
    """The construct path of the one thing that a violation is about."""
    (construct,) = violation["violatingConstructs"]
    return str(construct["constructPath"])
