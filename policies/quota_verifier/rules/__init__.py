"""The static rules, one folder each: the rule, a template that fails it, one that passes.

To add a rule, copy a folder, and run `python tools/render_rules.py`. This module is also what
`cfn-lint --append-rules quota_verifier.rules` takes its rules from.
"""

from __future__ import annotations

import re
import sys

_CLASS = re.compile(r"[EWI]9[0-9]{3}")


def __dir__() -> list[str]:
    """The names in this module, and one class for each rule where cfn-lint is there to ask for them.

    cfn-lint collects rule classes from `dir(module)`, so making them here keeps this package importable
    without cfn-lint, and quick; an `import` at the top would do neither. Looking at `sys.modules` now
    rather than when this module is imported makes the order of the two imports irrelevant.
    """
    return [*globals(), *(_cfn_lint_rules() if sys.modules.get("cfnlint") else ())]


def __getattr__(name: str) -> type:
    if _CLASS.fullmatch(name) and name in (known := _cfn_lint_rules()):
        return known[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _cfn_lint_rules() -> dict[str, type]:
    from quota_verifier.rules.cfn_lint import rule_classes

    return rule_classes()
