// Everything that happened to one job, in words.

function jobLines(run, job) {
  const lines = [run.ids[job], `${run.shareNames[run.share[job]]} · ${run.demand(job)} · ${run.stateName(job)}`];
  lines.push(`submitted ${roughly(run.submit[job])}, waited ${waitText(run, job)}`);
  if (run.preempted[job]) lines.push(`preempted ${plural(run.preempted[job], "time")}`);
  if (run.causes[job]) lines.push(`preempts ${plural(run.causes[job], "job")}`);
  return lines;
}

function jobStory(run, job) {
  const told = [];
  const { first, start, running, stop, end, how, borrowed, lost } = run.spans;
  eachWait(run, job, (from, to) => told.push([from, [`waits ${roughly(to - from)}`]]));
  for (let i = first[job]; i < first[job + 1]; i++) {
    const place = borrowed[i] ? "borrowed capacity" : "its share's own capacity";
    const readied = running[i] > start[i] ? `, RUNNING after ${roughly(running[i] - start[i])}` : "";
    told.push([start[i], [`starts on ${place}${readied}`]]);
    const ending = run.hows[how[i]];
    if (ending === "open") told.push([run.end, ["still holds its capacity when the simulation stops"]]);
    else if (ending.startsWith("preempted")) {
      const held = end[i] > stop[i] ? `, released ${roughly(end[i] - stop[i])} later` : "";
      told.push([stop[i], [`${evictionText(run, job, stop[i])}${held}${lost[i] ? `; loses ${roughly(lost[i])} of work` : ""}`]]);
    } else told.push([end[i], [`run ${ending} after ${roughly(end[i] - start[i])}`]]);
  }
  const { at, by, victim } = run.preemptions;
  for (let i = 0; i < at.length; i++) {
    if (by[i] === job) told.push([at[i], ["preempts ", jobButton(run, victim[i])]]);
    if (victim[i] === job) told.push([at[i], ["was preempted by ", jobButton(run, by[i])]]);
  }
  return told.map((entry, i) => [...entry, i]).sort((a, b) => a[0] - b[0] || a[2] - b[2]);
}

function evictionText(run, job, when) {
  const { at, victim } = run.preemptions;
  for (let i = Math.max(0, lastUpTo(at, when - 1)); i < at.length && at[i] <= when; i++) {
    if (at[i] === when && victim[i] === job) return run.preemptions.sentence(i);
  }
  return "preempted";
}

function showJob(panel, run, job, reveal) {
  panel.hidden = job === null;
  if (job === null) return;
  const labels = run.labels(job);
  const facts = [
    `share ${run.shareNames[run.share[job]]}`,
    `asks for ${run.demand(job)}`,
    `priority ${run.priority[job]}`,
    `${roughly(run.work[job])} of work`,
    ...labels,
  ];
  const detail = run.detail(job);
  panel.replaceChildren(
    html("div", { class: "details-head" },
      html("h4", {}, `Job ${run.ids[job]}: ${run.stateName(job)}`),
      html("button", { type: "button", onclick: reveal }, "Show in the timeline"),
      html("button", { type: "button", onclick: () => (panel.hidden = true) }, "Close")),
    html("p", { class: "muted" }, facts.join(" · ")),
    ...(detail ? [html("p", {}, detail)] : []),
    html("ol", { class: "story" }, ...jobStory(run, job).map(([at, parts]) => html("li", {}, html("time", {}, roughly(at)), html("span", {}, ...parts)))),
  );
}
