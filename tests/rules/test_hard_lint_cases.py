"""Cases C33, C39 and C54: cfn-lint alone says nothing, the rules say what is wrong."""

from __future__ import annotations

import pytest
from lint_builders import CASES
from lint_cfn import by_cfn_lint

from quota_verifier.lint import Severity, lint

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the hard cases are not there")

ONE_ERROR = {
    "C33/22_two_envs": "E9504",
    "C33/38_two_queues_one_env": "E9505",
    "C39/01_borrowlimit_on_reserve": "E9522",
    "C39/03_borrowlimit_float": "E9514",
    "C39/05_num_instances_in_share": "E9512",
    "C39/06_num_instances_in_env": "E9512",
    "C39/07_share_unit_not_in_env": "E9515",
    "C39/08_share_sum_exceeds_env": "E9516",
    "C39/10_zero_limits": "E9510",
    "C39/11_dup_unit": "E9511",
    "C39/15_both_policies": "E9503",
    "C39/16_policy_none": "E9502",
    "C39/27_name_bad": "E9509",
    "C39/28_dup_names": "E9521",
    "C39/32_hyphen_unit": "E9512",
    "C39/35_jq_missing_type": "E9501",
    "C39/36_queue_no_policy": "E9502",
    "C39/d_se_negative": "E9513",
    "C39/e_se_empty_limit": "E9513",
    "C39/i_fairshare_policy_on_queue_with_shares": "E9502",
    "C39/j_queue_type_ecs": "E9501",
    "C54/18_jstla_cancel": "E9530",
    "C54/21_jstla_bad_reason": "E9531",
}
SEVERAL_ERRORS = {"C39/09_six_limits": ("E9510", "E9515"), "C39/25_21_shares": ("E9520", "E9516")}
ONE_WARNING = {
    "C39/04_borrowlimit_str": "W9502",
    "C39/37_idle_assign_empty": "W9503",
    "C54/19_jstla_terminate": "W9504",
}
NO_ERROR = ["C39/00_base", "C39/a_lower_strategy", *ONE_WARNING]
ALL = [*ONE_ERROR, *SEVERAL_ERRORS, *NO_ERROR]


def errors(name):
    findings = lint(CASES / f"{name}.json").findings
    return [finding.rule for finding in findings if finding.severity is Severity.ERROR]


def test_every_file_of_these_cases_is_looked_at():
    files = {f"{case}/{file.stem}" for case in ("C33", "C39", "C54") for file in (CASES / case).glob("*.json")}
    assert files == set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_cfn_lint_alone_is_silent(name):
    assert by_cfn_lint(CASES / f"{name}.json") == []


@pytest.mark.parametrize(("name", "rule"), ONE_ERROR.items())
def test_one_defect_is_one_error(name, rule):
    assert errors(name) == [rule]


@pytest.mark.parametrize(("name", "rules"), SEVERAL_ERRORS.items())
def test_a_defect_with_consequences_is_named_with_them(name, rules):
    assert set(errors(name)) == set(rules)


@pytest.mark.parametrize("name", NO_ERROR)
def test_what_deploys_has_no_error(name):
    assert errors(name) == []


@pytest.mark.parametrize(("name", "rule"), ONE_WARNING.items())
def test_what_only_may_deploy_has_a_warning(name, rule):
    assert rule in [finding.rule for finding in lint(CASES / f"{name}.json").findings]


def test_the_base_has_no_such_warning():
    assert not {"W9502", "W9503"} & {finding.rule for finding in lint(CASES / "C39/00_base.json").findings}


def test_one_time_limit_leaves_two_reasons_not_covered():
    findings = lint(CASES / "C54/19_jstla_terminate.json").findings
    assert any("two reasons not covered" in finding.message for finding in findings)
