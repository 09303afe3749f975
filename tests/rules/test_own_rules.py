"""Rules of your own, as data and as code, are checked when they are loaded like the shipped ones."""

from __future__ import annotations

import shutil

import pytest
from lint_builders import G5, G6, ROOT, clean, put, template

from quota_verifier.errors import InputError
from quota_verifier.lint import Severity, lint_template
from quota_verifier.lint.own_rules import load_own_rules

STRATEGY = "ResourceSharingConfiguration.Strategy"
BORROW = "ResourceSharingConfiguration.BorrowLimit"


def entry(path=STRATEGY, id="E9601", resource="AWS::Batch::QuotaShare", **words):
    """One rule as YAML; `property` among the words stands for the path."""
    rows = {"id": id, "title": "A title", "why": "A reason.", "resource": resource, "property": path, **words}
    return "  - " + "\n    ".join(f"{key}: {value}" for key, value in rows.items() if value is not ...)


def rule_file(folder, *entries, name="ours.yaml"):
    path = folder / name
    path.write_text("rules:\n" + "\n".join(entries) + "\n")
    return path


def found(folder, of, *entries, **sections):
    rules = load_own_rules([rule_file(folder, *entries)])
    report = lint_template(template(of, **sections), rules)
    return [(f.logical_id, f.message, f.fix) for f in report.findings]


def borrowing(limit):
    sharing = {"Strategy": "LEND_AND_BORROW", **({} if limit is None else {"BorrowLimit": limit})}
    return put(clean(), sharing, "A", "ResourceSharingConfiguration")


@pytest.mark.parametrize("strategy", ["RESERVE", "reserve"])
def test_every_share_must_lend(tmp_path, strategy):
    of = put(clean(), strategy, "B", *STRATEGY.split("."))
    assert found(tmp_path, of, entry(one_of="[LEND, lend_and_borrow]")) == [
        ("B", "Strategy RESERVE is not LEND or LEND_AND_BORROW", "write LEND or LEND_AND_BORROW")
    ]
    assert found(tmp_path, clean(), entry(one_of="[LEND, LEND_AND_BORROW]")) == []


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (50, None),
        (100, None),
        ("100", None),
        (0, None),
        (101, "BorrowLimit 101 is above 100"),
        ("200", "BorrowLimit 200 is above 100"),
        (-1, "BorrowLimit -1 is unlimited, above 100"),
        (None, "an absent BorrowLimit is unlimited, above 100"),
    ],
)
def test_a_borrow_limit_of_at_most_100_does_not_let_unlimited_pass(tmp_path, limit, message):
    """-1 is smaller than 100 as a number, and an absent property is nothing to compare: both would slip through."""
    expected = [] if message is None else [("A", message, "write at most 100")]
    assert found(tmp_path, borrowing(limit), entry(BORROW, at_most=100)) == expected


def test_a_share_that_does_not_borrow_has_no_limit_to_judge(tmp_path):
    of = put(clean(), {"Strategy": "LEND"}, "A", "ResourceSharingConfiguration")
    assert found(tmp_path, of, entry(BORROW, at_most=100), entry(BORROW, at_least=1, id="E9602")) == []


def test_unlimited_is_above_any_least(tmp_path):
    assert found(tmp_path, borrowing(None), entry(BORROW, at_least=100)) == []
    assert found(tmp_path, borrowing(50), entry(BORROW, at_least=100)) == [
        ("A", "BorrowLimit 50 is below 100", "write at least 100")
    ]


def test_only_these_instance_types(tmp_path):
    of = put(clean(), {"CapacityUnit": G6, "MaxCapacity": 1}, "B", "CapacityLimits", 0)
    unit = entry("CapacityLimits[].CapacityUnit", one_of=f"[{G5}]")
    assert found(tmp_path, of, unit) == [("B", f"CapacityUnit {G6} is not {G5}", f"write {G5}")]


