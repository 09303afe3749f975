"""Rewrites what is made from the command itself: its reference page, its JSON schemas, the examples' output.

Run `python tools/refresh_docs.py` after a change of a command, and read the difference: tests compare every
one of these files with what the command says now.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

from quota_verifier import read_policy, read_queue, verify
from quota_verifier.cli.commands import COMMANDS
from quota_verifier.cli.main import overview
from quota_verifier.policy.schema import policy_file_schema
from quota_verifier.report.html.page import page
from quota_verifier.report.record import verdicts_report
from quota_verifier.report.schemas import DOCUMENTS, document_schema
from quota_verifier.template import queue_file_schema
from quota_verifier.workload import workload_file_schema

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "commands.md"
SCHEMAS = ROOT / "docs" / "schemas"
EXAMPLES = ROOT / "examples"

REPORT_DATA = EXAMPLES / "report" / "data.json"

_PROMPT = "$ quota-shares "
_INTRODUCTION = """\
# Commands

Made from the commands' own help by `tools/refresh_docs.py`.

A command takes a CloudFormation template, a directory written by `cdk synth`, or a small queue file. People read
its report on standard output; with `--json` it prints exactly one JSON document there instead, whose schema is in
`docs/schemas`. Warnings and progress go to standard error. Times in JSON are seconds with milliseconds, null
where a time never came.

| exit code | meaning |
|---|---|
| 0 | everything holds, or nothing is wrong |
| 1 | a claim does not hold (it fails, or depends on an assumption), or an error was found |
| 2 | bad input, told in one line on standard error |
| 70 | a bug in quota-shares, shown with its traceback |
| 74 | standard output cannot be written |
| 130 | interrupted by Ctrl-C |
| 141 | the reader of standard output went away, as `head` does |
"""


def reference() -> str:
    """The text of docs/commands.md."""
    parts = [_INTRODUCTION, _block(overview())]
    for command in COMMANDS:
        parts += [f"## {command.name}\n", _block(command.parser().format_help())]
        if command.name in DOCUMENTS:
            parts.append(f"JSON: [schemas/{command.name}.schema.json](schemas/{command.name}.schema.json)\n")
    return "\n".join(parts)


def schema_text(command: str) -> str:
    """The text of a command's schema in docs/schemas."""
    return json.dumps(document_schema(command), indent=2, sort_keys=True) + "\n"


def file_schemas() -> dict[str, str]:
    """The schemas of the files that people write, by the name of the schema file."""
    return {
        name: json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
        for name, schema in (
            ("policy-file", policy_file_schema),
            ("queue-file", queue_file_schema),
            ("workload-file", workload_file_schema),
        )
    }


def recorded_commands() -> list[Path]:
    """The files examples/*/*.out: a command line after a prompt, then what it prints."""
    return sorted(EXAMPLES.glob("*/*.out"))


def replayed(record: Path) -> str:
    """What `record` would hold if its command were run now, in the folder of the example."""
    line = record.read_text(encoding="utf-8").splitlines()[0]
    if not line.startswith(_PROMPT):
        raise ValueError(f"{record} does not begin with {_PROMPT!r}")
    command = [sys.executable, "-m", "quota_verifier.cli.main", *shlex.split(line.removeprefix(_PROMPT))]
    done = subprocess.run(command, cwd=record.parent, capture_output=True, text=True, check=False)  # noqa: S603
    code = f"(exit code {done.returncode})\n" if done.returncode else ""
    return f"{line}\n{done.stdout}{done.stderr}{code}"


def report_data() -> str:
    """The data of the only run in the HTML report of examples/report, laid out for reading: one column a line."""
    folder = REPORT_DATA.parent
    verdicts = verify(read_queue(folder / "queue.yaml"), read_policy(folder / "policy.yaml"))
    data = page(verdicts_report("queue.yaml", verdicts)).data
    (run,) = json.loads(data)["runs"]
    return f"{_laid_out(run)}\n"


def _laid_out(data: dict[str, object], indent: str = "") -> str:
    """`data` as JSON with a line for each entry of a map, and of a list of maps."""
    rows: list[str] = []
    for name, value in data.items():
        if isinstance(value, dict) and len(indent) < 2:
            text = _laid_out(value, indent + "  ")
        else:
            text = json.dumps(value, ensure_ascii=False)
        rows.append(f"{indent}  {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


def _block(text: str) -> str:
    return f"```text\n{text}```\n"


def main() -> None:
    """Rewrite all of them."""
    REFERENCE.write_text(reference(), encoding="utf-8")
    for command in DOCUMENTS:
        (SCHEMAS / f"{command}.schema.json").write_text(schema_text(command), encoding="utf-8")
    for name, text in file_schemas().items():
        (SCHEMAS / f"{name}.schema.json").write_text(text, encoding="utf-8")
    REPORT_DATA.write_text(report_data(), encoding="utf-8")
    for record in recorded_commands():
        record.write_text(replayed(record), encoding="utf-8")


if __name__ == "__main__":
    main()
