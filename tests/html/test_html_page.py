"""The HTML report in a real browser: filled with the run's figures, moved by pointer and keyboard, for every eye."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from report_pages import ROOT, report_of, until_counted, violations

from quota_verifier import read_policy, read_queue, verify
from quota_verifier.figures import summarize

pytestmark = pytest.mark.xdist_group("browser")

EXAMPLE = ROOT / "examples" / "report"
THREE_SHARES = ROOT / "examples" / "three_shares"
SECTIONS = ("verdicts", "shares", "waits", "jobs", "preemptions", "ledger", "assumptions")


@pytest.fixture(scope="module")
def day(tmp_path_factory):
    """The report of examples/report: 104 jobs, preemptions of both kinds, two claims that fail."""
    folder = tmp_path_factory.mktemp("day")
    for name in ("queue.yaml", "policy.yaml"):
        shutil.copy(EXAMPLE / name, folder)
    return report_of(folder, "verify", "queue.yaml", "--policy", "policy.yaml", code=1)


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory):
    """A report with two policies, of which one has a claim that fails and one that depends on an assumption."""
    folder = tmp_path_factory.mktemp("two")
    for path in THREE_SHARES.glob("*.yaml"):
        shutil.copy(path, folder)
    return report_of(folder, "verify", "queue.yaml", "--policy", "policy.yaml", "too_strict.yaml", code=1)


@pytest.fixture(scope="module")
def run():
    (found,) = verify(read_queue(EXAMPLE / "queue.yaml"), read_policy(EXAMPLE / "policy.yaml")).policies
    return found.run


def drawn(page):
    """The pixels of the timeline, once it has been drawn anew."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate("() => document.querySelector('section.run:not([hidden]) canvas').toDataURL()")


def table_rows(page, selector):
    return [row.split("\t") for row in page.locator(f"{selector} tbody tr").all_inner_texts()]


def test_every_section_is_there_and_filled(day, open_report):
    with open_report(day) as watched:
        for name in SECTIONS:
            assert len(watched.page.locator(f"#run0-{name}").inner_text()) > 100, name
            assert watched.page.locator(f"nav a[data-section={name}]").get_attribute("href") == f"#run0-{name}"
        assert watched.page.locator("figure.share").count() == 3


def test_verdicts_come_first_and_say_what_is_not_proven(day, open_report):
    with open_report(day) as watched:
        assert watched.page.locator(".banner strong").inner_text() == "2 of 9 claims are not proven"
        assert watched.page.locator(".banner .standing").all_inner_texts() == ["2 fail", "7 hold"]
        unproven = watched.page.locator(".policies .unproven").all_inner_texts()
        assert unproven == [
            "fails share research: wait p95 <= 90m 1h53m0.743s",
            "fails share research: preemptions <= 5 14",
        ]
        assert watched.page.locator("#run0-verdicts .claims > tbody > tr").count() == 9
        assert watched.page.locator("#run0-verdicts .claims > tbody > tr.fails").count() == 2


def test_the_summary_fits_one_screen(day, open_report):
    with open_report(day) as watched:
        overview = watched.page.locator("table.overview")
        assert overview.evaluate("(table) => table.getBoundingClientRect().bottom <= innerHeight")


def test_figures_are_those_of_the_run(day, run, open_report):
    figures = summarize(run)
    with open_report(day) as watched:
        tiles = dict(
            zip(
                watched.page.locator(".tile dt").all_inner_texts(),
                watched.page.locator(".tile dd strong").all_inner_texts(),
                strict=True,
            )
        )
        group = figures.queue.group
        preempted = group.preempted_cross_share + group.preempted_in_share
        assert (tiles["jobs"], tiles["preemptions"]) == (str(group.jobs.jobs), str(preempted))
        rows = table_rows(watched.page, "table.overview")
        for row, share in zip(rows, figures.shares, strict=True):
            assert row[0].split("\n")[0] == share.name
            assert row[5] == str(share.group.jobs.jobs)
            assert row[8] == str(share.group.preempted_cross_share + share.group.preempted_in_share)
        matrix = table_rows(watched.page, "table.matrix")
        assert matrix[-1][-1] == str(preempted)