@pytest.mark.parametrize(
    ("words", "path", "message"),
    [
        ({"none_of": "[LEND]"}, STRATEGY, "Strategy LEND is not allowed"),
        ({"matches": "team-.*"}, "QuotaShareName", "QuotaShareName vision does not match team-.*"),
        ({"present": "true"}, "Tags.owner", "Tags.owner is missing"),
        ({"present": "false"}, STRATEGY, "ResourceSharingConfiguration.Strategy is there"),
        ({"at_least": 3}, "CapacityLimits[].MaxCapacity", "MaxCapacity 2 is below 3"),
        ({"at_least": 3, "at_most": 1}, "CapacityLimits[].MaxCapacity", "MaxCapacity 2 is below 3"),
    ],
)
def test_what_can_be_required(tmp_path, words, path, message):
    assert message in [
        text for logical_id, text, _ in found(tmp_path, clean(), entry(path, **words)) if logical_id == "B"
    ]


def test_a_pattern_is_for_the_whole_value(tmp_path):
    assert len(found(tmp_path, clean(), entry("QuotaShareName", matches="visio"))) == 2
    assert [i for i, *_ in found(tmp_path, clean(), entry("QuotaShareName", matches="vision"))] == ["A"]


def test_the_advice_may_be_your_own(tmp_path):
    text = entry(none_of="[LEND]", fix="ask the platform team")
    assert [fix for *_, fix in found(tmp_path, clean(), text)] == ["ask the platform team"]


@pytest.mark.parametrize(
    ("when", "ids"),
    [
        ("{property: QuotaShareName, matches: 'vis.*'}", ["B"]),
        ("{property: QuotaShareName, matches: 'nlp.*'}", []),
        ("{property: State, one_of: [ENABLED]}", []),
        ("{property: State, present: false}", ["A", "B"]),
        ("{property: 'CapacityLimits[].MaxCapacity', at_least: 3}", ["A"]),
        (f"{{property: {BORROW}, at_most: 50}}", ["A", "B"]),
    ],
)
def test_a_rule_may_be_for_some_resources_only(tmp_path, when, ids):
    of = found(tmp_path, clean(), entry("Tags.owner", present="true", when=when))
    assert [logical_id for logical_id, *_ in of] == ids


def test_what_the_deployment_decides_is_noted(tmp_path):
    of = put(clean(), {"Ref": "S"}, "B", *STRATEGY.split("."))
    rules = load_own_rules([rule_file(tmp_path, entry(one_of="[LEND_AND_BORROW]"))])
    report = lint_template(template(of, Parameters={"S": {"Type": "String"}}), rules)
    assert report.findings == ()
    assert [(note.logical_id, note.where) for note in report.not_checked] == [("B", STRATEGY)]


def test_a_condition_that_the_deployment_decides_is_noted(tmp_path):
    of = put(clean(), {"Ref": "S"}, "B", "QuotaShareName")
    text = entry("Tags.owner", present="true", when="{property: QuotaShareName, matches: 'vis.*'}")
    report = lint_template(
        template(of, Parameters={"S": {"Type": "String"}}), load_own_rules([rule_file(tmp_path, text)])
    )
    assert report.findings == ()
    assert [(note.logical_id, note.where) for note in report.not_checked] == [("B", "QuotaShareName")]


def test_queues_outside_quota_management_are_none_of_its_business(tmp_path):
    of = {**clean(), "Other": {"Type": "AWS::Batch::JobQueue", "Properties": {"Priority": 9, "JobQueueType": "ECS"}}}
    text = entry("Priority", resource="AWS::Batch::JobQueue", at_most=0)
    assert [logical_id for logical_id, *_ in found(tmp_path, of, text)] == ["Q"]


def test_the_first_letter_is_the_severity(tmp_path):
    rules = load_own_rules([rule_file(tmp_path, *(entry(id=f"{letter}9700", present="false") for letter in "EWI"))])
    assert [rule.severity for rule in rules] == [Severity.ERROR, Severity.WARNING, Severity.INFO]


