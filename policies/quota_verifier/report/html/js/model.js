// A run as typed columns: what the page draws and lists. Times are ms; NaN is a time that never came.

function loadRun(data) {
  const jobs = data.jobs;
  const shape = column(jobs.shape);
  const names = data.shares.map((share) => share.name);
  const run = {
    start: data.start,
    end: data.end,
    shares: data.shares,
    shareNames: names,
    meaningful: data.meaningful,
    size: shape.length,
    ids: Array.isArray(jobs.ids) ? jobs.ids.map(String) : Array.from(column(jobs.ids), String),
    share: shape.map((code) => jobs.shapes[code].share),
    demand: (job) => jobs.shapes[shape[job]].demand,
    submit: column(jobs.submit),
    work: column(jobs.work),
    priority: column(jobs.priority),
    state: column(jobs.state),
    states: jobs.states,
    hows: data.spans.hows,
  };
  const labels = column(jobs.labels);
  const detail = column(jobs.detail);
  run.labelCode = labels;
  run.labels = (job) => jobs.labelSets[labels[job]];
  run.labelSets = jobs.labelSets;
  run.detail = (job) => jobs.details[detail[job]];
  run.stateName = (job) => jobs.states[run.state[job]];
  run.spans = loadSpans(data.spans, run);
  addOutcomes(run, column(jobs.end));
  run.preemptions = loadPreemptions(data.preemptions, run);
  run.charts = data.charts;
  run.edges = column(data.charts.edges);
  run.held = data.charts.held.map((row) => ({
    ...row,
    own: column(row.own),
    borrowed: column(row.borrowed),
    over: column(row.over),
    lent: column(row.lent),
    most: column(row.most),
  }));
  run.waiting = data.charts.waiting.map((row) => ({ mean: column(row.mean), most: column(row.most) }));
  return run;
}

// Spans by job: those of job j are at `first[j]` up to `first[j + 1]`.
function loadSpans(data, run) {
  const perJob = column(data.count);
  const first = new Int32Array(run.size + 1);
  for (let job = 0; job < run.size; job++) first[job + 1] = first[job] + perJob[job];
  const [wait, ready, busy, stopping] = [data.wait, data.ready, data.busy, data.stop].map(column);
  const start = new Float64Array(wait.length);
  const [running, stop, end] = [start.slice(), start.slice(), start.slice()];
  for (let job = 0; job < run.size; job++) {
    let before = run.submit[job];
    for (let i = first[job]; i < first[job + 1]; i++) {
      start[i] = before + wait[i];
      running[i] = ready[i] < 0 ? NaN : start[i] + ready[i];
      stop[i] = busy[i] < 0 ? NaN : start[i] + busy[i];
      end[i] = stopping[i] < 0 ? NaN : stop[i] + stopping[i];
      before = end[i];
    }
  }
  return {
    first, start, running, stop, end,
    how: column(data.how), by: column(data.by), lost: column(data.lost), borrowed: column(data.borrowed),
  };
}

function addOutcomes(run, after) {
  const { first, start, end, how, lost } = run.spans;
  const evictions = run.hows.map((name) => name.startsWith("preempted"));
  run.firstStart = new Float64Array(run.size).fill(NaN);
  run.ended = new Float64Array(run.size);
  run.last = new Float64Array(run.size);
  run.preempted = new Int32Array(run.size);
  run.lost = new Float64Array(run.size);
  for (let job = 0; job < run.size; job++) {
    let last = run.submit[job];
    for (let i = first[job]; i < first[job + 1]; i++) {
      if (i === first[job]) run.firstStart[job] = start[i];
      last = Number.isNaN(end[i]) ? last : end[i];
      run.preempted[job] += evictions[how[i]] ? 1 : 0;
      run.lost[job] += lost[i];
    }
    run.ended[job] = after[job] < 0 ? NaN : last + after[job];
    const unborn = run.stateName(job) === "SUBMITTED";
    run.last[job] = unborn ? run.submit[job] : Number.isNaN(run.ended[job]) ? run.end : run.ended[job];
  }
}

// Each time in one piece that a job waited, in order: tell(from, to).
function eachWait(run, job, tell) {
  const { first, start, end } = run.spans;
  let since = run.submit[job];
  for (let i = first[job]; i < first[job + 1]; i++) {
    if (start[i] > since) tell(since, start[i]);
    since = Number.isNaN(end[i]) ? run.end : end[i];
  }
  if (run.last[job] > since) tell(since, run.last[job]);
}

// How long a job waited for its first start, or has waited in vain.
function waited(run, job) {
  return (Number.isNaN(run.firstStart[job]) ? run.last[job] : run.firstStart[job]) - run.submit[job];
}

function loadPreemptions(data, run) {
  const found = {
    at: column(data.at), victim: column(data.victim), by: column(data.by), reason: column(data.reason),
    lost: column(data.lost), why: column(data.why),
  };
  found.kind = (i) => data.reasons[found.reason[i]];
  found.sentence = (i) => data.sentences[found.why[i]].replace("{by}", () => run.ids[found.by[i]]);
  run.causes = new Int32Array(run.size);
  for (const by of found.by) run.causes[by] += 1;
  return found;
}
