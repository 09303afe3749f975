"""Generated workloads: seeds, arrivals, sizes, and what is said of mistakes."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from workload_helpers import G5, P5, QUEUE, TWO_UNITS

from quota_verifier.errors import InputError
from quota_verifier.validation import validate_file
from quota_verifier.workload import GenerateSpec, Workload, generate_workload, write_workload

BASE = {"name": "urgent", "share": "QS1", "rate": 60, "work": "5m"}
HOUR = 3_600_000
LOGNORMAL = {"distribution": "lognormal", "median": "20m", "p95": "4h"}


def spec(*classes: dict[str, object], **top: object) -> GenerateSpec:
    data = {"classes": [{**BASE, **kind} for kind in classes], **({} if top else {"duration": "1d"}), **top}
    return validate_file(GenerateSpec, data, "p.yaml", lambda _path: 7)


def generated(*classes: dict[str, object], **top: object) -> Workload:
    return generate_workload(spec(*classes, **top), QUEUE)


FIXED: dict[str, object] = {"rate": None, "every": "1h"}


def test_the_same_seed_gives_the_same_file_and_another_seed_another(tmp_path: Path) -> None:
    kinds = (
        {"work": LOGNORMAL, "instances": {"1": 0.7, "4": 0.3}},
        {"name": "batch", "rate": 6, "priority": {"0": 1, "9": 2}},
    )
    digests: list[str] = []
    for number, seed in enumerate((1, 1, 2)):
        write_workload(generate_workload(spec(*kinds, duration="1d"), QUEUE, seed=seed), tmp_path / f"{number}.csv")
        digests.append(hashlib.sha256((tmp_path / f"{number}.csv").read_bytes()).hexdigest()[:16])
    # The first digest is pinned: workloads that users have published by seed must not change.
    assert digests == ["be8dd331bc291c1a", "be8dd331bc291c1a", digests[2]]
    assert digests[2] != digests[0]


def test_jobs_carry_the_fields_of_their_class() -> None:
    workload = generated(
        {
            **FIXED,
            "count": 2,
            "start": "10m",
            "instances": 2,
            "priority": 5,
            "checkpoint": "10m",
            "timeout": "2h",
            "attempts": 3,
            "preemption_retries": 0,
            "labels": {"team": "a"},
        },
        seed=9,
    )
    job = workload.jobs[1]
    assert [job.id for job in workload.jobs] == ["urgent-000001", "urgent-000002"]
    assert (job.share, job.submit_ms, job.work_ms, job.demand) == ("QS1", 70 * 60_000, 300_000, {G5: 2})
    assert (job.priority, job.checkpoint_ms, job.timeout_ms, job.attempts) == (5, 600_000, 7_200_000, 3)
    assert (job.preemption_retries, job.labels) == (0, {"class": "urgent", "team": "a"})
    assert workload.rules == {"seed": "9"}


def test_poisson_arrivals_come_at_the_rate_and_without_pattern() -> None:
    times = [job.submit_ms for job in generated({"rate": 600}, duration="2d").jobs]
    assert len(times) == pytest.approx(600 * 48, rel=0.02)
    by_minute = Counter(time // 60_000 for time in times)
    counts = [by_minute.get(minute, 0) for minute in range(48 * 60)]
    mean = sum(counts) / len(counts)
    assert sum((count - mean) ** 2 for count in counts) / len(counts) == pytest.approx(mean, rel=0.1)
    assert times == sorted(times)
    assert times[-1] < 48 * HOUR


@pytest.mark.parametrize(
    ("kind", "hours"),
    [
        ({"every": "6h", "rate": None}, [0, 6, 12, 18]),
        ({"every": "6h", "rate": None, "start": "1h", "end": "13h"}, [1, 7]),
        ({"every": "6h", "rate": None, "count": 3}, [0, 6, 12]),
        ({"rate": 0.25, "arrivals": "fixed"}, [0, 4, 8, 12, 16, 20]),
        ({"every": "12h", "rate": None, "burst": {"jobs": 3}}, [0, 0, 0, 12, 12, 12]),
        ({"every": "12h", "rate": None, "burst": {"jobs": 3, "spacing": "1h"}}, [0, 1, 2, 12, 13, 14]),
        ({"every": "1h", "rate": None, "count": 5, "burst": {"jobs": 2, "spacing": "3h"}}, [0, 3, 3, 6, 6]),
    ],
)
def test_fixed_arrivals_come_at_equal_intervals_and_bursts_one_after_another(
    kind: dict[str, object], hours: list[int]
) -> None:
    assert [job.submit_ms / HOUR for job in generated(kind).jobs] == hours


def test_every_with_poisson_is_the_mean_interval() -> None:
    times = [
        job.submit_ms for job in generated({"every": "1m", "rate": None, "arrivals": "poisson"}, duration="10d").jobs
    ]
    assert len(times) == pytest.approx(14_400, rel=0.03)
    assert len({later - earlier for earlier, later in pairwise(times)}) > 10_000


def test_a_profile_moves_arrivals_within_days_and_weeks_and_keeps_the_rate() -> None:
    profile = {"hours": [0.0] * 9 + [1.0] * 4 + [3.0] * 4 + [0.0] * 7, "days": [1, 1, 1, 1, 1, 0, 0]}
    times = [job.submit_ms for job in generated({"rate": 60, "profile": profile}, duration="2w").jobs]
    assert len(times) == pytest.approx(60 * 24 * 14, rel=0.03)
    hours = Counter(time // HOUR % 24 for time in times)
    assert set(hours) == set(range(9, 17))
    early, late = (sum(hours[hour] for hour in span) for span in (range(9, 13), range(13, 17)))
    assert late / early == pytest.approx(3, rel=0.05)
    assert {time // (24 * HOUR) % 7 for time in times} == {0, 1, 2, 3, 4}


def test_a_number_of_jobs_takes_the_first_over_all_classes() -> None:
    kinds = ({"rate": 30}, {"name": "batch", "rate": 10})
    few, many = generated(*kinds, jobs=40), generated(*kinds, jobs=400)
    assert len(few.jobs) == 40
    assert few.jobs == many.jobs[:40]
    assert {job.labels["class"] for job in few.jobs} == {"urgent", "batch"}


def test_a_change_of_one_class_or_one_field_leaves_all_else() -> None:
    other = {"name": "batch", "rate": 5}
    before = generated({"work": LOGNORMAL, "instances": {"1": 1, "2": 1}}, other)
    after = generated({"work": "1h", "instances": {"1": 1, "2": 1}}, other, {"name": "more"})
    urgent = [[job for job in workload.jobs if job.labels["class"] == "urgent"] for workload in (before, after)]
    assert [(job.submit_ms, job.demand) for job in urgent[0]] == [(job.submit_ms, job.demand) for job in urgent[1]]
    batch = [[job for job in workload.jobs if job.labels["class"] == "batch"] for workload in (before, after)]
    assert batch[0] == batch[1]
    assert generated(other, {"work": LOGNORMAL, "instances": {"2": 1, "1": 1}}).jobs == before.jobs


@pytest.mark.parametrize(
    ("work", "low", "high"),
    [
        ("5m", 300_000, 300_000),
        ({"distribution": "constant", "value": "5m"}, 300_000, 300_000),
        ({"distribution": "uniform", "min": "1ms", "max": "3ms"}, 1, 3),
        ({"distribution": "exponential", "mean": "1h", "min": "50m", "max": "70m"}, 3_000_000, 4_200_000),
        ({"distribution": "exponential", "mean": "1ms"}, 1, 12),
        ({**LOGNORMAL, "min": "10m", "max": "1h"}, 600_000, 3_600_000),
    ],
)
def test_work_stays_within_its_bounds_and_reaches_them(work: object, low: int, high: int) -> None:
    drawn = [job.work_ms for job in generated({"work": work}, jobs=1_000).jobs]
    assert min(drawn) == low
    assert max(drawn) <= high
    assert max(drawn) >= high * 0.5


def test_sizes_and_priorities_follow_their_weights() -> None:
    jobs = generated({"instances": {"1": 3, "2": 1}, "priority": {"0": 1, "10": 1}}, jobs=4_000).jobs
    assert Counter(job.instances for job in jobs)[1] == pytest.approx(3_000, rel=0.05)
    assert Counter(job.priority for job in jobs)[10] == pytest.approx(2_000, rel=0.07)


def test_a_class_names_its_unit_or_its_demand_where_there_are_several() -> None:
    workload = generate_workload(
        spec({**FIXED, "unit": P5, "instances": 2}, {**FIXED, "name": "mixed", "demand": {G5: 1, P5: 1}}), TWO_UNITS
    )
    assert [job.demand for job in workload.jobs[:2]] == [{G5: 1, P5: 1}, {P5: 2}]


def test_a_range_draws_every_number_alike() -> None:
    jobs = generated({"instances": {"min": 1, "max": 4}, "priority": {"min": 7, "max": 8}}, jobs=4_000).jobs
    sizes, priorities = (
        Counter(values) for values in zip(*((job.instances, job.priority) for job in jobs), strict=True)
    )
    assert [sizes[size] / 1_000 for size in (1, 2, 3, 4)] == pytest.approx([1] * 4, rel=0.08)
    assert [priorities[level] / 2_000 for level in (7, 8)] == pytest.approx([1] * 2, rel=0.06)


@pytest.mark.parametrize(
    ("work", "percent", "ms"),
    [
        ({"distribution": "weibull", "scale": "1h", "shape": 1}, 63.2, HOUR),
        ({"distribution": "weibull", "scale": "1h", "shape": 0.5}, 63.2, HOUR),
        ({"distribution": "weibull", "scale": "1h", "shape": 2}, 50, HOUR * 0.8326),
        ({"distribution": "pareto", "scale": "10m", "shape": 1}, 50, 1_200_000),
        ({"distribution": "pareto", "scale": "10m", "shape": 2}, 75, 1_200_000),
        ({"distribution": "quantiles", "values": {"0": "1m", "50": "5m", "100": "1h"}}, 25, 180_000),
        ({"distribution": "quantiles", "values": {"0": "1m", "50": "5m", "100": "1h"}}, 75, 1_950_000),
    ],
)
def test_percentiles_of_a_distribution_are_where_they_belong(work: object, percent: float, ms: float) -> None:
    drawn = sorted(job.work_ms for job in generated({"work": work}, jobs=8_000).jobs)
    assert drawn[int(len(drawn) * percent / 100)] == pytest.approx(ms, rel=0.05)


def test_the_smallest_draw_of_a_distribution_is_its_lower_end() -> None:
    pareto = {"distribution": "pareto", "scale": "10m", "shape": 3, "max": "1h"}
    drawn = [job.work_ms for job in generated({"work": pareto}, jobs=4_000).jobs]
    assert min(drawn) == pytest.approx(600_000, rel=1e-3)
    assert max(drawn) == 3_600_000
    table = {"distribution": "table", "values": {"5m": 3, "1h": 1}}
    lengths = Counter(job.work_ms for job in generated({"work": table}, jobs=4_000).jobs)
    assert set(lengths) == {300_000, HOUR}
    assert lengths[HOUR] == pytest.approx(1_000, rel=0.08)


def test_the_size_of_bursts_is_drawn() -> None:
    times = Counter(
        job.submit_ms for job in generated({**FIXED, "burst": {"jobs": {"1": 1, "5": 1}}}, duration="40d").jobs
    )
    assert set(times.values()) == {1, 5}
    assert Counter(times.values())[5] == pytest.approx(480, rel=0.1)


def test_a_profile_starts_where_in_the_week_it_is_told() -> None:
    profile = {"days": [1, 0, 0, 0, 0, 0, 0], "at_start": "5d"}
    days = {job.submit_ms // (24 * HOUR) for job in generated({"profile": profile}, duration="2w").jobs}
    assert days == {2, 9}


def test_runs_fail_by_chance_and_at_most_as_often_as_a_job_may_try() -> None:
    fails = [
        {"chance": 0.5, "after": {"distribution": "uniform", "min": "1m", "max": "2m"}, "reason": "bug"},
        {"chance": 0.25, "after": "10s", "reason": "CapacityError: none"},
    ]
    rules = [{"action": "RETRY", "on_status_reason": "bug*"}]
    jobs = generated({"fails": fails, "retry_rules": rules, "attempts": 3}, jobs=4_000).jobs
    runs = [[failure for failure in job.failures if failure.reason == "bug"] for job in jobs]
    counts = Counter(len(failures) for failures in runs)
    assert set(counts) == {0, 1, 2, 3}  # an attempt each; the third ends the job
    # Capacity errors aside, a run fails with 0.5 / 0.75.
    assert counts[0] / 4_000 == pytest.approx(1 / 3, rel=0.08)
    assert counts[3] / 4_000 == pytest.approx((2 / 3) ** 3, rel=0.08)
    assert all(60_000 <= failure.after_ms <= 120_000 for failures in runs for failure in failures)
    waits = [failure for job in jobs for failure in job.failures if failure.is_capacity_error]
    assert {failure.after_ms for failure in waits} == {10_000}
    assert jobs[0].retry_rules[0].on_status_reason == "bug*"
    plain = generated({}, jobs=4_000).jobs
    assert [(job.submit_ms, job.work_ms) for job in plain] == [(job.submit_ms, job.work_ms) for job in jobs]


MISTAKES: list[tuple[list[dict[str, object]], dict[str, object], str]] = [
    (
        [{"fails": [{"chance": 0.6, "after": "1m"}, {"chance": 0.5, "after": "1m"}]}],
        {},
        "classes[0]: the chances of `fails` add up to more than 1; give chances of at most 1 in all",
    ),
    (
        [{"fails": [{"chance": 0.95, "after": "1m", "reason": "CapacityError"}]}],
        {},
        "classes[0]: more than 0.9 of the runs end for want of machines; "
        "lower the chance: such a run consumes no attempt, so the job would hardly ever start",
    ),
    (
        [{"work": {"distribution": "quantiles", "values": {"0": "1m", "90": "5m"}}}],
        {},
        "classes[0].work.values: the percentiles 0 and 100 are not both given; give the shortest and the longest",
    ),
    (
        [{"work": {"distribution": "quantiles", "values": {"0": "1m", "50": "5m", "100": "4m"}}}],
        {},
        "classes[0].work.values: the 100th percentile is below the 50th; give lengths that grow with the percentile",
    ),
    ([{"instances": {"min": 4, "max": 2}}], {}, "classes[0].instances: min is above max; give a min below the max"),
    (
        [{"every": "1h"}],
        {},
        "classes[0]: both `rate` and `every` are given; give one: rate: 2 (an hour), or every: 30m",
    ),
    (
        [{"rate": None}],
        {},
        "classes[0]: neither `rate` nor `every` is given; give one: rate: 2 (an hour), or every: 30m",
    ),
    ([{"rate": 0}], {}, "classes[0].rate: 0 is not above 0.0; write more than 0.0"),
    ([{"rate": "fast"}], {}, "classes[0].rate: 'fast' is not a number; write a number such as 0.5"),
    ([{"rats": 5}], {}, "classes[0].rats: unknown key 'rats'; did you mean 'rate'?"),
    ([{}, {}], {}, "two classes are called 'urgent'; give every class its own name"),
    (
        [{}],
        {"seed": 1},
        "the jobs of class 'urgent' never end; give duration: 2d or jobs: 500, or the class a count or an end",
    ),
    ([{"start": "5m", "end": "5m"}], {}, "classes[0]: `end` is not after `start`; give an end after the start"),
    (
        [{**FIXED, "profile": {"days": [1] * 7}}],
        {},
        "classes[0]: a profile needs random arrivals; write arrivals: poisson",
    ),
    ([{"profile": {"hours": [1] * 23}}], {}, "classes[0].profile.hours: has 23 items; give at least 24"),
    (
        [{"profile": {"hours": [0] * 24}}],
        {},
        "classes[0].profile: all numbers are 0; give at least one hour and one day a rate",
    ),
    (
        [{"demand": {G5: 1}, "instances": 2}],
        {},
        "classes[0]: `demand` already says units and instances; leave out instances and unit",
    ),
    ([{"instances": 0}], {}, "classes[0].instances: 0 is below 1; write 1 or more"),
    ([{"instances": {"x": 1}}], {}, "classes[0].instances.x: 'x' is not a whole number; write a number such as 4"),
    ([{"instances": {"1": 0}}], {}, "classes[0].instances: all weights are 0; give at least one a weight above 0"),
    ([{"priority": {"10000": 1}}], {}, "classes[0].priority[\"10000\"]: '10000' is above 9999; write 9999 or less"),
    ([{"work": 0}], {}, "classes[0].work: 0 is not above 0; write more than 0"),
    (
        [{"work": {"distribution": "lognorml"}}],
        {},
        "classes[0].work: the distribution 'lognorml' is not known; "
        "write distribution: one of constant, uniform, exponential, lognormal, weibull, pareto, table, quantiles",
    ),
    (
        [{"work": {"mean": "5m"}}],
        {},
        "classes[0].work: no distribution is named; "
        "write distribution: one of constant, uniform, exponential, lognormal, weibull, pareto, table, quantiles",
    ),
    ([{"work": {"distribution": "lognormal", "median": "5m"}}], {}, "classes[0].work.p95: is missing; add 'p95'"),
    (
        [{"work": {**LOGNORMAL, "p95": "1m"}}],
        {},
        "classes[0].work: p95 is below the median; give a p95 above the median",
    ),
    (
        [{"work": {"distribution": "uniform", "min": "5m", "max": "1m"}}],
        {},
        "classes[0].work: min is above max; give a min below the max",
    ),
]


@pytest.mark.parametrize(("kinds", "top", "said"), MISTAKES, ids=[said[:70] for _, _, said in MISTAKES])
def test_a_mistake_in_a_spec_is_named_with_its_remedy(
    kinds: list[dict[str, object]], top: dict[str, object], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        spec(*kinds, **top)
    assert str(caught.value) == f"p.yaml:7: {said}"


@pytest.mark.parametrize(
    ("kind", "top", "said"),
    [
        (
            {"share": "QS9"},
            {},
            "p.yaml:3: generate.classes.0.share: the queue has no share 'QS9'; known are QS1, QS2, QS3",
        ),
        (
            {"unit": P5},
            {},
            f"p.yaml:3: generate.classes.0.unit: neither the environment nor a share lists the unit '{P5}'; "
            f"known are {G5}",
        ),
        (
            {"demand": {P5: 1}},
            {},
            f"p.yaml:3: generate.classes.0.demand: neither the environment nor a share lists the unit '{P5}'; "
            f"known are {G5}",
        ),
        (
            {"start": "2h"},
            {"duration": "1h"},
            "p.yaml:3: generate: no job arrives in time; raise the rate or the duration",
        ),
        (
            {"rate": None, "every": "1ms", "arrivals": "fixed"},
            {"duration": "1d"},
            "p.yaml:3: generate: these are more than 100 jobs; lower the rate or the duration",
        ),
    ],
)
def test_what_a_queue_cannot_take_is_named_where_the_spec_stands(
    monkeypatch: pytest.MonkeyPatch, kind: dict[str, object], top: dict[str, object], said: str
) -> None:
    monkeypatch.setattr("quota_verifier.workload.generate.MOST_JOBS", 100)
    with pytest.raises(InputError) as caught:
        generate_workload(
            spec(kind, **top), QUEUE, place=lambda path: ("p.yaml:3", ".".join(("generate", *map(str, path))))
        )
    assert str(caught.value) == said


def test_without_a_queue_a_class_must_name_its_unit() -> None:
    with pytest.raises(InputError) as caught:
        generate_workload(spec({}))
    assert str(caught.value) == ("generate.classes[0]: instances of which unit? none is known; give the class a unit")
    assert generate_workload(spec({"unit": P5}, jobs=1)).jobs[0].demand == {P5: 1}
