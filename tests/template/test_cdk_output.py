"""Templates that CDK really writes; needs the cdk extra and node, nothing else of the project."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from quota_verifier.documents import dump_yaml
from quota_verifier.errors import InputError
from quota_verifier.model import Strategy
from quota_verifier.template import load_template, read_queue, read_queues

cdk = pytest.importorskip("aws_cdk", reason="needs the cdk extra")
Construct = pytest.importorskip("constructs").Construct
batch = pytest.importorskip("aws_cdk.aws_batch")

pytestmark = pytest.mark.xdist_group("cdk")
G5 = "ml.g5.xlarge"


def _limit(kind, capacity):
    return kind(capacity_unit=G5, max_capacity=capacity)


def _queue(stack, capacity):
    policy = batch.CfnSchedulingPolicy(
        stack,
        "Policy",
        quota_share_policy=batch.CfnSchedulingPolicy.QuotaSharePolicyProperty(idle_resource_assignment_strategy="FIFO"),
    )
    environment = batch.CfnServiceEnvironment(
        stack,
        "Environment",
        service_environment_type="SAGEMAKER_TRAINING",
        capacity_limits=[_limit(batch.CfnServiceEnvironment.CapacityLimitProperty, capacity)],
    )
    return batch.CfnJobQueue(
        stack,
        "Queue",
        priority=1,
        job_queue_type="SAGEMAKER_TRAINING",
        scheduling_policy_arn=policy.attr_arn,
        service_environment_order=[
            batch.CfnJobQueue.ServiceEnvironmentOrderProperty(
                order=1, service_environment=environment.attr_service_environment_arn
            )
        ],
    )


def _share(scope, name, *, job_queue, capacity=1, strategy="LEND_AND_BORROW", borrow_limit=None):
    kind = batch.CfnQuotaShare
    return kind(
        scope,
        name,
        quota_share_name=name,
        job_queue=job_queue,
        capacity_limits=[_limit(kind.QuotaShareCapacityLimitProperty, capacity)],
        preemption_configuration=kind.QuotaSharePreemptionConfigurationProperty(in_share_preemption="ENABLED"),
        resource_sharing_configuration=kind.QuotaShareResourceSharingConfigurationProperty(
            strategy=strategy, borrow_limit=borrow_limit
        ),
    )


@pytest.fixture(scope="module")
def assembly(tmp_path_factory):
    """A cloud assembly of a stack with a queue, one with parameters and a nested scope, one without any."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CDK_VALIDATION", "false")
        app = cdk.App(
            outdir=str(tmp_path_factory.mktemp("cdk.out")),
            analytics_reporting=False,
            context={"aws:cdk:enable-path-metadata": True},  # as the CDK CLI sets it
        )
        first = cdk.Stack(app, "Demo")
        queue = _queue(first, 3)
        team = Construct(first, "Team")
        _share(team, "QS1", job_queue=queue.attr_job_queue_arn, borrow_limit=0)
        _share(first, "QS2", job_queue=queue.ref, strategy="LEND")
        by_arn = first.format_arn(service="batch", resource="job-queue", resource_name=queue.ref)
        _share(first, "QS3", job_queue=by_arn, borrow_limit=-1)

        second = cdk.Stack(app, "Sized")
        size = cdk.CfnParameter(second, "Size", type="Number")
        sized = _queue(second, size.value_as_number)
        sized.job_queue_name = "sized"
        _share(second, "QS1", job_queue="sized", capacity=size.value_as_number)

        cdk.CfnResource(cdk.Stack(app, "Other"), "Bucket", type="AWS::S3::Bucket")
        return app.synth().directory


def _template(assembly, stack):
    return f"{assembly}/{stack}.template.json"


def test_a_synthesised_stack_reads_with_construct_paths(assembly):
    queue = read_queue(_template(assembly, "Demo"))
    assert queue.source == "Demo/Queue"
    assert queue.environment.source == "Demo/Environment"
    assert queue.environment.limits == {G5: 3}
    assert [(share.name, share.source, share.strategy, share.borrow_limit) for share in queue.shares] == [
        ("QS1", "Demo/Team/QS1", Strategy.LEND_AND_BORROW, 0),
        ("QS2", "Demo/QS2", Strategy.LEND, None),
        ("QS3", "Demo/QS3", Strategy.LEND_AND_BORROW, -1),
    ]


def test_a_capacity_left_to_a_parameter_is_asked_for_by_share_and_parameter(assembly):
    """C35: a token becomes a Ref, and only a value makes it a capacity."""
    file = _template(assembly, "Sized")
    with pytest.raises(InputError) as raised:
        read_queue(file)
    environment = next(i for i in load_template(file).resources if i.startswith("Environment"))
    problem = "depends on parameter Size, which has no default; give --param Size=VALUE"
    said = str(raised.value).split(": ", 1)[1]
    assert said == f"{environment} (Sized/Environment), CapacityLimits[0].MaxCapacity: {problem}"
    queue = read_queue(file, parameters={"Size": "7"})
    assert queue.environment.limits == queue.shares[0].limits == {G5: 7}


def test_a_cloud_assembly_is_read_as_one(assembly):
    queues = read_queues(assembly, parameters={"Size": "7"})
    assert [queue.source for queue in queues] == ["Demo/Queue", "Sized/Queue"]


def test_a_queue_of_a_cloud_assembly_is_named(assembly):
    assert read_queue(assembly, queue="Demo/Queue").environment.limits == {G5: 3}
    assert read_queue(assembly, queue="sized", parameters={"Size": "7"}).environment.limits == {G5: 7}


def test_a_cloud_assembly_of_several_queues_wants_one_named(assembly):
    with pytest.raises(InputError) as raised:
        read_queue(assembly, parameters={"Size": "7"})
    logical_id = next(i for i in load_template(_template(assembly, "Demo")).resources if i.startswith("Queue"))
    assert str(raised.value) == (
        f"{assembly}: 2 quota-managed job queues; name one of {logical_id} (Demo/Queue), sized (Sized/Queue)"
    )


def test_a_synthesised_stack_without_queues_says_so(assembly):
    file = _template(assembly, "Other")
    with pytest.raises(InputError) as raised:
        read_queue(file)
    assert str(raised.value) == f"{file}: no quota-managed job queue; it has no AWS::Batch::JobQueue"


def test_templates_of_assets_are_not_the_apps_own(assembly, tmp_path):
    copy = tmp_path / "cdk.out"
    shutil.copytree(assembly, copy)
    (copy / "asset.abc").mkdir()
    (copy / "asset.abc" / "x.template.json").write_text("{not a template")
    stage = copy / "assembly-Prod"
    stage.mkdir()
    (stage / "Prod.template.json").write_text((copy / "Demo.template.json").read_text())
    assert len(read_queues(copy, parameters={"Size": "7"})) == 3


def test_a_directory_without_templates_is_bad_input(tmp_path):
    with pytest.raises(InputError) as raised:
        read_queues(tmp_path)
    assert str(raised.value) == (
        f"{tmp_path}: no *.template.json in this directory;"
        " name a template, or the directory that cdk synth writes (cdk.out)"
    )


def test_the_json_of_cdk_and_its_yaml_read_alike(assembly, tmp_path):
    data = json.loads(Path(_template(assembly, "Demo")).read_text())
    file = tmp_path / "Demo.template.yaml"
    file.write_text(dump_yaml(data))
    assert read_queue(file) == read_queue(_template(assembly, "Demo"))
