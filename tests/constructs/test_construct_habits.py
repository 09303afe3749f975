"""Habits that every public construct keeps."""

from __future__ import annotations

import inspect
import re

import pytest

import quota_shares
from quota_shares import (
    QuotaManagedQueue,
    QuotaShare,
    QuotaShareSchedulingPolicy,
    ServiceEnvironment,
    ServiceJobQueue,
)

CONSTRUCTS = [QuotaManagedQueue, QuotaShare, QuotaShareSchedulingPolicy, ServiceEnvironment, ServiceJobQueue]
DOCUMENTED = [(c.__name__, c.__init__, c.__doc__) for c in CONSTRUCTS] + [
    ("add_share", QuotaManagedQueue.add_share, QuotaManagedQueue.add_share.__doc__)
]


@pytest.mark.parametrize(("function", "doc"), [row[1:] for row in DOCUMENTED], ids=[row[0] for row in DOCUMENTED])
def test_every_argument_is_documented_and_every_optional_one_states_its_default(function: object, doc: str) -> None:
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    entries = dict(re.findall(r":param (\w+):(.*?)(?=:param |\Z)", doc, re.DOTALL))

    assert list(entries) == [p.name for p in parameters]
    for parameter in parameters:
        assert ("Default:" in entries[parameter.name]) == (parameter.default is not inspect.Parameter.empty)


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_arguments_behind_scope_and_id_are_keywords_and_none_is_collected(construct: type) -> None:
    parameters = list(inspect.signature(construct.__init__).parameters.values())

    assert [p.name for p in parameters[:3]] == ["self", "scope", "id"]
    assert {p.kind for p in parameters[3:]} == {inspect.Parameter.KEYWORD_ONLY}


def test_the_public_names_are_those_of_all() -> None:
    public = {
        name
        for name, value in vars(quota_shares).items()
        if not name.startswith("_") and not inspect.ismodule(value) and name != "annotations"
    }

    assert public == set(quota_shares.__all__)
