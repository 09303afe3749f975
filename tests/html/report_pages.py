"""Reports as pages in a real browser: headless Chromium from tools/browser, without any network."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

from quota_verifier.cli.main import main

ROOT = Path(__file__).parents[2]
CHROMIUM = ROOT / ".cache" / "browser"
FLAGS = ["--no-sandbox", "--no-zygote", "--disable-gpu"]


@dataclass
class Watched:
    """A page, and everything that a report must not do: complain, fail, or ask the network for something."""

    page: Page
    faults: list[str] = field(default_factory=list)

    def check(self) -> None:
        assert self.faults == []


def missing_browser() -> str:
    """Why there is no browser; empty where there is."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return "the packed Chromium is for Linux on x86_64"
    return "" if (CHROMIUM / "chromium").exists() else f"no {CHROMIUM / 'chromium'}: run make .cache/browser/chromium"


@contextmanager
def started() -> Iterator[Browser]:
    env = {**os.environ, "LD_LIBRARY_PATH": str(CHROMIUM / "lib")}
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=CHROMIUM / "chromium", env=env, args=FLAGS, handle_sigint=False
        ) as running,
    ):
        yield running


@contextmanager
def opened(browser: Browser, report: Path, **options: object) -> Iterator[Watched]:
    """The page of `report` in a fresh context; whatever it complains of, or asks for, fails the test."""
    context: BrowserContext = browser.new_context(
        **{"viewport": {"width": 1280, "height": 900}, "color_scheme": "light", **options}
    )
    watched = Watched(context.new_page())

    def route(asked: Route) -> None:
        if asked.request.url == report.as_uri():
            asked.continue_()
        else:
            watched.faults.append(f"asks for {asked.request.url}")
            asked.abort()

    context.route("**/*", route)
    watched.page.on("console", lambda message: watched.faults.append(f"console {message.type}: {message.text}"))
    watched.page.on("pageerror", lambda error: watched.faults.append(f"error: {error}"))
    try:
        watched.page.goto(report.as_uri())
        yield watched
        watched.check()
    finally:
        context.close()


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it is shown now."""
    page.evaluate((CHROMIUM / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [f"{rule['id']}: {node['html']}" for rule in found for node in rule["nodes"]]


def report_of(folder: Path, *command: str, code: int = 0) -> Path:
    """The HTML report of a command that runs in `folder`, and ends with `code`."""
    target = folder / "report.html"
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert main([*command, "--report", str(target)]) == code
    finally:
        os.chdir(before)
    return target


def until_counted(page: Page, text: str) -> None:
    """Wait until the filter of jobs says how many it shows."""
    page.wait_for_function("(text) => document.querySelector('.job-filter output').textContent === text", arg=text)
