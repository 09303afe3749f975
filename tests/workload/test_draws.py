"""Draws: exact to the bit on every machine, and of the distributions that they name."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quota_verifier.workload.draws import Choice, exp, exponential, ln, lognormal, stream, uniform


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_ln_is_as_good_as_the_library(x: float) -> None:
    assert ln(x) == pytest.approx(math.log(x), rel=1e-14, abs=1e-15)


@given(st.floats(min_value=-600, max_value=600))
def test_exp_is_as_good_as_the_library(x: float) -> None:
    assert exp(x) == pytest.approx(math.exp(x), rel=1e-12)


def test_draws_are_pinned_to_the_bit() -> None:
    # Any other value, on any machine or Python, changes workloads that users have published by seed.
    source = stream(7, "urgent", "work")
    assert [source.random().hex() for _ in range(2)] == PINNED["random"]
    assert [exponential(source, 60.0).hex() for _ in range(3)] == PINNED["exponential"]
    assert [lognormal(source, 20.0, 240.0).hex() for _ in range(3)] == PINNED["lognormal"]
    assert [uniform(source, 1, 1_000) for _ in range(5)] == PINNED["uniform"]
    assert [Choice({1: 0.7, 4: 0.2, 8: 0.1}).draw(source) for _ in range(8)] == PINNED["choice"]


PINNED = {
    "random": ["0x1.58786c62704fap-2", "0x1.de916dd06291ap-2"],
    "exponential": ["0x1.255c0420b7f6bp+5", "0x1.6707bec64d6fap+3", "0x1.da58a820c837bp+2"],
    "lognormal": ["0x1.fb4042a662d2ep+3", "0x1.b0f2b6fd33bacp+4", "0x1.749d702005f12p+4"],
    "uniform": [135, 394, 577, 497, 936],
    "choice": [1, 1, 1, 4, 1, 4, 1, 8],
}


def test_draws_do_not_depend_on_the_hash_seed() -> None:
    program = "from quota_verifier.workload.draws import stream; print(stream(1, 'a', 'b').random().hex())"
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(said) == 1


def test_streams_of_other_names_and_seeds_are_others() -> None:
    firsts = [stream(*key).random() for key in ((1, "a", "b"), (1, "ab"), (2, "a", "b"), (1, "b", "a"), (1, "a"))]
    assert len(set(firsts)) == len(firsts)


def test_distributions_have_the_figures_that_they_are_given() -> None:
    source = stream(3, "figures")
    waits = [exponential(source, 100.0) for _ in range(20_000)]
    assert statistics.fmean(waits) == pytest.approx(100, rel=0.03)
    assert statistics.pstdev(waits) == pytest.approx(100, rel=0.05)
    work = sorted(lognormal(source, 20.0, 240.0) for _ in range(20_000))
    assert work[10_000] == pytest.approx(20, rel=0.05)
    assert work[19_000] == pytest.approx(240, rel=0.08)
    even = Counter(uniform(source, 1, 4) for _ in range(20_000))
    assert {value: pytest.approx(count, rel=0.05) for value, count in even.items()} == dict.fromkeys(
        (1, 2, 3, 4), 5_000
    )


def test_a_choice_follows_its_weights_in_any_order_and_never_takes_weight_zero() -> None:
    choice = Choice({8: 1, 1: 3, 4: 0})
    source = stream(5, "sizes")
    counts = Counter(choice.draw(source) for _ in range(20_000))
    assert counts == {1: pytest.approx(15_000, rel=0.03), 8: pytest.approx(5_000, rel=0.05)}
    again, other = stream(5, "sizes"), Choice({1: 3, 4: 0, 8: 1})
    assert Counter(other.draw(again) for _ in range(20_000)) == counts
