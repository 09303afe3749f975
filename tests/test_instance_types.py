"""The list of instance types is the one that the installed SageMaker API model has."""

from __future__ import annotations

import pytest

from quota_verifier.instance_types import (
    closest_instance_type,
    instance_types_source,
    training_instance_types,
)


def test_the_list_is_that_of_the_installed_botocore() -> None:
    loaders = pytest.importorskip("botocore.loaders")
    model = loaders.Loader().load_service_model("sagemaker", "service-2")

    missing = set(model["shapes"]["TrainingInstanceType"]["enum"]) ^ training_instance_types()
    assert not missing, "run: python tools/refresh_instance_types.py"


def test_the_list_says_where_it_came_from() -> None:
    assert "enum TrainingInstanceType" in instance_types_source()


@pytest.mark.parametrize(
    ("unit", "closest"),
    [("g5.xlarge", "ml.g5.xlarge"), ("ml.g5.xlrage", "ml.g5.xlarge"), ("NUM_INSTANCES", None)],
)
def test_a_misspelt_type_leads_to_the_one_that_was_meant(unit: str, closest: str | None) -> None:
    assert closest_instance_type(unit) == closest
