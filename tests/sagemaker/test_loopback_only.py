"""The guard that keeps the programs of these tests on this computer."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sdk_environment import GUARD, refused


def run(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    script = folder / "script.py"
    script.write_text(program)
    return subprocess.run([sys.executable, GUARD, script], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("act", "host"),
    [
        ("socket.create_connection(('aws.invalid', 443), 1)", "aws.invalid"),
        ("socket.gethostbyname('aws.invalid')", "aws.invalid"),
        ("socket.socket().connect(('192.0.2.1', 443))", "192.0.2.1"),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 8125))", "192.0.2.1"),
    ],
)
def test_what_leads_elsewhere_is_refused_and_told_even_where_the_program_does_not_mind(
    act: str, host: str, tmp_path: Path
) -> None:
    done = run(f"import socket\ntry:\n    {act}\nexcept OSError as error:\n    print(error)\n", tmp_path)
    assert (done.stdout, refused(done.stderr)) == (f"{host} is not this computer\n", [host])


def test_this_computer_is_in_reach(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = run(f"import socket\nsocket.create_connection(('localhost', {port}), 5)\n", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
