"""Policy files as tests, in real runs of pytest."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

# A run of pytester forgets what it imports, which numpy does not survive: so it is imported here.
from quota_verifier.pytest_plugin import collection  # noqa: F401

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
QUEUE = """\
environment: {ml.g5.xlarge: 3}
shares:
  - {name: QS1, limits: {ml.g5.xlarge: 1}, strategy: LEND_AND_BORROW, borrow_limit: 200, in_share_preemption: true}
  - {name: QS2, limits: {ml.g5.xlarge: 1}, strategy: LEND}
  - {name: QS3, limits: {ml.g5.xlarge: 1}, strategy: RESERVE}
"""
POLICY = """\
description: Two jobs of QS3 at once
under: default
workload:
  jobs:
    - {id: first, share: QS3, work: 1h, instances: 1}
    - {id: second, share: QS3, work: 30m, instances: 1}
expect:
  - share: QS3
    wait: {max: "<= 1m"}
  - {finished: all}
"""
WAIVER = "waive:\n  - {claim: QS3.wait-max, reason: new machines in May, until: 2026-12-31}\n"
TEMPLATE = "--quota-template=queue.yaml"
FAILS = "share QS3: wait max <= 1m"
HOLDS = "queue: finished == 100%"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A queue file, and a policy of which one claim fails."""
    for name, text in (("queue.yaml", QUEUE), ("p/urgent.yaml", POLICY)):
        file = pytester.path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return pytester


def test_every_claim_is_a_test_with_its_own_words(project):
    done = project.runpytest("p", TEMPLATE, "-v")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines([f"p/urgent.yaml::{FAILS} FAILED*", f"p/urgent.yaml::{HOLDS} PASSED*"])


def test_a_failure_shows_what_was_measured_the_worst_job_and_the_timeline(project):
    done = project.runpytest("p", TEMPLATE)
    done.stdout.fnmatch_lines(
        [
            f"*urgent.yaml: {FAILS}*",
            "Two jobs of QS3 at once",
            f"  FAILS    {FAILS}  1h",
            "*worst job: second, around *",
            "*second  QS3  *",
            "Claimed at p/urgent.yaml:9",
        ]
    )
    done.stdout.no_fnmatch_line("*Traceback*")
    done.stdout.no_fnmatch_line("*collection.py*")


def test_a_claim_is_chosen_by_its_words(project):
    done = project.runpytest("p", TEMPLATE, "-k", "finished")
    done.assert_outcomes(passed=1, deselected=1)
    assert project.runpytest(f"p/urgent.yaml::{HOLDS}", TEMPLATE).ret == 0


def test_equal_claims_are_tests_of_their_own(project):
    (project.path / "p/urgent.yaml").write_text(f"{POLICY}  - {{finished: 100%}}\n")
    done = project.runpytest("p", TEMPLATE, "-v")
    done.stdout.fnmatch_lines([f"*::{HOLDS} PASSED*", f"*::{HOLDS} (2) PASSED*"])


def test_the_claims_of_a_file_share_their_simulations(project):
    project.makeconftest(
        """
        import quota_verifier.policy.verdicts as verdicts

        made = []
        simulate = verdicts.simulate

        def counted(*args, **kwargs):
            made.append(1)
            return simulate(*args, **kwargs)

        verdicts.simulate = counted

        def pytest_terminal_summary(terminalreporter):
            terminalreporter.write_line(f"simulations: {len(made)}")
        """
    )
    done = project.runpytest_subprocess("p", TEMPLATE)
    done.stdout.fnmatch_lines(["simulations: 1"])


def test_the_template_may_come_from_the_ini_file(project):
    project.makeini("[pytest]\nquota_template = queue.yaml\nquota_under = default\n")
    project.runpytest("p").assert_outcomes(passed=1, failed=1)
    project.runpytest("../" + project.path.name + "/p/urgent.yaml").assert_outcomes(passed=1, failed=1)


def test_the_ini_file_may_say_which_files_are_policies(project):
    (project.path / "other.yaml").write_text(POLICY)
    project.makeini("[pytest]\nquota_template = queue.yaml\nquota_policies = p/*.yaml\n")
    project.runpytest().assert_outcomes(passed=1, failed=1)
    project.runpytest("other.yaml", TEMPLATE).assert_outcomes(passed=1, failed=1)


