"""The HTML report as a file: the same bytes for the same run, one file for all, and its data as published."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest
from report_pages import ROOT, report_of
from tools.refresh_docs import REPORT_DATA, report_data

from quota_verifier.cli.main import main
from quota_verifier.report.html.encode import means, numbers, script_json
from quota_verifier.report.html.words import grouped, time

EXAMPLE = ROOT / "examples" / "report"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    for name in ("queue.yaml", "policy.yaml"):
        shutil.copy(EXAMPLE / name, folder)
    return report_of(folder, "verify", "queue.yaml", "--policy", "policy.yaml", code=1)


def test_the_same_run_gives_the_same_bytes(report):
    first = report.read_bytes()
    again = report_of(report.parent, "verify", "queue.yaml", "--policy", "policy.yaml", code=1)
    assert again.read_bytes() == first


def test_the_page_needs_no_other_file_and_no_network(report):
    text = report.read_text(encoding="utf-8")
    markup = text.split("</style>")[1].split('id="report-data"')[0]
    assert re.findall(r"\s(?:src|srcset|poster|action)=", markup) == []
    assert "@import" not in text
    assert re.findall(r"https?://[^\s\"'<]+", text) == ["http://www.w3.org/2000/svg"]
    assert "default-src 'none'" in text


def test_the_example_holds_the_data_that_is_published():
    assert REPORT_DATA.read_text(encoding="utf-8") == report_data(), "run python tools/refresh_docs.py"


def test_without_jinja2_the_extra_is_named_and_the_old_report_stays(tmp_path, monkeypatch, capsys):
    for name in ("queue.yaml", "policy.yaml"):
        shutil.copy(EXAMPLE / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.html").write_text("old")
    monkeypatch.setattr("quota_verifier.report.html.write.find_spec", lambda name: None)
    assert main(["verify", "queue.yaml", "--policy", "policy.yaml", "--report", "report.html"]) == 2
    assert "jinja2 is not installed; pip install 'quota-shares[report]'" in capsys.readouterr().err
    assert (tmp_path / "report.html").read_text() == "old"


@pytest.mark.parametrize(
    ("values", "encoded"),
    [
        ([], []),
        ([5], [5]),
        ([7] * 9, {"r": [7, 9]}),
        ([1000, 1001, 1003, 1006], {"d": [1000, 1, 2, 3]}),
        ([3, 1, 2], [3, 1, 2]),
    ],
)
def test_a_column_takes_its_shortest_form(values, encoded):
    assert numbers(np.array(values, np.int64)) == encoded


def test_means_are_rounded_to_three_decimals_and_whole_where_all_are():
    assert means(np.array([1.00000001, 2.0, 2.0])) == [1, 2, 2]
    assert means(np.array([0.33333, 2.0])) == [0.333, 2]


def test_nothing_in_the_data_ends_its_element():
    assert "<" not in script_json({"id": "</script><!--"})
    assert json.loads(script_json({"id": "</script>"})) == {"id": "</script>"}


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0s"),
        (1_500, "1.5s"),
        (35 * 3_600_000 + 25 * 60_000 + 31_000, "1d11h26m"),
        (917_760_000, "10d15h"),
        (86_400_000 * 4, "4d"),
        (None, "-"),
    ],
)
def test_times_are_rounded_to_what_their_size_deserves(ms, text):
    assert time(ms) == text


@pytest.mark.parametrize(("number", "text"), [("2159.1", "2,159.1"), ("<0.1", "<0.1"), ("1234567.89", "1,234,567.89")])
def test_thousands_are_set_apart(number, text):
    assert grouped(number) == text
