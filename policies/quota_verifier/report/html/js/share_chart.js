// A share on a unit over time: what it used up to its limit, what it borrowed above and lent below, and its queue.

const MARGIN = { left: 46, right: 14, top: 8 };
const USAGE_HEIGHT = 132;
const QUEUE_HEIGHT = 40;
const AXIS_HEIGHT = 20;
const GAP = 12;
const round1 = (value) => Math.round(value * 10) / 10;

function shareChart(run, held, queue, shown) {
  const name = run.shareNames[held.share];
  const height = MARGIN.top + USAGE_HEIGHT + (queue ? GAP + QUEUE_HEIGHT : 0) + AXIS_HEIGHT;
  const picture = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  const readout = html("p", { class: "readout" });
  const slider = html(
    "div",
    {
      class: "chart", role: "slider", tabindex: "0", "aria-label": `${name} on ${held.unit} over time`,
      "aria-valuemin": 0, "aria-valuemax": Math.max(0, run.edges.length - 2), "aria-valuenow": 0,
      "aria-valuetext": "use the arrow keys to read values",
    },
    picture,
  );
  const values = [held.own, held.borrowed, held.over, held.lent, ...(queue ? [queue.mean] : [])];
  const peaks = [held.most, ...(queue ? [queue.most] : [])];
  const top = topOf(held);
  let width = 0;
  let x = (at) => at;

  function draw() {
    width = slider.clientWidth || width || 900;
    const inner = width - MARGIN.left - MARGIN.right;
    x = (at) => round1(MARGIN.left + (inner * (Math.min(Math.max(at, shown.from), shown.to) - shown.from)) / (shown.to - shown.from));
    const y = (value) => round1(MARGIN.top + USAGE_HEIGHT * (1 - value / top));
    const steps = visibleSteps(run.edges, values, peaks, shown.from, shown.to, inner);
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.setAttribute("height", height);
    picture.replaceChildren(...usageMarks(held, steps, x, y, width, run.charts.exact, shown));
    if (queue) picture.append(...queueMarks(queue, steps, x, width));
    picture.append(...timeAxis(shown, x, height - AXIS_HEIGHT, inner));
    drawCursor();
  }

  function drawCursor() {
    picture.querySelector(".cursor")?.remove();
    const at = shown.cursor;
    readout.textContent = at === null ? "" : reading(run, held, queue, at);
    if (at === null || at < shown.from || at > shown.to) return;
    const place = x(at);
    picture.append(svg("line", { class: "cursor", x1: place, x2: place, y1: 0, y2: height - AXIS_HEIGHT }));
  }

  pointAndDrag(slider, shown, (px) => shown.from + ((px - MARGIN.left) / (width - MARGIN.left - MARGIN.right)) * (shown.to - shown.from));
  slider.addEventListener("keydown", (event) => {
    if (keyMoves(event, shown)) return;
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    const now = shown.cursor === null ? Math.max(0, lastUpTo(run.edges, shown.from)) - direction : lastUpTo(run.edges, shown.cursor);
    const next = Math.min(Math.max(now + direction, 0), run.edges.length - 2);
    if (run.edges[next] < shown.from || run.edges[next] > shown.to) shown.pan(direction * 0.5);
    shown.read(run.edges[next]);
    slider.setAttribute("aria-valuenow", next);
    slider.setAttribute("aria-valuetext", reading(run, held, queue, run.edges[next]));
  });
  new ResizeObserver(oncePerFrame(draw)).observe(slider);
  let drawn = "";
  shown.listen(() => {
    const now = `${shown.from} ${shown.to}`;
    if (now !== drawn) draw();
    else drawCursor();
    drawn = now;
  });
  return { slider, readout };
}

// The top of the scale: what was held or promised; the hard cap too, unless it would flatten the rest.
function topOf(held) {
  const highest = Math.max(1, ...held.limit.map(([, value]) => value), held.most.reduce((a, b) => Math.max(a, b), 0));
  const caps = held.cap.map(([, value]) => value).filter((value) => value !== null && value <= 2.5 * highest);
  return Math.max(highest, ...caps) * 1.06;
}

