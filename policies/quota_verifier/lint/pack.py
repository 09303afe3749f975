"""The rules that come with this package: one folder each under `rules/`, all of them or none.

A rule that does not load would look like a template without findings, so it is an error that names the
rule (case C36). `data/rules.json` lists the ids that were shipped; each folder's name begins with its id.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from quota_verifier.errors import InputError
from quota_verifier.lint.rule import SHIPPED_ID, Rule, validate

PACKAGE = "quota_verifier"
_ROOT = Path(__file__).parents[1]
_FOLDER = re.compile(r"(?P<id>[ewi]95[0-9]{2})_[a-z0-9_]+")
_INSTALL_AGAIN = "install quota-shares again"


@cache
def shipped_rules() -> tuple[Rule, ...]:
    """Every shipped rule, errors first, by number. Raises InputError where one did not load."""
    loaded = [load_rule(folder) for folder in rule_folders()]
    ids = [rule.id for rule in loaded]
    missing = [rule_id for rule_id in manifest() if rule_id not in ids]
    if missing:
        raise InputError(f"{_counted(missing)} did not load: no folder", source="rules", remedy=_INSTALL_AGAIN)
    return tuple(sorted(loaded, key=lambda rule: ("EWI".index(rule.id[0]), rule.id)))


def rule_folders() -> tuple[Path, ...]:
    """The folders of the shipped rules, by name."""
    return tuple(sorted(path for path in (_ROOT / "rules").iterdir() if _FOLDER.fullmatch(path.name)))


def manifest() -> tuple[str, ...]:
    """The ids of the rules that this version was shipped with."""
    listed = json.loads((_ROOT / "data" / "rules.json").read_text(encoding="utf-8"))
    return tuple(cast("list[str]", listed))


def load_rule(folder: Path) -> Rule:
    """The rule in a folder. Raises InputError, with the id that the folder is named after, where it did not load."""
    rule_id = folder.name.partition("_")[0].upper()
    source = f"rules/{folder.name}/rule.py"
    try:
        module = import_module(f"{PACKAGE}.rules.{folder.name}.rule")
    except Exception as error:  # whatever a rule's file raises, the rule did not load
        problem = f"rule {rule_id} did not load: {type(error).__name__}: {error}"
        raise InputError(problem, source=source, remedy=_INSTALL_AGAIN) from error
    rule = getattr(module, "RULE", None)
    if not isinstance(rule, Rule) or rule.id != rule_id or not SHIPPED_ID.fullmatch(rule_id):
        found = f"is {rule.id}" if isinstance(rule, Rule) else "is missing"
        raise InputError(f"rule {rule_id} did not load: RULE {found}", source=source, remedy=f"give it id {rule_id}")
    if not rule.source:
        raise InputError(f"rule {rule_id} names no AWS source", source=source, remedy="give its source")
    return validate(rule, source)


def _counted(ids: list[str]) -> str:
    return f"rule {ids[0]}" if len(ids) == 1 else f"rules {', '.join(ids)}"
