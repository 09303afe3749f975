from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from quota_verifier.documents import dump_yaml, load_document, parse_document
from quota_verifier.errors import InputError

needs_libyaml = pytest.mark.skipif(not yaml.__with_libyaml__, reason="wording of libyaml")

TEXT = """\
# a comment
environment: {ml.g5.xlarge: 3}
shares:
  - name: QS1
    limits:
      ml.g5.xlarge: 1
  - {name: QS2,
     limits: {ml.g5.xlarge: 1}}
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("environment",), 2),
        (("environment", "ml.g5.xlarge"), 2),
        (("shares",), 3),
        (("shares", 0), 4),
        (("shares", 0, "limits"), 5),
        (("shares", 0, "limits", "ml.g5.xlarge"), 6),
        (("shares", 1), 7),
        (("shares", 1, "limits"), 8),
        (("shares", 1, "strategy"), 7),
        (("shares", 7, "name"), 3),
        (("nowhere", "at", "all"), 2),
    ],
)
def test_a_yaml_value_knows_its_line_or_that_of_what_encloses_it(path, line):
    document = parse_document(TEXT, source="queue.yaml")
    assert document.line_of(path) == line
    assert document.at(path) == f"queue.yaml:{line}"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("a",), 3),
        (("a", 0), 3),
        (("a", 1, "b"), 4),
        (("a", 1, "c\n", 1), 6),
        (("a", 1, "c\n", 2), 5),
        (("d",), 9),
        (("d", "e"), 9),
    ],
)
def test_a_json_value_knows_its_line_or_that_of_what_encloses_it(path, line):
    text = '\n{\n"a": [[],\n{"b": "}]{\\"",\n"c\\n": [-1.5e3,\n true]\n}\n],\n"d": null}'
    assert parse_document(text, source="x.json").line_of(path) == line


def test_yaml_reads_the_core_schema_and_keeps_the_rest_as_text():
    data = parse_document(
        "words: [no, on, yes, 1:30, 010, 0x1f, 1_000, 2024-01-01, -, .nan]\n"
        "numbers: [1, -2, +3, 0, 0.5, .5, 1e3, -1.5E-2]\n"
        'others: [true, FALSE, null, ~, "1", !!str 2]\n'
        "1: one\n"
        "true: yes\n",
        source="x.yaml",
    ).data
    assert data == {
        "words": ["no", "on", "yes", "1:30", "010", "0x1f", "1_000", "2024-01-01", "-", ".nan"],
        "numbers": [1, -2, 3, 0, 0.5, 0.5, 1000.0, -0.015],
        "others": [True, False, None, None, "1", "2"],
        "1": "one",
        "true": "yes",
    }


def test_anchors_and_merges_work_and_a_key_of_its_own_wins():
    text = "a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}\nc: {<<: [{z: 0, y: 9}, *a]}\nd: *a\n"
    assert parse_document(text, source="x.yaml").data == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 3, "y": 2},
        "c": {"x": 1, "y": 9, "z": 0},
        "d": {"x": 1, "y": 2},
    }


def test_a_tag_means_what_the_caller_says():
    document = parse_document(
        "a: !Ref X\nb: !Ref [1, {c: !Ref Y}]\n",
        source="x.yaml",
        tags={"!Ref": lambda value: {"Ref": value}},
    )
    assert document.data == {"a": {"Ref": "X"}, "b": {"Ref": [1, {"c": {"Ref": "Y"}}]}}


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        ("x.yaml", " \n", "x.yaml: the file is empty"),
        ("x.yaml", "# nothing\n", "x.yaml: the file is empty"),
        ("x.yaml", "a: 1\nb: {c: 1, c: 2}\n", "x.yaml:2:11: the key 'c' stands twice in one map"),
        ("x.yaml", "1: a\n'1': b\n", "x.yaml:2:1: the key '1' stands twice in one map"),
        ("x.yaml", "a: !Reff x\n", "x.yaml:1:4: unknown tag !Reff"),
        ("x.yaml", "a: !!timestamp 2024-01-01\n", "x.yaml:1:4: unknown tag !!timestamp"),
        ("x.yaml", "a: !!int x\n", "x.yaml:1:4: 'x' cannot be read as !!int"),
        ("x.yaml", "a: &a [*a]\n", "x.yaml:1:4: an alias inside the value that it stands for"),
        (
            "x.yaml",
            "? [a, b]\n: 1\n",
            "x.yaml:1:3: a key that is a list or a map; write plain text as the key",
        ),
        ("x.yaml", "<<: 1\n", "x.yaml:1:5: << merges maps alone; write <<: *anchor"),
        ("x.json", '{"a": 1,\n "a": 2}', "x.json:2:2: the key 'a' stands twice in one map"),
        ("x.yaml", '{"a": 1,\n "a": 2}', "x.yaml:2:2: the key 'a' stands twice in one map"),
        ("x.json", '{"a": 1,\n}', "x.json:1:8: malformed JSON: a comma before the closing }"),
        ("x.json", '{"a": [1, ]}', "x.json:1:9: malformed JSON: a comma before the closing ]"),
        ("x.json", '{"a" 1}', "x.json:1:6: malformed JSON: expecting ':' delimiter"),
        ("x.json", '{"a": 1}\n{}', "x.json:2:1: malformed JSON: extra data"),
        ("x.json", "a: 1", "x.json:1:1: malformed JSON: expecting value"),
        ("x.json", '{"a": NaN}', "x.json: malformed JSON: NaN is not a number that JSON knows"),
        ("x.json", "[" * 100_000, "x.json: nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_why(source, text, message):
    with pytest.raises(InputError) as raised:
        parse_document(text, source=source)
    assert str(raised.value) == message


@needs_libyaml
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b: c\n", "x.yaml:1:5: malformed YAML: mapping values are not allowed in this context"),
        (
            "a: [1\nb: 2\n",
            "x.yaml:2:2: malformed YAML: while parsing a flow sequence, did not find expected ',' or ']'",
        ),
        (
            "a: *b\n",
            "x.yaml:1:4: malformed YAML: found undefined alias",
        ),
        (
            "a: 1\n---\nb: 2\n",
            "x.yaml:2:1: malformed YAML: expected a single document in the stream, but found another document",
        ),
        (
            "a: \x01",
            "x.yaml: malformed YAML: unacceptable character #x0001: control characters are not allowed",
        ),
        (
            "[" * 100_000,
            "x.yaml:1:1001: malformed YAML: while increasing flow level, exceeded maximum nesting depth",
        ),
    ],
)
def test_malformed_yaml_says_where_and_why(text, message):
    with pytest.raises(InputError) as raised:
        parse_document(text, source="x.yaml")
    assert str(raised.value) == message


def test_a_file_that_is_not_there_is_bad_input(tmp_path):
    with pytest.raises(InputError) as raised:
        load_document(tmp_path / "none.yaml")
    assert str(raised.value) == f"{tmp_path}/none.yaml: no such file"


def test_a_directory_is_bad_input(tmp_path):
    with pytest.raises(InputError) as raised:
        load_document(tmp_path)
    assert str(raised.value) == f"{tmp_path}: this is a directory; name a file in it"


def test_a_file_that_is_not_utf_8_is_bad_input(tmp_path):
    file = tmp_path / "latin.yaml"
    file.write_bytes("name: équipe".encode("latin-1"))
    with pytest.raises(InputError) as raised:
        load_document(file)
    assert str(raised.value) == f"{file}: byte 7 is not UTF-8 text; save it as UTF-8"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    file = tmp_path / "bom.json"
    file.write_text('{"a": 1}', encoding="utf-8-sig")
    assert load_document(file).data == {"a": 1}


@pytest.mark.parametrize("name", ["braces.yaml", "braces.template", "plain"])
def test_yaml_in_braces_is_yaml(tmp_path, name):
    file = tmp_path / name
    file.write_text("{environment: {ml.g5.xlarge: 3}}")
    assert load_document(file).data == {"environment": {"ml.g5.xlarge": 3}}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=["Cc"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab.é0", max_size=4), inner, max_size=4),
    max_leaves=20,
)


def _paths(value, path=()):
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        yield from _paths(inner, (*path, step))


@settings(deadline=None)
@given(json_values)
def test_json_reads_back_whatever_it_holds_and_every_value_has_its_line(value):
    text = json.dumps(value, indent=1)
    document = parse_document(text, source="x.json")
    assert document.data == value
    lines = text.split("\n")
    for path, inner in _paths(value):
        line = lines[document.line_of(path) - 1]
        if path and isinstance(path[-1], str):
            assert line.strip().startswith(json.dumps(path[-1]))
        elif not isinstance(inner, dict | list):
            assert line.strip().rstrip(",") == json.dumps(inner)


@settings(deadline=None)
@given(json_values)
def test_yaml_reads_the_same_data_as_json(value):
    text = json.dumps(value)
    from_yaml = parse_document(f"--- {text}", source="x.yaml").data
    assert repr(from_yaml) == repr(parse_document(text, source="x.json").data)


@settings(deadline=None)
@given(json_values)
def test_dumped_yaml_reads_back_alike(value):
    assert repr(parse_document(dump_yaml(value) or "", source="x.yaml").data) == repr(value)


@settings(deadline=None)
@given(json_values)
def test_dumped_yaml_means_the_same_to_a_yaml_1_1_reader(value):
    assert repr(yaml.safe_load(dump_yaml(value))) == repr(value)


def test_dumped_yaml_keeps_the_order_of_keys_and_quotes_what_would_read_as_something_else():
    assert dump_yaml({"b": {"x": 1, "a": "1e3"}, "a": ["no", "1:30", "plain"]}) == (
        "b: {x: 1, a: '1e3'}\na: ['no', '1:30', plain]\n"
    )
