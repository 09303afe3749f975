"""Rules of your own: YAML files, Python files, and folders that look like those of the shipped rules."""

from __future__ import annotations

import importlib.util
import sys
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from quota_verifier.errors import InputError
from quota_verifier.lint.pack import shipped_rules
from quota_verifier.lint.rule import SHIPPED_ID, Rule, validate

_DATA = {".yaml", ".yml", ".json"}
_CODE = ".py"


def load_own_rules(paths: Iterable[str | Path]) -> tuple[Rule, ...]:
    """The rules in `paths`, in that order: rule files, Python files, or folders of folders with a `rule.py`.

    Raises InputError for one that does not load, has no rule, or repeats an id: a rule that is missing
    would look like a template without findings.
    """
    found: dict[str, Rule] = {}
    for path in map(Path, paths):
        for rule in _load(path):
            if SHIPPED_ID.fullmatch(rule.id):
                raise InputError(
                    f"{rule.id} is kept for the rules that come with quota-shares",
                    source=rule.origin,
                    where=f"rule {rule.id}",
                    remedy="write E, W or I and four digits from 9600 to 9999",
                )
            validate(rule, rule.origin)
            if rule.id in found:
                raise InputError(
                    f"{rule.id} is also a rule in {found[rule.id].origin}",
                    source=rule.origin,
                    where=f"rule {rule.id}",
                    remedy="give every rule its own id",
                )
            found[rule.id] = rule
    return tuple(found.values())


def _load(path: Path) -> tuple[Rule, ...]:
    if path.is_dir():
        files = [path / "rule.py"] if (path / "rule.py").is_file() else sorted(path.glob("*/rule.py"))
        if not files:
            raise InputError("no rule.py in it or in a folder in it", source=str(path), remedy="name a file with rules")
        return tuple(rule for file in files for rule in _from_python(file))
    if path.suffix in _DATA:
        from quota_verifier.lint.rule_file import read_rule_file  # pydantic is slow to load

        return read_rule_file(path)
    if path.suffix == _CODE:
        return _from_python(path)
    raise InputError(
        "neither a rule file nor Python", source=str(path), remedy="name a .yaml, .json or .py file, or a folder"
    )


def _from_python(path: Path) -> tuple[Rule, ...]:
    module = _module(path)
    ours = {id(rule) for rule in shipped_rules()}
    distinct = {id(value): value for value in vars(module).values() if isinstance(value, Rule)}
    rules = [replace(rule, origin=str(path)) for key, rule in distinct.items() if key not in ours]
    if not rules:
        raise InputError("no rule in it", source=str(path), remedy="assign a quota_verifier.lint.Rule to a name")
    return tuple(rules)


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError("no such file", source=str(path))
    name = f"own_rule_{path.stem}_{zlib.crc32(str(path.resolve()).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("cannot be imported", source=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a rule's file raises, it did not load
        del sys.modules[name]
        problem = f"did not load: {type(error).__name__}: {error}"
        raise InputError(problem, source=str(path), remedy="correct the file") from error
    return module
