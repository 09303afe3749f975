"""What the engines are compared with: small C programs and a simpy model on the same file, where they are at hand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT.parent / "shared" / "bench"
BUILT = ROOT / ".cache" / "bench"


def say(text: str) -> None:
    """Tell people; standard output is for the results."""
    print(text, file=sys.stderr)


def build(name: str) -> Path | None:
    """The program `name`, compiled; None, and a word about it, without its source or a C compiler."""
    source, compiler = SOURCES / f"{name}.c", shutil.which("cc")
    if not source.exists() or compiler is None:
        say(f"yardstick {name} skipped: {f'no {source}' if compiler else 'no C compiler (cc)'}")
        return None
    BUILT.mkdir(parents=True, exist_ok=True)
    program = BUILT / name
    subprocess.run([compiler, "-O3", "-march=native", "-w", str(source), "-o", str(program)], check=True)
    return program


def jobs_per_s(program: Path, file: Path, count: int) -> float:
    """The best repetition of a C yardstick."""
    done = subprocess.run([program, file, str(count), "5"], capture_output=True, text=True, check=True)
    seconds = [float(found) for found in re.findall(r"^rep \d+:? ([\d.]+) s", done.stdout, re.MULTILINE)]
    return count / min(seconds)


def simpy_jobs_per_s(file: Path, count: int) -> float | None:
    """The simpy model, which reads its file from the working directory."""
    script = SOURCES / "peer_simpy.py"
    if not script.exists():
        say(f"yardstick simpy skipped: no {script}")
        return None
    done = subprocess.run(
        [sys.executable, script, str(count)], capture_output=True, text=True, check=False, cwd=file.parent
    )
    found = re.search(r"([\d.]+) jobs/s", done.stdout)
    if found is None:
        say(f"yardstick simpy skipped: {done.stderr.strip().splitlines()[-1:] or done.stdout}")
        return None
    return float(found.group(1))
