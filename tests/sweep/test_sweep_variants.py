from __future__ import annotations

import pytest
from sweep_helpers import G5, LIMITS, QUEUE

from quota_verifier.errors import InputError
from quota_verifier.sweep.settings import Setting
from quota_verifier.sweep.variants import MOST_VARIANTS, Asked, Axis, grid, read_sweep_file, variants_of

ENVIRONMENT = Axis(f"environment.{G5}", (3, 5), "s.yaml:4")


def refused(*axes: Axis, asked=()) -> str:
    with pytest.raises(InputError) as caught:
        variants_of(QUEUE, (*grid(axes, QUEUE), *asked))
    return str(caught.value)


def test_a_grid_has_every_combination_and_the_last_key_changes_fastest():
    found = variants_of(QUEUE, grid([LIMITS, ENVIRONMENT], QUEUE))
    assert [variant.name for variant in found] == [
        "baseline",
        f"A.borrow_limit=0, {G5}=3",
        f"A.borrow_limit=0, {G5}=5",
        f"A.borrow_limit=100, {G5}=3",
        f"A.borrow_limit=100, {G5}=5",
    ]
    assert found[0].queue == QUEUE
    assert found[2].queue.shares[0].borrow_limit == 0
    assert found[2].queue.environment.limits == {G5: 5}
    assert found[2].settings == {"shares.A.borrow_limit": 0, f"environment.{G5}": 5}


def test_without_axes_there_is_only_the_baseline():
    assert [variant.name for variant in variants_of(QUEUE, grid([], QUEUE))] == ["baseline"]


def test_what_is_legal_but_seldom_meant_is_noted():
    base, less, more = variants_of(QUEUE, grid([ENVIRONMENT], QUEUE))
    assert base.notes == ()
    assert less.notes == (f"promises 4 of 3 {G5} (E9516)",)
    assert more.notes == (f"1 of 5 {G5} belong to no share (I9501)",)


def test_a_variant_that_is_no_legal_queue_is_named():
    both = Asked(
        (Setting("shares.B.strategy", "LEND", "s.yaml:7"), Setting("shares.B.borrow_limit", 10, "s.yaml:8")), "odd"
    )
    assert refused(asked=[both]) == (
        "s.yaml:8: variant 'odd': shares.B.borrow_limit: a share of strategy LEND does not borrow; "
        "remove borrow_limit, or use LEND_AND_BORROW"
    )
    assert refused(Axis(f"environment.{G5}", (3, -2), "--set")) == (
        f"--set: variant '{G5}=-2': environment.{G5}: -2 is below 0; write 0 or more"
    )


def test_names_differ():
    twin = Asked((Setting("shares.A.borrow_limit", 5),), "A.borrow_limit=100", "s.yaml:9")
    assert refused(LIMITS, asked=[twin]) == (
        "s.yaml:9: two variants are called 'A.borrow_limit=100'; give every variant its own name"
    )


def test_a_key_and_a_value_stand_once_in_a_grid():
    assert refused(LIMITS, Axis(LIMITS.key, (5,), "--set")) == (
        "--set: 'shares.A.borrow_limit' is given twice; give all its values at once"
    )
    assert refused(Axis(LIMITS.key, (5, None, 5), "--set")) == (
        "--set: shares.A.borrow_limit: the value 5 is given twice; give each once"
    )


def test_a_grid_that_nobody_could_read_is_refused_before_it_is_built():
    axes = [Axis(key, tuple(range(1, 200)), "s.yaml:2") for key in (f"environment.{G5}", "shares.A.borrow_limit")]
    assert refused(*axes) == (
        f"s.yaml:2: the grid has 39601 variants, more than {MOST_VARIANTS}; "
        "give fewer values, or list the variants that matter"
    )


def test_a_sweep_file_gives_every_value_its_line(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(
        "grid:\n  shares.A.borrow_limit: [0, null]\nvariants:\n  - name: more\n"
        f"    set:\n      environment.{G5}: 9\n      shares.A.state: DISABLED\n"
    )
    file, axes, listed = read_sweep_file(str(path))
    assert file.seeds == 10
    assert axes == (Axis("shares.A.borrow_limit", (0, None), f"{path}:2"),)
    assert [(setting.key, setting.value, setting.source) for setting in listed[0].settings] == [
        (f"environment.{G5}", 9, f"{path}:6"),
        ("shares.A.state", "DISABLED", f"{path}:7"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gird: {}", ":1: gird: unknown key 'gird'; did you mean 'grid'?"),
        ("grid: {shares.A.state: []}", ':1: grid["shares.A.state"]: has 0 items; give at least 1'),
        ("grid: {shares.A.borrow_limit: 3}", ':1: grid["shares.A.borrow_limit"]: 3 is not a list; write a list'),
        ("grid: {shares.A.borrow_limit: [0.5]}", ':1: grid["shares.A.borrow_limit"][0]: 0.5 is no value of a property'),
        ("variants: [{name: a}]", ":1: variants[0].set: is missing; add 'set'"),
        ("variants: [{name: a, sett: {k: 1}}]", ":1: variants[0].sett: unknown key 'sett'; did you mean 'set'?"),
        ("variants: [{name: baseline, set: {k: 1}}]", ":1: variants[0].name: 'baseline' is the queue without changes"),
        (
            "variants: [{name: a, set: {k: 1}}, {name: a, set: {k: 2}}]",
            ":1: two variants are called 'a'; give every variant its own name",
        ),
        ("seeds: 0", ":1: seeds: 0 is below 1; write 1 or more"),
        ("seeds: []", ":1: seeds: no seed is given; give a number of seeds, or a list of them"),
        ("seeds: [4, 4]", ":1: seeds: the seed 4 is given twice; give each once, or it counts double"),
        ("seeds: [1, -1]", ":1: seeds[1]: -1 is below 0; write 0 or more"),
        ("seeds: ten", ":1: seeds: 'ten' is not a whole number; write a number such as 4"),
        ("objectives: []", ":1: objectives: has 0 items; give at least 1"),
    ],
)
def test_a_mistake_in_a_sweep_file_is_one_line(tmp_path, text, message):
    path = tmp_path / "s.yaml"
    path.write_text(text + "\n")
    with pytest.raises(InputError) as caught:
        read_sweep_file(str(path))
    assert str(caught.value).startswith(f"{path}{message}")
