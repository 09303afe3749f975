// All preemptions: who, whom, why, and what was lost.

function startPreemptionTable(root, form, run) {
  const { at, victim, by, lost, kind, sentence } = run.preemptions;
  const table = pagedTable(root, "Preemptions", [
    { title: "at", cell: (i) => roughly(at[i]), key: (i) => at[i] },
    { title: "preempted", cell: (i) => html("span", {}, jobButton(run, victim[i]), ` ${run.shareNames[run.share[victim[i]]]}`) },
    { title: "by", cell: (i) => html("span", {}, jobButton(run, by[i]), ` ${run.shareNames[run.share[by[i]]]}`) },
    { title: "reason", cell: (i) => kind(i) },
    { title: "why", cell: (i) => sentence(i) },
    { title: "lost work", number: true, cell: (i) => (lost[i] ? roughly(lost[i]) : ""), key: (i) => lost[i] },
  ]);
  const apply = () => {
    const wanted = form.elements.text.value.trim().toLowerCase();
    const found = [];
    for (let i = 0; i < at.length; i++) {
      const told = () => [run.ids[victim[i]], run.ids[by[i]], run.shareNames[run.share[victim[i]]], run.shareNames[run.share[by[i]]], kind(i)];
      if (!wanted || told().some((text) => text.toLowerCase().includes(wanted))) found.push(i);
    }
    form.querySelector("output").textContent = `${count(found.length)} of ${plural(at.length, "preemption")}`;
    table.show(found);
  };
  form.addEventListener("input", oncePerFrame(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}
