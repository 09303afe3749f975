"""Envelopes as policy files write them, and as `generate` implies them."""

from __future__ import annotations

import pytest
import yaml
from search_worlds import G5, P5, RESERVED, policy

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share
from quota_verifier.policy import policy_from_data, read_policy
from quota_verifier.search.envelope import Window
from quota_verifier.search.read_envelope import envelope_of
from quota_verifier.workload import generate_workload
from quota_verifier.workload.generate_spec import GenerateSpec

HOUR = 3_600_000
CLAIM = [{"preemptions": 0}]


def kinds(classes: str, queue: Queue = RESERVED, **rest):
    return envelope_of(policy("[{preemptions: 0}]", classes, **rest), queue).kinds


def test_a_class_is_read_with_every_limit():
    (kind,) = kinds(
        """
        - name: train
          share: QS1
          at_most: [{jobs: 1, per: 10m}, {jobs: 4, per: 2h}]
          jobs: 9
          start: 1h
          end: 3d
          work: {min: 5m, max: 4h}
          instances: [4, 1, 2]
          priority: {min: 2, max: 5}
          checkpoint: 10m
          timeout: 5h
          attempts: 2
          preemption_retries: 0
          labels: {team: vision}
        """
    )
    assert (kind.share, kind.each, tuple(kind.sizes), tuple(kind.priorities)) == (
        "QS1",
        {G5: 1},
        (1, 2, 4),
        (2, 3, 4, 5),
    )
    assert (kind.work_low, kind.work_high, kind.start_ms, kind.end_ms) == (300_000, 4 * HOUR, HOUR, 24 * HOUR)
    assert (kind.windows, kind.most) == ((Window(1, 600_000), Window(4, 2 * HOUR)), 9)
    assert (kind.checkpoint_ms, kind.timeout_ms, kind.attempts, kind.preemption_retries) == (600_000, 5 * HOUR, 2, 0)
    assert kind.labels == {"team": "vision"}


def test_what_is_left_out_is_one_instance_of_priority_0_at_any_pace():
    (kind,) = kinds("[{name: a, share: QS1, work: 1h}]")
    assert (tuple(kind.sizes), tuple(kind.priorities), kind.windows, kind.most) == ((1,), (0,), (), None)
    assert (kind.work_low, kind.work_high, kind.end_ms) == (HOUR, HOUR, 24 * HOUR)


def test_a_pace_may_be_a_map_and_sizes_a_range():
    (kind,) = kinds("[{name: a, share: QS1, work: 1h, at_most: {jobs: 2, per: 1h}, instances: {min: 2, max: 5}}]")
    assert (kind.windows, tuple(kind.sizes)) == ((Window(2, HOUR),), (2, 3, 4, 5))


def test_jobs_of_several_units_are_written_as_a_demand():
    queue = Queue(Environment({G5: 3, P5: 2}), (Share("A", {G5: 3, P5: 2}),))
    (kind,) = kinds(f"[{{name: a, share: A, work: 1h, demand: {{{G5}: 2, {P5}: 1}}}}]", queue)
    assert kind.demand(1) == {G5: 2, P5: 1}
    with pytest.raises(InputError, match=r"2 are in play.*give the class a unit"):
        kinds("[{name: a, share: A, work: 1h}]", queue)


