"""YAML text as plain data under the 1.2 core schema, through PyYAML's parser.

PyYAML's own constructor reads YAML 1.1 (`no` is false, `1:30` is 90) and lets the last of two equal
keys win, so the nodes that it composes are turned into data here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import yaml

from quota_verifier.errors import InputError

Tags = Mapping[str, Callable[[object], object]]
"""YAML tags that a file may use: from `!Name` to what becomes of the value behind it."""

_STANDARD = "tag:yaml.org,2002:"
_MERGE = f"{_STANDARD}merge"
_PLAIN: tuple[tuple[str, str, str], ...] = (
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(0|[1-9][0-9]*)", "-+0123456789"),
    ("float", r"[-+]?(0|[1-9][0-9]*)?(\.[0-9]+|(?<=[0-9])\.?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("merge", r"<<", "<"),
)
_READ: Mapping[str, Callable[[str], object]] = {
    "null": lambda _: None,
    "bool": lambda text: {"true": True, "false": False}[text.lower()],
    "int": int,
    "float": float,
}

if TYPE_CHECKING:
    from yaml import SafeLoader as _Parser
else:  # libyaml's parser is ten times as fast, and in every wheel
    _Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    table: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for name, pattern, first in _PLAIN:
        for letter in [*first, *([""] if name == "null" else [])]:
            table.setdefault(letter, []).append((_STANDARD + name, re.compile(rf"(?:{pattern})\Z")))
    return table


class _Loader(_Parser):  # PyYAML takes its resolvers from a class attribute
    yaml_implicit_resolvers = _resolvers()


def _resolvers_of_both() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    old, new = yaml.SafeDumper.yaml_implicit_resolvers, _resolvers()
    return {letter: [*old.get(letter, []), *new.get(letter, [])] for letter in {**old, **new}}


class _Dumper(yaml.SafeDumper):
    """Quotes text that YAML 1.1 or 1.2 would take for something else."""

    yaml_implicit_resolvers = _resolvers_of_both()

    def ignore_aliases(self, data: object) -> bool:  # anchors help no reader
        return True


def dump(data: object) -> str:
    """`data` as YAML that reads back alike, keys in their order, the innermost maps and lists on one line."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)


def load(text: str, *, source: str, tags: Tags) -> tuple[object, yaml.Node]:
    """The one document in `text` as data, and its root node for `line_of`. Raises InputError."""
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            raise InputError("the file is empty", source=source)
        return _Builder(source, tags).value(root), root
    except yaml.MarkedYAMLError as error:
        _refuse(error, source)
    except yaml.YAMLError as error:  # the reader's: a character that YAML does not allow
        raise InputError(f"malformed YAML: {str(error).splitlines()[0]}", source=source) from None
    except RecursionError:
        raise InputError("nested too deeply", source=source) from None
    finally:
        loader.dispose()  # pyright: ignore[reportUnknownMemberType]


def line_of(root: yaml.Node, path: tuple[str | int, ...]) -> int:
    """The 1-based line of the key or item at `path`; of the nearest enclosing one where it has none."""
    return _mark(root, path).line + 1


def column_of(root: yaml.Node, path: tuple[str | int, ...]) -> int:
    """The 1-based column in the line that `line_of` gives."""
    return _mark(root, path).column + 1


def _mark(root: yaml.Node, path: tuple[str | int, ...]) -> yaml.Mark:
    node, mark = root, root.start_mark
    for step in path:
        found = _child(node, step)
        if found is None:
            break
        marked, node = found
        mark = marked.start_mark
    return mark


def _child(node: yaml.Node, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """The node whose line stands for the child, and the child."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None


@dataclass(slots=True)
class _Builder:
    """Turns nodes into data; an anchored node becomes one shared object."""

    source: str
    tags: Tags
    built: dict[int, object] = field(default_factory=dict[int, object])
    open: set[int] = field(default_factory=set[int])

    def value(self, node: yaml.Node) -> object:
        known = self.built.get(id(node), self)
        if known is not self:
            return known
        if id(node) in self.open:
            self.refuse(node, "an alias inside the value that it stands for")
        self.open.add(id(node))
        result = self.untagged(node)
        if not node.tag.startswith(_STANDARD) and node.tag != "!":
            result = self.tagged(node, result)
        self.open.discard(id(node))
        self.built[id(node)] = result
        return result

    def untagged(self, node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode):
            return self.map(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item) for item in node.value]
        return self.scalar(node)

    def tagged(self, node: yaml.Node, value: object) -> object:
        meaning = self.tags.get(node.tag)
        if meaning is None:
            self.refuse(node, f"unknown tag {node.tag}")
        return meaning(value)

    def map(self, node: yaml.MappingNode) -> dict[str, object]:
        own: dict[str, object] = {}
        merged: dict[str, object] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.refuse(key, "a key that is a list or a map", remedy="write plain text as the key")
            name = str(key.value)
            if key.tag == _MERGE:
                self.merge(merged, value)
            elif name in own:
                self.refuse(key, f"the key {name!r} stands twice in one map")
            else:
                own[name] = self.value(value)
        return {**merged, **own} if merged else own

    def merge(self, into: dict[str, object], node: yaml.Node) -> None:
        """Add what `<<: *anchor` or `<<: [*a, *b]` brings; the earlier anchor wins."""
        for source in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            if not isinstance(source, yaml.MappingNode):
                self.refuse(source, "<< merges maps alone", remedy="write <<: *anchor")
            for name, item in self.map(source).items():
                into.setdefault(name, item)

    def scalar(self, node: yaml.Node) -> object:
        text, kind = str(node.value), node.tag.removeprefix(_STANDARD)
        if not node.tag.startswith(_STANDARD) or kind in {"str", "merge"}:
            return text
        if kind not in _READ:
            self.refuse(node, f"unknown tag !!{kind}")
        try:
            return _READ[kind](text)
        except (ValueError, KeyError):
            self.refuse(node, f"{text[:40]!r} cannot be read as !!{kind}")

    def refuse(self, node: yaml.Node, problem: str, *, remedy: str = "") -> NoReturn:
        mark = node.start_mark
        raise InputError(problem, source=f"{self.source}:{mark.line + 1}:{mark.column + 1}", remedy=remedy)


def _refuse(error: yaml.MarkedYAMLError, source: str) -> NoReturn:
    mark = error.problem_mark or error.context_mark
    place = f"{source}:{mark.line + 1}:{mark.column + 1}" if mark else source
    said = ", ".join(part for part in (error.context, error.problem) if part)
    raise InputError(f"malformed YAML: {said}", source=place) from None
