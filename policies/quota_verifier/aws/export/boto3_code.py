"""Python with boto3: a program that creates, and one that deletes. They need nothing of ours.

Source: boto3 reference, Batch.Client.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from quota_verifier.aws.calls import ENVIRONMENT, INVALID, LOOK_UP, Arn, Call, Made, Until, creation, deletion
from quota_verifier.aws.export.files import ExportedFile
from quota_verifier.aws.perform import ATTEMPTS, DELAY_S
from quota_verifier.documents import as_list, as_map
from quota_verifier.template.declaration import Declaration

_HEAD = '''\
"""{what} job queue {queue}. Needs boto3 with credentials and a region."""

import time

import boto3
import jmespath

batch = boto3.client("batch")


def wait_for(wanted, query, describe, **request):
    """Describe until `query` finds what is wanted, for {minutes} minutes at most."""
    for _ in range({attempts}):
        found = jmespath.search(query, describe(**request))
        if found == wanted:
            return
        if "{invalid}" in str(found):
            break
        time.sleep({delay})
    raise SystemExit(f"still {{found}}, not {{wanted}}: {{request}}")

'''
_LOOK_UP = """\
arn = jmespath.search("{query}", found)
if arn is None:
    raise SystemExit("the service environment is not there")
prefix = arn.partition("{kind}/")[0]
"""
_WIDTH = 88
_LONGEST_KEY = len("resourceSharingConfiguration=")
_CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")


def export(declaration: Declaration) -> tuple[ExportedFile, ...]:
    """`create.py` and `delete.py`."""
    programs = {"create": ("Creates", creation(declaration)), "delete": ("Deletes", deletion(declaration))}
    return tuple(
        ExportedFile(f"{name}.py", "\n".join([_head(what, declaration), *(_lines(call) for call in calls)]))
        for name, (what, calls) in programs.items()
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


def _lines(call: Call) -> str:
    """A call, the name of its answer where it is asked for later, and the wait."""
    if call.step == LOOK_UP:
        found = _called(f"found = batch.{_snake(call.operation)}", _arguments(call.request))
        return found + _LOOK_UP.format(query=Arn.query, kind=ENVIRONMENT)
    asked = call.until is None or any(isinstance(value, Made) for value in call.until.request.values())
    answer = f"{_variable(call.step)} = " if asked and call.operation.startswith("Create") else ""
    done = _called(f"{answer}batch.{_snake(call.operation)}", _arguments(call.request))
    return done + (_waiting(call.until) if call.until else "")


def _waiting(until: Until) -> str:
    wanted = until.wanted if isinstance(until.wanted, int) else list(until.wanted)
    before = [_text(wanted, 1), _quoted(until.query), f"batch.{_snake(until.operation)}"]
    return _called("wait_for", [*before, *_arguments(until.request)])


def _arguments(request: Mapping[str, object]) -> list[str]:
    return [f"{member}={_text(value, 1)}" for member, value in request.items()]


def _called(function: str, arguments: list[str]) -> str:
    """A call on one line where it fits, else with an argument to a line."""
    together = f"{function}({', '.join(arguments)})\n"
    if len(together) <= _WIDTH and together.count("\n") == 1:
        return together
    return f"{function}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")\n"


def _text(value: object, depth: int) -> str:
    """A value as Python: on one line where it fits, else one entry to a line."""
    if isinstance(value, Made):
        return json.dumps(value.name) if value.name else f'{_variable(value.step)}["{value.member}"]'
    if isinstance(value, Arn):
        return f'f"{{prefix}}{value.resource}"'
    entries, items = as_map(value), as_list(value)
    if entries is not None:
        inside, ends = [f"{_quoted(key)}: {_text(entry, depth + 1)}" for key, entry in entries.items()], "{}"
    elif items is not None:
        inside, ends = [_text(item, depth + 1) for item in items], "[]"
    else:
        return _quoted(value)
    together = ", ".join(inside)
    if "\n" not in together and len(together) + 4 * depth + _LONGEST_KEY < _WIDTH:
        return f"{ends[0]}{together}{ends[1]}"
    margin = "    " * (depth + 1)
    return ends[0] + "\n" + "".join(f"{margin}{part},\n" for part in inside) + "    " * depth + ends[1]


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _variable(step: str) -> str:
    """Shares are created one after the other, so they need one variable between them."""
    return "share" if step.startswith("quota-share-") else "policy"


def _snake(operation: str) -> str:
    """`CreateJobQueue` as boto3 spells it."""
    return _CAPITAL.sub(r"_\1", operation).lower()