@pytest.mark.parametrize(
    ("envelope", "message"),
    [
        ("{classes: []}", "has 0 items; give at least 1"),
        ("{classes: [{name: a, share: QS1}]}", "is missing; add 'work'"),
        ("{classes: [{name: a, share: QS1, work: soon}]}", "'soon' is not a duration"),
        ("{classes: [{name: a, share: QS1, work: {min: 2h, max: 1h}}]}", "min is above max"),
        ("{classes: [{name: a, share: QS1, work: {min: 0s, max: 1h}}]}", "'0s' is not above 0"),
        ("{classes: [{name: a, share: QS1, work: {min: 1h, mx: 2h}}]}", "unknown key 'mx'; did you mean 'max'"),
        ("{classes: [{name: a, share: QS1, work: 1h, instances: 0}]}", "0 is below 1"),
        ("{classes: [{name: a, share: QS1, work: 1h, instances: []}]}", "has 0 items"),
        ("{classes: [{name: a, share: QS1, work: 1h, instances: {min: 3, max: 2}}]}", "min is above max"),
        ("{classes: [{name: a, share: QS1, work: 1h, priority: [0, 10000]}]}", "10000 is above 9999"),
        ("{classes: [{name: a, share: QS1, work: 1h, priority: {min: 5}}]}", "is missing; add 'max'"),
        ("{classes: [{name: a, share: QS1, work: 1h, at_most: 3}]}", "3 is not a list"),
        ("{classes: [{name: a, share: QS1, work: 1h, at_most: {jobs: 3}}]}", "is missing; add 'per'"),
        ("{classes: [{name: a, share: QS1, work: 1h, at_most: {jobs: 0, per: 1h}}]}", "0 is below 1"),
        ("{classes: [{name: a, share: QS1, work: 1h, demand: {u: 1}, instances: 2}]}", "`demand` already says"),
        ("{classes: [{name: a, share: QS1, work: 1h, start: 2h, end: 1h}]}", "`end` is not after `start`"),
        ("{horizon: 1h, classes: [{name: a, share: QS1, work: 1h, start: 1h}]}", "starts when the horizon is over"),
        ("{classes: [{name: a, share: QS1, work: 1h}, {name: a, share: QS2, work: 1h}]}", "two classes are called 'a'"),
        ("{clases: []}", "unknown key 'clases'; did you mean 'classes'"),
    ],
)
def test_a_mistake_in_an_envelope_is_told_when_the_policy_is_read(envelope, message):
    data = {"workload": {"jobs": []}, "envelope": yaml.safe_load(envelope), "expect": CLAIM}
    with pytest.raises(InputError) as caught:
        policy_from_data(data)
    assert message in str(caught.value)


