"""The four formats of an export, read by the tools that they are for, without any AWS."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import botocore.session
import pytest
from botocore.validate import ParamValidator
from described_queue import plain

from quota_verifier.aws.calls import creation
from quota_verifier.aws.export.files import ExportedFile
from quota_verifier.aws.export.formats import FORMATS, exported
from quota_verifier.cli.main import main
from quota_verifier.template import queue_document, read_queue
from quota_verifier.template.declaration import read_declaration

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
DECLARED = [
    ROOT / "tests/fixtures/export/everything.yaml",
    ROOT / "examples/three_shares/queue.yaml",
    ROOT / "tests/fixtures/templates/good/demo.json",
]
MODEL = botocore.session.get_session().get_service_model("batch")


def files_of(source: Path, form: str) -> dict[str, ExportedFile]:
    return {file.name: file for file in exported(read_declaration(source), form)}


def written(tmp_path: Path, source: Path, form: str) -> Path:
    assert main(["export", str(source), "--format", form, "--out", str(tmp_path)]) == 0
    return tmp_path


every_declaration = pytest.mark.parametrize("source", DECLARED, ids=lambda path: path.stem)
every_format = pytest.mark.parametrize("form", FORMATS)


@every_declaration
def test_cloudformation_reads_back_as_the_same_declaration(tmp_path, source):
    template = written(tmp_path, source, "cloudformation") / "template.yaml"
    assert queue_document(read_queue(template)) == queue_document(read_queue(source))
    again, declared = read_declaration(template), read_declaration(source)
    assert plain(again) == plain(declared)
    # `plain` makes one of "absent" and "-1"; here they stay apart.
    limits = [share.borrow_limit for share in declared.queue.shares]
    assert [share.borrow_limit for share in again.queue.shares] == limits


def test_the_three_borrow_limits_stay_three_in_cloudformation():
    text = files_of(DECLARED[0], "cloudformation")["template.yaml"].text
    assert "{Strategy: LEND_AND_BORROW}\n" in text
    assert "{Strategy: LEND_AND_BORROW, BorrowLimit: -1}\n" in text
    assert "{Strategy: LEND_AND_BORROW, BorrowLimit: 0}\n" in text


@every_declaration
def test_cfn_lint_and_our_lint_accept_the_template(tmp_path, source):
    template = written(tmp_path, source, "cloudformation") / "template.yaml"
    done = subprocess.run([BIN / "cfn-lint", template], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert main(["lint", str(template)]) == 0


def test_logical_ids_depend_on_the_shares_own_name_alone():
    declared = read_declaration(DECLARED[0])
    fewer = replace(declared, queue=replace(declared.queue, shares=declared.queue.shares[2:]))
    names = [line for line in exported(fewer, "cloudformation")[0].text.splitlines() if line.startswith("  Share")]
    assert len(names) == 4
    assert set(names) < set(exported(declared, "cloudformation")[0].text.splitlines())


@every_declaration
def test_the_input_files_of_the_aws_cli_are_requests_that_botocore_accepts(source):
    inputs = {name: file for name, file in files_of(source, "aws-cli").items() if name.endswith(".json")}
    calls = creation(read_declaration(source))
    assert list(inputs) == [f"{place:02}-{call.step}.json" for place, call in enumerate(calls, 1)]
    for call, file in zip(calls, inputs.values(), strict=True):
        request = json.loads(file.text)
        if call.operation == "CreateJobQueue":
            assert "schedulingPolicyArn" not in request
            request["schedulingPolicyArn"] = "what create-scheduling-policy answers"
        report = ParamValidator().validate(request, MODEL.operation_model(call.operation).input_shape)
        assert not report.has_errors(), report.generate_report()


@every_declaration
def test_the_scripts_are_bash_and_every_command_of_theirs_is_one_of_the_aws_cli(tmp_path, source):
    written(tmp_path, source, "aws-cli")
    from botocore import xform_name

    known = {xform_name(name, "-") for name in MODEL.operation_names}
    for script in ("create.sh", "delete.sh"):
        path = tmp_path / script
        assert path.stat().st_mode & 0o111 == 0o111
        subprocess.run(["bash", "-n", path], check=True)
        words = path.read_text("utf-8").split()
        commands = {words[place + 1] for place, word in enumerate(words) if word == "batch"}
        assert commands <= known
        assert len(commands) > 5


@every_declaration
def test_the_programs_are_formatted_python_without_lint(tmp_path, source):
    written(tmp_path, source, "boto3")
    programs = [tmp_path / "create.py", tmp_path / "delete.py"]
    # At ruff's own line length and not at ours: the files go into other people's repositories.
    for command in (["check", "--isolated", "--select", "E4,E7,E9,F"], ["format", "--isolated", "--check"]):
        done = subprocess.run([BIN / "ruff", *command, *programs], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_console_page_has_the_forms_in_the_guides_order():
    text = files_of(DECLARED[0], "console")["console.md"].text
    fields = ["Orchestration type", "Job queue configuration", "Scheduling algorithm", "Create scheduling policy",
              "Connected service environment", "Maximum number of instances", "Job state limits",
              "Create job queue", "Capacity limits", "Capacity sharing", "In-share preemption",
              "Create quota share", "What the guide's steps do not tell of"]  # fmt: skip
    places = [text.index(field) for field in fields[:-2]]
    assert places == sorted(places)
    assert text.index(fields[-1]) > text.rindex(fields[-2])


def test_nothing_that_is_declared_is_missing_from_the_console_page():
    text = files_of(DECLARED[0], "console")["console.md"].text
    for row in (
        "|  | Priority | 7 |",
        "| Create scheduling policy (sidebar) | Name | training-policy |",
        "|  | Instance type | ml.p4d.24xlarge |\n|  | Maximum number of instances | 4 |",
        "| Job state limits | Capacity | INSUFFICIENT_INSTANCE_CAPACITY |",
        "|  | Maximum runnable time (seconds) | 86400 |",
        "| queue training | Job state limit MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED | 900 seconds |",
        "| share speech-team | Borrow limit (percent of its own limits) | none given: unlimited |",
        "| share speech_team | Borrow limit (percent of its own limits) | -1: unlimited |",
        "| share robots | Borrow limit (percent of its own limits) | 0: no borrowing |",
        "| share vision | Borrow limit (percent of its own limits) | 50 |",
        "| share nightly | State | DISABLED |",
        "| share vision | Tag team | team = vision and speech |",
        "| environment training-room | Tag cost | 4711 |",
    ):
        assert row in text, row


def test_a_queue_without_anything_special_has_no_such_section():
    declared = read_declaration(DECLARED[1])
    shares = tuple(share for share in declared.queue.shares if not share.strategy.borrows)
    plain_queue = replace(declared, queue=replace(declared.queue, shares=shares))
    assert "do not tell of" not in exported(plain_queue, "console")[0].text


@every_format
def test_the_same_declaration_is_the_same_bytes(tmp_path, form):
    folders = [tmp_path / seed for seed in ("1", "2")]
    for folder in folders:
        program = [sys.executable, "-m", "quota_verifier.cli.main", "export", DECLARED[0], "--format", form]
        environ = {"PYTHONPATH": str(ROOT / "policies"), "PYTHONHASHSEED": folder.name}
        subprocess.run([*program, "--out", folder], env=environ, check=True, capture_output=True)
    first, second = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert first == second


@every_format
def test_standard_output_and_json_have_the_text_of_the_files(tmp_path, capsys, form):
    source = str(DECLARED[0])
    main(["export", source, "--format", form, "--out", str(tmp_path)])
    listed = capsys.readouterr().out.splitlines()
    assert [Path(line).parent for line in listed] == [tmp_path] * len(listed)
    texts = {Path(line).name: Path(line).read_text("utf-8") for line in listed}
    assert set(texts) == {path.name for path in tmp_path.iterdir()}
    main(["export", source, "--format", form])
    printed = capsys.readouterr().out
    if len(texts) == 1:
        assert [printed] == list(texts.values())
    else:
        assert printed == "\n".join(f"==> {name} <==\n{text}" for name, text in texts.items())
    main(["export", source, "--format", form, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert {file["name"]: file["text"] for file in document["files"]} == texts
    assert (document["format"], document["queue"]) == (form, "training")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "the following arguments are required: --format"),
        (["--format", "terraform"], "'terraform' is not known; write one of aws-cli, console, boto3, cloudformation"),
        (["--format", "boto3", "--out", "taken"], "taken: cannot be written"),
        (["--format", "boto3", "--queue", "other"], "no quota-managed job queue is called 'other'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(tmp_path, capsys, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("a file")
    assert main(["export", str(DECLARED[1]), *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err
