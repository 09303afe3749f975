"""The objectives of a sweep as a picture: one panel for each, all against the first. Needs the extra `report`."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# Matplotlib's own types leave keyword arguments open.

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from quota_verifier.errors import InputError
from quota_verifier.report.sweep_document import number
from quota_verifier.sweep.measures import Kind, Objective
from quota_verifier.sweep.outcome import Sweep, VariantOutcome

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = (".svg", ".png", ".pdf")
_WIDTH, _PANEL, _LEGEND_LINE, _TOP, _XLABEL = 7.0, 2.6, 0.17, 0.15, 0.65
"""Sizes in inches. They are set, not fitted: a layout engine differs in the last bits from one call to the next."""
_UNITS: dict[Kind, tuple[str, float]] = {
    "duration": ("min", 60),
    "count": ("", 1),
    "ratio": ("%", 0.01),
    "instances": ("", 1),
    "instance-time": ("instance-hours", 3600),
}
"""What an axis counts in, and how much of the document's unit that is."""
_MOST_NAMED = 40
"""Variants that a picture names; of more it names the baseline and those on the front."""

_FRONT, _OTHER = "#c0392b", "#7f8c8d"


def check_plot(path: str) -> None:
    """Refuse a file that cannot be drawn. Raises InputError."""
    if Path(path).suffix.lower() not in FORMATS:
        raise InputError(f"{path} is no picture", source="--plot", remedy=f"end it in {', '.join(FORMATS)}")
    if find_spec("matplotlib") is None:
        raise InputError("matplotlib is not installed", source="--plot", remedy="pip install 'quota-shares[report]'")


def write_plot(found: Sweep, path: str) -> None:
    """Draw the finished variants into one file that stands alone; the same sweep gives the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    objectives = found.plan.objectives
    panels = objectives[1:] or objectives
    lines = list(legend(found))
    below = _XLABEL + _LEGEND_LINE * (len(lines) + 1)
    height = _TOP + _PANEL * len(panels) + below
    with rc_context({"svg.hashsalt": "quota-shares", "svg.fonttype": "path", "font.size": 9}):
        figure = Figure(figsize=(_WIDTH, height))
        figure.subplots_adjust(left=0.14, right=0.97, top=1 - _TOP / height, bottom=below / height, hspace=0.14)
        axes: list[Axes] = list(figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0])
        for axis, objective in zip(axes, panels, strict=True):
            _panel(axis, found, objectives[0], objective)
        axes[-1].set_xlabel(_label(objectives[0]))
        figure.text(0.02, (below - _XLABEL) / height, "\n".join(lines), va="top", fontsize=8)
        figure.savefig(path, metadata=_metadata(path))


def _panel(axis: Axes, found: Sweep, across: Objective, up: Objective) -> None:
    axis.set_ylabel(_label(up))
    axis.grid(visible=True, color="#e5e5e5", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.margins(0.08, 0.15)
    for place, outcome in enumerate(found.variants):
        if not outcome.complete or outcome.same_as:
            continue
        (x, x_half), (y, y_half) = _point(found, outcome, across), _point(found, outcome, up)
        if x is None or y is None:
            continue
        axis.errorbar(
            x,
            y,
            xerr=x_half,
            yerr=y_half,
            fmt="o" if outcome.meets else "x",
            color=_FRONT if outcome.on_front else _OTHER,
            markersize=5,
            elinewidth=0.8,
            capsize=2,
        )
        axis.annotate(str(place), (x, y), xytext=(5, 4), textcoords="offset points")


def _point(found: Sweep, outcome: VariantOutcome, objective: Objective) -> tuple[float | None, float | None]:
    """The mean and half the interval on the axis of an objective; None where there is none."""
    estimate = outcome.estimates[found.plan.objectives.index(objective)]
    if estimate.mean is None:
        return None, None
    scale = _UNITS[objective.kind][1]
    half = None if not estimate.half else number(estimate.half, objective.kind) / scale
    return number(estimate.mean, objective.kind) / scale, half


def _label(objective: Objective) -> str:
    unit = _UNITS[objective.kind][0]
    better = "less is better" if objective.better == "less" else "more is better"
    return f"{objective.text}\n({', '.join(part for part in (unit, better) if part)})"


def legend(found: Sweep) -> Iterator[str]:
    """What marks and numbers stand for."""
    yield "red: on the Pareto front; x: does not meet the policies; bars: 95 % confidence interval of the mean"
    listed = list(enumerate(found.variants))
    if len(listed) > _MOST_NAMED:
        listed = [(place, outcome) for place, outcome in listed if not place or outcome.on_front][:_MOST_NAMED]
    for place, outcome in listed:
        yield f"{place}  {outcome.variant.name}{_remark(outcome)}"
    if len(listed) < len(found.variants):
        yield f"and {len(found.variants) - len(listed)} others, numbered as in the report"


def _remark(outcome: VariantOutcome) -> str:
    if outcome.same_as:
        return f" (the same queue as {outcome.same_as})"
    if not outcome.complete:
        return " (not finished)"
    missing = any(estimate.mean is None for estimate in outcome.estimates)
    return " (left out where a value is unbounded)" if missing else ""


def _metadata(path: str) -> dict[str, str | None]:
    """Without the date, which would differ from run to run."""
    dated = {".svg": "Date", ".pdf": "CreationDate"}.get(Path(path).suffix.lower())
    return {dated: None} if dated else {}
