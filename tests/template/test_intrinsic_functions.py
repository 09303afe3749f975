from __future__ import annotations

import pytest

from quota_verifier.documents import parse_document
from quota_verifier.template import Unresolved, parse_template
from quota_verifier.template.yaml_tags import CLOUDFORMATION_TAGS

PREAMBLE = """\
Parameters:
  Known: {Type: Number, Default: 4}
  Open: {Type: String}
  List: {Type: CommaDelimitedList, Default: "a, b,c"}
  OpenList: {Type: List<Number>}
Mappings:
  Map: {first: {second: found}, 7: {second: by number}}
Conditions:
  Yes: !Equals [!Ref Known, "4"]
  No: !Not [!Condition Yes]
  Maybe: !Equals [!Ref Open, x]
Resources:
  Queue: {Type: AWS::Batch::JobQueue}
  X:
    Type: Custom::Any
    Properties:
      value: VALUE
"""


def _resolved(expression, values=None):
    text = PREAMBLE.replace("VALUE", expression)
    document = parse_document(text, source="t.yaml", tags=CLOUDFORMATION_TAGS)
    return parse_template(document, values=values or {}).resources["X"].properties.get("value", "ABSENT")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("!Ref Known", 4),
        ("{Ref: Known}", 4),
        ("!Ref List", ["a", "b", "c"]),
        ("!Ref AWS::NoValue", "ABSENT"),
        ("[1, !Ref AWS::NoValue, {a: !Ref AWS::NoValue, b: 2}]", [1, {"b": 2}]),
        ("!Sub x-${Known}-${!Open}", "x-4-${Open}"),
        ("!Sub ['${a}/${Known}', {a: !Select [1, !Ref List]}]", "b/4"),
        ("{'Fn::Sub': 'n${ Known }'}", "n4"),
        ("!Join ['-', [a, !Ref Known, !Ref AWS::NoValue, true]]", "a-4-true"),
        ("!Join ['+', !Ref List]", "a+b+c"),
        ("!Split ['/', a/b/c]", ["a", "b", "c"]),
        ("!Select [0, [a, b]]", "a"),
        ("!Select ['1', !Split ['-', a-b]]", "b"),
        ("!FindInMap [Map, first, second]", "found"),
        ("!FindInMap [Map, 7, second]", "by number"),
        ("!FindInMap [!Sub Map, first, !Join ['', [sec, ond]]]", "found"),
        ("!FindInMap [Map, first, third, {DefaultValue: else}]", "else"),
        ("!If [Yes, 1, 2]", 1),
        ("!If [No, 1, 2]", 2),
        ("!If [No, 1, !Ref AWS::NoValue]", "ABSENT"),
        ("!If [Yes, {a: !If [No, 1, !Ref Known]}, 2]", {"a": 4}),
        ("!Length [1, 2, 3]", 3),
        ("!Length {Ref: List}", 3),
    ],
)
def test_a_function_that_the_template_decides_is_evaluated(expression, value):
    assert _resolved(expression) == value


NO_DEFAULT = "depends on parameter Open, which has no default"
ONLY_DEPLOYED = "is known only once Queue is deployed"


