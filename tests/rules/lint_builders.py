"""A template without findings, as data to break; and the rules by id."""

from __future__ import annotations

import copy
import json
from pathlib import Path

from quota_verifier.documents import parse_document
from quota_verifier.lint import Unknown, Violation, results, shipped_rules
from quota_verifier.template import load_template, parse_template
from quota_verifier.template.yaml_tags import CLOUDFORMATION_TAGS

ROOT = Path(__file__).parents[2]
CASES = ROOT.parent / "shared" / "cases"
FIXTURES = ROOT / "tests" / "fixtures" / "rules"
G5, G6, P5 = "ml.g5.xlarge", "ml.g6.xlarge", "ml.p5.48xlarge"
REASONS = (
    "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY",
    "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE",
    "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED",
)
RULES = {rule.id: rule for rule in shipped_rules()}


def limits(capacities):
    return [{"CapacityUnit": unit, "MaxCapacity": capacity} for unit, capacity in capacities.items()]


def environment(capacities, **properties):
    body = {"ServiceEnvironmentType": "SAGEMAKER_TRAINING", "CapacityLimits": limits(capacities), **properties}
    return {"Type": "AWS::Batch::ServiceEnvironment", "Properties": body}


def policy(**properties):
    body = properties or {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}}
    return {"Type": "AWS::Batch::SchedulingPolicy", "Properties": body}


def action(reason, **properties):
    return {"Reason": reason, "State": "RUNNABLE", "Action": "TERMINATE", "MaxTimeSeconds": 600, **properties}


def queue(environment="E", policy="P", **properties):
    body = {
        "JobQueueType": "SAGEMAKER_TRAINING",
        "Priority": 1,
        "SchedulingPolicyArn": {"Fn::GetAtt": [policy, "Arn"]},
        "ServiceEnvironmentOrder": [
            {"Order": 1, "ServiceEnvironment": {"Fn::GetAtt": [environment, "ServiceEnvironmentArn"]}}
        ],
        "JobStateTimeLimitActions": [action(reason) for reason in REASONS],
        **properties,
    }
    return {"Type": "AWS::Batch::JobQueue", "Properties": {k: v for k, v in body.items() if v is not None}}


def share(name, capacities, strategy="RESERVE", borrow_limit=None, *, queue="Q", **properties):
    sharing = {"Strategy": strategy, **({} if borrow_limit is None else {"BorrowLimit": borrow_limit})}
    capacities = capacities if isinstance(capacities, dict) else {G5: capacities}
    body = {
        "QuotaShareName": name,
        "JobQueue": {"Fn::GetAtt": [queue, "JobQueueArn"]},
        "CapacityLimits": limits(capacities),
        "ResourceSharingConfiguration": sharing,
        "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
        **properties,
    }
    return {"Type": "AWS::Batch::QuotaShare", "Properties": body}


def resources(capacities, **shares):
    return {"P": policy(), "E": environment(capacities), "Q": queue(), **shares}


def clean():
    """Resources in which no rule finds anything."""
    lends, borrows = share("vision", 2, "LEND"), share("research", 4, "LEND_AND_BORROW", 50)
    return copy.deepcopy(resources({G5: 6}, A=borrows, B=lends))


def template(of, **sections):
    body = {**sections, "Resources": of}
    return parse_template(parse_document(json.dumps(body), source="t.json", tags=CLOUDFORMATION_TAGS))


def loaded(path, **values):
    return load_template(path, values=values)


def violations(rule_id, of, **sections):
    """(logical id, property path, message) of each violation of one rule."""
    found = results(RULES[rule_id], template(of, **sections))
    return [(v.resource.logical_id, v.path, v.message) for v in found if isinstance(v, Violation)]


def unknowns(rule_id, of, **sections):
    """(logical id, property path, reason) of each thing that one rule could not look at."""
    found = results(RULES[rule_id], template(of, **sections))
    return [(u.resource.logical_id, u.path, u.reason) for u in found if isinstance(u, Unknown)]


def put(of, value, *path):
    """`of` with the property at RESOURCE.PATH set to `value`, or removed for `...`."""
    logical_id, *inner = path
    here = of[logical_id]["Properties"]
    for step in inner[:-1]:
        here = here[step]
    if value is ...:
        del here[inner[-1]]
    else:
        here[inner[-1]] = value
    return of
