from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Discriminator, Field, Strict, Tag, field_validator

from quota_verifier.documents import parse_document
from quota_verifier.durations import Duration
from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel, validate_document, validate_file


class Item(FileModel):
    name: str
    count: Annotated[int, Strict(), Field(ge=1, le=9)] = 1
    wait: Duration = 0
    ratio: float = 0.5
    on: Annotated[bool, Strict()] = False
    kind: Literal["a", "b"] = "a"

    @field_validator("name")
    @classmethod
    def _no_slash(cls, name: str) -> str:
        if "/" in name:
            raise ValueError("a slash is not allowed in a name")
        return name


class ByFile(FileModel):
    file: str
    format: Literal["csv"] = "csv"


class ByList(FileModel):
    jobs: tuple[Item, ...] = Field(min_length=1)


class Sized(FileModel):
    size: dict[str, int]


def _kind(value: object) -> str:
    return "from a file" if isinstance(value, dict) and "file" in value else "in place"


class Whole(FileModel):
    items: tuple[Item, ...]
    source: Annotated[Annotated[ByFile, Tag("from a file")] | Annotated[ByList, Tag("in place")], Discriminator(_kind)]
    either: dict[str, Annotated[int, Strict()]] | Sized = Field(default_factory=dict)
    nested: Item | None = None


GOOD = "items: []\nsource: {file: x.csv}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("items: []\n", "source: is missing; add 'source'"),
        ("items: [{}]\nsource: {file: x}\n", "items[0].name: is missing; add 'name'"),
        ("items: [{nam: x}]\nsource: {file: x}\n", "items[0].nam: unknown key 'nam'; did you mean 'name'?"),
        (
            "items: [{name: x, colour: red}]\nsource: {file: x}\n",
            "items[0].colour: unknown key 'colour'; known are name, count, wait, ratio, on, kind",
        ),
        ("items: 3\nsource: {file: x}\n", "items: 3 is not a list; write a list, one item a line, each after a dash"),
        ("items: [3]\nsource: {file: x}\n", "items[0]: 3 is not a map; write key: value pairs"),
        ("items: [{name: 3}]\nsource: {file: x}\n", "items[0].name: 3 is not text; write it in quotes"),
        ("items: [{name: a/b}]\nsource: {file: x}\n", "items[0].name: a slash is not allowed in a name"),
        (
            "items: [{name: x, count: true}]\nsource: {file: x}\n",
            "items[0].count: true is not a whole number; write a number such as 4",
        ),
        (
            'items: [{name: x, count: "2"}]\nsource: {file: x}\n',
            "items[0].count: '2' is not a whole number; write a number such as 4",
        ),
        ("items: [{name: x, count: 0}]\nsource: {file: x}\n", "items[0].count: 0 is below 1; write 1 or more"),
        ("items: [{name: x, count: 10}]\nsource: {file: x}\n", "items[0].count: 10 is above 9; write 9 or less"),
        (
            "items: [{name: x, wait: 5 minutes}]\nsource: {file: x}\n",
            "items[0].wait: '5 minutes' is not a duration;"
            " write a duration such as 90s, 5m, 1h30m, 2d or 250ms; a plain number is seconds",
        ),
        (
            "items: [{name: x, ratio: half}]\nsource: {file: x}\n",
            "items[0].ratio: 'half' is not a number; write a number such as 0.5",
        ),
        (
            "items: [{name: x, on: 1}]\nsource: {file: x}\n",
            "items[0].on: 1 is neither true nor false; write true or false",
        ),
        ("items: [{name: x, kind: c}]\nsource: {file: x}\n", "items[0].kind: 'c' is not allowed; write 'a' or 'b'"),
        ("items: []\nsource: {file: x, fromat: csv}\n", "source.fromat: unknown key 'fromat'; did you mean 'format'?"),
        ("items: []\nsource: {jobs: []}\n", "source.jobs: has 0 items; give at least 1"),
        ("items: []\nsource: {jobs: [{nme: x}]}\n", "source.jobs[0].nme: unknown key 'nme'; did you mean 'name'?"),
        (
            GOOD + "either: {ml.g5.xlarge: x}\n",
            "either[\"ml.g5.xlarge\"]: 'x' is not a whole number; write a number such as 4",
        ),
        (GOOD + "either: {size: {a: x}}\n", "either.size.a: 'x' is not a whole number; write a number such as 4"),
        (GOOD + "nested: {name: x, knd: a}\n", "nested.knd: unknown key 'knd'; did you mean 'kind'?"),
        ("- 1\n", "a list is not a map; write key: value pairs"),
    ],
)
def test_a_mistake_names_the_field_what_is_wrong_and_what_would_be_right(text, message):
    with pytest.raises(InputError) as raised:
        validate_document(Whole, parse_document(text, source="x.yaml"))
    assert str(raised.value).split(": ", 1)[1] == message


def test_a_mistake_names_the_file_and_the_line():
    text = "source: {file: x.csv}\nitems:\n  - name: a\n  - name: b\n    count: 0\n"
    with pytest.raises(InputError) as raised:
        validate_document(Whole, parse_document(text, source="dir/x.yaml"))
    assert str(raised.value) == "dir/x.yaml:5: items[1].count: 0 is below 1; write 1 or more"
    assert raised.value.source == "dir/x.yaml:5"
    assert raised.value.where == "items[1].count"


def test_data_without_lines_still_names_its_source():
    with pytest.raises(InputError) as raised:
        validate_file(Item, {"name": "a", "count": 0}, "the request")
    assert str(raised.value) == "the request: count: 0 is below 1; write 1 or more"


def test_good_data_becomes_the_model():
    document = parse_document("items: [{name: a, wait: 5m}]\nsource: {file: x.csv}\n", source="x.yaml")
    found = validate_document(Whole, document)
    assert found.items[0].name == "a"
    assert found.items[0].wait == 300_000
    assert found.source == ByFile(file="x.csv")


def test_a_long_value_is_quoted_in_part():
    with pytest.raises(InputError) as raised:
        validate_file(Item, {"name": "a", "kind": "x" * 500}, "")
    assert str(raised.value) == f"kind: '{'x' * 57}...' is not allowed; write 'a' or 'b'"
