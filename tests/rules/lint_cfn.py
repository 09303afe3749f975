"""cfn-lint in process: alone, and with the rules of this package appended."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

pytest.importorskip("cfnlint", reason="the lint extra is not installed")

from cfnlint.config import ConfigMixIn
from cfnlint.decode import decode
from cfnlint.decode.decode import decode_str
from cfnlint.rules import Rules
from cfnlint.runner import Runner, run_template_by_data
from cfnlint.runner.template.runner import run_template_by_file_path


@functools.cache
def _config():
    return ConfigMixIn(regions=["us-east-1"], include_checks=["I"])


@functools.cache
def _alone():
    return Runner(_config()).rules


@functools.cache
def _ours():
    return Rules.create_from_module("quota_verifier.rules")


def by_cfn_lint(path):
    """(rule, line, column, message) of what cfn-lint says without our rules."""
    return _matches(path, _alone())


def by_our_rules(path):
    """(rule, line, column, message) of what our rules say in cfn-lint."""
    return _matches(path, _ours())


def our_matches_in(text):
    """(rule, message) of what our rules say in cfn-lint about a template's text."""
    data, errors = decode_str(text)
    assert not errors
    return [(found.rule.id, found.message) for found in run_template_by_data(data, _config(), _ours())]


def _matches(path: Path, rules: Rules):
    _, errors = decode(str(path))
    assert not errors
    found = run_template_by_file_path(str(path), _config(), rules, ignore_bad_template=False)
    return sorted((match.rule.id, match.linenumber, match.columnnumber, match.message) for match in found)
