"""The variants of a sweep as a table for spreadsheets: a row each, three columns for each objective."""

from __future__ import annotations

import csv
from io import StringIO

from quota_verifier.report.sweep_document import SweepDocument

_UNITS = {"duration": "_s", "instance-time": "_instance_s"}


def sweep_csv(document: SweepDocument) -> str:
    """The table of a sweep's document, with a heading. A cell is empty where there is no value."""
    keys = list(dict.fromkeys(key for variant in document["variants"] for key in variant["settings"]))
    names = [(what["name"], what["name"] + _UNITS.get(what["kind"], "")) for what in document["objectives"]]
    out = StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(
        ["variant", *keys, "done", "total", "meets", "on_front"]
        + [f"{column}{end}" for _, column in names for end in ("", "_low", "_high")]
    )
    for variant in document["variants"]:
        cells: list[object] = [variant["name"], *(variant["settings"].get(key, "") for key in keys)]
        cells += [variant["done"], variant["total"], variant["meets"], variant["on_front"]]
        for name, _ in names:
            found = variant["objectives"].get(name)
            cells += [None, None, None] if found is None else [found["mean"], found["low"], found["high"]]
        rows.writerow(cells)
    return out.getvalue()
