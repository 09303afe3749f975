"""Case C36: a shipped rule that does not load fails the run and is named, whichever face runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from lint_builders import ROOT

from quota_verifier.errors import InputError
from quota_verifier.lint import shipped_rules
from quota_verifier.lint.pack import manifest

QUEUE_FILE = "environment: {ml.g5.xlarge: 1}\nshares: [{name: A, limits: {ml.g5.xlarge: 1}, strategy: RESERVE}]\n"
TEMPLATE = "Resources: {Bucket: {Type: 'AWS::S3::Bucket'}}\n"
RULE = "e9516_shares_fit_the_environment"


@pytest.fixture
def package(tmp_path):
    """A copy of the package that may be broken."""
    shutil.copytree(
        ROOT / "policies/quota_verifier", tmp_path / "quota_verifier", ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / "queue.yaml").write_text(QUEUE_FILE)
    (tmp_path / "template.yaml").write_text(TEMPLATE)
    return tmp_path


def ran(package, *argv):
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *argv], cwd=package, env=environment, capture_output=True, text=True, check=False
    )


def linted(package):
    return ran(package, "-m", "quota_verifier.cli.main", "lint", "queue.yaml")


def cfn_linted(package, rules):
    pytest.importorskip("cfnlint")
    script = "from cfnlint.runner.cli import main; main()"
    return ran(package, "-c", script, "--append-rules", rules, "--template", "template.yaml")


def renamed(rules):
    (rules / RULE / "rule.py").rename(rules / RULE / "rules.py")


def raising(rules):
    (rules / RULE / "rule.py").write_text("raise ImportError('no such thing')\n")


def removed(rules):
    shutil.rmtree(rules / RULE)


def misnumbered(rules):
    text = (rules / RULE / "rule.py").read_text()
    (rules / RULE / "rule.py").write_text(text.replace('id="E9516"', 'id="E9517"'))


def misdirected(rules):
    text = (rules / RULE / "rule.py").read_text()
    (rules / RULE / "rule.py").write_text(text.replace("[].MaxCapacity", "[].MaxCapacty"))


def without_a_rule(rules):
    (rules / RULE / "rule.py").write_text("")


DAMAGES = [renamed, raising, removed, misnumbered, misdirected, without_a_rule]


def test_the_copy_works_while_it_is_whole(package):
    done = linted(package)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"{len(manifest())} rules: 1 warning\n")


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_command_fails_and_names_the_rule(package, damage):
    damage(package / "quota_verifier/rules")
    done = linted(package)
    assert (done.returncode, done.stdout) == (2, "")
    assert "rule E9516" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("damage", [renamed, raising])
@pytest.mark.parametrize("rules", ["quota_verifier.rules", "quota_verifier/rules"])
def test_cfn_lint_fails_and_names_the_rule(package, damage, rules):
    damage(package / "quota_verifier/rules")
    done = cfn_linted(package, rules)
    assert done.returncode == 1
    assert "rule E9516" in done.stderr


def test_every_id_that_was_shipped_is_loaded():
    assert sorted(rule.id for rule in shipped_rules()) == list(manifest())


def test_a_rule_added_as_a_folder_runs_before_anything_is_regenerated(package):
    rules = package / "quota_verifier/rules"
    shutil.copytree(rules / RULE, rules / "e9599_shares_fit_again")
    copied = rules / "e9599_shares_fit_again/rule.py"
    copied.write_text(copied.read_text().replace('id="E9516"', 'id="E9599"'))
    assert linted(package).stdout.endswith(f"{len(manifest()) + 1} rules: 1 warning\n")


def test_a_rule_that_breaks_is_a_bug_that_names_it(package):
    text = (package / "quota_verifier/rules" / RULE / "rule.py").read_text()
    broken = text.replace(
        "    for queue in quota_managed_queues(template):\n", "    raise KeyError('x')\n    yield\n", 1
    )
    body = broken.partition("    yield\n")[0] + "    yield\n\n\n" + "RULE" + broken.partition("\nRULE")[2]
    (package / "quota_verifier/rules" / RULE / "rule.py").write_text(body)
    done = linted(package)
    assert done.returncode == 70
    assert "in rule E9516, on queue.yaml" in done.stderr


def test_rules_need_no_cfn_lint():
    script = "\n".join(
        [
            "import sys",
            "sys.modules['cfnlint'] = None",
            "import quota_verifier.rules",
            "from quota_verifier.lint import shipped_rules",
            "assert not hasattr(quota_verifier.rules, 'anything')",
            "dir(quota_verifier.rules)",
            "print(len(shipped_rules()))",
        ]
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{len(manifest())}\n"), done.stderr


def test_the_error_is_input_error_for_the_cdk_and_python(monkeypatch):
    monkeypatch.setattr("quota_verifier.lint.pack.manifest", lambda: ("E9501", "E9590", "E9591"))
    shipped_rules.cache_clear()
    with pytest.raises(InputError, match="rules E9590, E9591 did not load: no folder"):
        shipped_rules()
    monkeypatch.undo()
    shipped_rules.cache_clear()