MISTAKES = [
    ({"resource": "AWS::Batch::QuotaShares"}, "unknown resource type 'AWS::Batch::QuotaShares'; did you mean"),
    ({"property": "Strategy"}, "AWS::Batch::QuotaShare has no property 'Strategy'"),
    ({"property": "CapacityLimit[].MaxCapacity"}, "did you mean 'CapacityLimits[].MaxCapacity'?"),
    ({"one_of": "[LENDS]"}, "'LENDS' is no value of ResourceSharingConfiguration.Strategy; did you mean 'LEND'?"),
    ({"one_of": "[1]"}, "1 is not a text"),
    ({"one_of": "[]"}, "has 0 items; give at least 1"),
    ({"at_most": 3}, "ResourceSharingConfiguration.Strategy is no number but a text"),
    ({"property": BORROW, "at_most": "'100'"}, "'100' is not a whole number"),
    ({"property": BORROW, "at_most": 0.5}, "0.5 is not a whole number"),
    ({"property": BORROW, "matches": "1.*"}, "is no text but a whole number"),
    ({"property": BORROW, "one_of": "[ten]"}, "'ten' is not a whole number"),
    ({"property": "CapacityLimits", "one_of": "[ten]"}, "CapacityLimits has no plain value: it is a list"),
    ({"matches": "'('"}, "'(' is no regular expression"),
    ({"one_of": ...}, "says nothing of the property; add one of one_of, none_of, at_least, at_most, matches, present"),
    ({"id": "E9501"}, "E9501 is kept for the rules that come with quota-shares"),
    ({"id": "ACME-1"}, "not a rule id; write E, W or I and four digits from 9600 to 9999"),
    ({"id": "E9400"}, "not a rule id"),
    ({"why": "''"}, "'' is too short"),
    ({"why": ...}, "is missing; add 'why'"),
    ({"title": '"two\\nlines"'}, "title is not one line of text"),
    ({"source": "wiki"}, "source 'wiki' is not an address"),
    ({"severity": "error"}, "unknown key 'severity'"),
    ({"when": "{property: Nothing, present: true}"}, "AWS::Batch::QuotaShare has no property 'Nothing'"),
    ({"when": "{property: State}"}, "says nothing of the property"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES, ids=[message[:40] for _, message in MISTAKES])
def test_a_mistake_in_a_rule_file_is_an_error_with_its_line(tmp_path, words, message):
    required = {} if {"one_of", "at_most", "matches"} & {*words} else {"one_of": "[LEND]"}
    path = rule_file(tmp_path, entry(**{**required, **words}))
    with pytest.raises(InputError) as error:
        load_own_rules([path])
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}:")


def test_an_id_is_used_once_over_all_files(tmp_path):
    one, two = (rule_file(tmp_path, entry(present="true"), name=name) for name in ("one.yaml", "two.yaml"))
    with pytest.raises(InputError, match=r"two.yaml:2: rule E9601: E9601 is also a rule in .*one.yaml:2"):
        load_own_rules([one, two])


TEN_LINES = """\
from quota_verifier.lint import Rule, Violation
from quota_verifier.template import QUOTA_SHARE


def check(template):
    for share in template.of_type(QUOTA_SHARE):
        if share.name == "vision":
            yield Violation(share, ("QuotaShareName",), "a share called vision", "name the team")


RULE = Rule("E9604", "Shares are named after teams", "Nobody owns it.", {QUOTA_SHARE: ("QuotaShareName",)}, check)
"""


def python_file(folder, text=TEN_LINES, name="ours.py"):
    path = folder / name
    path.write_text(text)
    return path


def test_a_rule_may_be_ten_lines_of_python(tmp_path):
    (rule,) = load_own_rules([python_file(tmp_path)])
    (finding,) = lint_template(template(clean()), [rule]).findings
    assert (finding.rule, finding.logical_id, finding.sentence) == (
        "E9604",
        "B",
        "a share called vision; name the team",
    )


def test_the_page_on_rules_shows_this_rule():
    text = (ROOT / "docs/rules.md").read_text()
    code = text.partition("```python\n")[2].partition("```")[0]
    assert (
        code.replace('"default"', '"vision"').replace("called default", "called vision").splitlines()[:8]
        == (TEN_LINES.splitlines()[:8])
    )


