"""The page on tests, hooks and pipelines shows what works."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from quota_verifier.cli.arguments import FORMATS
from quota_verifier.pytest_plugin import collection  # noqa: F401 (numpy must not be imported first in a run of pytester)

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
QUEUE = """\
environment: {ml.g5.xlarge: 1}
shares: [{name: QS3, limits: {ml.g5.xlarge: 1}, strategy: RESERVE}]
"""
WORKLOAD = "jobs: [{id: high, share: QS3, work: 1h, instances: 1}]\n"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_tests_on_the_page_pass(pytester: pytest.Pytester):
    (pytester.path / "queue.yaml").write_text(QUEUE)
    (pytester.path / "workload.yaml").write_text(WORKLOAD)
    for place, block in enumerate(blocks("python")[:2]):
        (pytester.path / f"test_block_{place}.py").write_text(block)
    pytester.runpytest("--quota-template=queue.yaml").assert_outcomes(passed=2)


def test_the_ini_settings_on_the_page_are_those_of_the_demo():
    shown = tomllib.loads(blocks("toml")[0])["tool"]["pytest"]["ini_options"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert shown == {key: ours[key] for key in shown}


def test_the_page_names_every_option_and_setting(pytester: pytest.Pytester):
    told = pytester.runpytest("--help").stdout.str()
    words = re.findall(r"--quota-[a-z]+|^  (quota_[a-z]+) ", told, re.MULTILINE)
    names = {*re.findall(r"--quota-[a-z]+", told), *filter(None, words)}
    assert {"--quota-template", "--quota-today"} <= names
    assert [name for name in sorted(names) if f"`{name}" not in PAGE] == []


def test_the_page_names_every_form():
    assert [form for form in FORMATS if f"| `{form}` |" not in PAGE] == []


def test_the_configurations_on_the_page_are_yaml_and_use_the_hooks_that_there_are():
    workflow, hooks = (yaml.safe_load(block) for block in blocks("yaml"))
    assert [step["run"].split()[0] for step in workflow["jobs"]["verify"]["steps"] if "run" in step] == [
        "pip",
        "npx",
        "quota-shares",
        "quota-shares",
        "pytest",
    ]
    known = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    assert {hook["id"] for hook in hooks["repos"][0]["hooks"]} == known
