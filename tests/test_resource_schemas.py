"""The shipped schemas of the Batch resources are those of the installed cfn-lint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quota_verifier.errors import InputError
from quota_verifier.resource_schemas import property_schema, resource_schema, resource_schemas, schemas_source

DATA = Path(__file__).parents[1] / "policies/quota_verifier/data/batch_resource_schemas.json"


def test_the_schemas_are_those_of_the_installed_cfn_lint():
    pytest.importorskip("cfnlint")
    from tools.refresh_resource_schemas import schemas

    shipped = json.loads(DATA.read_text(encoding="utf-8"))["types"]
    assert shipped == schemas(), "run: python tools/refresh_resource_schemas.py"


def test_the_schemas_say_where_they_came_from():
    assert schemas_source().startswith("cfn-lint ")


@pytest.mark.parametrize(
    ("resource_type", "create_only"),
    [
        ("AWS::Batch::JobQueue", ("JobQueueName", "JobQueueType")),
        ("AWS::Batch::QuotaShare", ("JobQueue", "QuotaShareName")),
        ("AWS::Batch::SchedulingPolicy", ("Name",)),
        ("AWS::Batch::ServiceEnvironment", ("ServiceEnvironmentName", "ServiceEnvironmentType")),
    ],
)
def test_create_only_properties_do_not_include_tags(resource_type, create_only):
    """Case C25: tags are updatable today, whatever older tables say."""
    assert resource_schema(resource_type).create_only == create_only


def test_every_required_create_only_and_read_only_property_has_a_schema():
    for schema in resource_schemas().values():
        assert {*schema.required, *schema.create_only, *schema.read_only} <= {*schema.properties}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("CapacityLimits", "array"),
        ("CapacityLimits[]", "object"),
        ("CapacityLimits[].MaxCapacity", "integer"),
        ("ResourceSharingConfiguration.Strategy", "string"),
        ("Tags.team", "string"),
    ],
)
def test_a_property_is_found_by_its_path(path, kind):
    assert property_schema("AWS::Batch::QuotaShare", path).type == kind


def test_an_enumeration_knows_its_values():
    strategy = property_schema("AWS::Batch::QuotaShare", "ResourceSharingConfiguration.Strategy")
    assert strategy.values == ("LEND", "LEND_AND_BORROW", "RESERVE")
    assert strategy.any_case
    assert not property_schema("AWS::Batch::QuotaShare", "State").any_case


@pytest.mark.parametrize(
    ("resource_type", "path", "message"),
    [
        ("AWS::Batch::QuotaShares", "State", "did you mean 'AWS::Batch::QuotaShare'?"),
        ("AWS::Batch::QuotaShare", "CapacityLimits[].MaxCapacty", "did you mean 'CapacityLimits[].MaxCapacity'?"),
        ("AWS::Batch::QuotaShare", "CapacityLimits.MaxCapacity", "did you mean 'CapacityLimits[].MaxCapacity'?"),
        ("AWS::Batch::QuotaShare", "Tags.team.name", "has no property"),
        ("AWS::Batch::QuotaShare", "", "has no property"),
    ],
)
def test_an_unknown_type_or_path_is_an_error_that_names_the_nearest(resource_type, path, message):
    with pytest.raises(InputError) as error:
        property_schema(resource_type, path)
    assert message in str(error.value)
