"""On any world, every job has one standing at every instant, with a sentence whose numbers are those of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given

from quota_verifier.explain.account import accounts
from quota_verifier.explain.line import ahead, chain, is_head
from quota_verifier.explain.moment import moment
from quota_verifier.explain.preemptions import preemptions
from quota_verifier.explain.sentences import WORDS, reason
from quota_verifier.explain.standing import RULE_OF, Standing, standing_of
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.replay import Phase
from quota_verifier.testing import property_settings, worlds

S = Standing


def facts(here, job, standing):
    """What must be so for a waiting job of this standing; each is decided by other means than the code is."""
    rows = accounts(here, job)
    never = any(row.asked > row.largest for row in rows)
    head = is_head(here.state, job)
    borrows = here.state.share_of(job).strategy.borrows
    over_own = any(row.used + row.asked > row.limit for row in rows)
    short = [row for row in rows if row.asked > row.free - sum(keeper.instances for keeper in row.kept)]
    return {
        S.NEVER_SCHEDULABLE: never,
        S.ENVIRONMENT_DISABLED: not never and not here.state.environment.enabled,
        S.HEAD_OF_LINE: not never and not head and ahead(here.state, job) != [],
        S.BEING_RELEASED: head and len(here.state.being_stopped) > 0,
        S.OWN_LIMIT: head and over_own and not borrows,
        S.BORROW_LIMIT: head and over_own and borrows and any(row.over_cap for row in rows),
        S.ENVIRONMENT_FULL: head and any(row.free <= 0 for row in short),
        S.NOTHING_LENDABLE: head and over_own and borrows and short != [] and all(row.free > 0 for row in short),
        S.TOO_LITTLE_FREE: head and not over_own and short != [] and all(row.free > 0 for row in short),
        S.KEPT_FOR_ANOTHER: head and short == [] and len(here.state.being_stopped) > 0,
    }[standing]


@property_settings(60)
@given(world=worlds())
def test_every_job_has_a_standing_that_the_numbers_bear_out(world):
    run = world.run()
    instants = sorted({event.at for event in run.events})[:40]
    for at_ms in instants:
        here = moment(run, at_ms)
        for job in here.state.jobs:
            standing = standing_of(here, job)
            assert reason(here, job, standing)
            assert standing.waits == (job.phase is Phase.WAITING)
            if standing.waits:
                assert facts(here, job, standing), (at_ms, job.job.id, standing, accounts(here, job))
            if standing is S.HEAD_OF_LINE:
                *_, last = chain(here.state, job)
                assert is_head(here.state, last)


@property_settings(60)
@given(world=worlds())
def test_the_preemptions_told_are_those_of_the_log_and_each_lacked_something(world):
    run = world.run()
    told = preemptions(run)
    logged = [
        (event.at, run.jobs[event.by].id, run.jobs[event.job].id)
        for event in run.events
        if event.kind is Kind.PREEMPTED
    ]
    assert sorted((each.at_ms, each.job, victim) for each in told for victim in each.victims) == sorted(logged)
    assert all(each.lacking for each in told)
    assert all(each.untouchable >= 0 for each in told)


def test_every_standing_has_words_and_every_waiting_one_a_rule():
    assert set(WORDS) == set(Standing)
    assert all(standing.waits == (standing in RULE_OF) for standing in Standing)


@pytest.mark.parametrize("standing", Standing)
def test_a_code_is_told_in_kebab_case(standing):
    assert standing == standing.lower().replace("_", "-")
