"""Fn::ForEach, which makes resources in a loop (the AWS::LanguageExtensions transform).

Source: AWS CloudFormation user guide, Fn::ForEach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from quota_verifier.documents import DataPath, Document, as_list, as_map
from quota_verifier.errors import InputError
from quota_verifier.template.intrinsics import resolve
from quota_verifier.template.scope import Scope
from quota_verifier.template.unresolved import first_unresolved, in_text

_LOOP = "Fn::ForEach::"
_NOT_ALPHANUMERIC = re.compile(r"[^A-Za-z0-9]")


def expanded(
    section: Mapping[str, object], scope: Scope, document: Document, at: DataPath = ("Resources",)
) -> Iterator[tuple[str, object, DataPath]]:
    """Each logical id of `section` with its body, loops unrolled, and where it stands in the document.

    Raises InputError for a loop that is malformed or runs over what only the deployment knows.
    """
    for name, body in section.items():
        path = (*at, name)
        if not name.startswith(_LOOP):
            yield name, body, path
            continue
        identifier, items, block = _parts(path, body, scope, document)
        for item in items:
            for key, inner in block.items():
                unrolled = {_replaced(key, identifier, item): _substituted(inner, identifier, item)}
                for logical_id, made, inside in expanded(unrolled, scope, document, (*path, 2)):
                    yield logical_id, made, (*path, 2, key, *inside[len(path) + 2 :])


def _parts(
    path: DataPath, body: object, scope: Scope, document: Document
) -> tuple[str, list[str], Mapping[str, object]]:
    identifier, over, block, *more = [*(as_list(body) or []), None, None, None]
    resources = as_map(block) if len(more) == 3 else None
    if not isinstance(identifier, str) or resources is None:
        raise InputError(
            "a loop is a list of its identifier, its items and a map of resources",
            source=document.at(path),
            where=str(path[-1]),
        )
    items = resolve(over, scope)
    found = [items] if (listed := as_list(items)) is None else listed
    unknown = first_unresolved(found)
    if unknown is not None:
        raise InputError(
            f"what the loop runs over {unknown.reason}",
            source=document.at(path),
            where=str(path[-1]),
            remedy=unknown.remedy,
        )
    return identifier, [in_text(item) for item in found], resources


def _substituted(value: object, identifier: str, item: str) -> object:
    if (body := as_map(value)) is not None:
        if body == {"Ref": identifier}:
            return item
        return {_replaced(k, identifier, item): _substituted(v, identifier, item) for k, v in body.items()}
    if (parts := as_list(value)) is not None:
        return [_substituted(part, identifier, item) for part in parts]
    return _replaced(value, identifier, item) if isinstance(value, str) else value


def _replaced(text: str, identifier: str, item: str) -> str:
    plain = text.replace(f"${{{identifier}}}", item)
    return plain.replace(f"&{{{identifier}}}", _NOT_ALPHANUMERIC.sub("", item))
