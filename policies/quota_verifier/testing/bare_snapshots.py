"""Finds `assert snapshot` without a comparison, which passes whatever happens."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

_MAKES_A_SNAPSHOT = ("use_extension", "with_defaults")


def bare_snapshot_assertions(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> list[str]:
    """`FILE:LINE: assert snapshot` for each assertion of a snapshot that compares it with nothing.

    Looks through Python files, and folders for all of them. A snapshot is a name or an attribute that is `snapshot`
    or ends in `_snapshot`, with options or without. Neither its truth nor `is` compares anything, so
    `assert not snapshot`, `assert snapshot is not None` and `assert snapshot, "message"` are found as well. Raises
    SyntaxError for a file that is not Python.
    """
    given = [paths] if isinstance(paths, str | PathLike) else paths
    return [found for path in given for file in _files(Path(path)) for found in _in(file)]


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _in(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
    lines = sorted({node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert) and _is_bare(node.test)})
    source = file.read_text(encoding="utf-8").splitlines()
    for line in lines:
        yield f"{file}:{line}: {source[line - 1].strip()}"


def _is_bare(test: ast.expr) -> bool:
    """Whether the truth of `test` rests on a snapshot that is compared with nothing."""
    match test:
        case ast.BoolOp():
            return any(_is_bare(value) for value in test.values)
        case ast.UnaryOp(op=ast.Not()):
            return _is_bare(test.operand)
        case ast.NamedExpr():
            return _is_bare(test.value)
        case ast.Compare():
            identity = all(isinstance(op, ast.Is | ast.IsNot) for op in test.ops)
            return identity and any(_is_snapshot(side) for side in (test.left, *test.comparators))
        case _:
            return _is_snapshot(test)


def _is_snapshot(value: ast.expr) -> bool:
    """A fixture called `snapshot` or `..._snapshot`, or what it makes of itself with options."""
    match value:
        case ast.Name():
            return _says_snapshot(value.id)
        case ast.Attribute():
            return _says_snapshot(value.attr)
        case ast.Call(func=ast.Name(id=name)):
            return name == "snapshot"  # `take_snapshot()` may well compare by itself
        case ast.Call(func=ast.Attribute(value=on, attr=method)):
            return method in _MAKES_A_SNAPSHOT and _is_snapshot(on)
        case _:
            return False


def _says_snapshot(name: str) -> bool:
    return name == "snapshot" or name.endswith("_snapshot")
