"""The HTML report of what is hard: hostile names, overload, nothing at all, and a hundred thousand jobs."""

from __future__ import annotations

import json

import pytest
from report_pages import report_of, until_counted, violations

pytestmark = pytest.mark.xdist_group("browser")

QUEUE = """\
environment: {ml.g5.xlarge: 4}
shares:
  - {name: own, strategy: RESERVE, limits: {ml.g5.xlarge: 2}}
  - {name: other, strategy: LEND_AND_BORROW, limits: {ml.g5.xlarge: 2}}
"""
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;'\""


def simulated(folder, workload, name="workload.yaml", *options):
    (folder / "queue.yaml").write_text(QUEUE)
    (folder / name).write_text(workload)
    return report_of(folder, "simulate", "queue.yaml", "--workload", name, *options)


def test_names_are_text_and_never_markup(tmp_path, open_report):
    rows = [{"id": HOSTILE, "share": "own", "submit": 0, "work": 60, "labels": {"<b>": HOSTILE}}]
    report = simulated(tmp_path, json.dumps({"jobs": [{**row, "demand": {"ml.g5.xlarge": 1}} for row in rows]}))
    with open_report(report) as watched:
        page = watched.page
        assert page.locator(".job-table tbody button.job").inner_text() == HOSTILE
        page.locator(".job-table tbody button.job").click()
        assert HOSTILE in page.locator(".job-details h4").inner_text()
        assert page.locator("img, b").count() == 0
        assert page.locator("script").count() == 2


def test_waits_under_overload_are_marked_as_not_meaningful(tmp_path, open_report):
    jobs = "".join(f"  - {{id: j{i:03}, share: own, submit: {i * 10}m, work: 1h, instances: 1}}\n" for i in range(100))
    with open_report(simulated(tmp_path, f"jobs:\n{jobs}")) as watched:
        page = watched.page
        assert "Waits are not meaningful" in page.locator(".run").inner_text()
        assert page.locator(".tile.unmeaning dt").inner_text() == "wait, not meaningful"
        assert page.locator("table.waits.unmeaning").count() == page.locator("table.waits").count() > 0
        assert page.locator("table.overview td.unmeaning").count() == 4
        assert violations(page) == []


def test_a_run_of_one_instant_is_a_page_like_any_other(tmp_path, open_report):
    report = simulated(tmp_path, "jobs:\n  - {id: a, share: own, submit: 0s, work: 0s, instances: 1}\n")
    with open_report(report) as watched:
        assert watched.page.locator(".job-filter output").inner_text() == "1 of 1 job"
        watched.page.get_by_role("button", name="Zoom in").first.click()


def test_jobs_that_fail_or_never_start_are_told_apart(tmp_path, open_report):
    workload = """\
jobs:
  - {id: breaks, share: own, submit: 0s, work: 1h, instances: 1, fails: [{after: 10m}]}
  - {id: huge, share: own, submit: 1m, work: 1h, instances: 3}
  - {id: long, share: other, submit: 0s, work: 9h, instances: 1}
"""
    with open_report(simulated(tmp_path, workload, "w.yaml", "--until", "2h")) as watched:
        page = watched.page
        assert page.locator("#run0-assumptions").get_by_text("Never schedulable (1)").is_visible()
        outcomes = page.locator("select[name=outcome] option").all_inner_texts()
        assert outcomes == ["any", "RUNNABLE", "RUNNING", "FAILED"]
        page.locator("select[name=outcome]").select_option("FAILED")
        until_counted(page, "1 of 3 jobs")
        assert page.locator(".job-table tbody button.job").all_inner_texts() == ["breaks"]


def test_the_timeline_stays_usable_with_a_hundred_thousand_jobs(tmp_path, open_report):
    rows = "".join(f"j{i},{'own' if i % 2 else 'other'},{i * 30},{20 + i % 70},1\n" for i in range(100_000))
    report = simulated(tmp_path, f"id,share,submit,work,instances\n{rows}", "workload.csv")
    assert report.stat().st_size < 8_000_000
    with open_report(report) as watched:
        page = watched.page
        output = page.locator(".job-filter output")
        assert output.inner_text() == "100,000 of 100,000 jobs"
        about = page.locator(".gantt-about")
        assert about.inner_text().startswith("100,000 jobs in this stretch of time")
        page.locator("select[name=share]").select_option(label="own")
        until_counted(page, "50,000 of 100,000 jobs")
        page.get_by_label("Text").first.fill("j99999")
        until_counted(page, "1 of 100,000 jobs")
        assert page.locator(".job-table tbody button.job").all_inner_texts() == ["j99999"]
        page.locator(".job-table tbody button.job").click()
        assert "Job j99999: SUCCEEDED" in page.locator(".job-details h4").inner_text()
        page.locator(".job-filter").get_by_role("button", name="Clear").click()
        until_counted(page, "100,000 of 100,000 jobs")
        assert int(about.inner_text().split()[0]) < 200  # the window is still that of the job
        page.get_by_label("one line for each job").check()
        page.locator("#run0-jobs").get_by_role("button", name="All").click()
        page.wait_for_function("() => document.querySelector('.gantt .spacer').offsetHeight > 1_000_000")


def test_money_and_a_lowered_limit_are_in_the_ledger_of_every_unit(tmp_path, open_report):
    (tmp_path / "prices.yaml").write_text("currency: EUR\nper_hour: {ml.g5.xlarge: 2, ml.p5.48xlarge: 100}\n")
    (tmp_path / "queue.yaml").write_text(
        "environment: {ml.g5.xlarge: 4, ml.p5.48xlarge: 1}\n"
        "shares:\n"
        "  - {name: own, strategy: RESERVE, limits: {ml.g5.xlarge: 4, ml.p5.48xlarge: 1}}\n"
    )
    (tmp_path / "w.yaml").write_text(
        "jobs:\n"
        "  - {id: a, share: own, submit: 0s, work: 2h, demand: {ml.g5.xlarge: 4}}\n"
        "  - {id: b, share: own, submit: 0s, work: 1h, demand: {ml.p5.48xlarge: 1}}\n"
        "updates:\n"
        "  - {at: 1h, share: own, limits: {ml.g5.xlarge: 1}}\n"
    )
    report = report_of(tmp_path, "simulate", "queue.yaml", "--workload", "w.yaml", "--prices", "prices.yaml")
    with open_report(report) as watched:
        page = watched.page
        tables = page.locator("table.ledger").all()
        cells = [tables[i].locator("tbody tr").first.inner_text().split("\t") for i in range(3)]
        assert cells[0][:4] == ["own", "5", "5", ""]  # limit 4 for an hour, then 1; all of it used
        heads = tables[0].locator("thead th").all_inner_texts()
        assert cells[0][heads.index("over limit")] == "3"
        assert cells[2][1] == "116.00"
        assert "116.00" in page.locator(".tile").last.inner_text()
        assert page.locator("figure.share").count() == 2
        assert "limit 4, changed 1 time" in page.locator("figure.share figcaption").first.inner_text()


def test_a_narrow_screen_scrolls_tables_and_not_the_page(tmp_path, open_report):
    report = simulated(tmp_path, "jobs:\n  - {id: a, share: own, submit: 0s, work: 5m, instances: 1}\n")
    with open_report(report, viewport={"width": 420, "height": 800}) as watched:
        assert watched.page.evaluate("() => document.documentElement.scrollWidth") <= 420