def test_a_share_that_the_queue_does_not_have_is_named_with_its_line(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text(
        "workload: {jobs: []}\nexpect: [{preemptions: 0}]\n"
        "envelope:\n  classes:\n    - {name: a, share: QS4, work: 1h}\n"
    )
    with pytest.raises(InputError) as caught:
        envelope_of(read_policy(file), RESERVED)
    assert str(caught.value) == (
        f"{file}:5: envelope.classes[0].share: the queue has no share 'QS4'; known are QS1, QS2, QS3"
    )


def test_a_unit_that_the_queue_does_not_have_is_named():
    with pytest.raises(InputError, match=r"classes\[0\].unit: neither the environment nor a share lists the unit 'x'"):
        kinds("[{name: a, share: QS1, work: 1h, unit: x}]")


@pytest.mark.parametrize("workload", [{"jobs": []}, {"file": "w.yaml"}, {"trace": {"file": "t.csv"}}])
def test_a_policy_that_says_nothing_of_other_workloads_is_told_how_to(workload):
    read = policy_from_data({"workload": workload, "expect": CLAIM}, source="p.yaml")
    with pytest.raises(InputError) as caught:
        envelope_of(read, RESERVED)
    assert "it has neither `envelope` nor `generate`; write an `envelope` section" in str(caught.value)


def test_the_example_in_that_message_is_an_envelope():
    read = policy_from_data({"workload": {"jobs": []}, "expect": CLAIM}, source="p.yaml")
    with pytest.raises(InputError) as caught:
        envelope_of(read, RESERVED)
    text = caught.value.remedy
    written = text[text.index("{classes") : text.rindex("}") + 1].replace("NAME", "QS1")
    again = policy_from_data(
        {"workload": {"jobs": []}, "envelope": yaml.safe_load(written), "expect": CLAIM}, source="p.yaml"
    )
    assert envelope_of(again, RESERVED).kinds[0].name == "any"


def derived(classes: str, **rest):
    data = {"workload": {"generate": {"classes": yaml.safe_load(classes), **rest}}, "expect": CLAIM}
    return envelope_of(policy_from_data(data), RESERVED)


@pytest.mark.parametrize(
    ("work", "low", "high"),
    [
        ("20m", 20, 20),
        ("{distribution: constant, value: 3m}", 3, 3),
        ("{distribution: uniform, min: 5m, max: 2h}", 5, 120),
        ("{distribution: exponential, mean: 40m}", 2, 120),
        ("{distribution: exponential, mean: 40m, max: 6h}", 2, 360),
        ("{distribution: exponential, mean: 40m, min: 10m, max: 6h}", 10, 360),
        ("{distribution: exponential, mean: 40m, max: 1m}", 1, 1),
        ("{distribution: exponential, mean: 40m, min: 5h}", 300, 300),
        ("{distribution: lognormal, median: 20m, p95: 80m}", 5, 80),
        ("{distribution: lognormal, median: 20m, p95: 80m, max: 4h}", 5, 240),
    ],
)
def test_run_times_are_those_between_the_ends_or_the_5th_and_95th_percentile(work, low, high):
    (kind,) = derived(f"[{{name: a, share: QS1, rate: 1, work: {work}}}]", duration="1d").kinds
    assert (kind.work_low / 60_000, kind.work_high / 60_000) == (low, high)


@pytest.mark.parametrize(
    ("arrivals", "window"),
    [
        ("every: 1h", Window(1, HOUR)),
        ("every: 1h, burst: {jobs: 5}", Window(5, HOUR)),
        ("rate: 4, arrivals: fixed", Window(1, HOUR // 4)),
        ("rate: 4", Window(8, HOUR)),
        ("rate: 4, burst: {jobs: 3}", Window(24, HOUR)),
        ("every: 1h, arrivals: poisson", Window(8, 4 * HOUR)),
        ("rate: 4, profile: {days: [7, 0, 0, 0, 0, 0, 0]}", Window(8, HOUR // 7)),
    ],
)
def test_the_pace_is_twice_the_mean_of_random_arrivals_and_that_of_equal_ones(arrivals, window):
    (kind,) = derived(f"[{{name: a, share: QS1, {arrivals}, work: 1h}}]", duration="1d").kinds
    assert kind.windows == (window,)


def test_sizes_and_priorities_are_those_with_a_weight():
    (kind,) = derived(
        "[{name: a, share: QS1, rate: 1, work: 1h, instances: {4: 0.1, 1: 0.9, 2: 0}, priority: {0: 3, 10: 1}}]",
        duration="1d",
    ).kinds
    assert (kind.sizes, kind.priorities) == ((1, 4), (0, 10))


def test_counts_and_windows_are_kept_and_a_class_that_starts_too_late_is_left_out():
    envelope = derived(
        """
        - {name: a, share: QS1, rate: 1, work: 1h, count: 3, start: 2h, end: 3d, labels: {team: x}, checkpoint: 5m}
        - {name: late, share: QS2, rate: 1, work: 1h, start: 2d}
        """,
        duration="1d",
        jobs=7,
    )
    (kind,) = envelope.kinds
    assert (kind.most, kind.start_ms, kind.end_ms, envelope.most) == (3, 2 * HOUR, 24 * HOUR, 7)
    assert (kind.labels, kind.checkpoint_ms, envelope.origin) == ({"team": "x"}, 300_000, "generate")
    assert any("5th to the 95th" in rule for rule in envelope.rules)


@pytest.mark.parametrize(
    ("arrivals", "often"), [("every: 1h", 0), ("every: 1h, burst: {jobs: 4, spacing: 1m}", 0), ("rate: 4", 0.06)]
)
def test_generated_arrivals_are_seldom_faster_than_the_envelope_allows(arrivals, often):
    classes = f"[{{name: a, share: QS1, {arrivals}, work: 1h}}]"
    (kind,) = derived(classes, duration="30d").kinds
    spec = GenerateSpec.model_validate({"duration": "30d", "classes": yaml.safe_load(classes)})
    times = [job.submit_ms for job in generate_workload(spec, RESERVED).jobs]
    (window,) = kind.windows
    gaps = [later - earlier for earlier, later in zip(times, times[window.jobs :], strict=False)]
    assert len(gaps) > 700
    assert sum(gap < window.per_ms for gap in gaps) <= often * len(gaps)


def test_a_written_envelope_goes_before_a_generated_one():
    data = {
        "workload": {
            "generate": {"duration": "1d", "classes": [{"name": "a", "share": "QS1", "rate": 1, "work": "1h"}]}
        },
        "envelope": {"classes": [{"name": "b", "share": "QS2", "work": "1h"}]},
        "expect": CLAIM,
    }
    assert [kind.name for kind in envelope_of(policy_from_data(data), RESERVED).kinds] == ["b"]
