"""What runs cost: figures worked out by hand, exact sums, and what is said where a price is missing."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from quota_verifier.cli.main import main
from quota_verifier.cost import Amounts, Prices, costs_of, held_time, lost_time, priced, read_prices
from quota_verifier.errors import InputError
from quota_verifier.figures import columns, summarize
from quota_verifier.model import Environment, Job, Queue, Share, Strategy
from quota_verifier.policy import policy_from_data, verify
from quota_verifier.report.numbers import money
from quota_verifier.scheduler import simulate
from quota_verifier.workload import Workload

G5, P5 = "ml.g5.xlarge", "ml.p5.48xlarge"
H = 3_600_000
USD = Prices("USD", {G5: Decimal("1.1"), P5: Decimal(90)}, "p.yaml")
QUEUE = Queue(
    Environment({G5: 3, P5: 1}),
    (
        Share("A", {G5: 1}, Strategy.LEND_AND_BORROW, 100),
        Share("B", {G5: 1}, Strategy.LEND),
        Share("C", {G5: 1, P5: 1}, Strategy.RESERVE),
    ),
)
JOBS = Workload(
    (
        Job("a1", "A", 0, 4 * H, {G5: 1}, priority=2),
        Job("a2", "A", 0, 4 * H, {G5: 1}, priority=1),  # borrows B's instance for an hour, and loses it
        Job("b1", "B", H, H, {G5: 1}),
        Job("c1", "C", 0, 2 * H, {P5: 1}),
    )
)
"""0h: a1 own, a2 on loan, c1. 1h: b1 preempts a2, 1 h lost. 2h: a2 borrows again until 6h."""


def test_costs_are_the_ledger_times_prices() -> None:
    run = simulate(QUEUE, JOBS)
    costs = costs_of(summarize(run), columns(run), USD)
    g5 = Fraction("1.1")
    by_share = {share.share: share.amounts for share in costs.shares}
    assert by_share["A"].used == (4 + 1 + 4) * g5
    assert by_share["A"].own + by_share["A"].borrowed == by_share["A"].used
    assert by_share["A"].lost_work == 1 * g5
    # a1 ends at 4h: from then on a2 is within A's own limit, and B's instance is idle.
    assert by_share["A"] == Amounts(own=6 * g5, borrowed=3 * g5, lost_work=g5)
    assert by_share["B"] == Amounts(own=g5, lent=3 * g5, idle=2 * g5)
    assert by_share["C"] == Amounts(own=Fraction(180), idle_reserved=6 * g5 + 4 * 90)
    assert costs.queue.used == 10 * g5 + 180
    assert costs.unpriced == ()


def test_sums_are_exact_where_floats_are_not() -> None:
    tenth = Prices("USD", {G5: Decimal("0.1")})
    assert priced({G5: 3 * H}, tenth) == Fraction(3, 10)
    assert 0.1 * 3 != 0.3
    third = priced({G5: 1}, tenth)
    assert sum([third] * (3 * H)) == Fraction(3, 10)


def test_a_unit_without_a_price_is_named_and_in_no_sum() -> None:
    run = simulate(QUEUE, JOBS)
    costs = costs_of(summarize(run), columns(run), Prices("EUR", {G5: Decimal(1)}))
    assert costs.unpriced == (P5,)
    assert costs.queue.used == 10
    assert {share.share: share.amounts.idle_reserved for share in costs.shares}["C"] == 6


def test_time_held_counts_what_is_still_running() -> None:
    run = simulate(QUEUE, JOBS, until_ms=H // 2)
    table = columns(run)
    everybody = table.jobs.share >= 0
    assert held_time(table, everybody) == {G5: H, P5: H // 2}
    assert lost_time(table, everybody) == {G5: 0, P5: 0}


@pytest.mark.parametrize(
    ("claim", "value", "holds"),
    [
        ({"cost": "<= 191"}, Fraction(191), True),
        ({"cost": "< 191"}, Fraction(191), False),
        ({"share": "A", "cost": "<= 9.9"}, Fraction("9.9"), True),
        ({"unit": P5, "cost": "<= 180"}, Fraction(180), True),
        ({"job": "a2", "cost": "<= 5"}, Fraction("5.5"), False),
        ({"lost_work_cost": "<= 1.1"}, Fraction("1.1"), True),
        ({"share": "B", "lost_work_cost": 0}, Fraction(0), True),
        ({"lost_work_cost": "<= 1.0999999999"}, Fraction("1.1"), False),
    ],
)
def test_policies_speak_of_money(claim: dict[str, object], value: Fraction, holds: bool) -> None:
    prices = {"currency": "USD", "per_hour": {G5: 1.1, P5: "90"}}
    data = {"workload": ROWS, "prices": prices, "expect": [claim], "under": "default"}
    (verdict,) = verify(QUEUE, policy_from_data(data)).policies[0].verdicts
    assert (verdict.measured.value, verdict.measured.holds) == (value, holds)
    assert verdict.measured.text.endswith(" USD")


ROWS = {
    "jobs": [
        {"id": job.id, "share": job.share, "submit": job.submit_ms // 1000, "work": job.work_ms // 1000,
         "demand": dict(job.demand), "priority": job.priority}
        for job in JOBS.jobs
    ]
}  # fmt: skip


def refusal(prices: object, claim: dict[str, object] | None = None) -> str:
    data = {"workload": ROWS, "expect": [claim or {"cost": "<= 5"}], "under": "default", "prices": prices}
    if prices is None:
        del data["prices"]
    with pytest.raises(InputError) as caught:
        verify(QUEUE, policy_from_data(data, source="p.yaml"))
    return str(caught.value)


def test_a_claim_about_money_needs_prices_of_all_its_units() -> None:
    assert refusal(None) == (
        "p.yaml: expect[0].cost: cost is money, and there is no table of prices; "
        "add prices: FILE to the policy file, or give --prices FILE"
    )
    some = {"currency": "USD", "per_hour": {G5: 1}}
    assert refusal(some) == f"p.yaml: expect[0].cost: no price for {P5}; add them to p.yaml"
    data = {"workload": ROWS, "expect": [{"unit": G5, "cost": "<= 11"}], "under": "default", "prices": some}
    assert verify(QUEUE, policy_from_data(data)).ok


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("currency: USD\nper_hour: {}\n", "2: per_hour: has 0 items; give at least 1"),
        ("currency: usd\nper_hour: {x: 1}\n", "1: currency: 'usd' does not match ^[A-Z]{3}$"),
        ("currency: USD\nper_hour: {x: -1}\n", "2: per_hour.x: -1 is not a price from 0 to 1000000"),
        (
            "currency: USD\nper_hour: {x: cheap}\n",
            "2: per_hour.x: 'cheap' is not a price; write a number such as 1.408",
        ),
        ("currency: USD\nper_hour: {x: true}\n", "2: per_hour.x: true is not a price"),
        ("currency: USD\nper_hour: {x: '0.12345678901'}\n", "2: per_hour.x: '0.12345678901' has more than 10 decimals"),
        ("currency: USD\nper_hours: {x: 1}\n", "2: per_hours: unknown key 'per_hours'; did you mean 'per_hour'?"),
    ],
)
def test_a_bad_prices_file_is_one_message(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_prices(path)
    assert str(caught.value).removeprefix(f"{path}:").startswith(said)


def test_prices_are_read_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("currency: USD\nper_hour: {a: 1.1, b: '0.1234567890', c: 0}\n", encoding="utf-8")
    assert read_prices(path).per_hour == {"a": Decimal("1.1"), "b": Decimal("0.123456789"), "c": Decimal(0)}


def test_money_is_rounded_for_reading_and_never_to_nothing() -> None:
    cases = {"0": "0.00", "0.004": "<0.01", "0.005": "0.01", "1.995": "2.00", "1234.5": "1234.50", "1/3": "0.33"}
    assert {text: money(Fraction(text)) for text in cases} == cases


EXAMPLE = Path(__file__).parents[2] / "examples" / "three_shares"


def test_simulate_shows_money_only_with_prices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prices = tmp_path / "p.yaml"
    prices.write_text(f"currency: USD\nper_hour: {{{G5}: 1}}\n", encoding="utf-8")
    argv = ["simulate", str(EXAMPLE / "queue.yaml"), "--workload", str(EXAMPLE / "workload.yaml")]
    assert main(argv) == 0
    assert "cost" not in capsys.readouterr().out.lower()
    assert main([*argv, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["costs"] is None
    report = tmp_path / "r.json"
    assert main([*argv, "--prices", str(prices), "--json", "--report", str(report)]) == 0
    out = capsys.readouterr().out
    costs = json.loads(out)["costs"]
    assert report.read_text("utf-8") == out
    assert costs["currency"] == "USD"
    assert costs["prices"] == {G5: "1"}
    assert [share["costs"]["used"] for share in costs["shares"]] == [3.008333, 1.0, 0.0]
    assert costs["queue"]["lost_work"] == 0.008333
    assert main([*argv, "--prices", str(prices)]) == 0
    shown = capsys.readouterr().out
    assert "lost work  cost USD" in shown
    assert "Costs in USD" in shown
    assert "queue  4.01  3.01" in shown


def test_verify_takes_prices_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prices, policy = tmp_path / "p.yaml", tmp_path / "policy.yaml"
    prices.write_text(f"currency: USD\nper_hour: {{{G5}: 2}}\n", encoding="utf-8")
    rows = {"file": str(EXAMPLE / "workload.yaml")}
    data = {"workload": rows, "expect": [{"lost_work_cost": "<= 0.01"}], "under": "default"}
    policy.write_text(json.dumps(data), encoding="utf-8")
    argv = ["verify", str(EXAMPLE / "queue.yaml"), "--policy", str(policy)]
    assert main(argv) == 2
    assert "there is no table of prices" in capsys.readouterr().err
    assert main([*argv, "--prices", str(prices)]) == 1
    assert "lost work cost <= 0.01" in capsys.readouterr().out
