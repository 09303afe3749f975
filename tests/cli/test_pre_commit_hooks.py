"""The hooks of .pre-commit-hooks.yaml, run as pre-commit runs them: entry, args, and the files that match."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from command_files import fill

ROOT = Path(__file__).parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
RULE = ROOT / "policies/quota_verifier/rules/e9516_shares_fit_the_environment"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(fill(tmp_path))
    for name in ("good", "bad"):
        Path(f"{name}.template.yaml").write_text((RULE / f"{name}.yaml").read_text(encoding="utf-8"))


def run(hook_id: str, *args: str):
    hook = HOOKS[hook_id]
    files = sorted(path.name for path in Path.cwd().iterdir() if path.is_file() and re.search(hook["files"], path.name))
    passed = files if hook.get("pass_filenames", True) else []
    entry = shlex.split(hook["entry"])
    assert entry[0] == "python"  # of the environment that pre-commit makes
    return subprocess.run(
        [sys.executable, *entry[1:], *args, *passed], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_hook_says_what_pre_commit_asks_for():
    for hook in HOOKS.values():
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert hook["language"] == "python"
        re.compile(hook["files"])


def test_the_lint_hook_checks_every_template_that_changed():
    done = run("quota-shares-lint")
    assert done.returncode == 1
    assert "bad.template.yaml" in done.stdout
    assert "E9516" in done.stdout
    Path("bad.template.yaml").unlink()
    assert run("quota-shares-lint").returncode == 0


def test_the_lint_hook_takes_options():
    done = run("quota-shares-lint", "--format=github")
    assert done.returncode == 1
    assert "::error file=bad.template.yaml" in done.stdout


def test_the_lint_hook_is_not_about_other_yaml_files():
    pattern = HOOKS["quota-shares-lint"]["files"]
    found = [
        name for name in ("a.template.json", "template.yaml", "x/template.yml", "p.yaml") if re.search(pattern, name)
    ]
    assert found == ["a.template.json", "template.yaml", "x/template.yml"]


def test_the_verify_hook_judges_all_policies_whatever_changed():
    done = run("quota-shares-verify", "queue.yaml", "--policy", "policy.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("quota-shares-verify", "queue.yaml", "--policy", "*i*.yaml")
    assert done.returncode == 2  # binary.yaml is no policy
    done = run("quota-shares-verify", "queue.yaml", "--policy", "[ps]*[yt].yaml")
    assert done.returncode == 1
    assert "2 policies, 2 claims: 1 holds, 1 fails" in done.stdout


def test_bad_input_is_told_in_one_line():
    done = run("quota-shares-verify", "queue.yaml", "--policy", "nothing*.yaml")
    assert (done.returncode, done.stderr) == (2, "error: nothing*.yaml: no such file\n")
