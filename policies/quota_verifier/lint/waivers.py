"""Findings that a template waives, the way cfn-lint reads it.

`Metadata: cfn-lint: config: ignore_checks` on the template takes ids or their beginnings, on a resource ids.
"""

from __future__ import annotations

from quota_verifier.documents import as_list, as_map
from quota_verifier.template import Template


def is_waived(template: Template, rule_id: str, logical_id: str) -> bool:
    """Whether the template waives this rule for this resource."""
    everywhere = _ignored((as_map(template.document.data) or {}).get("Metadata"))
    if any(rule_id.startswith(start) for start in everywhere if start):
        return True
    resource = template.resources.get(logical_id)
    return resource is not None and rule_id in _ignored(resource.body.get("Metadata"))


def _ignored(metadata: object) -> list[str]:
    here = metadata
    for key in ("cfn-lint", "config", "ignore_checks"):
        here = (as_map(here) or {}).get(key)
    return [entry for entry in as_list(here) or [] if isinstance(entry, str)]
