from __future__ import annotations

from dataclasses import replace

import pytest
from sweep_helpers import G5, P5, QUEUE

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.sweep.settings import Setting, changed, read_key

DOTTED = Queue(
    Environment({G5: 4, P5: 2}),
    (Share("team", {G5: 2}, Strategy.LEND), Share("team.vision", {G5: 2, P5: 2}, Strategy.RESERVE)),
)


def with_settings(queue=QUEUE, **settings):
    return changed(queue, [Setting(key.replace("__", "."), value) for key, value in settings.items()])


def test_each_property_changes_alone():
    keys = {
        "shares.A.borrow_limit": 50,
        "shares.A.in_share_preemption": True,
        "shares.A.state": "DISABLED",
        f"shares.A.limits.{G5}": 3,
        "shares.B.strategy": "reserve",
        f"environment.{G5}": 9,
    }
    found = changed(QUEUE, [Setting(*item) for item in keys.items()])
    assert found.environment == replace(QUEUE.environment, limits={G5: 9})
    assert found.shares[0] == replace(
        QUEUE.shares[0], limits={G5: 3}, borrow_limit=50, in_share_preemption=True, enabled=False
    )
    assert found.shares[1] == replace(QUEUE.shares[1], strategy=Strategy.RESERVE)


def test_no_setting_is_no_change():
    assert changed(QUEUE, []) == QUEUE


@pytest.mark.parametrize("value", [None, -1, 0])
def test_the_three_borrow_limits_that_look_alike_stay_apart(value):
    assert with_settings(shares__A__borrow_limit=value).shares[0].borrow_limit == value


@pytest.mark.parametrize("strategy", ["LEND", "reserve"])
def test_a_strategy_that_does_not_borrow_drops_the_borrow_limit(strategy):
    share = with_settings(shares__A__strategy=strategy).shares[0]
    assert (share.strategy.borrows, share.borrow_limit) == (False, None)


def test_a_strategy_that_borrows_keeps_the_borrow_limit():
    assert with_settings(shares__A__strategy="LEND_AND_BORROW").shares[0].borrow_limit == 100


def test_the_longest_share_name_that_fits_is_meant():
    assert read_key("shares.team.vision.state", DOTTED).share == "team.vision"
    assert read_key("shares.team.state", DOTTED).share == "team"
    assert read_key(f"shares.team.vision.limits.{P5}", DOTTED).unit == P5


def test_a_share_can_get_a_limit_on_a_unit_of_the_environment():
    assert changed(DOTTED, [Setting(f"shares.team.limits.{P5}", 1)]).shares[0].limits == {G5: 2, P5: 1}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("shares.A.borow_limit", 0, "s.yaml:3: a share has no property 'borow_limit'; did you mean 'borrow_limit'?"),
        ("shares.C.state", "ENABLED", "s.yaml:3: the queue has no share 'C'; known are A, B"),
        ("share.A.state", "ENABLED", "s.yaml:3: 'share.A.state' is no property that a sweep can change; "),
        ("shares.A", 1, "s.yaml:3: 'shares.A' names no property of share 'A'; keys are shares.NAME.borrow_limit"),
        ("shares.A.limits", 1, "s.yaml:3: 'shares.A.limits' is no property of a share; write shares.A.limits.UNIT"),
        ("shares.A.state.x", 1, "s.yaml:3: 'shares.A.state.x' is no property of a share; write shares.A.state"),
        ("environment.ml.g5.xlrge", 1, "s.yaml:3: the queue has no unit 'ml.g5.xlrge'; did you mean 'ml.g5.xlarge'?"),
        (f"shares.A.limits.{P5}", 1, "s.yaml:3: the queue has no unit 'ml.p5.48xlarge'; did you mean 'ml.g5.xlarge'?"),
        (f"environment.{G5}", -1, f"s.yaml:3: environment.{G5}: -1 is below 0; write 0 or more"),
        (f"shares.A.limits.{G5}", 0, f"s.yaml:3: shares.A.limits.{G5}: 0 is below 1; write 1 or more"),
        (f"shares.A.limits.{G5}", None, f"s.yaml:3: shares.A.limits.{G5}: null is not a whole number"),
        ("shares.A.borrow_limit", True, "s.yaml:3: shares.A.borrow_limit: true is not a whole number"),
        ("shares.B.borrow_limit", 5, "s.yaml:3: shares.B.borrow_limit: a share of strategy LEND does not borrow; "),
        ("shares.A.strategy", "BORROW", "s.yaml:3: shares.A.strategy: 'BORROW' is not allowed; write 'RESERVE'"),
    ],
)
def test_a_mistake_names_the_key_and_what_would_be_right(key, value, message):
    with pytest.raises(InputError) as caught:
        changed(QUEUE, [Setting(key, value, "s.yaml:3")])
    assert str(caught.value).startswith(message)
