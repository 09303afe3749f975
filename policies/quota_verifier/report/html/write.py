"""A report as one HTML file. Needs the extra `report`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import BinaryIO

from quota_verifier.errors import InputError
from quota_verifier.report.record import Report


def write_html(report: Report, file: BinaryIO) -> None:
    """Write the page about `report`; the same report gives the same bytes. Raises InputError without jinja2."""
    if find_spec("jinja2") is None:
        raise InputError("jinja2 is not installed", source="--report", remedy="pip install 'quota-shares[report]'")
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from quota_verifier.report.html.page import page

    environment = Environment(
        loader=PackageLoader("quota_verifier.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    told = page(report)
    # The only texts that are not escaped: our own style and script, and JSON that cannot end its element.
    trusted = {name: Markup(getattr(told, name)) for name in ("style", "script", "data")}  # noqa: S704
    file.write(environment.get_template("page.html").render(page=told, **trusted).encode("utf-8"))
