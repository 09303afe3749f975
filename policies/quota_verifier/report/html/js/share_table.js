// The text alternative of a share's chart: the stretch of time that is shown, in a table of equal parts.

const TABLE_ROWS = 24;

function shareTable(run, held, queue, shown) {
  const body = html("tbody");
  const over = held.over.some((value) => value > 0);
  const names = ["time", "limit", "own", "borrowed", ...(over ? ["over limit"] : []), "lent", ...(queue ? ["waiting, mean", "waiting, most"] : [])];
  const details = html(
    "details",
    { class: "alternative" },
    html("summary", {}, "As a table"),
    html(
      "table",
      {},
      html("caption", {}, `${run.shareNames[held.share]} on ${held.unit}: instances, means over each stretch of time`),
      html("thead", {}, html("tr", {}, ...names.map((name, i) => html("th", { scope: "col", class: i ? "number" : "" }, name)))),
      body,
    ),
  );
  const fill = () => {
    if (!details.open) return;
    const values = [held.own, held.borrowed, held.over, held.lent, ...(queue ? [queue.mean] : [])];
    const steps = visibleSteps(run.edges, values, queue ? [queue.most] : [], shown.from, shown.to, TABLE_ROWS);
    body.replaceChildren(
      ...steps.edges.slice(0, -1).map((at, i) => {
        const [own, borrowed, above, lent, waiting] = steps.series.map((series) => series[i]);
        const cells = [stepAt(held.limit, at), own, borrowed, ...(over ? [above] : []), lent, ...(queue ? [waiting, steps.peaks[0][i]] : [])];
        const grain = run.charts.exact ? 1 : MINUTE;
        const time = `${duration(at, grain)} – ${duration(steps.edges[i + 1], grain)}`;
        return html("tr", {}, html("th", { scope: "row" }, time), ...cells.map((value) => html("td", { class: "number" }, amount(value))));
      }),
    );
  };
  details.addEventListener("toggle", fill);
  shown.listen(fill);
  return details;
}
