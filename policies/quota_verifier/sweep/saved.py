"""Results in the form in which they are kept, and read back to resume a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, cast

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, WithJsonSchema

from quota_verifier.documents import as_list, as_map, load_document
from quota_verifier.errors import InputError
from quota_verifier.policy.bounds import Value
from quota_verifier.policy.verdicts import Judgement
from quota_verifier.sweep.measures import FIGURES, MARGIN, UTILIZATION
from quota_verifier.sweep.unit import ClaimResult, UnitResult
from quota_verifier.validation import validate_file
from quota_verifier.words import shown


def exact_text(value: Value) -> str:
    """A number as exact text: `1200`, `-3`, `7/3`."""
    return str(Fraction(value))


def _exact(value: object) -> Value:
    if not isinstance(value, str):
        raise InputError(f"{shown(value)} is no exact number", remedy="write it in quotes, such as '7/3'")
    try:
        number = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{shown(value)} is no exact number", remedy="write a number such as '7/3'") from None
    return int(number) if number.denominator == 1 else number


Exact = Annotated[
    int | Fraction,
    PlainValidator(_exact),
    PlainSerializer(exact_text, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^-?\d+(/\d+)?$"}),
]
"""A number that loses nothing on its way through JSON: text such as `7/3`."""


_NEEDED = {MARGIN, UTILIZATION, *FIGURES}


class _Saved(BaseModel):
    """Read from a file that this program wrote, perhaps in a later version: further keys are passed over."""

    model_config = ConfigDict(frozen=True)


class SavedClaim(_Saved):
    """A `ClaimResult`."""

    verdict: Judgement
    text: str
    measured: str | int | float | list[str] | None
    margin: Exact | None


class SavedResult(_Saved):
    """A `UnitResult` and the key of its unit; times in milliseconds."""

    key: str
    claims: tuple[SavedClaim, ...]
    figures: dict[str, Exact | None]
    overloaded: tuple[str, ...]


def saved(results: Mapping[str, UnitResult]) -> list[SavedResult]:
    """The results as they are kept, in the order of their keys; refusals are not kept."""
    return [_saved(key, result) for key, result in sorted(results.items()) if not result.refused]


def _saved(key: str, result: UnitResult) -> SavedResult:
    return SavedResult.model_construct(
        key=key,
        claims=tuple(
            SavedClaim.model_construct(
                verdict=claim.verdict, text=claim.text, measured=claim.measured, margin=claim.margin
            )
            for claim in result.claims
        ),
        figures=dict(sorted(result.figures.items())),
        overloaded=result.overloaded,
    )


def read_results(path: str) -> dict[str, UnitResult]:
    """The results in a document that a sweep wrote, by key. Raises InputError where it is none."""
    document = load_document(path)
    whole = as_map(document.data) or {}
    rows = as_list(whole.get("results"))
    if rows is None:
        raise InputError(
            "this is no document of a sweep", source=path, remedy="name the file that --out or --json wrote"
        )
    found: dict[str, UnitResult] = {}
    for index, row in enumerate(rows):
        result = validate_file(SavedResult, row, path, lambda where, index=index: document.line_of(("results", index)))
        if not result.figures.keys() >= _NEEDED:
            raise InputError(
                "a result lacks figures",
                source=document.at(("results", index)),
                remedy="it is of another version; sweep again",
            )
        found[result.key] = UnitResult(
            tuple(ClaimResult(c.verdict, c.text, c.measured, _fraction(c.margin)) for c in result.claims),
            cast("Mapping[str, Value | None]", result.figures),
            result.overloaded,
        )
    return found


def _fraction(value: Value | None) -> Fraction | None:
    return None if value is None else Fraction(value)
