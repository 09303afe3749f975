"""Which claims are searched, and that a claim about nothing is not broken."""

from __future__ import annotations

import pytest
from search_worlds import G5, RESERVED, TIMING, policy, searched

from quota_verifier.errors import InputError

SEVERAL = """
- {share: QS3, wait: {p95: <= 5m}, preemptions: 0}
- {share: QS1, wait: {p95: <= 5m}}
- {class: nightly, reclaimed_within: 1m}
- {job: own, starts: 0s}
- {job: own, wait: <= 1m}
- {at: 1h, running: [own]}
- {job: own, state: SUCCEEDED}
- {job: own, preempted_by: []}
- {class: imported, preemptions: 0}
"""


def numbers(result):
    return [claim.number for claim in result.claims]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (["1"], [1]),
        (["QS3.wait-p95"], [1]),
        (["share QS3: wait p95 <= 5m"], [1]),
        (["share qs3"], [1, 2]),
        (["wait p95"], [1, 3]),
        (["3", "1"], [1, 3]),
        (["reclaim"], [4]),
    ],
)
def test_claims_are_picked_by_number_name_or_a_part_of_their_text(wanted, found):
    assert numbers(searched(RESERVED, policy(SEVERAL), tries=1, claims=wanted)) == found


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("11", "--claim: no claim is called '11'; the policy has claims 1 to 10"),
        ("0", "--claim: no claim is called '0'; the policy has claims 1 to 10"),
        ("QS3.wait-p96", "--claim: no claim is called 'QS3.wait-p96'; did you mean 'QS3.wait-p95'?"),
    ],
)
def test_a_claim_that_there_is_not_is_refused(wanted, message):
    with pytest.raises(InputError) as caught:
        searched(RESERVED, policy(SEVERAL), tries=1, claims=[wanted])
    assert str(caught.value) == message


def test_claims_about_the_policy_s_own_jobs_are_not_searched_and_say_why():
    result = searched(RESERVED, policy(SEVERAL), tries=1)
    left = {claim.number: claim.reason for claim in result.claims if claim.status == "not searched"}
    assert left == {
        **dict.fromkeys((5, 6, 7, 8, 9), "it names single jobs of the policy's own workload"),
        10: "no job of the envelope is its subject (no job is of the class 'imported')",
    }


def test_a_policy_of_such_claims_alone_is_refused():
    with pytest.raises(InputError, match="no claim can be searched: job own: starts == 0s: it names single jobs"):
        searched(RESERVED, policy("[{job: own, starts: 0s}]"), tries=1)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("{share: QS4, preemptions: 0}", "the queue has no share 'QS4'; did you mean 'QS3'?"),
        ("{unit: ml.g5.xlrge, preemptions: 0}", "the queue has no unit 'ml.g5.xlrge'; did you mean 'ml.g5.xlarge'?"),
    ],
)
def test_a_name_that_the_queue_does_not_have_is_refused(claim, message):
    with pytest.raises(InputError) as caught:
        searched(RESERVED, policy(f"[{claim}, {{preemptions: <= 99}}]"), tries=1)
    assert message in str(caught.value)


def test_timing_of_a_unit_that_nobody_uses_is_refused():
    with pytest.raises(InputError, match=r"timing.stop: neither the queue nor a job uses the unit 'x'"):
        searched(RESERVED, policy("[{preemptions: 0}]", timing={"stop": {"x": "1m"}}), tries=1)


def test_a_claim_on_a_share_without_jobs_in_a_workload_is_not_broken_by_it():
    # `finished == 100%` of QS3 says nothing of a workload of QS1 alone, and `verify` would refuse it.
    read = policy("[{share: QS3, finished: all}]", timing=TIMING)
    result = searched(RESERVED, read, tries=110)
    assert result.counterexample is None


def test_a_measure_that_has_no_value_is_not_broken():
    # The first attempt of every job times out, so no job has a slowdown.
    never = "[{name: a, share: QS1, work: {min: 1h, max: 2h}, timeout: 30m}]"
    result = searched(RESERVED, policy("[{share: QS1, slowdown: {max: <= 1}}]", never), tries=60)
    assert result.counterexample is None
    assert result.claims[0].nearest is None


def test_jobs_after_until_are_no_subjects():
    late = "[{name: a, share: QS1, work: 1h, start: 2h}]"
    with pytest.raises(InputError, match="submits no job of share QS1 by 1h"):
        searched(RESERVED, policy("[{share: QS1, wait: <= 0s}]", late, until="1h"), tries=60)


def test_capacity_is_claimed_of_shares_without_jobs_too():
    read = policy("[{share: QS3, utilization: '> 0%'}]", "[{name: a, share: QS1, work: 1h}]")
    result = searched(RESERVED, read)
    assert [job.share for job in result.counterexample.jobs] == ["QS1"]
    assert "capacity over" in result.counterexample.notes[0]


def test_a_unit_is_a_subject():
    result = searched(RESERVED, policy(f"[{{unit: {G5}, preemptions: 0}}]"))
    assert result.counterexample.measured.value == 1
