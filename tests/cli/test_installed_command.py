"""The command as users run it: a process of its own, pipes, terminals, and time."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest
from command_files import INSTALLED, executed, fill


@pytest.fixture(name="folder")
def _folder(tmp_path) -> Path:
    return fill(tmp_path)


def test_the_exit_codes_are_those_of_the_contract(folder):
    assert executed(folder, "verify", "queue.yaml", "--policy", "policy.yaml").code == 0
    assert executed(folder, "verify", "queue.yaml", "--policy", "policy.yaml", "strict.yaml").code == 1
    refused = executed(folder, "verify", "queue.yaml", "--policy", "nowhere.yaml", "--json")
    assert refused == (2, "", "error: nowhere.yaml: no such file\n")


def test_reports_are_plain_text_of_80_columns_without_a_terminal(folder):
    outcome = executed(
        folder, "simulate", "queue.yaml", "--workload", "workload.yaml", COLUMNS="200", TERM="xterm-256color"
    )
    assert outcome.out.isascii()
    assert "\x1b" not in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert not [line for line in outcome.out.splitlines() if line.endswith(" ")]


def test_a_reader_that_goes_away_is_no_error(folder):
    command = f"{INSTALLED} simulate queue.yaml --workload workload.yaml --json | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "{"
    assert done.stdout.splitlines()[1] in ("0", "141")  # 0 where all of it fitted the pipe before


def test_a_reader_that_is_gone_already_is_no_error(folder):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as gone:
        done = subprocess.run(
            [INSTALLED, "show", "queue.yaml"], cwd=folder, stdout=gone, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told_in_one_line(folder):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [INSTALLED, "show", "queue.yaml"], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (74, "error: cannot write the output: No space left on device\n")


def test_ctrl_c_ends_a_command_quietly(folder):
    os.mkfifo(folder / "slow.yaml")
    with (
        subprocess.Popen(
            [INSTALLED, "simulate", "queue.yaml", "--workload", "slow.yaml"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as running,
        open(folder / "slow.yaml", "w"),
    ):  # opens once the command is there to read it
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (130, "", "")


def test_an_output_that_is_no_unicode_gets_escapes(folder):
    (folder / "queue.yaml").write_text((folder / "queue.yaml").read_text().replace("QS3", "équipe"), encoding="utf-8")
    outcome = executed(folder, "show", "queue.yaml", PYTHONIOENCODING="ascii")
    assert (outcome.code, outcome.err) == (0, "")
    assert "\\xe9quipe" in outcome.out


def test_on_a_terminal_the_verdicts_have_colour(folder):
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
    env.pop("NO_COLOR", None)
    with subprocess.Popen(
        [INSTALLED, "verify", "queue.yaml", "--policy", "strict.yaml"], cwd=folder, stdout=follower, env=env
    ) as running:
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(leader)
    assert running.returncode == 1
    assert b"\x1b[1;31mFAILS" in shown
