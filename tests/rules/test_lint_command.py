"""`quota-shares lint`: exit codes, the document, the report, templates, assemblies and queue files."""

from __future__ import annotations

import json
import subprocess
import sys
from textwrap import dedent

import pytest
from jsonschema import Draft202012Validator
from lint_builders import G5, ROOT, RULES, clean, put, share

from quota_verifier.cli.main import main
from quota_verifier.lint import lint
from quota_verifier.report.lint_document import lint_document
from quota_verifier.report.schemas import document_schema

FOLDER = ROOT / "policies/quota_verifier/rules"
BAD = FOLDER / "e9516_shares_fit_the_environment/bad.yaml"


def write(folder, of, name="t.json", **sections):
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps({**sections, "Resources": of}, indent=1))
    return str(path)


def ran(capsys, *argv):
    code = main(["lint", *map(str, argv)])
    out, err = capsys.readouterr()
    return code, out, err


def document(capsys, *argv):
    code, out, err = ran(capsys, *argv, "--json")
    assert err == ""
    found = json.loads(out)
    Draft202012Validator(document_schema("lint")).validate(found)
    return code, found


def over_promised():
    of = put(clean(), 5, "E", "CapacityLimits", 0, "MaxCapacity")
    return put(of, "gpu", "Q", "JobQueueName")


def test_a_template_without_findings_exits_0(capsys, tmp_path):
    assert ran(capsys, write(tmp_path, clean())) == (0, f"{len(RULES)} rules: nothing found\n", "")


def test_an_error_exits_1(capsys, tmp_path):
    code, out, _ = ran(capsys, write(tmp_path, over_promised()))
    assert code == 1
    assert out.endswith(f"\n\n{len(RULES)} rules: 1 error, 1 note\n")


def test_warnings_and_notes_exit_0(capsys, tmp_path):
    of = put(clean(), [], "Q", "JobStateTimeLimitActions")
    code, out, _ = ran(capsys, write(tmp_path, put(of, "gpu", "Q", "JobQueueName")))
    assert code == 0
    assert out.endswith(f"\n\n{len(RULES)} rules: 1 warning, 1 note\n")


def test_the_document_has_every_finding_with_its_place(capsys):
    code, found = document(capsys, BAD)
    assert code == 1
    assert found == {
        "source": str(BAD),
        "rules": len(RULES),
        "findings": [
            {
                "rule": "E9516",
                "severity": "error",
                "logical_id": "Environment",
                "construct_path": "",
                "message": f"{G5}: 6 > 5 (over by 1): research 4 + vision 2",
                "fix": "lower the shares' limits, or raise MaxCapacity to 6",
                "property": "CapacityLimits[0].MaxCapacity",
                "file": str(BAD),
                "line": 11,
                "column": 40,
            }
        ],
        "waived": [],
        "not_checked": [],
    }


