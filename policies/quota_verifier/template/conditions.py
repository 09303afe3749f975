"""CloudFormation conditions: true, false, or left to the deployment.

Source: AWS CloudFormation user guide, condition functions.
"""

from __future__ import annotations

from collections.abc import Callable

from quota_verifier.documents import as_list, as_map
from quota_verifier.template.scope import Scope
from quota_verifier.template.unresolved import Unresolved, derived, first_unresolved, in_text

Resolve = Callable[[object, Scope], object]
Outcome = bool | Unresolved


def decide(name: object, scope: Scope, resolve: Resolve) -> Outcome:
    """Whether the condition `name` holds; `resolve` evaluates the values that it compares."""
    if not isinstance(name, str) or name not in scope.conditions:
        reason = f"depends on condition {in_text(name)}, which the template does not declare"
        return Unresolved(in_text(name), reason, fix="declare it under Conditions")
    if name not in scope.decided:
        circular = Unresolved(name, f"depends on condition {name}, which is defined by itself", fix="break the circle")
        scope.decided[name] = circular
        scope.decided[name] = _outcome(scope.conditions[name], scope, resolve)
    return scope.decided[name]


def _outcome(expression: object, scope: Scope, resolve: Resolve) -> Outcome:
    written = as_map(expression) or {}
    name, argument = next(iter(written.items()), ("", None))
    if name == "Condition":
        return decide(argument, scope, resolve)
    items = as_list(argument) or []
    match name, len(items) if len(written) == 1 else 0:
        case "Fn::Equals", 2:
            return _equal([resolve(item, scope) for item in items])
        case "Fn::Not", 1:
            return _negated(_outcome(items[0], scope, resolve))
        case "Fn::And", count if count > 1:
            return _combined([_outcome(item, scope, resolve) for item in items], decisive=False)
        case "Fn::Or", count if count > 1:
            return _combined([_outcome(item, scope, resolve) for item in items], decisive=True)
        case _:
            return _malformed(expression)


def _equal(sides: list[object]) -> Outcome:
    if first_unresolved(sides):
        return derived(" = ".join(in_text(side) for side in sides), sides)
    # Parameters are text whatever they look like, so 4 equals "4" and true equals "true".
    return in_text(sides[0]) == in_text(sides[1])


def _negated(outcome: Outcome) -> Outcome:
    return outcome if isinstance(outcome, Unresolved) else not outcome


def _combined(outcomes: list[Outcome], *, decisive: bool) -> Outcome:
    """And (decided by one false) or Or (decided by one true)."""
    if decisive in outcomes:
        return decisive
    return first_unresolved(outcomes) or not decisive


def _malformed(expression: object) -> Unresolved:
    return Unresolved(str(expression), "depends on a malformed condition", fix="correct it under Conditions")
