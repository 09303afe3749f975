"""explain(): one job at one instant of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from quota_verifier.explain.account import UnitAccount, accounts, fits_elsewhere
from quota_verifier.explain.holders import UnitHolding, holdings
from quota_verifier.explain.line import behind, chain, is_head
from quota_verifier.explain.moment import Moment, index_of, moment
from quota_verifier.explain.remedies import Remedy, remedies
from quota_verifier.explain.sentences import reason
from quota_verifier.explain.standing import RULE_OF, Standing, standing_of
from quota_verifier.explain.starts import Interval, interval
from quota_verifier.model import Queue
from quota_verifier.scheduler import Assumptions, Run, Timing, simulate
from quota_verifier.scheduler.assumptions import Profiles, profiles
from quota_verifier.scheduler.replay import JobNow
from quota_verifier.workload import Workload


@dataclass(frozen=True, slots=True)
class Link:
    """A job and why it stands as it does. `rule` and `units` are empty where the job does not wait."""

    job: str
    share: str
    priority: int
    standing: Standing
    rule: str
    sentence: str
    units: tuple[UnitAccount, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything about one job at one instant.

    `chain` tells for whom it waits, up to the head of its line; `blocks` how many wait for it; `elsewhere` on
    which other units it would have fitted, with what is available there (a job never changes its unit, R1).
    """

    run: Run
    at_ms: int
    link: Link
    chain: tuple[Link, ...]
    blocks: int
    holdings: tuple[UnitHolding, ...]
    elsewhere: tuple[tuple[str, int], ...]
    remedies: tuple[Remedy, ...]
    starts: Interval


def explain(
    queue: Queue,
    workload: Workload,
    job: str,
    *,
    at_ms: int | None = None,
    assumptions: Assumptions | None = None,
    timing: Timing | None = None,
    under: Profiles = "one-at-a-time",
) -> Explanation:
    """Why `job` stands where it does at `at_ms`, after what happens then; by default when it is submitted.

    Its start is that of the same simulation, and of one under each profile of `under`. Raises InputError for an
    unknown job, and as `simulate` does.
    """
    run = simulate(queue, workload, assumptions=assumptions, timing=timing)
    return explained(run, workload, job, at_ms=at_ms, under=under)


def explained(
    run: Run, workload: Workload, job: str, *, at_ms: int | None = None, under: Profiles = "one-at-a-time"
) -> Explanation:
    """As `explain`, of a job in the finished `run` of `workload`."""
    index = index_of(run, job, workload.source)
    here = moment(run, run.jobs[index].submit_ms if at_ms is None else at_ms)
    now = here.state.jobs[index]
    link = link_of(here, now)
    waits = link.standing.waits
    links = tuple(link_of(here, other) for other in _chain(here, now, link.standing))
    again = partial(simulate, run.queue, timing=run.timing)
    return Explanation(
        run=run,
        at_ms=here.at_ms,
        link=link,
        chain=links,
        blocks=behind(here.state, now) if waits and is_head(here.state, now) else 0,
        holdings=holdings(here, _units(link, links)),
        elsewhere=fits_elsewhere(here, now) if waits else (),
        remedies=tuple(
            remedies(
                here,
                now,
                workload,
                lambda changed, until: again(changed, assumptions=run.assumptions, until_ms=until),
            )
            if waits
            else ()
        ),
        starts=interval(
            run, index, here.at_ms, _others(under, run.assumptions), lambda other: again(workload, assumptions=other)
        ),
    )


def link_of(here: Moment, job: JobNow) -> Link:
    """A job's standing with its numbers and its sentence."""
    standing = standing_of(here, job)
    return Link(
        job=job.job.id,
        share=job.job.share,
        priority=job.priority,
        standing=standing,
        rule=RULE_OF.get(standing, ""),
        sentence=reason(here, job, standing),
        units=accounts(here, job) if standing.waits else (),
    )


def _chain(here: Moment, job: JobNow, standing: Standing) -> list[JobNow]:
    return chain(here.state, job) if standing is Standing.HEAD_OF_LINE else []


def _units(link: Link, links: Sequence[Link]) -> tuple[str, ...]:
    """The units that decide: those of the job and, where it waits in line, of the head."""
    rows = (row.unit for each in (link, *links[-1:]) for row in each.units)
    return tuple(dict.fromkeys(rows))


def _others(under: Profiles, base: Assumptions) -> list[Assumptions]:
    return list(profiles(under, base))[1:]
