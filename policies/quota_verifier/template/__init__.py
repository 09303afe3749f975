"""CloudFormation templates and queue files, read into queues."""

from __future__ import annotations

from quota_verifier.template.queue_document import queue_document
from quota_verifier.template.reader import read_queue, read_queues
from quota_verifier.template.references import (
    Outside,
    Target,
    environments_of,
    is_quota_managed,
    policy_of,
    quota_managed_queues,
    shares_of,
    target,
)
from quota_verifier.template.resources import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Resource,
    Template,
    load_template,
    parse_template,
)
from quota_verifier.template.schema import queue_file_schema
from quota_verifier.template.unresolved import Unresolved

__all__ = [
    "JOB_QUEUE",
    "QUOTA_SHARE",
    "SCHEDULING_POLICY",
    "SERVICE_ENVIRONMENT",
    "Outside",
    "Resource",
    "Target",
    "Template",
    "Unresolved",
    "environments_of",
    "is_quota_managed",
    "load_template",
    "parse_template",
    "policy_of",
    "queue_document",
    "queue_file_schema",
    "quota_managed_queues",
    "read_queue",
    "read_queues",
    "shares_of",
    "target",
]