function usageMarks(held, steps, x, y, width, exact, shown) {
  const { edges } = steps;
  const [own, borrowed, over, lent] = steps.series;
  const limit = edges.slice(0, -1).map((at) => stepAt(held.limit, Math.max(at, shown.from)));
  const zero = own.map(() => 0);
  const lentFrom = limit.map((value, i) => value - lent[i]);
  const borrowedTo = limit.map((value, i) => value + borrowed[i]);
  const overTo = borrowedTo.map((value, i) => value + over[i]);
  const held_ = own.map((value, i) => value + borrowed[i] + over[i]);
  const area = (kind, low, high) => svg("path", { class: `area ${kind}`, d: stepArea(edges, low, high, x, y) });
  const marks = [
    svg("line", { class: "base", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(0), y2: y(0) }),
    svg("text", { class: "scale", x: MARGIN.left - 8, y: y(0), dy: "0.32em" }, "0"),
    area("own", zero, own),
    area("lent", lentFrom, limit),
    area("borrowed", limit, borrowedTo),
    area("over", borrowedTo, overTo),
  ];
  if (!exact) marks.push(svg("path", { class: "most", d: stepLine(edges, steps.peaks[0], x, y) }));
  else marks.push(svg("path", { class: "held", d: stepLine(edges, held_, x, y) }));
  marks.push(svg("path", { class: "limit", d: stepLine(edges, limit, x, y) }));
  const lastLimit = limit[limit.length - 1] ?? 0;
  marks.push(svg("text", { class: "scale strong", x: MARGIN.left - 8, y: y(limit[0] ?? 0), dy: "0.32em" }, count(limit[0] ?? 0)));
  const caps = edges.slice(0, -1).map((at) => stepAt(held.cap, Math.max(at, shown.from)));
  const [cap] = caps;
  if (cap !== null && cap !== undefined && cap > lastLimit) {
    if (y(cap) >= 0) {
      marks.push(svg("path", { class: "cap", d: stepLine(edges, caps.map((value) => value ?? 0), x, y) }));
      marks.push(svg("text", { class: "scale", x: MARGIN.left - 8, y: y(cap), dy: "0.32em" }, count(cap)));
    } else {
      marks.push(svg("text", { class: "note", x: width - MARGIN.right, y: MARGIN.top + 4, "text-anchor": "end" }, `hard cap ${count(cap)} ↑`));
    }
  }
  return marks;
}

function queueMarks(queue, steps, x, width) {
  const top = longestQueue(queue);
  const base = MARGIN.top + USAGE_HEIGHT + GAP + QUEUE_HEIGHT;
  const y = (value) => round1(base - (QUEUE_HEIGHT * value) / top);
  const mean = steps.series[4];
  return [
    svg("path", { class: "area waiting", d: stepArea(steps.edges, mean.map(() => 0), mean, x, y) }),
    svg("path", { class: "waiting-most", d: stepLine(steps.edges, steps.peaks[1], x, y) }),
    svg("line", { class: "base", x1: MARGIN.left, x2: width - MARGIN.right, y1: base, y2: base }),
    svg("text", { class: "scale", x: MARGIN.left - 8, y: base - QUEUE_HEIGHT, dy: "0.6em" }, count(top)),
    svg("text", { class: "note", x: MARGIN.left + 4, y: base - QUEUE_HEIGHT, dy: "0.6em" }, "jobs waiting"),
  ];
}

function longestQueue(queue) {
  return queue.most.reduce((a, b) => Math.max(a, b), 0);
}

function timeAxis(shown, x, y, inner) {
  return ticks(shown.from, shown.to, Math.max(2, inner / 90)).map((at) =>
    svg("g", { class: "tick", transform: `translate(${x(at)} ${y})` }, svg("line", { y2: 4 }), svg("text", { y: 15 }, duration(at))),
  );
}

// What a share held, lent and kept waiting in the interval of an instant, in words.
function reading(run, held, queue, at) {
  const i = Math.min(Math.max(0, lastUpTo(run.edges, at)), run.edges.length - 2);
  if (i < 0) return "";
  const grain = run.charts.exact ? 1 : MINUTE;
  const parts = [["own", held.own], ["borrowed", held.borrowed], ["over limit", held.over], ["lent", held.lent]]
    .filter(([name, values]) => name === "own" || values[i])
    .map(([name, values]) => `${name} ${amount(values[i])}`);
  if (queue) parts.push(`${amount(queue.mean[i])} waiting`);
  return `${duration(run.edges[i], grain)} – ${duration(run.edges[i + 1], grain)}: ${parts.join(", ")}`;
}

// Move the reading line with the pointer; choose a stretch of time by dragging; zoom with Ctrl or Shift and the wheel.
function pointAndDrag(element, shown, timeAt) {
  let from = null;
  const marker = html("div", { class: "brush", hidden: true });
  element.append(marker);
  const place = (event) => event.clientX - element.getBoundingClientRect().left;
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) from = place(event);
  });
  element.addEventListener("pointermove", (event) => {
    shown.read(timeAt(place(event)));
    if (from === null || !event.buttons) return;
    marker.hidden = Math.abs(place(event) - from) < 4;
    marker.style.left = `${Math.min(from, place(event))}px`;
    marker.style.width = `${Math.abs(place(event) - from)}px`;
  });
  element.addEventListener("pointerup", (event) => {
    const to = place(event);
    if (from !== null && Math.abs(to - from) >= 4) shown.set(timeAt(Math.min(from, to)), timeAt(Math.max(from, to)));
    from = null;
    marker.hidden = true;
  });
  element.addEventListener("pointerleave", () => {
    from = null;
    marker.hidden = true;
    shown.read(null);
  });
  element.addEventListener("wheel", (event) => wheelZooms(event, shown, timeAt(place(event))), { passive: false });
}
