"""Rewrites what is made from the rules: docs/rules.md, the list of shipped ids, the schema of rule files.

Run `python tools/render_rules.py` after adding or changing a rule; tests compare each file with the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from quota_verifier.lint import Finding, Rule, Severity, lint
from quota_verifier.lint.pack import load_rule, rule_folders
from quota_verifier.lint.rule_file import rule_file_schema

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules.md"
SCHEMA = ROOT / "docs" / "schemas" / "rule-file.schema.json"
MANIFEST = ROOT / "policies" / "quota_verifier" / "data" / "rules.json"

_GUIDE = Path(__file__).parent / "rules_guide.md"
_HEADINGS = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.INFO: "Information"}


def page() -> str:
    """The text of docs/rules.md."""
    folders = {load_rule(folder).id: folder for folder in rule_folders()}
    rules = sorted((load_rule(folder) for folder in folders.values()), key=lambda r: ("EWI".index(r.id[0]), r.id))
    parts = [_GUIDE.read_text(encoding="utf-8"), _table(rules)]
    for severity, title in _HEADINGS.items():
        parts.append(f"## {title}\n")
        parts += [_section(rule, folders[rule.id]) for rule in rules if rule.severity is severity]
    return "\n".join(parts)


def manifest_text() -> str:
    """The text of data/rules.json: the ids that are shipped."""
    ids = sorted(load_rule(folder).id for folder in rule_folders())
    return json.dumps(ids, indent=1) + "\n"


def schema_text() -> str:
    """The text of the schema of rule files."""
    return json.dumps(rule_file_schema(), indent=2) + "\n"


def _table(rules: Iterable[Rule]) -> str:
    rows = [f"| [{rule.id}](#{rule.id.lower()}) | {rule.severity} | {rule.title} |" for rule in rules]
    return "\n".join(["## The rules\n", "| id | severity | what holds where all is well |", "|---|---|---|", *rows, ""])


def _section(rule: Rule, folder: Path) -> str:
    bad, good = folder / "bad.yaml", folder / "good.yaml"
    found = [finding for finding in lint(bad).findings if finding.rule == rule.id]
    about = {finding.logical_id for finding in found}
    looks_at = ", ".join(f"`{kind} {path}`" for kind, paths in rule.properties.items() for path in paths)
    return "\n".join(
        [
            f"### {rule.id}\n",
            f"**{rule.title}.** {rule.why}\n",
            f"Looks at {looks_at}. Source: [AWS documentation]({rule.source}).\n",
            f"Fails ([whole template]({_link(bad)})):\n",
            _snippet(rule, about, _Yaml(bad), _Yaml(good)),
            f"> {_said(found[0])}\n",
            f"Passes ([whole template]({_link(good)})):\n",
            _snippet(rule, about, _Yaml(good), _Yaml(bad)),
        ]
    )


def _said(finding: Finding) -> str:
    return f"{finding.logical_id}, {finding.where}: {finding.message}. Fix: {finding.fix}."


def _link(file: Path) -> str:
    return f"../{file.relative_to(ROOT)}"


class _Yaml:
    """A template's text by resource: the lines before its properties, and the lines of each property."""

    def __init__(self, file: Path) -> None:
        self.heads: dict[str, list[str]] = {}
        self.properties: dict[str, dict[str, list[str]]] = {}
        here: list[str] = []
        for line in file.read_text(encoding="utf-8").splitlines()[1:]:
            depth = len(line) - len(line.lstrip())
            name = line.strip().partition(":")[0]
            if depth == _RESOURCE:
                here = self.heads.setdefault(name, [])
                properties = self.properties.setdefault(name, {})
            elif depth == _PROPERTY:
                here = properties.setdefault(name, [])
            here.append(line)


_RESOURCE, _PROPERTY = 2, 6


def _snippet(rule: Rule, about: set[str], shown: _Yaml, other: _Yaml) -> str:
    """The resources that the finding is about or that differ, with the properties that matter."""
    lines: list[str] = []
    for name, properties in shown.properties.items():
        differs = properties != other.properties.get(name) or shown.heads[name] != other.heads.get(name)
        if name not in about and not differs:
            continue
        lines += shown.heads[name]
        kind = shown.heads[name][1].strip().removeprefix("Type: ")
        declared = {path.partition(".")[0].partition("[")[0] for path in rule.properties.get(kind, ())}
        left_out = False
        for key, block in properties.items():
            keep = key in declared or block != other.properties.get(name, {}).get(key)
            lines += block if keep else []
            left_out |= not keep
        lines += ["      # ..."] if left_out else []
    return "```yaml\n" + "\n".join(line.removeprefix("  ") for line in lines) + "\n```\n"


def main() -> None:
    """Rewrite all of them."""
    MANIFEST.write_text(manifest_text(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    SCHEMA.write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
