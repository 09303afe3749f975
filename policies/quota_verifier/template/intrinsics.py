"""CloudFormation's intrinsic functions, as far as a template alone decides them.

Source: AWS CloudFormation user guide, intrinsic function reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from quota_verifier.documents import as_list, as_map
from quota_verifier.template import conditions
from quota_verifier.template.scope import PSEUDO_PARAMETERS, Scope
from quota_verifier.template.unresolved import Unresolved, concatenated, derived, first_unresolved, in_text


class _NoValue:
    """The type of `NO_VALUE`."""


NO_VALUE: Final = _NoValue()
"""AWS::NoValue: the property or list item that holds it is not there."""

_PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
_DYNAMIC = re.compile(r"\{\{resolve:[^}]*\}\}")


def resolve(value: object, scope: Scope) -> object:
    """`value` with every function evaluated; what the template does not tell becomes Unresolved."""
    if (written := as_map(value)) is not None:
        return _resolve_map(written, scope)
    if (listed := as_list(value)) is not None:
        items = (resolve(item, scope) for item in listed)
        return [item for item in items if item is not NO_VALUE]
    if isinstance(value, str) and (dynamic := _DYNAMIC.search(value)):
        return Unresolved(value, f"is read by the deployment ({dynamic[0]})")
    return value


def _resolve_map(value: dict[str, object], scope: Scope) -> object:
    if len(value) == 1:
        ((name, argument),) = value.items()
        if name in _FUNCTIONS:
            return _FUNCTIONS[name](argument, scope)
        if name.startswith("Fn::"):
            return _only_cloudformation(name)
    if "Fn::Transform" in value:
        return _only_cloudformation("Fn::Transform")
    resolved = ((name, resolve(item, scope)) for name, item in value.items())
    return {name: item for name, item in resolved if item is not NO_VALUE}


def _only_cloudformation(name: str) -> Unresolved:
    return Unresolved(f"${{{name}}}", f"needs {name}, which only CloudFormation can evaluate")


def _malformed(name: str, argument: object) -> Unresolved:
    return Unresolved(f"${{{name}}}", f"has a malformed {name}: {in_text(argument)[:60]}", fix=f"correct the {name}")


def _undeclared(expression: str, name: str) -> Unresolved:
    reason = f"refers to {name}, which the template does not declare"
    return Unresolved(expression, reason, fix="declare it under Parameters or Resources")


def _ref(argument: object, scope: Scope) -> object:
    if argument == "AWS::NoValue":
        return NO_VALUE
    if not isinstance(argument, str):
        return _malformed("Ref", argument)
    expression = f"${{{argument}}}"
    if argument in scope.parameters:
        return resolve(scope.parameters[argument], scope)
    if argument in PSEUDO_PARAMETERS:
        return Unresolved(expression, f"depends on {argument}", parameter=argument)
    if argument in scope.logical_ids:
        return Unresolved(expression, f"is known only once {argument} is deployed", resource=argument)
    return _undeclared(expression, argument)


def _get_att(argument: object, scope: Scope) -> object:
    parts = as_list(argument.split(".", 1) if isinstance(argument, str) else resolve(argument, scope))
    if parts is None or len(parts) != 2:
        return _malformed("Fn::GetAtt", argument)
    name, attribute = parts
    expression = f"${{{in_text(name)}.{in_text(attribute)}}}"
    if not isinstance(name, str) or name not in scope.logical_ids:
        return _undeclared(expression, in_text(name))
    return Unresolved(expression, f"is known only once {name} is deployed", resource=name)


def _sub(argument: object, scope: Scope) -> object:
    variables: Mapping[str, object] = {}
    text, pair = argument, as_list(argument)
    if pair is not None and len(pair) == 2:
        text, variables = pair[0], as_map(pair[1]) or {}
    if not isinstance(text, str):
        return _malformed("Fn::Sub", argument)
    parts: list[object] = []
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        parts += [text[end : match.start()], _substitute(match[1].strip(), variables, scope)]
        end = match.end()
    return resolve(concatenated([*parts, text[end:]]), scope)


def _substitute(name: str, variables: Mapping[str, object], scope: Scope) -> object:
    if name.startswith("!"):
        return f"${{{name[1:]}}}"
    if name in variables:
        return resolve(variables[name], scope)
    return _get_att(name, scope) if "." in name else _ref(name, scope)


def _join(argument: object, scope: Scope) -> object:
    pair = _items(argument, 2, scope)
    if pair is None:
        return _malformed("Fn::Join", argument)
    delimiter, listed = pair
    if isinstance(listed, Unresolved):
        return derived(f"${{Fn::Join({in_text(delimiter)}, {listed.expression})}}", [listed])
    items = as_list(listed)
    if items is None or not isinstance(delimiter, str):
        return _malformed("Fn::Join", argument)
    parts: list[object] = []
    for item in items:
        parts += [delimiter, item] if parts else [item]
    return resolve(concatenated(parts), scope)


def _split(argument: object, scope: Scope) -> object:
    pair = _items(argument, 2, scope)
    delimiter, text = pair or ("", "")
    if not isinstance(delimiter, str) or not delimiter:
        return _malformed("Fn::Split", argument)
    if isinstance(text, Unresolved):
        return derived(f"${{Fn::Split({delimiter}, {text.expression})}}", [text])
    return in_text(text).split(delimiter)


def _select(argument: object, scope: Scope) -> object:
    pair = _items(argument, 2, scope)
    if pair is None:
        return _malformed("Fn::Select", argument)
    index, listed = pair
    if first_unresolved(pair):
        return derived(f"${{Fn::Select({in_text(index)}, {in_text(listed)})}}", pair)
    items = as_list(listed) or []
    position = in_text(index)
    if not position.isdecimal() or int(position) >= len(items):
        return _malformed("Fn::Select", f"no item {position} among {len(items)}")
    return items[int(position)]


def _find_in_map(argument: object, scope: Scope) -> object:
    listed = as_list(resolve(argument, scope)) or []
    if len(listed) not in {3, 4}:
        return _malformed("Fn::FindInMap", argument)
    if first_unresolved(listed[:3]):
        return derived(f"${{Fn::FindInMap({', '.join(in_text(key) for key in listed[:3])})}}", listed[:3])
    found: object = dict(scope.mappings)
    for key in listed[:3]:
        found = (as_map(found) or {}).get(in_text(key))
    if found is None and len(listed) == 4:
        found = (as_map(listed[3]) or {}).get("DefaultValue")
    if found is None:
        entry = ".".join(in_text(key) for key in listed[:3])
        reason = f"looks up {entry}, which Mappings does not have"
        return Unresolved(f"${{Fn::FindInMap({entry})}}", reason, fix="add the entry, or look up another one")
    return found


def _if(argument: object, scope: Scope) -> object:
    branches = as_list(argument) or []
    if len(branches) != 3:
        return _malformed("Fn::If", argument)
    outcome = conditions.decide(branches[0], scope, resolve)
    if isinstance(outcome, Unresolved):
        return derived(f"${{Fn::If({in_text(branches[0])})}}", [outcome])
    return resolve(branches[1] if outcome else branches[2], scope)


def _import_value(argument: object, scope: Scope) -> object:
    name = in_text(resolve(argument, scope))
    return Unresolved(f"${{Fn::ImportValue({name})}}", f"is imported from another stack (export {name})")


def _length(argument: object, scope: Scope) -> object:
    listed = resolve(argument, scope)
    if isinstance(listed, Unresolved):
        return derived(f"${{Fn::Length({listed.expression})}}", [listed])
    items = as_list(listed)
    return _malformed("Fn::Length", argument) if items is None else len(items)


def _items(argument: object, count: int, scope: Scope) -> list[object] | None:
    """The arguments of a function that takes `count`, each resolved; None for another number of them."""
    listed = as_list(argument)
    if listed is None or len(listed) != count:
        return None
    return [resolve(item, scope) for item in listed]


_FUNCTIONS: Mapping[str, Callable[[object, Scope], object]] = {
    "Ref": _ref,
    "Fn::FindInMap": _find_in_map,
    "Fn::GetAtt": _get_att,
    "Fn::If": _if,
    "Fn::ImportValue": _import_value,
    "Fn::Join": _join,
    "Fn::Length": _length,
    "Fn::Select": _select,
    "Fn::Split": _split,
    "Fn::Sub": _sub,
}
