"""Findings as SARIF 2.1.0, for code scanning: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from urllib.parse import quote

from quota_verifier.report.alerts import Alert, AlertRule, Alerts
from quota_verifier.report.provenance import version

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "quotaShares/v1"
"""The name of our fingerprint. It stays the same while a finding moves in its file."""

_Object = dict[str, object]


def sarif_text(alerts: Alerts) -> str:
    """The SARIF log as a file holds it."""
    return json.dumps(sarif_log(alerts), indent=2) + "\n"


def sarif_log(alerts: Alerts) -> _Object:
    """One run of quota-shares with its findings; a waived one carries a suppression with the reason."""
    places = {rule.id: place for place, rule in enumerate(alerts.rules)}
    driver: _Object = {
        "name": "quota-shares",
        "version": version(),
        "rules": [_rule(rule) for rule in alerts.rules],
    }
    run: _Object = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(alert, places[alert.rule.id]) for alert in alerts.alerts],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: AlertRule) -> _Object:
    found: _Object = {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.title},
        "help": {"text": rule.help},
    }
    return {**found, "helpUri": rule.page} if rule.page else found


def _result(alert: Alert, rule_index: int) -> _Object:
    region = {"startLine": alert.line, "startColumn": alert.column}
    found: _Object = {
        "ruleId": alert.rule.id,
        "ruleIndex": rule_index,
        "level": alert.level,
        "message": {"text": alert.message},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(alert.file)}, "region": region}}],
        "partialFingerprints": {FINGERPRINT: _fingerprint(alert)},
    }
    if alert.waived:
        found["suppressions"] = [{"kind": "inSource", "status": "accepted", "justification": alert.waived}]
    return found


def _uri(file: str) -> str:
    """Relative to the repository where the file lies in it."""
    return Path(file).as_uri() if Path(file).is_absolute() else quote(file)


def _fingerprint(alert: Alert) -> str:
    return hashlib.sha256(f"{alert.rule.id}\n{alert.key}".encode()).hexdigest()[:32]
