"""What of a queue and its policy AWS does not change in place, and what a new one means (aws-facts 1.2, 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.diff.changes import Change, Comparison
from quota_verifier.diff.links import environment_change, policy_change, queues_in_place, swapped
from quota_verifier.diff.pairs import Found
from quota_verifier.diff.rule import ChangeRule, api_page, batch_page
from quota_verifier.durations import format_duration
from quota_verifier.lint.results import Result, Violation
from quota_verifier.lint.values import items_at, value_at, whole, word
from quota_verifier.template import SCHEDULING_POLICY, Unresolved

_KINDS = {"FairsharePolicy": "fair-share", "QuotaSharePolicy": "quota-share"}


def _kind(policy: Found) -> str:
    """`quota-share`; `neither` for a policy without a kind, `both` for one that AWS refuses."""
    kinds = [word for name, word in _KINDS.items() if name in policy.resource.properties]
    return "neither" if not kinds else kinds[0] if len(kinds) == 1 else "both"


def policy_kind_changes(comparison: Comparison) -> Iterator[Result]:
    """E9405."""
    for change in comparison.of_type(SCHEDULING_POLICY):
        sides = change.both()
        if sides is None or not change.fate.lives_on:
            continue
        old, new = (_kind(found) for found in sides)
        if old != new:
            path = next((name for name in _KINDS if name in sides[1].resource.properties), "")
            yield Violation(
                sides[1].resource,
                (path,) if path else (),
                f"the policy changes from {old} to {new}, and a scheduling policy keeps its kind for life: the update "
                "is refused, although the CloudFormation schema calls it one in place",
                "leave this policy as it is; declare another one, with another logical id, and a new queue for it",
            )


def queue_policy_comes_or_goes(comparison: Comparison) -> Iterator[Result]:
    """E9406."""
    for _, old, new in queues_in_place(comparison):
        was, now = (value_at(found.resource, "SchedulingPolicyArn") for found in (old, new))
        if was is not None and now is None:
            yield Violation(
                new.resource,
                (),
                "SchedulingPolicyArn is removed, and a queue's policy can be replaced but not removed",
                "keep the policy, or make a new queue without one",
            )
        elif was is None and now is not None:
            yield Violation(
                new.resource,
                ("SchedulingPolicyArn",),
                "SchedulingPolicyArn is added, and a queue that was created without a policy cannot get one",
                "make a new queue, with another logical id, that has the policy from the start",
            )


def _other_policies(comparison: Comparison) -> Iterator[tuple[Found, Change, Change]]:
    """The queues that stay and take another policy, with the change of the old and of the new one."""
    for _, old, new in queues_in_place(comparison):
        was, now = policy_change(comparison, old, "old"), policy_change(comparison, new, "new")
        if was is not None and now is not None and not (was is now and was.fate.lives_on):
            yield new, was, now


def _kinds(was: Change, now: Change) -> tuple[str, str]:
    old, new = was.pair.old, now.pair.new
    return (_kind(old) if old else "neither", _kind(new) if new else "neither")


def queue_takes_policy_of_another_kind(comparison: Comparison) -> Iterator[Result]:
    """W9412."""
    for queue, was, now in _other_policies(comparison):
        old, new = _kinds(was, now)
        if old != new:
            yield Violation(
                queue.resource,
                ("SchedulingPolicyArn",),
                f"the queue's policy changes from {old} to {new}: AWS documents that a policy can be replaced by "
                "another one, but not that the other may be of another kind",
                "make a new queue for the new policy, and move the jobs",
            )


def queue_takes_another_policy(comparison: Comparison) -> Iterator[Result]:
    """I9403."""
    for queue, was, now in _other_policies(comparison):
        old, new = _kinds(was, now)
        if old == new:
            yield Violation(
                queue.resource,
                ("SchedulingPolicyArn",),
                f"the queue takes another {new} policy in place, {swapped(was, now)}: its jobs go on",
                "",
            )


def _actions(queue: Found) -> dict[str, int | Unresolved | None]:
    """Seconds by reason."""
    entries = items_at(queue.resource, "JobStateTimeLimitActions")
    found: dict[str, int | Unresolved | None] = {}
    for index in range(0 if isinstance(entries, Unresolved) else len(entries)):
        reason = word(value_at(queue.resource, "JobStateTimeLimitActions", index, "Reason"))
        if isinstance(reason, str):
            found[reason] = whole(value_at(queue.resource, "JobStateTimeLimitActions", index, "MaxTimeSeconds"))
    return found


def time_limits_shorten(comparison: Comparison) -> Iterator[Result]:
    """I9406."""
    for _, old, new in queues_in_place(comparison):
        was, now = _actions(old), _actions(new)
        for reason, seconds in sorted(now.items()):
            before = was.get(reason)
            if not isinstance(seconds, int) or isinstance(before, Unresolved):
                continue
            if before is None or seconds < before:
                instead = "never" if before is None else f"after {format_duration(before * 1000)}"
                yield Violation(
                    new.resource,
                    ("JobStateTimeLimitActions",),
                    f"a job that blocks its share for {reason} is terminated after "
                    f"{format_duration(seconds * 1000)} (before: {instead}), also one that waits already",
                    "look at what waits before the change is deployed",
                )


def environments_change(comparison: Comparison) -> Iterator[Result]:
    """W9411."""
    for _, old, new in queues_in_place(comparison):
        was, now = environment_change(comparison, old, "old"), environment_change(comparison, new, "new")
        if was is None or now is None or (was is now and was.fate.lives_on):
            continue
        yield Violation(
            new.resource,
            ("ServiceEnvironmentOrder",),
            f"the queue gets another environment, {swapped(was, now)}: AWS documents no such change of a quota-managed "
            "queue, nor what becomes of jobs that hold capacity of the old one",
            "keep the environment and change its limits in place",
        )


RULES = (
    ChangeRule(
        "E9405",
        "A scheduling policy changes its kind",
        "A policy stays fair-share or quota-share for life; AWS refuses the update.",
        api_page("UpdateSchedulingPolicy"),
        policy_kind_changes,
    ),
    ChangeRule(
        "E9406",
        "A queue gains or loses its scheduling policy",
        "A queue's policy can be replaced; it can be neither removed nor given to a queue that has none.",
        api_page("CreateJobQueue"),
        queue_policy_comes_or_goes,
    ),
    ChangeRule(
        "W9411",
        "A queue gets another environment",
        "AWS documents no such change of a quota-managed queue.",
        batch_page("create-quota-management-resources"),
        environments_change,
    ),
    ChangeRule(
        "W9412",
        "A queue gets a policy of another kind",
        "AWS documents that a policy can be replaced, not that its kind can.",
        api_page("UpdateJobQueue"),
        queue_takes_policy_of_another_kind,
    ),
    ChangeRule(
        "I9403",
        "A queue gets another policy of the same kind",
        "The queue takes it in place.",
        api_page("UpdateJobQueue"),
        queue_takes_another_policy,
    ),
    ChangeRule(
        "I9406",
        "A time limit is added or shortened",
        "Jobs that block their share are terminated sooner, those that wait already among them.",
        batch_page("sm_job_stuck_in_runnable_time_limit_actions"),
        time_limits_shorten,
    ),
)
