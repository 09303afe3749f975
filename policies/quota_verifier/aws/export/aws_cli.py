"""Commands of the AWS CLI: a JSON input file for each request, a script that creates, and one that deletes.

Both major versions of the CLI take them. Source: AWS CLI command reference, batch, `--cli-input-json`, `--query`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping

from quota_verifier.aws.calls import ENVIRONMENT, INVALID, LOOK_UP, Arn, Call, Made, Until, creation, deletion
from quota_verifier.aws.export.files import ExportedFile
from quota_verifier.aws.perform import ATTEMPTS, DELAY_S
from quota_verifier.documents import as_list, as_map
from quota_verifier.template.declaration import Declaration

_HEAD = """\
#!/usr/bin/env bash
# {what} job queue {queue}. Needs the AWS CLI with credentials and a region.
set -euo pipefail
cd "$(dirname "$0")"
export AWS_PAGER=""

# wait_for WANTED COMMAND...: run COMMAND until it prints WANTED, for {minutes} minutes at most.
wait_for() {{
  local wanted=$1 found=""
  shift
  for _ in $(seq {attempts}); do
    found=$("$@")
    if [ "$found" = "$wanted" ]; then return; fi
    case $found in *{invalid}*) break ;; esac
    sleep {delay}
  done
  echo "still $found, not $wanted: $*" >&2
  return 1
}}
"""
_LOOK_UP = """\
arn=$({command})
if [ "$arn" = None ]; then echo "the service environment is not there" >&2; exit 1; fi
prefix=${{arn%%{kind}/*}}
"""
_CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")


def export(declaration: Declaration) -> tuple[ExportedFile, ...]:
    """`create.sh` with its input files, and `delete.sh`."""
    calls = creation(declaration)
    inputs = {call.step: f"{place:02}-{call.step}.json" for place, call in enumerate(calls, 1)}
    files = [ExportedFile(inputs[call.step], _input(call.request)) for call in calls]
    made = "\n".join(_creating(call, inputs[call.step]) for call in calls)
    lost = "\n".join(_deleting(call) for call in deletion(declaration))
    return (
        ExportedFile("create.sh", f"{_head('Creates', declaration)}\n{made}", executable=True),
        *files,
        ExportedFile("delete.sh", f"{_head('Deletes', declaration)}\n{lost}", executable=True),
    )


def _head(what: str, declaration: Declaration) -> str:
    return _HEAD.format(
        what=what,
        queue=declaration.queue.name,
        minutes=ATTEMPTS * DELAY_S // 60,
        attempts=ATTEMPTS,
        invalid=INVALID,
        delay=DELAY_S,
    )


def _creating(call: Call, file: str) -> str:
    """A command with its input file; what only the answer of an earlier command tells is given beside it."""
    words = ["aws", "batch", _hyphened(call.operation), "--cli-input-json", _shell(f"file://{file}")]
    for member, value in call.request.items():
        if isinstance(value, Made) and value.name is None:
            words += [f"--{_hyphened(member)}", f'"${_variable(value)}"']
    asked = _asked(call)
    if asked is None:
        return f"{' '.join(words)}\n{_waiting(call.until)}"
    return f"{_variable(asked)}=$({' '.join(words)} --query {asked.member} --output text)\n{_waiting(call.until)}"


def _asked(call: Call) -> Made | None:
    """The member of the answer that a later request needs."""
    if call.until is None:
        return Made(call.step, "arn")
    return next((value for value in call.until.request.values() if isinstance(value, Made)), None)


def _deleting(call: Call) -> str:
    words = ["aws", "batch", _hyphened(call.operation), *_options(call.request)]
    if call.step == LOOK_UP:
        words += ["--query", _shell(Arn.query), "--output", "text"]
        return _LOOK_UP.format(command=" ".join(words), kind=ENVIRONMENT)
    return f"{' '.join(words)}\n{_waiting(call.until)}"


def _waiting(until: Until | None) -> str:
    if until is None:
        return ""
    wanted = "0" if isinstance(until.wanted, int) else "$'{}\\t{}'".format(*until.wanted)
    words = ["wait_for", wanted, "aws", "batch", _hyphened(until.operation), *_options(until.request)]
    return f"{' '.join(words)} \\\n  --query {_shell(until.query)} --output text\n"


def _options(request: Mapping[str, object]) -> Iterator[str]:
    for member, value in request.items():
        yield f"--{_hyphened(member)}"
        yield from (_word(item) for item in as_list(value) or [value])


def _word(value: object) -> str:
    if isinstance(value, Made):
        return f'"${_variable(value)}"'
    if isinstance(value, Arn):
        return f'"${{prefix}}{value.resource}"'
    return _shell(str(value))


def _shell(text: str) -> str:
    """`text` as one word of the shell."""
    return f'"{text}"' if "'" in text and not set(text) & set('"$`\\') else shlex.quote(text)


def _variable(made: Made) -> str:
    """Shares are created one after the other, so they need one variable between them."""
    return "share_arn" if made.member == "quotaShareArn" else "policy_arn"


def _input(request: Mapping[str, object]) -> str:
    return json.dumps(_named(request), indent=2, ensure_ascii=False) + "\n"


def _named(value: object) -> object:
    """A value of a request with names for what has been made; without what has no name."""
    if isinstance(value, Made):
        return value.name
    if (entries := as_map(value)) is not None:
        named = {key: _named(entry) for key, entry in entries.items()}
        return {key: entry for key, entry in named.items() if entry is not None}
    items = as_list(value)
    return value if items is None else [_named(item) for item in items]


def _hyphened(name: str) -> str:
    """`CreateJobQueue` and `jobQueueName` as the AWS CLI spells them."""
    return _CAPITAL.sub(r"-\1", name).lower()