def test_the_rule_file_on_the_page_loads(tmp_path):
    text = (ROOT / "docs/rules.md").read_text()
    block = next(part.partition("```")[0] for part in text.split("```yaml\n")[1:] if part.startswith("rules:"))
    (tmp_path / "page.yaml").write_text(block)
    assert [rule.id for rule in load_own_rules([tmp_path / "page.yaml"])] == ["E9601", "W9602", "E9603"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nothing_like_this\n", "did not load: ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("def check(:\n", "did not load: SyntaxError"),
        ("RULES = []\n", "no rule in it; assign a quota_verifier.lint.Rule to a name"),
        (TEN_LINES.replace("E9604", "E9516"), "E9516 is kept for the rules that come with quota-shares"),
        (TEN_LINES.replace("E9604", "Z9604"), "rule Z9604: not a rule id"),
        (
            TEN_LINES.replace('{QUOTA_SHARE: ("QuotaShareName",)}', '{QUOTA_SHARE: ("ShareName",)}'),
            "no property 'ShareName'",
        ),
        (TEN_LINES.replace('{QUOTA_SHARE: ("QuotaShareName",)}', "{}"), "names no property"),
    ],
    ids=["import", "syntax", "none", "taken", "id", "path", "properties"],
)
def test_a_python_file_that_gives_no_rule_is_an_error(tmp_path, text, message):
    path = python_file(tmp_path, text)
    with pytest.raises(InputError) as error:
        load_own_rules([path])
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_a_rule_that_breaks_is_bad_input_with_its_line(tmp_path):
    path = python_file(tmp_path, TEN_LINES.replace("share.name ==", "share.nome =="))
    with pytest.raises(InputError) as error:
        lint_template(template(clean()), load_own_rules([path]))
    assert str(error.value).startswith(f"{path}:7: rule E9604 broke: AttributeError: ")


@pytest.mark.parametrize("result", ['"wrong"', "share", "None"])
def test_a_rule_yields_violations_or_unknowns(tmp_path, result):
    text = TEN_LINES.replace('Violation(share, ("QuotaShareName",), "a share called vision", "name the team")', result)
    rules = load_own_rules([python_file(tmp_path, text)])
    with pytest.raises(
        InputError, match=r"rule E9604 broke: TypeError: it yields .* neither a Violation nor an Unknown"
    ):
        lint_template(template(clean()), rules)


def test_a_shipped_rule_that_a_file_imports_is_not_a_rule_of_its_own(tmp_path):
    taken = "from quota_verifier.rules.e9516_shares_fit_the_environment.rule import RULE as SHIPPED\n"
    assert [rule.id for rule in load_own_rules([python_file(tmp_path, taken + TEN_LINES)])] == ["E9604"]


def test_a_folder_may_look_like_that_of_the_shipped_rules(tmp_path):
    shipped = ROOT / "policies/quota_verifier/rules/e9516_shares_fit_the_environment"
    for number in (9601, 9602):
        copied = shutil.copytree(shipped, tmp_path / f"e{number}", ignore=shutil.ignore_patterns("__pycache__"))
        text = (copied / "rule.py").read_text()
        (copied / "rule.py").write_text(text.replace("E9516", f"E{number}"))
    assert [rule.id for rule in load_own_rules([tmp_path])] == ["E9601", "E9602"]
    assert [rule.id for rule in load_own_rules([tmp_path / "e9602"])] == ["E9602"]


def test_what_is_no_rule_file_is_an_error(tmp_path):
    (tmp_path / "rules.txt").write_text("x")
    for path, message in (
        (tmp_path / "rules.txt", "neither a rule file nor Python"),
        (tmp_path, "no rule.py in it or in a folder in it"),
        (tmp_path / "gone.py", "no such file"),
        (tmp_path / "gone.yaml", "no such file"),
    ):
        with pytest.raises(InputError, match=message):
            load_own_rules([path])


def test_own_rules_come_in_the_order_that_they_are_given(tmp_path):
    files = [rule_file(tmp_path, entry(id=i, present="true"), name=f"{i}.yaml") for i in ("W9602", "E9601")]
    assert [rule.id for rule in load_own_rules(files)] == ["W9602", "E9601"]
