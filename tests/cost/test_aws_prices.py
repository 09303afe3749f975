"""Training prices out of answers of GetProducts, in the form that AWS documents; botocore checks them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from quota_verifier.cli.main import main
from quota_verifier.cost import aws_prices, read_prices
from quota_verifier.cost.aws_prices import Quote, training_prices
from quota_verifier.errors import InputError

boto3 = pytest.importorskip("boto3")
stub = pytest.importorskip("botocore.stub")

G5, P5 = "ml.g5.xlarge", "ml.p5.48xlarge"


def product(
    usage: str = f"USE1-Train:{G5}",
    price: str = "1.4080000000",
    sku: str = "SKU1",
    effective: str = "2026-11-01T00:00:00Z",
    **changes: object,
) -> str:
    """One entry of a PriceList: a JSON text. The figures are made up."""
    dimension = {
        "unit": "Hrs",
        "endRange": "Inf",
        "beginRange": "0",
        "description": "made up",
        "appliesTo": [],
        "rateCode": f"{sku}.TERM.RATE",
        "pricePerUnit": {"USD": price},
        **changes,
    }
    term = {"priceDimensions": {f"{sku}.TERM.RATE": dimension}, "sku": sku, "effectiveDate": effective}
    return json.dumps(
        {
            "product": {
                "productFamily": "ML Instance",
                "attributes": {"regionCode": "us-east-1", "usagetype": usage, "operation": "RunInstance"},
                "sku": sku,
            },
            "serviceCode": "AmazonSageMaker",
            "terms": {"OnDemand": {f"{sku}.TERM": term}},
            "version": "20261127",
            "publicationDate": "2026-11-27T10:00:00Z",
        }
    )


def asked(unit: str, token: str | None = None) -> dict[str, object]:
    return {
        "ServiceCode": "AmazonSageMaker",
        "FormatVersion": "aws_v1",
        "Filters": [
            {"Type": "TERM_MATCH", "Field": "regionCode", "Value": "us-east-1"},
            {"Type": "CONTAINS", "Field": "usagetype", "Value": f"Train:{unit}"},
        ],
        **({"NextToken": token} if token else {}),
    }


@pytest.fixture
def client() -> object:
    return boto3.client("pricing", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")  # noqa: S106


@pytest.fixture
def stubber(client: object) -> Iterator[object]:
    with stub.Stubber(client) as found:
        yield found
        found.assert_no_pending_responses()


def answer(stubber: object, unit: str, *pages: list[str]) -> None:
    for number, page in enumerate(pages):
        token = {"NextToken": f"page{number + 1}"} if number + 1 < len(pages) else {}
        response = {"FormatVersion": "aws_v1", "PriceList": page, **token}
        stubber.add_response("get_products", response, asked(unit, f"page{number}" if number else None))


def test_each_unit_gets_the_price_of_training_on_it(client, stubber) -> None:
    others = [
        product(f"USE1-Host:{G5}", "9"),
        product(f"USE1-Train:{G5}2", "8"),
        product(f"USE1-SpotTrain:{G5}", "7"),
        product(f"USE1-Notebk:{G5}", "6"),
    ]
    answer(stubber, G5, others, [product()])
    answer(stubber, P5, [product(f"Train:{P5}", "98.3200000000", "SKU2")])
    quotes = training_prices([P5, G5, G5], "us-east-1", client)
    published = "2026-11-27T10:00:00Z"
    assert quotes == (
        Quote(G5, "USD", Decimal("1.4080000000"), "SKU1", "2026-11-01T00:00:00Z", published),
        Quote(P5, "USD", Decimal("98.3200000000"), "SKU2", "2026-11-01T00:00:00Z", published),
    )


def test_the_term_that_took_effect_last_decides(client, stubber) -> None:
    entry = json.loads(product(price="2"))
    older = json.loads(product(price="1", effective="2025-01-01T00:00:00Z"))
    entry["terms"]["OnDemand"]["older"] = older["terms"]["OnDemand"]["SKU1.TERM"]
    answer(stubber, G5, [json.dumps(entry)])
    assert [quote.per_hour for quote in training_prices([G5], "us-east-1", client)] == [2]


def test_two_products_of_one_price_are_no_question(client, stubber) -> None:
    answer(stubber, G5, [product(sku="A", price="2.0"), product(sku="B", price="2.00")])
    assert [quote.sku for quote in training_prices([G5], "us-east-1", client)] == ["B"]


WITHOUT_TERMS = json.dumps({"product": {"sku": "S", "attributes": {"usagetype": f"USE1-Train:{G5}"}}, "terms": {}})


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ([], f"no training price of {G5} in us-east-1; check the instance type and the region"),
        ([product(f"USE1-Host:{G5}")], f"no training price of {G5} in us-east-1"),
        (
            [product(sku="A", price="1.5"), product(sku="B", price="2")],
            f"several training prices of {G5} in us-east-1: 1.5 USD (A), 2 USD (B); write the right one by hand",
        ),
        ([product(unit="GB")], f"{G5}: the product SKU1 has no single price by the hour"),
        ([product(pricePerUnit={"USD": "1", "CNY": "7"})], f"{G5}: the product SKU1 is priced in 2 currencies"),
        ([product(price="much")], f"{G5}: the product SKU1 has the price 'much'"),
        ([WITHOUT_TERMS], f"{G5}: the product S has no on-demand price"),
        (["[]"], "a product is not a JSON map"),
        (["{"], "a product is not a JSON map"),
    ],
)
def test_what_is_not_one_price_is_refused(client, stubber, page: list[str], said: str) -> None:
    answer(stubber, G5, page)
    with pytest.raises(InputError) as caught:
        training_prices([G5], "us-east-1", client)
    assert str(caught.value).startswith(f"AWS Price List: {said}")


def test_a_call_that_fails_is_one_message(client, stubber) -> None:
    stubber.add_client_error("get_products", "AccessDeniedException", "not authorized")
    with pytest.raises(InputError, match=r"AccessDeniedException.* see that boto3 finds credentials"):
        training_prices([G5], "us-east-1", client)


def test_the_command_writes_a_prices_file(client, stubber, monkeypatch, tmp_path: Path, capsys) -> None:
    monkeypatch.setattr(aws_prices, "pricing_client", lambda: client)
    answer(stubber, G5, [product()])
    answer(stubber, G5, [product()])
    path = tmp_path / "prices.yaml"
    assert main(["prices", "--region", "us-east-1", "--units", G5, "--out", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["units"][G5]["per_hour"] == "1.4080000000"
    prices = read_prices(path)
    assert (prices.currency, prices.per_hour) == ("USD", {G5: Decimal("1.408")})
    assert prices.source.endswith("SageMaker training on demand in us-east-1, published 2026-11-27T10:00:00Z")
    queue = tmp_path / "queue.yaml"
    queue.write_text(
        f"environment: {{{G5}: 1}}\nshares: [{{name: A, limits: {{{G5}: 1}}, strategy: LEND}}]\n", encoding="utf-8"
    )
    assert main(["prices", str(queue), "--region", "us-east-1"]) == 0
    assert capsys.readouterr().out == path.read_text(encoding="utf-8")


def test_the_command_needs_units(capsys) -> None:
    assert main(["prices", "--region", "us-east-1"]) == 2
    assert "prices of what?; name a template, or --units ml.g5.xlarge" in capsys.readouterr().err
