"""What commands may not load: numpy to show a queue, anything heavy to print help."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command_files import fill

WATCH = """\
import sys
from quota_verifier.cli.main import main
code = main({argv!r})
heavy = [name for name in {heavy!r} if name in sys.modules]
sys.exit(f"loaded {{heavy}}" if heavy else code)
"""


@pytest.mark.parametrize(
    ("argv", "heavy"),
    [
        (["--help"], ["pydantic", "rich", "yaml", "numpy", "quota_verifier.scheduler"]),
        (["verify", "--help"], ["pydantic", "rich", "yaml", "numpy", "quota_verifier.scheduler"]),
        (["version"], ["pydantic", "rich", "yaml", "numpy"]),
        (["show", "queue.yaml"], ["numpy", "quota_verifier.figures"]),
    ],
)
def test_a_command_loads_only_what_it_needs(tmp_path, argv, heavy):
    script = WATCH.format(argv=argv, heavy=[*heavy, "aws_cdk", "cfnlint", "boto3"])
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=fill(tmp_path), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
