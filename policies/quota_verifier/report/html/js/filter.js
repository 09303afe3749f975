// Which jobs are shown: by text, share, outcome and preemptions.

const PREEMPTION_TESTS = {
  any: () => true,
  preempted: (run, job) => run.preempted[job] > 0,
  never: (run, job) => run.preempted[job] === 0,
  preempts: (run, job) => run.causes[job] > 0,
};

function startFilter(form, run, changed) {
  const { text, share, outcome, preempted } = form.elements;
  const states = [...new Set(run.state)].sort((a, b) => a - b);
  share.append(...run.shareNames.map((name, i) => html("option", { value: i }, name)));
  outcome.append(...states.map((code) => html("option", { value: code }, run.states[code])));
  const apply = () => {
    const passes = jobTest(run, text.value, share.value, outcome.value, preempted.value);
    const found = [];
    for (let job = 0; job < run.size; job++) if (passes(job)) found.push(job);
    form.querySelector("output").textContent = `${count(found.length)} of ${plural(run.size, "job")}`;
    changed(Int32Array.from(found));
  };
  form.addEventListener("input", oncePerFrame(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => requestAnimationFrame(apply));
  apply();
}

function jobTest(run, text, share, outcome, preempted) {
  const wanted = text.trim().toLowerCase();
  const labelled = run.labelSets.map((labels) => labels.some((label) => label.toLowerCase().includes(wanted)));
  const preemptionTest = PREEMPTION_TESTS[preempted];
  return (job) =>
    (share === "" || run.share[job] === Number(share)) &&
    (outcome === "" || run.state[job] === Number(outcome)) &&
    preemptionTest(run, job) &&
    (!wanted || run.ids[job].toLowerCase().includes(wanted) || labelled[run.labelCode[job]]);
}