@pytest.mark.parametrize(
    ("expression", "unresolved"),
    [
        ("!Ref Open", Unresolved("${Open}", NO_DEFAULT, parameter="Open")),
        ("!Sub a-${Open}-b", Unresolved("a-${Open}-b", NO_DEFAULT, parameter="Open")),
        ("!Join ['/', [a, !Ref Open]]", Unresolved("a/${Open}", NO_DEFAULT, parameter="Open")),
        ("!Split ['-', !Ref Open]", Unresolved("${Fn::Split(-, ${Open})}", NO_DEFAULT, parameter="Open")),
        ("!Select [0, [!Ref Open]]", Unresolved("${Open}", NO_DEFAULT, parameter="Open")),
        ("!Select [!Ref Open, [a]]", Unresolved("${Fn::Select(${Open}, a)}", NO_DEFAULT, parameter="Open")),
        (
            "!FindInMap [Map, !Ref Open, second]",
            Unresolved("${Fn::FindInMap(Map, ${Open}, second)}", NO_DEFAULT, parameter="Open"),
        ),
        ("!If [Maybe, 1, 2]", Unresolved("${Fn::If(Maybe)}", NO_DEFAULT, parameter="Open")),
        (
            "!Length {Ref: OpenList}",
            Unresolved(
                "${Fn::Length(${OpenList})}",
                "depends on parameter OpenList, which has no default",
                parameter="OpenList",
            ),
        ),
        (
            "!Join [',', !Ref OpenList]",
            Unresolved(
                "${Fn::Join(,, ${OpenList})}",
                "depends on parameter OpenList, which has no default",
                parameter="OpenList",
            ),
        ),
        ("!Ref AWS::Region", Unresolved("${AWS::Region}", "depends on AWS::Region", parameter="AWS::Region")),
        ("!Ref Queue", Unresolved("${Queue}", ONLY_DEPLOYED, resource="Queue")),
        ("!GetAtt Queue.JobQueueArn", Unresolved("${Queue.JobQueueArn}", ONLY_DEPLOYED, resource="Queue")),
        (
            "!Select [1, !Split ['/', !Ref Queue]]",
            Unresolved("${Fn::Select(1, ${Fn::Split(/, ${Queue})})}", ONLY_DEPLOYED, resource="Queue"),
        ),
        (
            "!Sub ${Queue}-${Open}",
            Unresolved("${Queue}-${Open}", NO_DEFAULT, parameter="Open", resource="Queue"),
        ),
        ("!Sub ${Queue}-${X}", Unresolved("${Queue}-${X}", ONLY_DEPLOYED)),
        (
            "!Ref Missing",
            Unresolved(
                "${Missing}",
                "refers to Missing, which the template does not declare",
                fix="declare it under Parameters or Resources",
            ),
        ),
        (
            "!GetAtt Missing.Arn",
            Unresolved(
                "${Missing.Arn}",
                "refers to Missing, which the template does not declare",
                fix="declare it under Parameters or Resources",
            ),
        ),
        (
            "!ImportValue {'Fn::Sub': '${AWS::Region}-x'}",
            Unresolved(
                "${Fn::ImportValue(${AWS::Region}-x)}",
                "is imported from another stack (export ${AWS::Region}-x)",
            ),
        ),
        (
            "'{{resolve:secretsmanager:s:SecretString:k}}'",
            Unresolved(
                "{{resolve:secretsmanager:s:SecretString:k}}",
                "is read by the deployment ({{resolve:secretsmanager:s:SecretString:k}})",
            ),
        ),
        (
            "!Base64 x",
            Unresolved("${Fn::Base64}", "needs Fn::Base64, which only CloudFormation can evaluate"),
        ),
        (
            "{Fn::Transform: {Name: M}, other: 1}",
            Unresolved("${Fn::Transform}", "needs Fn::Transform, which only CloudFormation can evaluate"),
        ),
    ],
)
def test_what_only_the_deployment_tells_stays_unresolved_and_says_why(expression, unresolved):
    assert _resolved(expression) == unresolved


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("!Ref [a]", "Ref"),
        ("!GetAtt Queue", "Fn::GetAtt"),
        ("!GetAtt [Queue]", "Fn::GetAtt"),
        ("!Sub [a]", "Fn::Sub"),
        ("!Join [a]", "Fn::Join"),
        ("!Join ['', x]", "Fn::Join"),
        ("!Split ['', x]", "Fn::Split"),
        ("!Split [x]", "Fn::Split"),
        ("!Select [3, [a]]", "Fn::Select"),
        ("!Select [-1, [a]]", "Fn::Select"),
        ("!Select [0, a]", "Fn::Select"),
        ("!Select [0]", "Fn::Select"),
        ("!FindInMap [Map]", "Fn::FindInMap"),
        ("!If [Yes, 1]", "Fn::If"),
        ("!Length 3", "Fn::Length"),
    ],
)
def test_a_malformed_function_is_kept_for_the_rules_to_see(expression, name):
    found = _resolved(expression)
    assert isinstance(found, Unresolved)
    assert found.reason.startswith(f"has a malformed {name}: ")
    assert found.remedy == f"correct the {name}"


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("!Equals [a, a]", 1),
        ("!Equals [a, b]", 2),
        ("!Equals [4, '4']", 1),
        ("!Equals [true, 'true']", 1),
        ("!And [!Condition Yes, !Condition Yes]", 1),
        ("!And [!Condition Yes, !Condition No]", 2),
        ("!And [!Condition Maybe, !Condition No]", 2),
        ("!Or [!Condition Maybe, !Condition Yes]", 1),
        ("!Or [!Condition No, !Condition No]", 2),
        ("!Not [!Not [!Condition Yes]]", 1),
    ],
)
def test_a_condition_that_the_template_decides_is_decided(condition, value):
    text = PREAMBLE.replace("  Maybe:", f"  Asked: {condition}\n  Maybe:").replace("VALUE", "!If [Asked, 1, 2]")
    document = parse_document(text, source="t.yaml", tags=CLOUDFORMATION_TAGS)
    assert parse_template(document).resources["X"].properties["value"] == value


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("!And [!Condition Maybe, !Condition Yes]", NO_DEFAULT),
        ("!Or [!Condition Maybe, !Condition No]", NO_DEFAULT),
        ("!Not [!Condition Maybe]", NO_DEFAULT),
        ("!Condition Nowhere", "depends on condition Nowhere, which the template does not declare"),
        ("!Condition Asked", "depends on condition Asked, which is defined by itself"),
        ("!And [!Condition Yes]", "depends on a malformed condition"),
        ("!Equals [a]", "depends on a malformed condition"),
        ("yes", "depends on a malformed condition"),
    ],
)
def test_a_condition_that_the_template_leaves_open_says_why(condition, reason):
    text = PREAMBLE.replace("  Maybe:", f"  Asked: {condition}\n  Maybe:").replace("VALUE", "!If [Asked, 1, 2]")
    document = parse_document(text, source="t.yaml", tags=CLOUDFORMATION_TAGS)
    found = parse_template(document).resources["X"].properties["value"]
    assert isinstance(found, Unresolved)
    assert found.reason == reason


def test_a_given_parameter_decides():
    assert _resolved("!If [Maybe, 1, 2]", {"Open": "x"}) == 1
    assert _resolved("!Sub ${AWS::Region}-${Open}", {"Open": "x", "AWS::Region": "eu-west-1"}) == "eu-west-1-x"
