"""Workload files in YAML: one job a line, in flow style."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import yaml

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*|(\d+(\.\d+)?[a-z]+)+")
"""Words and durations, which no reader of YAML takes for a number; any other text is quoted."""

if TYPE_CHECKING:
    from yaml import SafeDumper as _Base
else:  # libyaml's emitter is some ten times as fast, and in every wheel
    _Base = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Row(dict[str, object]):
    """A map on one line."""


class _Dumper(_Base):
    """PyYAML's dumper, with rows on one line, and quotes around what YAML 1.2 alone reads as a number."""


def _row(dumper: yaml.SafeDumper, row: _Row) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", row, flow_style=True)


def _text(_dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = None if _WORD.fullmatch(text) else '"'
    return yaml.ScalarNode("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(_Row, _row)
_Dumper.add_representer(str, _text)


def yaml_text(jobs: Sequence[Mapping[str, object]], updates: Sequence[Mapping[str, object]]) -> str:
    """A workload file with these rows."""
    data = {"jobs": [_Row(row) for row in jobs]}
    if updates:
        data["updates"] = [_Row(row) for row in updates]
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1_000_000)
