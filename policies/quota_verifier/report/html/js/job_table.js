// The jobs of the filter as a table: the text alternative of the timeline.

function startJobTable(root, run) {
  const time = (value) => (Number.isNaN(value) ? "–" : roughly(value));
  const comparable = (value) => (Number.isNaN(value) ? Infinity : value);
  return pagedTable(root, "Jobs of the filter", [
    { title: "job", cell: (job) => jobButton(run, job) },
    { title: "share", cell: (job) => run.shareNames[run.share[job]] },
    { title: "asks for", cell: (job) => run.demand(job) },
    { title: "priority", number: true, cell: (job) => count(run.priority[job]), key: (job) => run.priority[job] },
    { title: "submitted", number: true, cell: (job) => time(run.submit[job]), key: (job) => run.submit[job] },
    { title: "waited", number: true, cell: (job) => waitText(run, job), key: (job) => waited(run, job) },
    { title: "started", number: true, cell: (job) => time(run.firstStart[job]), key: (job) => comparable(run.firstStart[job]) },
    { title: "ended", number: true, cell: (job) => time(run.ended[job]), key: (job) => comparable(run.ended[job]) },
    { title: "outcome", cell: (job) => run.stateName(job) },
    { title: "preempted", number: true, cell: (job) => count(run.preempted[job]), key: (job) => run.preempted[job] },
    { title: "lost work", number: true, cell: (job) => (run.lost[job] ? roughly(run.lost[job]) : ""), key: (job) => run.lost[job] },
  ]);
}

function waitText(run, job) {
  if (run.stateName(job) === "SUBMITTED" || run.stateName(job) === "REJECTED") return "–";
  const text = roughly(waited(run, job));
  return Number.isNaN(run.firstStart[job]) ? `${text}, never started` : text;
}
