"""What a search did not look at, in sentences: a search that finds nothing proves nothing about these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quota_verifier.durations import format_duration
from quota_verifier.model import Queue
from quota_verifier.policy.wording import plural
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.search.envelope import Envelope, Kind
from quota_verifier.search.hunt import Bounds, Hunt

_MOST_LISTED = 12


def gaps(
    hunt: Hunt, bounds: Bounds, envelope: Envelope, queue: Queue, most_jobs: int, profiles: Sequence[Assumptions]
) -> tuple[str, ...]:
    """Every thing that was left out, the search's own limits before the envelope's."""
    return (
        *_of_the_search(hunt, bounds, envelope, most_jobs),
        *_of_the_profiles(profiles),
        *_of_the_envelope(envelope, queue),
    )


def _of_the_search(hunt: Hunt, bounds: Bounds, envelope: Envelope, most_jobs: int) -> Iterator[str]:
    if hunt.stop == "time":
        yield f"what time did not allow: {hunt.tried} of {bounds.tries} workloads were tried"
    if hunt.stop != "exhausted":
        yield "further workloads of the envelope: those tried are a sample (more with --tries, others with --seed)"
    possible = most_jobs_possible(envelope)
    if possible is None or possible > hunt.largest:
        more = " (more with --jobs)" if hunt.largest == most_jobs else f" (up to {most_jobs} with more tries)"
        yield f"workloads of more than {plural(hunt.largest, 'job')}{more}"
    if bounds.at_least > 1:
        yield f"workloads with fewer than {bounds.at_least} jobs of a claim's subject"
    yield from _sizes(hunt, envelope)
    yield "times between whole seconds, but for those that the policy itself writes"


def most_jobs_possible(envelope: Envelope) -> int | None:
    """The most jobs that the envelope allows, None where it sets no limit."""
    of_kinds = [_most(kind) for kind in envelope.kinds]
    together = None if None in of_kinds else sum(count or 0 for count in of_kinds)
    known = [count for count in (envelope.most, together) if count is not None]
    return min(known, default=None)


def _most(kind: Kind) -> int | None:
    """By its count, or by a window: so many in each stretch of that length."""
    stretch = kind.end_ms - kind.start_ms
    paced = [window.jobs * -(-stretch // window.per_ms) for window in kind.windows]
    return min([*paced, *([] if kind.most is None else [kind.most])], default=None)


def _sizes(hunt: Hunt, envelope: Envelope) -> Iterator[str]:
    for place, kind in enumerate(envelope.kinds):
        left = [size for size in kind.sizes if (place, size) not in hunt.sizes]
        if left:
            more = f" and {len(left) - _MOST_LISTED} more" if len(left) > _MOST_LISTED else ""
            listed = ", ".join(map(str, left[:_MOST_LISTED]))
            yield f"class {kind.name}: jobs of {listed}{more} {'instance' if left == [1] else 'instances'}"


def _of_the_profiles(profiles: Sequence[Assumptions]) -> Iterator[str]:
    if len(profiles) == 1:
        yield "other answers to the open questions A1 to A10 (--under one-at-a-time)"
    else:
        yield "two or more assumptions changed together"


def _of_the_envelope(envelope: Envelope, queue: Queue) -> Iterator[str]:
    busy = {kind.share for kind in envelope.kinds}
    idle = [share.name for share in queue.shares if share.name not in busy]
    if idle:
        yield f"jobs of share {', '.join(idle)}, for which the envelope has no class"
    yield f"submissions from {format_duration(envelope.horizon_ms)} on, and all else outside the envelope"
    yield "jobs that fail by themselves, and changes of priorities, shares and environment while jobs run"
    yield "other delays than the policy's `timing`"