def test_the_chart_reads_what_a_share_held_at_an_instant(day, run, open_report):
    at = 12 * 3_600_000 + 1_800_000
    held = sum(
        run.jobs[span.job].instances
        for span in run.spans
        if run.jobs[span.job].share == "research" and span.start <= at < span.end
    )
    with open_report(day) as watched:
        chart = watched.page.locator("figure.share .chart").first
        edges = json.loads(watched.page.locator("#report-data").text_content())["runs"][0]["charts"]["edges"]
        times, total = [], 0
        for step in edges["d"] if isinstance(edges, dict) else edges:
            total = total + step if isinstance(edges, dict) else step
            times.append(total)
        chart.focus()
        for _ in range(sum(time <= at for time in times)):
            chart.press("ArrowRight")
        text = chart.get_attribute("aria-valuetext")
        told = re.findall(r"(?:own|borrowed) (\d+)", text)
        assert sum(map(int, told)) == held, text


def test_a_filter_changes_rows_count_and_timeline(day, run, open_report):
    preempted = sum(outcome.preemptions > 0 for outcome in run.outcomes)
    with open_report(day) as watched:
        page = watched.page
        form, before = page.locator("form.job-filter"), drawn(page)
        assert form.locator("output").inner_text() == "104 of 104 jobs"
        form.get_by_label("Preemption").select_option("preempted")
        until_counted(page, f"{preempted} of 104 jobs")
        assert drawn(page) != before
        rows = table_rows(page, ".job-table")
        assert len(rows) == preempted
        assert {row[1] for row in rows} == {"research"}
        assert all(int(row[9]) > 0 for row in rows)
        form.get_by_role("button", name="Clear").click()
        until_counted(page, "104 of 104 jobs")
        form.get_by_label("Text").fill("incident")
        until_counted(page, "3 of 104 jobs")
        assert {row[1] for row in table_rows(page, ".job-table")} == {"on-call"}


def test_a_job_tells_its_story_with_the_reason_of_its_preemption(day, run, open_report):
    victim = next(index for index, outcome in enumerate(run.outcomes) if outcome.preemptions)
    with open_report(day) as watched:
        page = watched.page
        page.locator(f"#run0-preemptions button.job[data-job='{victim}']").first.click()
        details = page.locator(".job-details")
        assert f"Job {run.jobs[victim].id}: SUCCEEDED" in details.inner_text()
        assert re.search(r"preempted to make room for .+ \(R1[36]\)", details.inner_text())


def test_preemptions_are_all_listed_with_their_reason(day, run, open_report):
    with open_report(day) as watched:
        rows = table_rows(watched.page, ".preemption-table")
        preempted = sum(outcome.preemptions for outcome in run.outcomes)
        assert len(rows) == preempted
        assert {row[3] for row in rows} == {"cross-share (R13)", "in-share (R16)"}
        assert all(row[4].startswith("preempted to make room for ") for row in rows)


def test_the_window_of_time_is_moved_by_buttons_keys_and_dragging(day, open_report):
    with open_report(day) as watched:
        page = watched.page
        shown = page.locator("#run0-jobs .toolbar output")
        whole = shown.inner_text()
        assert whole.endswith("the whole run")
        page.locator("#run0-jobs").get_by_role("button", name="Zoom in").click()
        drawn(page)
        closer, picture = shown.inner_text(), drawn(page)
        assert page.locator("#run0-shares .toolbar output").inner_text() == closer
        page.locator(".gantt-scroll").focus()
        page.keyboard.press("ArrowRight")
        assert drawn(page) != picture
        assert shown.inner_text() != closer
        page.keyboard.press("0")
        assert drawn(page) != picture
        assert shown.inner_text() == whole
        box = page.locator("figure.share .chart").first.bounding_box()
        page.locator("figure.share .chart").first.scroll_into_view_if_needed()
        box = page.locator("figure.share .chart").first.bounding_box()
        page.mouse.move(box["x"] + 300, box["y"] + 60)
        page.mouse.down()
        page.mouse.move(box["x"] + 500, box["y"] + 60)
        page.mouse.up()
        drawn(page)
        assert shown.inner_text() != whole


def test_the_timeline_chooses_jobs_by_keyboard(day, open_report):
    with open_report(day) as watched:
        page = watched.page
        page.locator(".gantt-scroll").focus()
        page.keyboard.press("ArrowDown")
        first = page.locator(".job-details h4").inner_text()
        page.keyboard.press("ArrowDown")
        assert page.locator(".job-details h4").inner_text() != first
        page.keyboard.press("Escape")
        assert page.locator(".job-details").is_hidden()


