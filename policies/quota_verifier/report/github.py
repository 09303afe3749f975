"""Findings as workflow commands of GitHub Actions, which become annotations on a pull request.

Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections.abc import Mapping

from quota_verifier.report.alerts import Alert, Alerts, Level

_COMMANDS: Mapping[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}


def annotation_text(alerts: Alerts) -> str:
    """A workflow command for each finding that is not waived, and last the summary for people."""
    lines = [_annotation(alert) for alert in alerts.alerts if not alert.waived]
    return "".join(f"{line}\n" for line in (*lines, _plain(alerts.summary)))


def _annotation(alert: Alert) -> str:
    title = f"{alert.rule.id}: {alert.rule.title}"
    properties = {"file": alert.file, "line": str(alert.line), "col": str(alert.column), "title": title}
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[alert.level]} {told}::{_data(alert.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _plain(text: str) -> str:
    return " ".join(text.splitlines())