def test_a_parameter_of_the_template_has_a_value(project):
    template = """\
Parameters: {Instances: {Type: Number}}
Resources:
  Policy: {Type: AWS::Batch::SchedulingPolicy, Properties: {QuotaSharePolicy: {IdleResourceAssignmentStrategy: FIFO}}}
  Env:
    Type: AWS::Batch::ServiceEnvironment
    Properties:
      ServiceEnvironmentType: SAGEMAKER_TRAINING
      CapacityLimits: [{CapacityUnit: ml.g5.xlarge, MaxCapacity: !Ref Instances}]
  Queue:
    Type: AWS::Batch::JobQueue
    Properties:
      JobQueueType: SAGEMAKER_TRAINING
      Priority: 1
      SchedulingPolicyArn: !Ref Policy
      ServiceEnvironmentOrder: [{Order: 1, ServiceEnvironment: !Ref Env}]
  Share:
    Type: AWS::Batch::QuotaShare
    Properties:
      QuotaShareName: QS3
      JobQueue: !Ref Queue
      CapacityLimits: [{CapacityUnit: ml.g5.xlarge, MaxCapacity: !Ref Instances}]
      ResourceSharingConfiguration: {Strategy: RESERVE}
      PreemptionConfiguration: {InSharePreemption: DISABLED}
"""
    (project.path / "t.yaml").write_text(template)
    given = ("p", "--quota-template=t.yaml")
    project.runpytest(*given, "--quota-param=Instances=1").assert_outcomes(passed=1, failed=1)
    project.runpytest(*given, "--quota-param=Instances=2").assert_outcomes(passed=2)
    done = project.runpytest(*given)
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(["*Instances*"])


def test_a_policy_whose_optional_trace_is_absent_is_skipped(project):
    trace = "workload: {trace: {file: none.csv, optional: true, format: philly}}\nexpect: [{finished: all}]\n"
    (project.path / "p/urgent.yaml").write_text(trace)
    done = project.runpytest("p", TEMPLATE, "-rs")
    done.assert_outcomes(skipped=1)
    done.stdout.fnmatch_lines(["*there is no p/none.csv*"])


@pytest.mark.parametrize(("day", "outcome"), [("2026-12-31", "xfailed"), ("2027-01-01", "failed")])
def test_a_waived_claim_is_an_expected_failure_until_its_day(project, day, outcome):
    (project.path / "p/urgent.yaml").write_text(POLICY + WAIVER)
    done = project.runpytest("p", TEMPLATE, "-rx", f"--quota-today={day}")
    done.assert_outcomes(passed=1, **{outcome: 1})
    said = "waived until" if outcome == "xfailed" else "waiver expired on"
    done.stdout.fnmatch_lines([f"*{said} 2026-12-31: new machines in May*"])


def test_a_waiver_that_is_not_needed_is_a_warning(project):
    (project.path / "p/urgent.yaml").write_text((POLICY + WAIVER).replace("<= 1m", "<= 2h"))
    done = project.runpytest("p", TEMPLATE)
    done.assert_outcomes(passed=2, warnings=1)
    done.stdout.fnmatch_lines(["*no longer needed*"])


def test_the_junit_report_names_claims_and_figures(project):
    project.runpytest("p", TEMPLATE, "--junitxml=report.xml")
    cases = {case.get("name"): case for case in ET.parse(project.path / "report.xml").iter("testcase")}  # noqa: S314
    assert set(cases) == {FAILS, HOLDS}
    assert "worst job: second" in (cases[FAILS].find("failure").text or "")
    properties = {p.get("name"): p.get("value") for p in cases[FAILS].iter("property")}
    assert properties == {"claim": "QS3.wait-max", "verdict": "fails", "measured": "1h"}


@pytest.mark.parametrize("how", ["load", "loadgroup"])
def test_it_works_with_xdist(project, how):
    done = project.runpytest_subprocess("p", TEMPLATE, "-n", "2", "--dist", how)
    done.assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (POLICY.replace("wait:", "wiat:"), "p/urgent.yaml:9: expect*: unknown key 'wiat'; did you mean 'wait'?"),
        (POLICY + "  - {a: [\n", "p/urgent.yaml:*: malformed YAML*"),
    ],
)
def test_a_bad_policy_file_is_one_line_and_no_traceback(project, text, said):
    (project.path / "p/urgent.yaml").write_text(text)
    done = project.runpytest("p", TEMPLATE)
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([said.replace("[", "[[]")])
    done.stdout.no_fnmatch_line("*Traceback*")
    done.stdout.no_fnmatch_line("*Error*errors.py*")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--quota-template=none.yaml", "none.yaml: no such file"),
        ("--quota-app=none.py", "none.py: there is no such app; set quota_app to the Python file of the app"),
    ],
)
def test_a_template_that_cannot_be_read_fails_each_claim_in_one_line(project, option, said):
    done = project.runpytest("p", option)
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines([said])
    done.stdout.no_fnmatch_line("*Traceback*")