def test_the_keyboard_reaches_everything_that_can_be_worked(day, open_report):
    with open_report(day) as watched:
        page = watched.page
        wanted = page.evaluate(
            """() => {
              const worked = "a[href], button:not(:disabled), input, select, summary, [tabindex='0']";
              const all = document.querySelectorAll(worked);
              const shown = [...all].filter((element) => element.checkVisibility() && element.type !== "radio");
              shown.forEach((element, i) => (element.dataset.stop = i));
              return shown.length;
            }"""
        )
        reached = set()
        for _ in range(wanted + 10):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("() => document.activeElement.dataset?.stop ?? null"))
        assert sorted(set(map(str, range(wanted))) - reached) == []


def test_the_switch_changes_light_and_dark_and_is_remembered(day, open_report):
    background = "() => getComputedStyle(document.body).backgroundColor"
    with open_report(day) as watched:
        page = watched.page
        light, picture = page.evaluate(background), drawn(page)
        page.get_by_role("radio", name="Dark").check(force=True)
        assert page.evaluate(background) != light
        assert drawn(page) != picture
        page.reload()
        assert page.evaluate(background) != light
        page.get_by_role("radio", name="Auto").check(force=True)
        assert page.evaluate(background) == light
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(background) != light


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong(two_runs, day, open_report, scheme):
    for report in (two_runs, day):
        with open_report(report, color_scheme=scheme) as watched:
            page = watched.page
            page.evaluate("() => document.querySelectorAll('details').forEach((details) => (details.open = true))")
            page.locator(".job-table button.job").first.click()
            assert violations(page) == []


def test_every_chart_has_a_table_beside_it(day, open_report):
    with open_report(day) as watched:
        for figure in watched.page.locator("figure.share").all():
            figure.get_by_text("As a table").click()
            figure.locator("tbody tr").first.wait_for()  # filled when the browser says that it was opened
            assert figure.locator("tbody tr").count() > 5
            assert figure.locator("tbody tr").first.inner_text().startswith("0s ")


def test_two_runs_are_shown_one_at_a_time(two_runs, open_report):
    with open_report(two_runs) as watched:
        page = watched.page
        assert (page.locator("#run0").is_visible(), page.locator("#run1").is_visible()) == (True, False)
        page.get_by_role("button", name="too_strict.yaml").click()
        assert (page.locator("#run0").is_visible(), page.locator("#run1").is_visible()) == (False, True)
        assert page.locator("#run1 figure.share").count() == 3
        assert page.locator("nav a[data-section=jobs]").get_attribute("href") == "#run1-jobs"


def test_the_assumption_that_turns_a_verdict_is_named_with_its_question(two_runs, open_report):
    with open_report(two_runs) as watched:
        watched.page.get_by_role("link", name="More than the queue can give").click()
        claim = watched.page.locator("#run1-verdicts tr.depends")
        assert "It holds under the answers it starts from; turned by" in claim.inner_text()
        turn = claim.locator(".turns tbody tr").first.inner_text()
        assert turn.split("\t") == ["A7=oldest", "the rank of preemption victims", "high"]
        failing = watched.page.locator("#run1-verdicts tr.fails details").first
        failing.locator("summary").click()
        assert "preempted to make room for qs2j (QS2)" in failing.locator("pre").inner_text()


def test_on_paper_it_is_light_and_has_no_controls(day, open_report):
    with open_report(day, color_scheme="dark") as watched:
        page = watched.page
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        for selector in (".top", "form.job-filter", ".toolbar", ".pager"):
            assert page.locator(selector).first.is_hidden(), selector
        assert page.locator("table.overview").is_visible()
        assert page.locator(".gantt canvas").is_visible()
        assert len(page.pdf()) > 50_000


def test_without_scripts_every_table_is_there(day, open_report):
    with open_report(day, java_script_enabled=False) as watched:
        page = watched.page
        for selector in ("table.claims", "table.overview", "table.waits", "table.matrix", "table.ledger"):
            assert page.locator(selector).first.is_visible(), selector
        assert "need JavaScript" in page.locator("noscript").inner_text()
