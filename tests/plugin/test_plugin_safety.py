"""What nobody foresaw fails synth too, with the plugin, the step and the traceback named."""

from __future__ import annotations

import inspect

import aws_cdk as cdk
import pytest
from validated_apps import policy, queue, validate

from quota_shares import QuotaShareValidation
from quota_shares.validation import assembly, loading, policies, rules, verification


def _break(*_: object, **__: object) -> None:
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("module", "function", "step"),
    [
        (assembly, "source_of", "checking Demo/Training/JobQueue against its policies"),
        (assembly, "_nested_stacks", "looking through the construct tree"),
        (loading, "load_template", "reading the templates"),
        (rules, "lint_template", "checking the rules on "),
        (policies, "read_policy", "reading the policy files"),
        (verification, "verify", "checking Demo/Training/JobQueue against its policies"),
    ],
)
def test_an_unforeseen_exception_names_the_plugin_and_the_step(
    app: cdk.App,
    stack: cdk.Stack,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    module: object,
    function: str,
    step: str,
) -> None:
    queue(stack).verify(policy())
    monkeypatch.setattr(module, function, _break)
    cdk.Validations.of(app).add_plugins(QuotaShareValidation())

    with pytest.raises(RuntimeError) as raised:
        app.synth()
    text = str(raised.value)
    assert "FATAL quota-shares failed while " in text
    if function != "source_of":
        assert f"while {step}" in text
    assert "ZeroDivisionError: division by zero\n   This is a bug in quota-shares, not in your app" in text
    assert "Rule quota-shares::internal-error" in text
    errors = capsys.readouterr().err
    assert "Traceback (most recent call last)" in errors
    assert 'raise ZeroDivisionError("division by zero")' in errors


def test_what_was_found_before_is_reported_all_the_same(
    app: cdk.App, stack: cdk.Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue(stack).verify(policy("bad.yaml", ""))
    queue(stack, "Other").verify(policy())
    monkeypatch.setattr(verification, "verify", _break)

    assert [found["ruleName"] for found in validate(app)] == ["bad.bad-input", "internal-error"]


def test_long_verification_says_what_it_does_on_standard_error(
    app: cdk.App, stack: cdk.Stack, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verification, "PATIENCE_S", 0.0)
    queue(stack).verify(policy(BOUND="1h"))
    cdk.Validations.of(app).add_plugins(QuotaShareValidation())
    app.synth()

    assert "quota-shares: checking Demo/Training/JobQueue against 1 policy ..." in capsys.readouterr().err


def test_short_verification_says_nothing(app: cdk.App, stack: cdk.Stack, capsys: pytest.CaptureFixture[str]) -> None:
    queue(stack).verify(policy(BOUND="1h"))
    cdk.Validations.of(app).add_plugins(QuotaShareValidation())
    app.synth()

    assert "quota-shares:" not in capsys.readouterr().err


def test_the_plugin_is_known_by_name_and_version_and_reports_no_rules_to_aws() -> None:
    plugin = QuotaShareValidation()

    assert plugin.name == "quota-shares"
    assert plugin.version
    assert plugin.rule_ids is None


def test_arguments_are_keywords_with_defaults() -> None:
    parameters = list(inspect.signature(QuotaShareValidation.__init__).parameters.values())[1:]

    assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}
    assert all(p.default is not inspect.Parameter.empty for p in parameters)
