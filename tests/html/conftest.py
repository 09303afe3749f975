"""One browser for the tests of a module."""

from __future__ import annotations

import pytest
from report_pages import missing_browser, opened, started


@pytest.fixture(scope="module")
def browser():
    """Closed after the module: while a browser is open, no other test could run an event loop."""
    if missing := missing_browser():
        pytest.skip(missing)
    with started() as running:
        yield running


@pytest.fixture
def open_report(browser):
    """`with open_report(path, **options) as watched:`."""
    return lambda report, **options: opened(browser, report, **options)
