"""What becomes of each resource: pairs, replacements derived from the registry schemas, order of deletion."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quota_verifier import resource_schemas
from quota_verifier.diff import Fate, changes, compare, diff, read_side
from quota_verifier.diff.order import created, deleted
from quota_verifier.documents import load_document
from quota_verifier.errors import InputError
from quota_verifier.template.yaml_tags import CLOUDFORMATION_TAGS

PAIRS = Path(__file__).parents[1] / "fixtures" / "diff"


def comparison(old, new):
    return compare(read_side(PAIRS / old, {}), read_side(PAIRS / new, {}))


def fates(old, new):
    return {change.pair.resource.logical_id: change.fate.value for change in comparison(old, new).changes}


def test_a_replaced_queue_replaces_its_shares_but_not_its_policy_and_environment():
    assert fates("base.yaml", "queue_type.yaml") == {
        "Environment": "kept",
        "Policy": "kept",
        "Queue": "replaced",
        "Research": "replaced",
        "Speech": "replaced",
        "Vision": "replaced",
    }


def test_a_replaced_policy_updates_its_queue_in_place():
    found = fates("base.yaml", "policy_named.yaml")
    assert (found["Policy"], found["Queue"], found["Vision"]) == ("replaced", "updated", "kept")


def test_a_share_that_names_its_queue_in_text_does_not_follow_it():
    """C27."""
    found = fates("named_literal.yaml", "named_literal_otherwise.yaml")
    assert (found["Queue"], found["Research"], found["Vision"]) == ("replaced", "kept", "replaced")


def test_a_replacement_is_seen_through_an_export():
    assert fates("stacks", "stacks_queue_replaced")["Vision"] == "replaced"


def test_another_logical_id_is_a_resource_deleted_and_one_created():
    """C28: paired by name where there is one, else by the part that the resource plays."""
    named = {change.pair.by for change in comparison("named.yaml", "named_queue_renamed.yaml").changes}
    assert named == {"logical id", "name"}
    (queue,) = [
        change for change in comparison("base.yaml", "queue_renamed.yaml").changes if change.fate is Fate.RECREATED
    ]
    assert queue.pair.by == "role"
    assert queue.pair.old is not None
    assert queue.pair.old.resource.logical_id == "Queue"


def test_a_construct_path_pairs_what_has_no_name(tmp_path):
    def template(logical_id, path):
        body = {"Type": "AWS::Batch::SchedulingPolicy", "Metadata": {"aws:cdk:path": path}}
        other = {"Type": "AWS::Batch::SchedulingPolicy", "Metadata": {"aws:cdk:path": "S/Other/Resource"}}
        return json.dumps({"Resources": {logical_id: body, f"Other{logical_id}": other}})

    (tmp_path / "old.json").write_text(template("PolicyA1", "S/Policy/Resource"))
    (tmp_path / "new.json").write_text(template("Legacy", "S/Policy/Resource"))
    found = compare(read_side(tmp_path / "old.json", {}), read_side(tmp_path / "new.json", {}))
    assert {
        (one.pair.old.resource.logical_id, one.pair.new.resource.logical_id, one.pair.by)
        for one in found.changes
        if one.pair.old and one.pair.new
    } == {("PolicyA1", "Legacy", "construct path"), ("OtherPolicyA1", "OtherLegacy", "construct path")}


def test_what_replaces_comes_from_the_schemas_alone(monkeypatch):
    """C25: a toolchain whose schema says that tags are create-only would have a queue replaced for them."""
    real = resource_schemas.resource_schema

    def older(resource_type):
        schema = real(resource_type)
        return replace(schema, create_only=(*schema.create_only, "Tags"))

    assert fates("base.yaml", "tags.yaml")["Queue"] == "updated"
    monkeypatch.setattr(changes, "resource_schema", older)
    assert fates("base.yaml", "tags.yaml")["Queue"] == "replaced"


def test_shares_go_before_their_queue_and_a_queue_before_its_policy_and_environment():
    """C26."""
    found = comparison("base.yaml", "all_renamed.yaml")
    gone = [change.pair.old.resource.logical_id for change in deleted(found) if change.pair.old]
    assert gone == ["Research", "Speech", "Vision", "Queue", "Environment"]
    come = [change.pair.resource.logical_id for change in created(found)]
    assert come == ["Capacity", "TrainingQueue", "Vision", "Speech", "Research"]


def test_references_overrule_the_usual_order(tmp_path):
    """C26: a policy that waits for the queue goes before it, whatever its type."""
    queue = {"Type": "AWS::Batch::JobQueue", "Properties": {"Priority": 1}}
    policy = {"Type": "AWS::Batch::SchedulingPolicy", "DependsOn": "Queue"}
    (tmp_path / "old.json").write_text(json.dumps({"Resources": {"Queue": queue, "Policy": policy}}))
    (tmp_path / "new.json").write_text(json.dumps({"Resources": {"T": {"Type": "AWS::SNS::Topic"}}}))
    found = compare(read_side(tmp_path / "old.json", {}), read_side(tmp_path / "new.json", {}))
    assert [change.pair.resource.logical_id for change in deleted(found)] == ["Policy", "Queue"]


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("base.yaml", "stacks", "2 templates, none of them called base.yaml; name one of Core.template.json, Team"),
        ("stacks", "base.yaml", "2 templates, none of them called base.yaml; name one of Core.template.json, Team"),
    ],
)
def test_one_template_is_compared_with_its_namesake_of_many(old, new, text):
    with pytest.raises(InputError, match=text):
        comparison(old, new)
    one = PAIRS / "stacks" / "Core.template.json"
    assert {change.fate for change in compare(read_side(PAIRS / "stacks", {}), read_side(one, {})).changes} == {
        Fate.KEPT
    }


def test_a_queue_file_is_not_compared_with_a_template(tmp_path):
    (tmp_path / "queue.yaml").write_text("environment: {ml.g5.xlarge: 1}\nshares: []\n")
    with pytest.raises(InputError, match="compare two queue files, or two templates"):
        compare(read_side(tmp_path / "queue.yaml", {}), read_side(PAIRS / "base.yaml", {}))


def _data(name):
    return load_document(PAIRS / name, tags=CLOUDFORMATION_TAGS).data


@settings(max_examples=25)
@given(st.sampled_from(["all_renamed", "limit_lowered", "literal_only", "share_removed", "states_disabled"]), st.data())
def test_the_order_of_resources_and_properties_decides_nothing(tmp_path_factory, name, data):
    folder = tmp_path_factory.mktemp("permuted")

    def written(file, target):
        resources = list(_data(file)["Resources"].items())
        shuffled = data.draw(st.permutations(resources))
        bodies = {key: {**body, "Properties": dict(reversed(body["Properties"].items()))} for key, body in shuffled}
        path = folder / target
        path.write_text(json.dumps({"Resources": bodies}))
        return path

    permuted = diff(written("base.yaml", "old.json"), written(f"{name}.yaml", "new.json"))
    straight = diff(PAIRS / "base.yaml", PAIRS / f"{name}.yaml")
    assert [(one.rule, one.logical_id, one.message) for one in permuted.findings] == [
        (one.rule, one.logical_id, one.message) for one in straight.findings
    ]
    assert [change.fate for change in permuted.comparison.changes] == [
        change.fate for change in straight.comparison.changes
    ]
