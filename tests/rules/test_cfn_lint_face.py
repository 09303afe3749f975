"""The same rules under cfn-lint: same findings, same places, in both forms of --append-rules."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest
from lint_builders import G5, ROOT, RULES, clean, put, share
from lint_cfn import by_cfn_lint, by_our_rules, our_matches_in

from quota_verifier.lint import lint
from quota_verifier.lint.pack import manifest, rule_folders

BAD = [folder / "bad.yaml" for folder in rule_folders()]
GOOD = [folder / "good.yaml" for folder in rule_folders()]
by_name = {"ids": lambda path: path.parent.name}


def cfn_lint(*argv, cwd=ROOT):
    """The console script: exit code, output, complaints."""
    script = "from cfnlint.runner.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script, *argv], cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("path", [*BAD, *GOOD], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_cfn_lint_alone_says_nothing_of_the_templates(path):
    assert by_cfn_lint(path) == []


def test_cfn_lint_alone_would_say_something_of_what_is_left_to_it(tmp_path):
    """Else the silence above would prove nothing."""
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"Resources": put(clean(), -2, "A", "ResourceSharingConfiguration", "BorrowLimit")}))
    assert [rule for rule, *_ in by_cfn_lint(path)] == ["E3034"]
    assert [f.rule for f in lint(path).findings] == []


@pytest.mark.parametrize("path", BAD, **by_name)
def test_both_faces_find_the_same_at_the_same_place(path):
    ours = sorted((f.rule, f.line, f.column, f.sentence) for f in lint(path).findings)
    assert by_our_rules(path) == ours


@pytest.mark.parametrize("path", GOOD, **by_name)
def test_cfn_lint_finds_nothing_either_where_all_is_well(path):
    assert by_our_rules(path) == []


def test_the_module_form_runs_from_anywhere(tmp_path):
    bad = str(ROOT / "policies/quota_verifier/rules/e9516_shares_fit_the_environment/bad.yaml")
    code, out, err = cfn_lint("--append-rules", "quota_verifier.rules", "--template", bad, cwd=tmp_path)
    assert (code, err) == (2, "")
    assert out.startswith(f"E9516 {G5}: 6 > 5 (over by 1): research 4 + vision 2; ")
    assert f"{bad}:11:40" in out


def test_the_folder_form_runs_from_a_clone_that_is_not_installed(tmp_path):
    clone = tmp_path / "clone/policies"
    shutil.copytree(ROOT / "policies", clone, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    bad = str(clone / "quota_verifier/rules/e9516_shares_fit_the_environment/bad.yaml")
    script = "\n".join(
        [
            "import sys",
            "sys.path[:] = [p for p in sys.path if not p.endswith(('policies', 'constructs'))]",
            "from cfnlint.runner.cli import main",
            "main()",
        ]
    )
    argv = ["--append-rules", "policies/quota_verifier/rules", "--format", "json", "--template", bad]
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, *argv],
        cwd=clone.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert [found["Rule"]["Id"] for found in json.loads(done.stdout)] == ["E9516"]


def test_information_needs_to_be_asked_for():
    bad = str(ROOT / "policies/quota_verifier/rules/i9501_all_capacity_is_assigned/bad.yaml")
    assert cfn_lint("--append-rules", "quota_verifier.rules", "--template", bad)[:2] == (0, "")
    code, out, _ = cfn_lint("--append-rules", "quota_verifier.rules", "--include-checks", "I", "--template", bad)
    assert code == 8
    assert out.startswith("I9501 ")


def test_cfn_lint_lists_every_rule_with_its_reason():
    code, out, _ = cfn_lint("--append-rules", "quota_verifier.rules", "--list-rules")
    assert code == 0
    for rule in RULES.values():
        assert f"{rule.id}: {rule.title}\n{rule.why}\n" in out


@pytest.mark.parametrize("first", ["quota_verifier.rules", "cfnlint"])
def test_the_order_of_imports_does_not_matter(first):
    """Else rules would be missing wherever something else had imported the package before."""
    script = (
        f"import {first}\nfrom cfnlint.rules import Rules\nprint(len(Rules.create_from_module('quota_verifier.rules')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == f"{len(manifest()) + 1}\n", done.stderr


def test_ids_are_in_the_block_that_cfn_lint_leaves_to_others():
    assert all(re.fullmatch(r"[EWI]95\d\d", rule_id) for rule_id in RULES)


LOOP = {
    "Transform": "AWS::LanguageExtensions",
    "Parameters": {"Teams": {"Type": "CommaDelimitedList"}},
    "Resources": {
        "Fn::ForEach::Team": ["T", {"Ref": "Teams"}, {"Share${T}": share("x", 1)}],
        "Q": clean()["Q"],
        "P": clean()["P"],
        "E": clean()["E"],
    },
}


def test_a_template_that_cannot_be_read_is_told_and_not_passed():
    ((rule, message),) = [m for m in our_matches_in(json.dumps(LOOP)) if m[0].startswith("W95")]
    assert rule == "W9500"
    assert message == (
        "none of the quota-share rules ran: Fn::ForEach::Team: "
        "what the loop runs over depends on parameter Teams, which has no default"
    )


def test_a_template_about_something_else_that_cannot_be_read_is_none_of_our_business():
    other = {**LOOP, "Resources": {"Fn::ForEach::B": ["T", {"Ref": "Teams"}, {"B${T}": {"Type": "AWS::S3::Bucket"}}]}}
    assert our_matches_in(json.dumps(other)) == []


def test_a_loop_that_can_be_unrolled_is_looked_at():
    loop = {**LOOP, "Parameters": {"Teams": {"Type": "CommaDelimitedList", "Default": "a,b"}}}
    loop["Resources"] = {**LOOP["Resources"], "E": put(clean(), 1, "E", "CapacityLimits", 0, "MaxCapacity")["E"]}
    assert "E9516" in [rule for rule, _ in our_matches_in(json.dumps(loop))]


def test_cfn_lint_honours_its_own_waivers():
    of = put(clean(), 1, "E", "CapacityLimits", 0, "MaxCapacity")
    assert [rule for rule, _ in our_matches_in(json.dumps({"Resources": of}))] == ["E9516"]
    of["E"]["Metadata"] = {"cfn-lint": {"config": {"ignore_checks": ["E9516"]}}}
    assert our_matches_in(json.dumps({"Resources": of})) == []


def test_parameter_files_of_cfn_lint_count(tmp_path):
    of = put(clean(), {"Ref": "Size"}, "B", "CapacityLimits", 0, "MaxCapacity")
    body = {"Parameters": {"Size": {"Type": "Number"}}, "Resources": of}
    (tmp_path / "t.json").write_text(json.dumps(body))
    for size in (2, 3):
        given = [{"ParameterKey": "Size", "ParameterValue": str(size)}]
        (tmp_path / f"{size}.json").write_text(json.dumps(given))
    argv = ("t.json", "--append-rules", "quota_verifier.rules", "--parameter-files")
    assert cfn_lint(*argv, "2.json", cwd=tmp_path)[0] == 0
    code, out, _ = cfn_lint(*argv, "3.json", cwd=tmp_path)
    assert code == 2
    assert "7 > 6" in out


def test_rules_of_your_own_become_cfn_lint_rules(tmp_path):
    (tmp_path / "ours.yaml").write_text(
        "rules:\n"
        "  - {id: E9601, title: Every share lends, why: Idle instances cost., resource: 'AWS::Batch::QuotaShare',\n"
        "     property: ResourceSharingConfiguration.Strategy, one_of: [LEND, LEND_AND_BORROW]}\n"
    )
    (tmp_path / "ours.py").write_text(
        "from quota_verifier.lint.own_rules import load_own_rules\n"
        "from quota_verifier.rules.cfn_lint import classes_of\n"
        "globals().update(classes_of(load_own_rules(['ours.yaml'])))\n"
    )
    of = clean()
    of["B"]["Properties"]["ResourceSharingConfiguration"] = {"Strategy": "RESERVE"}
    (tmp_path / "t.json").write_text(json.dumps({"Resources": of}))
    script = "import sys; sys.path.insert(0, ''); from cfnlint.runner.cli import main; main()"
    argv = ["--append-rules", "ours", "--template", "t.json"]
    done = subprocess.run(
        [sys.executable, "-c", script, *argv], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout.startswith("E9601 Strategy RESERVE is not LEND or LEND_AND_BORROW; write ")