def test_the_report_goes_resource_by_resource_the_worst_first(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    of = put(over_promised(), [], "Q", "JobStateTimeLimitActions")
    put(of, "ECS", "Q", "JobQueueType")
    of["Q"]["Metadata"] = {"aws:cdk:path": "Demo/Queue/Resource"}
    put(of, {"Ref": "Small"}, "B", "CapacityLimits", 0, "MaxCapacity")
    put(of, 6, "A", "CapacityLimits", 0, "MaxCapacity")
    write(tmp_path, of, Parameters={"Small": {"Type": "Number"}})
    assert ran(capsys, "t.json")[1] == dedent(
        f"""\
        E  t.json
          error    E9516  23:7  CapacityLimits[0].MaxCapacity: ml.g5.xlarge: 6 > 5 (over
                                by 1): research 6
                                fix: lower the shares' limits, or raise MaxCapacity to 6

        Q (Demo/Queue)  t.json
          error    E9501  31:5  JobQueueType: a quota-managed queue has JobQueueType ECS
                                fix: write SAGEMAKER_TRAINING
          warning  W9504  50:5  JobStateTimeLimitActions: three reasons not covered by a
                                time limit: CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY,
                                MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE,
                                MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED
                                fix: add an action of State RUNNABLE and Action
                                TERMINATE for each
          info     I9505  51:5  JobQueueName: JobQueueName is fixed to 'gpu', and a
                                replacement needs the name while it is taken
                                fix: leave JobQueueName out unless others rely on it

        Not checked
          B, CapacityLimits[0].MaxCapacity: depends on parameter Small, which has no
          default (E9514, I9503); give --param Small=VALUE

        {len(RULES)} rules: 2 errors, 1 warning, 1 note
        """
    )


def test_a_parameter_makes_the_rest_known(capsys, tmp_path):
    path = write(
        tmp_path,
        put(clean(), {"Ref": "Small"}, "B", "CapacityLimits", 0, "MaxCapacity"),
        Parameters={"Small": {"Type": "Number"}},
    )
    code, open_ = document(capsys, path)
    assert (code, open_["findings"]) == (0, [])
    assert {note["remedy"] for note in open_["not_checked"]} == {"give --param Small=VALUE"}
    code, known = document(capsys, path, "--param", "Small=3")
    assert (code, known["not_checked"]) == (1, [])
    assert [finding["rule"] for finding in known["findings"]] == ["E9516"]


def test_what_is_waived_is_counted(capsys, tmp_path):
    of = over_promised()
    of["E"]["Metadata"] = {"cfn-lint": {"config": {"ignore_checks": ["E9516"]}}}
    path = write(tmp_path, of)
    code, found = document(capsys, path)
    assert (code, [f["rule"] for f in found["findings"]], [f["rule"] for f in found["waived"]]) == (
        0,
        ["I9505"],
        ["E9516"],
    )
    assert ran(capsys, path)[1].endswith(": 1 note, 1 waived\n")


def test_an_assembly_is_looked_at_as_a_whole(capsys, tmp_path):
    write(tmp_path, over_promised(), "cdk.out/A.template.json")
    write(tmp_path, clean(), "cdk.out/B.template.json")
    write(tmp_path, {"S": share("s", 1, JobQueue={"Fn::ImportValue": "q"})}, "cdk.out/C.template.json")
    code, found = document(capsys, tmp_path / "cdk.out")
    assert code == 1
    assert [(f["rule"], f["file"][-15:]) for f in found["findings"]] == [
        ("E9516", "A.template.json"),
        ("I9505", "A.template.json"),
        ("I9506", "C.template.json"),
    ]


QUEUE_FILE = """\
environment:
  limits: {ml.g5.xlarge: 3}
  state: DISABLED
shares:
  - {name: research, limits: {ml.g5.xlarge: 1}, strategy: LEND_AND_BORROW, borrow_limit: 50}
  - name: vision
    limits:
      ml.g5.xlrage: 4
    strategy: LEND
"""


def test_a_queue_file_is_looked_at_like_the_template_that_would_deploy_it(capsys, tmp_path):
    path = tmp_path / "queue.yaml"
    path.write_text(QUEUE_FILE)
    code, found = document(capsys, path)
    assert code == 1
    assert [(f["rule"], f["logical_id"], f["line"], f["column"]) for f in found["findings"]] == [
        ("I9501", "environment", 2, 12),
        ("I9509", "environment", 3, 3),
        ("W9504", "queue", 1, 1),
        ("W9505", "research", 5, 76),
        ("E9515", "vision", 8, 7),
        ("W9501", "vision", 8, 7),
    ]


@pytest.mark.parametrize("name", ["queue", "environment", "policy"])
def test_a_share_may_be_called_like_anything_else_in_the_file(capsys, tmp_path, name):
    path = tmp_path / "queue.yaml"
    path.write_text(f"environment: {{{G5}: 1}}\nshares: [{{name: {name}, limits: {{{G5}: 2}}, strategy: RESERVE}}]\n")
    _, found = document(capsys, path)
    assert [f["message"] for f in found["findings"] if f["rule"] == "E9516"] == [f"{G5}: 2 > 1 (over by 1): {name} 2"]


OWN = """\
rules:
  - {id: E9601, title: Every share lends, why: Idle instances cost., resource: AWS::Batch::QuotaShare,
     property: ResourceSharingConfiguration.Strategy, one_of: [LEND_AND_BORROW]}
"""


def test_rules_of_your_own_run_after_the_shipped_ones(capsys, tmp_path):
    (tmp_path / "ours.yaml").write_text(OWN.replace("AWS::Batch::QuotaShare", "'AWS::Batch::QuotaShare'"))
    code, found = document(capsys, write(tmp_path, clean()), "--rules", tmp_path / "ours.yaml")
    assert (code, found["rules"]) == (1, len(RULES) + 1)
    assert [(f["rule"], f["logical_id"]) for f in found["findings"]] == [("E9601", "B")]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("gone.yaml",), "gone.yaml: no such file"),
        (("t.json", "--rules", "gone.yaml"), "gone.yaml: no such file"),
        (("t.json", "--rules"), "quota-shares lint: --rules: expected at least one argument"),
        (("t.json", "--param", "X=1"), "t.json: --param X: the template has no such parameter"),
        (("t.json", "--rule", "x"), "quota-shares lint: unknown option --rule; did you mean '--rules'?"),
        ((), "quota-shares lint: the following arguments are required: TEMPLATE"),
    ],
)
def test_bad_input_is_one_line_and_exits_2(capsys, tmp_path, monkeypatch, argv, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, clean())
    code, out, err = ran(capsys, *argv)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


def test_the_document_comes_from_the_python_api(tmp_path):
    path = write(tmp_path, over_promised())
    report = lint(path)
    assert report.failed
    assert [f["rule"] for f in lint_document(report)["findings"]] == [f.rule for f in report.findings]
    assert report.findings[0].where == "CapacityLimits[0].MaxCapacity"


def test_lint_loads_neither_cfn_lint_nor_the_simulator(tmp_path):
    path = write(tmp_path, clean())
    heavy = ["cfnlint", "aws_cdk", "numpy", "pydantic", "quota_verifier.scheduler", "quota_verifier.figures"]
    script = "\n".join(
        [
            "import sys",
            "from quota_verifier.cli.main import main",
            f"code = main(['lint', {path!r}, '--json'])",
            f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)",
        ]
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr == "[]\n"


def test_the_order_of_hashes_changes_nothing(tmp_path):
    path = write(tmp_path, {**over_promised(), "C": share("c", 1, "LEND_AND_BORROW")})
    script = f"from quota_verifier.cli.main import main; main(['lint', {path!r}])"
    outputs = set()
    for seed in ("0", "1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=False
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert outputs.pop()
