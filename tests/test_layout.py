"""The layout that the project rests on: two source roots that are no packages, and imports that go one way."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import constructs
import pytest

from quota_verifier.testing import bare_snapshot_assertions

ROOT = Path(__file__).parents[1]
SOURCE_ROOTS = [ROOT / "constructs", ROOT / "policies"]


@pytest.mark.parametrize("root", SOURCE_ROOTS, ids=lambda root: root.name)
def test_a_source_root_holds_no_module_and_no_test(root: Path) -> None:
    # With constructs/__init__.py nothing of the CDK can be imported; a conftest.py there breaks pytest.
    assert list(root.glob("*.py")) == []
    assert [*root.rglob("conftest.py"), *root.rglob("test_*.py"), *root.rglob("*_test.py")] == []


def test_constructs_is_the_package_from_the_index() -> None:
    assert constructs.__file__ is not None
    assert Path(constructs.__file__).parent.parent.name == "site-packages"


def test_the_verifier_starts_without_the_heavy_packages() -> None:
    program = (
        "import sys, quota_verifier;"
        "print(*[m for m in ('aws_cdk', 'cfnlint', 'numba', 'boto3', 'botocore', 'jsii') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(ROOT / "policies")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []


def test_the_verifier_never_mentions_an_import_of_the_cdk() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "policies").rglob("*.py")
        if re.search(r"^\s*(import|from) (aws_cdk|constructs|jsii|quota_shares)\b", path.read_text("utf-8"), re.M)
    ]
    assert found == []


def test_test_files_have_names_of_their_own() -> None:
    # Without __init__.py in tests/, two files of one name are one module to pytest.
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_no_test_asserts_a_snapshot_without_comparing() -> None:
    # C38: `assert snapshot` passes whatever happens.
    assert bare_snapshot_assertions(ROOT / "tests") == []
