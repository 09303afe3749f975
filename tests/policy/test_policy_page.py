"""The page on policy files says what the reader takes."""

from __future__ import annotations

import re
from datetime import date

import pytest
import yaml
from policy_helpers import NOTEBOOK, ROOT

from quota_verifier.figures.distribution import STATISTICS
from quota_verifier.policy import policy_from_data, verify
from quota_verifier.policy.schema import AT_AN_INSTANT, MEASURES, OF_ONE_JOB, PolicyFile

PAGE = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.splitlines()[0])
def test_the_examples_of_the_page_hold(example):
    found = verify(NOTEBOOK, policy_from_data(yaml.safe_load(example)), today=date(2026, 12, 1))
    assert [verdict.verdict for verdict in found.policies[0].verdicts if not verdict.passes] == []


@pytest.mark.parametrize("word", [*MEASURES, *OF_ONE_JOB, *AT_AN_INSTANT, *STATISTICS, *PolicyFile.model_fields])
def test_the_page_names_every_key(word):
    assert f"`{word}`" in PAGE
