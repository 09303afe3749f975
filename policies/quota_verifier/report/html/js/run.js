// One run of the report: its charts, timeline and tables, put to life when it is first shown.

function startRun(section, data) {
  const run = loadRun(data);
  const shown = timeWindow(run.start, run.end);
  section.querySelectorAll(".toolbar").forEach((toolbar) => startToolbar(toolbar, shown));
  startShareCharts(section.querySelector(".share-charts"), run, shown);
  const gantt = startGantt(section.querySelector(".gantt"), run, shown, choose);
  const table = startJobTable(section.querySelector(".job-table"), run);
  const panel = section.querySelector(".job-details");
  const form = section.querySelector(".preemption-filter");
  if (form) startPreemptionTable(section.querySelector(".preemption-table"), form, run);
  startFilter(section.querySelector(".job-filter"), run, (jobs) => {
    gantt.show(jobs);
    table.show(jobs);
  });

  function choose(job, reveal) {
    showJob(panel, run, job, () => choose(job, true));
    gantt.select(job, reveal);
    if (reveal) section.querySelector(".gantt").scrollIntoView({ block: "start" });
  }
  section.addEventListener("click", (event) => {
    const button = event.target.closest("button.job");
    if (button) choose(Number(button.dataset.job), true);
  });
  return shown;
}

function startShareCharts(root, run, shown) {
  const drawn = new Set();
  for (const held of run.held) {
    const waiting = run.waiting[held.share];
    const idle = longestQueue(waiting) === 0;
    const queue = idle || drawn.has(held.share) ? null : waiting;
    drawn.add(held.share);
    const { slider, readout } = shareChart(run, held, queue, shown);
    const share = run.shares[held.share];
    root.append(
      html("figure", { class: "share" },
        html("figcaption", {}, html("h4", {}, share.name), html("span", { class: "muted" }, `${held.unit} · ${limitText(held)} · ${share.settings}${idle ? " · no job waits" : ""}`), readout),
        slider,
        shareTable(run, held, queue, shown)),
    );
  }
}

function limitText(held) {
  const [[, limit]] = held.limit;
  const [[, cap]] = held.cap;
  const changes = held.limit.length > 1 ? `, changed ${plural(held.limit.length - 1, "time")}` : "";
  return `limit ${count(limit)}${changes}, hard cap ${cap === null ? "none" : count(cap)}`;
}
