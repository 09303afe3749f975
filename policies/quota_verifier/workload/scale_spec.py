"""What `scale:` of a trace may say: more or fewer jobs, or the same jobs faster."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field, model_validator

from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel

MOST = 1_000

_Factor = Annotated[float, Field(gt=0, le=MOST, allow_inf_nan=False)]


class ScaleSpec(FileModel):
    """How a finished workload is rescaled; of several factors `thin` comes first, then `load`, then `time`."""

    load: _Factor | None = Field(
        default=None,
        description="Instance-time of each share times this. Below 1 jobs are left out, above 1 copies are added that "
        "are submitted up to 1h after their original.",
    )
    time: _Factor | None = Field(
        default=None,
        description="Arrivals come so many times as fast: all times of submission and of updates are divided by this; "
        "work stays.",
    )
    thin: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] | None = Field(
        default=None, description="Each job stays with this chance, which its id decides."
    )
    seed: Annotated[int, Field(strict=True, ge=0)] = Field(
        default=0, description="Another seed, other jobs left out or copied."
    )

    @model_validator(mode="after")
    def _some_factor(self) -> ScaleSpec:
        if self.load is None and self.time is None and self.thin is None:
            raise InputError("no factor is given", remedy="give load: 1.2, time: 2 or thin: 0.5")
        return self


def exact(factor: float) -> Fraction:
    """The factor as the file writes it: 0.1 is a tenth."""
    return Fraction(repr(factor))
