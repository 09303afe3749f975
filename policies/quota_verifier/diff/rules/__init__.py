"""What a change is looked at for; `CHANGE_RULES` has every rule, errors first, by number."""

from __future__ import annotations

from quota_verifier.diff.rule import ChangeRule
from quota_verifier.diff.rules import deletions, environments, limits, names, queues, references, sharing

_FAMILIES = (names, queues, references, deletions, limits, sharing, environments)

CHANGE_RULES: tuple[ChangeRule, ...] = tuple(
    sorted((rule for family in _FAMILIES for rule in family.RULES), key=lambda rule: ("EWI".index(rule.id[0]), rule.id))
)
"""All rules over changes. Ids 9401 to 9499 are kept for them."""
