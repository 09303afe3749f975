"""The values of a template's parameters: given, or by default.

Source: AWS CloudFormation user guide, parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation

from quota_verifier.documents import as_list, as_map
from quota_verifier.errors import InputError
from quota_verifier.template.scope import PSEUDO_PARAMETERS
from quota_verifier.template.unresolved import Unresolved, in_text
from quota_verifier.words import did_you_mean

_SSM = "AWS::SSM::Parameter::Value<"


def values(declared: Mapping[str, object], given: Mapping[str, str]) -> dict[str, object]:
    """Each declared parameter's value, Unresolved where neither `given` nor a default tells it.

    A pseudo parameter that is given is among them. A default that names an SSM parameter is a key,
    not a value. Raises InputError for a given value that the declaration does not allow.
    """
    found: dict[str, object] = {name: given[name] for name in PSEUDO_PARAMETERS if name in given}
    for name, body in declared.items():
        found[name] = _value(name, as_map(body) or {}, given.get(name))
    return found


def refuse_undeclared(given: Iterable[str], declared: Iterable[str], source: str) -> None:
    """Raise InputError for the first given name that `source` does not declare."""
    known = [*declared, *PSEUDO_PARAMETERS]
    for name in given:
        if name not in known:
            raise InputError(
                f"--param {name}: the template has no such parameter",
                source=source,
                remedy=did_you_mean(name, known),
            )


def _value(name: str, declaration: Mapping[str, object], given: str | None) -> object:
    kind = str(declaration.get("Type", "String"))
    expression = f"${{{name}}}"
    if given is not None:
        _check(name, given, kind, declaration)
        return _typed(given, kind)
    if kind.startswith(_SSM):
        key = in_text(declaration.get("Default", "an SSM parameter"))
        return Unresolved(expression, f"depends on parameter {name}, which is read from SSM ({key})", name)
    if "Default" not in declaration:
        return Unresolved(expression, f"depends on parameter {name}, which has no default", name)
    return _typed(declaration["Default"], kind)


def _typed(value: object, kind: str) -> object:
    kind = kind.removeprefix(_SSM)
    if kind == "CommaDelimitedList" or kind.startswith("List<"):
        return [part.strip() for part in in_text(value).split(",")]
    return value


def _check(name: str, given: str, kind: str, declaration: Mapping[str, object]) -> None:
    refusal = f"--param {name}={given}"
    allowed = as_list(declaration.get("AllowedValues"))
    if allowed is not None:
        choices = [in_text(choice) for choice in allowed]
        if given not in choices:
            raise InputError(f"{refusal}: not an allowed value", remedy=f"write {' or '.join(choices)}")
    if kind != "Number":
        return
    number = _number(given)
    if number is None:
        raise InputError(f"{refusal}: not a number", remedy=f"write a number such as {name}=4")
    _check_bound(refusal, number, declaration, "MinValue", "below", "or more", Decimal.__lt__)
    _check_bound(refusal, number, declaration, "MaxValue", "above", "or less", Decimal.__gt__)


def _check_bound(
    refusal: str,
    number: Decimal,
    declaration: Mapping[str, object],
    key: str,
    side: str,
    remedy: str,
    outside: Callable[[Decimal, Decimal], bool],
) -> None:
    bound = _number(in_text(declaration.get(key, "")))
    if bound is not None and outside(number, bound):
        raise InputError(f"{refusal}: {side} the parameter's {key}", remedy=f"write {bound} {remedy}")


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
