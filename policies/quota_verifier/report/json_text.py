"""JSON documents as text: one line for each top-level key, and for each item of a top-level list.

So a run of many jobs is quick to write, small, and can be searched and compared line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast


def json_text(document: Mapping[str, object]) -> str:
    """`document` as JSON in ASCII, with its keys in their order and a final line break."""
    return "".join(_pieces(document))


def _pieces(document: Mapping[str, object]) -> Iterator[str]:
    yield "{\n"
    last = len(document) - 1
    for place, (key, value) in enumerate(document.items()):
        yield f"  {json.dumps(key)}: "
        if isinstance(value, list) and value:
            yield from _list(cast("Sequence[object]", value))
        else:
            yield json.dumps(value, allow_nan=False)
        yield ",\n" if place < last else "\n"
    yield "}\n"


def _list(items: Sequence[object]) -> Iterator[str]:
    yield "[\n"
    yield ",\n".join(f"    {json.dumps(item, allow_nan=False)}" for item in items)
    yield "\n  ]"
