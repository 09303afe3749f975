"""The example workflow is a workflow as GitHub reads it, and runs commands that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from quota_verifier.cli.commands import COMMANDS
from quota_verifier.report.diff_markdown import MARK

WORKFLOW = Path(__file__).parents[2] / "examples" / "diff" / "pull_request.yml"

_STEP = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "id": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_-]*$"},
        "if": {"type": "string"},
        "uses": {"type": "string", "pattern": "^[^@\\s]+@[^@\\s]+$"},
        "with": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
        "run": {"type": "string", "minLength": 1},
    },
    "oneOf": [{"required": ["uses"]}, {"required": ["run"]}],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "required": ["on", "jobs", "permissions"],
    "properties": {
        "name": {"type": "string"},
        "on": {"type": "object", "propertyNames": {"enum": ["pull_request"]}, "minProperties": 1},
        "permissions": {"type": "object", "additionalProperties": {"enum": ["read", "write", "none"]}},
        "concurrency": {
            "type": "object",
            "required": ["group"],
            "properties": {"group": {"type": "string"}, "cancel-in-progress": {"type": "boolean"}},
            "additionalProperties": False,
        },
        "jobs": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                "type": "object",
                "required": ["runs-on", "steps"],
                "properties": {
                    "runs-on": {"type": "string"},
                    "timeout-minutes": {"type": "integer"},
                    "steps": {"type": "array", "minItems": 1, "items": _STEP},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
"""The part of GitHub's workflow syntax that the example uses, closed against anything misspelt."""


class _Loader(yaml.SafeLoader):
    """YAML as GitHub reads it: `on` is a word, not a truth value."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if first not in "oO"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@pytest.fixture(scope="module")
def workflow():
    return yaml.load(WORKFLOW.read_text(encoding="utf-8"), _Loader)  # noqa: S506 (a safe loader)


def runs(workflow):
    return [step["run"] for step in workflow["jobs"]["diff"]["steps"] if "run" in step]


def test_the_workflow_is_one(workflow):
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(workflow)


def test_the_workflow_may_comment_and_nothing_else(workflow):
    assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}


def test_its_command_has_the_arguments_that_diff_takes(workflow):
    (line,) = re.findall(r"\S*quota-shares (diff .*?) >", "\n".join(runs(workflow)))
    words = shlex.split(line)
    (command,) = [command for command in COMMANDS if command.name == words[0]]
    args = command.parser().parse(words[1:])
    assert (args.old, args.new, args.markdown, args.at) == ("old/cdk.out", "new/cdk.out", True, 86_400_000)


def test_it_looks_for_the_comment_by_the_mark_that_the_markdown_begins_with(workflow):
    assert f'startswith("{MARK}")' in "\n".join(runs(workflow))


def test_an_output_that_a_step_uses_is_set_by_a_step_before(workflow):
    steps = workflow["jobs"]["diff"]["steps"]
    for place, step in enumerate(steps):
        for name, output in re.findall(r"steps\.(\w+)\.outputs\.(\w+)", str(step)):
            (source,) = [one for one in steps[:place] if one.get("id") == name]
            assert f'echo "{output}=' in source["run"]
