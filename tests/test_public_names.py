"""The names that `import quota_verifier` offers, and what the import costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import quota_verifier

POLICIES = Path(__file__).parents[1] / "policies"


@pytest.mark.parametrize("name", quota_verifier.__all__)
def test_a_public_name_is_there_and_is_no_module(name):
    assert type(getattr(quota_verifier, name)).__name__ != "module"
    assert name in dir(quota_verifier)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'quota_verifier' has no attribute 'verifyy'"):
        _ = quota_verifier.verifyy


def loaded(*lines: str) -> set[str]:
    script = "; ".join([f"import sys; sys.path.insert(0, {str(POLICIES)!r})", *lines, "print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_neither_numpy_nor_pydantic():
    assert loaded("import quota_verifier").isdisjoint({"numpy", "pydantic", "yaml", "quota_verifier.model"})


def test_names_do_not_hide_behind_modules_of_the_same_name():
    assert "numpy" not in loaded("from quota_verifier import Queue, InputError, Assumptions")
    lines = (
        "from quota_verifier import verify, simulate",
        "import quota_verifier.policy.verifier",
        "assert callable(verify)",
    )
    assert "numpy" in loaded(*lines, "from quota_verifier.policy import verify as again", "assert again is verify")
