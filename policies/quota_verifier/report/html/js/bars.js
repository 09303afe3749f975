// The timeline where every job has a line of its own: waits as thin lines, runs as bars, and who preempted whom.

const MOST_ARROWS = 400;

function drawBars(context, run, rows, x, area, colours, visible, selected) {
  const hatch = hatching(context, colours.borrowed, colours.surface);
  for (let line = visible.first; line < visible.last; line++) {
    const top = visible.top(line);
    for (const place of rows.on(line)) {
      const job = rows.jobs[place];
      if (job === selected) {
        context.fillStyle = colours.accent;
        context.globalAlpha = 0.16;
        context.fillRect(0, top, area.left + area.width, rows.height);
        context.globalAlpha = 1;
      }
      drawJob(context, run, job, top, rows.height, x, area, colours, hatch);
      if (!rows.labelled && rows.height >= LEAST_LABELLED) nameBars(context, run, job, top + rows.height / 2, x, area, colours);
    }
  }
  if (rows.height >= 8) drawArrows(context, run, rows, x, area, colours, visible);
}

function drawJob(context, run, job, top, height, x, area, colours, hatch) {
  const thick = Math.max(1, height - (height > 6 ? 5 : height > 3 ? 1 : 0));
  const up = top + (height - thick) / 2;
  const right = area.left + area.width;
  const box = (from, to, y, tall) => {
    const begin = Math.max(area.left, x(from));
    const until = Math.min(right, Math.max(x(to), x(from) + 1));
    if (until > area.left && begin < right) context.fillRect(begin, y, Math.max(1, until - begin), tall);
  };
  context.fillStyle = colours.waiting;
  const thin = Math.max(1, Math.min(3, height / 4));
  eachWait(run, job, (from, to) => box(from, to, top + (height - thin) / 2, thin));
  const { first, start, running, stop, end, how, borrowed } = run.spans;
  for (let i = first[job]; i < first[job + 1]; i++) {
    const over = Number.isNaN(end[i]) ? run.end : end[i];
    const busyTo = Number.isNaN(stop[i]) ? over : stop[i];
    const busyFrom = Number.isNaN(running[i]) ? busyTo : Math.min(running[i], busyTo);
    context.fillStyle = borrowed[i] ? colours.borrowed : colours.own;
    context.globalAlpha = 0.4;
    if (busyFrom > start[i]) box(start[i], busyFrom, up, thick);
    context.globalAlpha = 1;
    if (busyTo > busyFrom || busyFrom === start[i]) {
      if (borrowed[i] && thick >= 5) context.fillStyle = hatch;
      box(busyFrom, busyTo, up, thick);
    }
    context.fillStyle = colours.stopping;
    if (over > busyTo) box(busyTo, over, up, thick);
    drawEnding(context, run.hows[how[i]], x(busyTo), up, thick, area, colours);
  }
}

// The job's id in each of its bars that has room for it.
function nameBars(context, run, job, middle, x, area, colours) {
  const { first, start, stop } = run.spans;
  context.font = fontOf(11);
  context.textAlign = "left";
  context.textBaseline = "middle";
  const needed = context.measureText(run.ids[job]).width + 14;
  for (let i = first[job]; i < first[job + 1]; i++) {
    const from = Math.max(area.left, x(start[i])) + 5;
    const to = Math.min(area.left + area.width, x(Number.isNaN(stop[i]) ? run.end : stop[i]));
    if (to - from < needed) continue;
    context.fillStyle = colours.page;
    context.globalAlpha = 0.82;
    context.fillRect(from - 2, middle - 6.5, needed - 10, 13);
    context.globalAlpha = 1;
    context.fillStyle = colours.text;
    context.fillText(run.ids[job], from, middle + 0.5);
  }
}

// How a run ended, where it is not simply finished: a bar with a notch for a preemption, a cross for a failure.
function drawEnding(context, how, at, up, thick, area, colours) {
  if (at < area.left || at > area.left + area.width || how === "finished" || how === "open") return;
  context.fillStyle = colours.fails;
  if (how.startsWith("preempted")) {
    context.fillRect(at - 1, up - 1, 2.5, thick + 2);
    if (thick < 6) return;
    context.beginPath();
    context.moveTo(at - 1, up + thick / 2 - 4);
    context.lineTo(at - 6, up + thick / 2);
    context.lineTo(at - 1, up + thick / 2 + 4);
    context.fill();
  } else {
    context.strokeStyle = colours.text;
    context.lineWidth = 1.5;
    const size = Math.min(4, thick / 2);
    context.beginPath();
    context.moveTo(at - size, up + thick / 2 - size);
    context.lineTo(at + size, up + thick / 2 + size);
    context.moveTo(at + size, up + thick / 2 - size);
    context.lineTo(at - size, up + thick / 2 + size);
    context.stroke();
  }
}

function drawArrows(context, run, rows, x, area, colours, visible) {
  const lineOf = new Map();
  for (let line = visible.first; line < visible.last; line++) {
    for (const place of rows.on(line)) lineOf.set(rows.jobs[place], line);
  }
  const { at, victim, by } = run.preemptions;
  context.strokeStyle = context.fillStyle = colours.fails;
  context.lineWidth = 1;
  context.setLineDash([3, 2]);
  let drawn = 0;
  for (let i = 0; i < at.length && drawn < MOST_ARROWS; i++) {
    const place = x(at[i]);
    if (place < area.left || place > area.left + area.width) continue;
    const [from, to] = [lineOf.get(by[i]), lineOf.get(victim[i])];
    if (from === undefined || to === undefined || from === to) continue;
    const direction = to > from ? 1 : -1;
    const target = visible.top(to) + rows.height / 2 - (direction * rows.height) / 2;
    context.beginPath();
    context.moveTo(place + 0.5, visible.top(from) + rows.height / 2);
    context.lineTo(place + 0.5, target - direction * 3);
    context.stroke();
    context.beginPath();
    context.moveTo(place + 0.5, target);
    context.lineTo(place - 3, target - direction * 5);
    context.lineTo(place + 4, target - direction * 5);
    context.fill();
    drawn += 1;
  }
  context.setLineDash([]);
}

function hatching(context, colour, ground) {
  const tile = html("canvas", { width: 6, height: 6 });
  const pen = tile.getContext("2d");
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = ground;
  pen.lineWidth = 1.2;
  pen.beginPath();
  for (const shift of [-6, 0, 6]) {
    pen.moveTo(shift, 6);
    pen.lineTo(shift + 6, 0);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}
