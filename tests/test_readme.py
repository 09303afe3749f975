"""What README and the documentation show is what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quota_verifier.cli.main import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])

DEMO_QUEUE = """\
environment: {ml.g5.xlarge: 3}
shares:
  - {name: QS1, limits: {ml.g5.xlarge: 1}, strategy: LEND_AND_BORROW, borrow_limit: 200, in_share_preemption: true}
  - {name: QS2, limits: {ml.g5.xlarge: 1}, strategy: LEND}
  - {name: QS3, limits: {ml.g5.xlarge: 1}, strategy: RESERVE}
"""


def fenced(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def policies_shown() -> list[str]:
    """The report of each policy in README, but for the trace that a clone does not have."""
    blocks = fenced("text")[0].strip().split("\n\n")
    return [block for block in blocks if block.startswith("policies/") and "not judged" not in block]


@pytest.mark.parametrize("shown", policies_shown(), ids=lambda block: block.split()[0])
def test_readme_shows_what_verify_prints(shown, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    queue = tmp_path / "queue.yaml"
    queue.write_text(DEMO_QUEUE)
    assert main(["verify", str(queue), "--policy", shown.split()[0]]) == 0
    assert shown in capsys.readouterr().out


def test_the_declaration_in_readme_is_that_of_the_demo():
    app = (ROOT / "app.py").read_text(encoding="utf-8")
    flat = re.sub(r"\s+", " ", app)
    assert re.sub(r"\s+", " ", fenced("python")[0]).strip() in flat


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_are_there(page):
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not link.startswith("http") and not (page.parent / link).exists()]
    assert not missing


def test_every_page_is_two_clicks_from_readme():
    def linked(page: Path) -> set[Path]:
        links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        return {(page.parent / link).resolve() for link in links if not link.startswith("http")}

    first = linked(ROOT / "README.md")
    second = {target for page in first if page.suffix == ".md" and page.exists() for target in linked(page)}
    assert [page.name for page in PAGES[1:] if page.resolve() not in first | second and page.name != "README.md"] == []