def test_names_that_the_queue_does_not_have_fail_in_one_line(project):
    (project.path / "p/urgent.yaml").write_text(POLICY.replace("share: QS3\n", "share: QS4\n"))
    done = project.runpytest("p", TEMPLATE)
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(["p/urgent.yaml:8: *the queue has no share 'QS4'*"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--quota-template=queue.yaml", "--quota-app=app.py"), "*both a template and an app*"),
        ((TEMPLATE, "--quota-param=Instances"), "*'Instances' is not NAME=VALUE*"),
        ((TEMPLATE, "--quota-today=tomorrow"), "*'tomorrow' is not a date*"),
        ((TEMPLATE, "--quota-under=some"), "*invalid choice: 'some'*"),
    ],
)
def test_bad_options_are_usage_errors(project, options, said):
    done = project.runpytest("p", *options)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([said])


def test_without_a_template_a_named_policy_says_how_to_give_one(project):
    done = project.runpytest("p")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*no template is configured; give --quota-template FILE*"])


def test_without_a_template_a_plain_run_collects_what_it_always_did(project):
    project.makepyfile("def test_own(): pass")
    project.runpytest().assert_outcomes(passed=1)


def test_other_yaml_files_are_none_of_its_business(project):
    for name, text in (
        ("p/config.yaml", "workload: heavy\n"),
        ("p/nested.yaml", "a:\n  workload: 1\n  expect: 2\n"),
        ("p/broken.yaml", "{[\n"),
    ):
        (project.path / name).write_text(text)
    (project.path / "p/binary.yaml").write_bytes(bytes(range(256)))
    project.runpytest("p", TEMPLATE).assert_outcomes(passed=1, failed=1)


def test_it_costs_nothing_where_it_is_not_used(project):
    project.makepyfile(
        """
        import sys

        def test_nothing_heavy_is_loaded():
            ours = [name for name in sys.modules if name.startswith("quota_verifier.") and name.count(".") == 1]
            assert sorted(ours) == ["quota_verifier.errors", "quota_verifier.pytest_plugin"]
            assert not {"numpy", "pydantic", "yaml", "rich", "aws_cdk"} & set(sys.modules)
        """
    )
    # Other plugins may load packages of their own.
    others = ("syrupy", "hypothesispytest", "typeguard", "xdist")
    done = project.runpytest_subprocess(*(word for name in others for word in ("-p", f"no:{name}")))
    done.assert_outcomes(passed=1)


def test_the_app_is_synthesised_once_and_judged_though_its_own_validation_fails(project):
    (project.path / "app.py").write_text(
        f"""\
import sys
from pathlib import Path
sys.path[:0] = [{str(ROOT / "constructs")!r}, {str(ROOT / "policies")!r}]
with Path("runs.txt").open("a") as runs:
    print("run", file=runs)
from quota_shares import QuotaManagedQueue, QuotaShareValidation, ResourceSharing
import aws_cdk as cdk
app = cdk.App()
stack = cdk.Stack(app, "Demo")
queue = QuotaManagedQueue(stack, "Training", capacity_limits={{"ml.g5.xlarge": 1}})
queue.add_share("QS3", capacity_limits={{"ml.g5.xlarge": int(app.node.get_context("instances"))}})
queue.verify("p/urgent.yaml")
cdk.Validations.of(app).add_plugins(QuotaShareValidation())
app.synth()
"""
    )
    (project.path / "cdk.json").write_text('{"context": {"instances": 1}}')
    (project.path / "p/again.yaml").write_text(POLICY)
    done = project.runpytest_subprocess("p", "--quota-app=app.py")
    done.assert_outcomes(passed=2, failed=2)
    assert (project.path / "runs.txt").read_text() == "run\n"


def test_an_app_that_fails_is_told_in_one_line(project):
    (project.path / "app.py").write_text("import nothing_like_this\n")
    done = project.runpytest("p", "--quota-app=app.py")
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(
        ["app.py: the app exits with 1: ModuleNotFoundError: No module named 'nothing_like_this'; see `python* app.py`"]
    )


def test_an_app_needs_the_cdk(project, monkeypatch):
    from quota_verifier.pytest_plugin import app

    monkeypatch.setattr(app, "find_spec", lambda _: None)
    (project.path / "app.py").write_text("")
    done = project.runpytest_inprocess("p", "--quota-app=app.py")
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(
        ["app.py: an app needs the CDK, which is not installed; pip install 'quota-shares[[]cdk]'*"]
    )


def test_the_demos_policies_are_tests_on_its_app():
    words = [sys.executable, "-m", "pytest", "policies", "-v", "-k", "aws_example", "-p", "no:cacheprovider"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "policies/aws_example.yaml::queue: running high, med at 0s PASSED" in done.stdout
    assert "9 passed" in done.stdout
