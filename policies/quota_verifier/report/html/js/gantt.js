// The timeline of jobs: one canvas, drawn as bars or as density, moved by pointer and keyboard.

const GANTT = { gutter: 170, axis: 26, right: 14, space: 520 };

function startGantt(root, run, shown, choose) {
  const canvas = root.querySelector("canvas");
  const spacer = root.querySelector(".spacer");
  const scroller = root.querySelector(".gantt-scroll");
  const onePerLine = root.querySelector("input[name=lines]");
  const about = root.querySelector(".gantt-about");
  const state = { ordered: new Int32Array(0), lanes: new Int32Array(0), rows: null, selected: null, width: 0, height: 0 };

  const area = () => ({ left: GANTT.gutter, top: 0, width: Math.max(50, state.width - GANTT.gutter - GANTT.right) });
  const x = (at) => area().left + (area().width * (at - shown.from)) / (shown.to - shown.from);
  const timeAt = (px) => shown.from + ((px - area().left) / area().width) * (shown.to - shown.from);

  function draw() {
    state.width = scroller.clientWidth;
    if (!state.width) return;
    const rows = (state.rows = layoutRows(run, state.ordered, state.lanes, shown, GANTT.space, onePerLine.checked));
    state.height = GANTT.axis + Math.max(40, Math.min(GANTT.space, Math.ceil(rows.total)));
    const scale = Math.max(devicePixelRatio || 1, matchMedia("print").matches ? 2 : 1);
    canvas.width = Math.round(state.width * scale);
    canvas.height = Math.round(state.height * scale);
    canvas.style.height = `${state.height}px`;
    scroller.style.height = `${state.height + 2}px`;
    spacer.style.height = `${Math.max(0, GANTT.axis + rows.total - state.height)}px`;
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const colours = palette();
    paint(context, rows, colours);
    about.textContent = describe(rows);
  }

  function paint(context, rows, colours) {
    const scrolled = scroller.scrollTop;
    const first = rows.labelled ? Math.max(0, lineNear(rows, scrolled)) : 0;
    const last = rows.labelled ? Math.min(rows.lines, lineNear(rows, scrolled + state.height) + 2) : rows.lines;
    const visible = { first, last, top: (row) => rows.top(row) - scrolled + GANTT.axis };
    context.fillStyle = colours.page;
    context.fillRect(0, 0, state.width, state.height);
    context.save();
    context.beginPath();
    context.rect(0, GANTT.axis, state.width, state.height - GANTT.axis);
    context.clip();
    drawGrid(context, colours);
    if (rows.height >= 2) drawBars(context, run, rows, x, area(), colours, visible, state.selected);
    else drawDensity(context, run, rows, x, { ...area(), top: GANTT.axis }, colours);
    drawGutter(context, rows, colours, visible, scrolled);
    context.restore();
    drawAxis(context, colours);
  }

  function lineNear(rows, y) {
    for (const drop of [0, rows.header]) {
      const line = rows.at(y + drop);
      if (line >= 0) return line;
    }
    return rows.lines - 1;
  }

  function drawGrid(context, colours) {
    context.fillStyle = colours.line;
    for (const at of ticks(shown.from, shown.to, area().width / 100)) context.fillRect(Math.round(x(at)), 0, 1, state.height);
  }

  function drawAxis(context, colours) {
    context.fillStyle = colours.page;
    context.fillRect(0, 0, state.width, GANTT.axis);
    context.fillStyle = colours.line;
    context.fillRect(0, GANTT.axis - 1, state.width, 1);
    context.fillStyle = colours.muted;
    context.font = fontOf(12);
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const at of ticks(shown.from, shown.to, area().width / 100)) context.fillText(duration(at), x(at), GANTT.axis / 2);
    if (shown.cursor === null) return;
    context.fillStyle = colours.accent;
    context.fillRect(Math.round(x(shown.cursor)), GANTT.axis, 1, state.height);
  }

  function drawGutter(context, rows, colours, visible, scrolled) {
    context.textAlign = "left";
    context.textBaseline = "middle";
    rows.groups.forEach((group) => {
      const top = rows.groupTop(group) - scrolled + GANTT.axis;
      const tall = rows.labelled ? rows.header : rows.height * group.lines;
      context.fillStyle = colours.line;
      if (group.place) context.fillRect(0, Math.round(top), state.width, 1);
      if (rows.labelled) {
        context.fillStyle = colours.surface;
        context.fillRect(0, top, state.width, rows.header);
      }
      if (tall < 11 && !rows.labelled) return;
      context.font = fontOf(12, 600);
      context.fillStyle = colours.text;
      const name = clipped(context, run.shareNames[group.share], rows.labelled ? 400 : GANTT.gutter - 60);
      const y = rows.labelled ? top + tall / 2 : top + Math.min(tall / 2, 20);
      context.fillText(name, 8, y);
      const after = 8 + context.measureText(name).width + 8;
      context.font = fontOf(12);
      context.fillStyle = colours.muted;
      context.fillText(rows.labelled ? plural(group.count, "job") : count(group.count), after, y);
    });
    if (!rows.labelled) return;
    context.font = fontOf(Math.min(12, rows.height - 2));
    context.fillStyle = colours.text;
    for (let line = visible.first; line < visible.last; line++) {
      context.fillText(clipped(context, run.ids[rows.jobs[line]], GANTT.gutter - 24), 16, visible.top(line) + rows.height / 2);
    }
  }

  function describe(rows) {
    const shares = rows.groups.map((group) => `${run.shareNames[group.share]} ${count(group.count)}`).join(", ");
    if (!rows.jobs.length) return "No job of the filter in this stretch of time";
    const dense = rows.height < 2 ? `, about ${count(Math.max(1, Math.round(1 / rows.height)))} to a pixel` : "";
    const how = rows.labelled
      ? "one line for each job."
      : `packed into ${count(rows.lines)} lanes${dense}; zoom in or filter to see them one by one.`;
    return `${plural(rows.jobs.length, "job")} in this stretch of time (${shares}), ${how}`;
  }

  // The job at a place of the canvas: in a lane the one that is there at that time.
  function jobAt(px, py) {
    const { rows } = state;
    if (!rows || py < GANTT.axis) return null;
    const y = py - GANTT.axis + scroller.scrollTop;
    const line = rows.at(y);
    if (line < 0) return null;
    if (rows.labelled) return rows.jobs[line];
    const at = timeAt(px);
    const slack = (2 * (shown.to - shown.from)) / area().width;
    const until = Math.min(rows.lines, line + Math.max(1, Math.ceil(1 / rows.height)));
    for (let near = line; near < until; near++) {
      for (const place of rows.on(near)) {
        const job = rows.jobs[place];
        if (run.submit[job] <= at + slack && run.last[job] >= at - slack) return job;
      }
    }
    return null;
  }

  function select(job, reveal) {
    state.selected = job;
    if (reveal && job !== null) {
      const length = run.last[job] - run.submit[job];
      if (run.submit[job] > shown.to || run.last[job] < shown.from || length < (shown.to - shown.from) / 200) {
        shown.set(run.submit[job] - Math.max(length, 20 * MINUTE), run.last[job] + Math.max(length, 20 * MINUTE));
      }
    }
    draw();
    const line = state.rows.jobs.indexOf(job);
    if (line >= 0 && state.rows.labelled) {
      const top = state.rows.top(line);
      if (top < scroller.scrollTop + state.rows.header || top > scroller.scrollTop + state.height - GANTT.axis - state.rows.height) {
        scroller.scrollTop = top - state.height / 3;
      }
    }
    draw();
  }

  function step(direction) {
    const { jobs } = state.rows;
    if (!jobs.length) return;
    const now = jobs.indexOf(state.selected);
    choose(jobs[now < 0 ? (direction > 0 ? 0 : jobs.length - 1) : Math.min(Math.max(now + direction, 0), jobs.length - 1)], false);
  }

  const KEYS = {
    ArrowLeft: () => shown.pan(-0.2),
    ArrowRight: () => shown.pan(0.2),
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    Escape: () => choose(null, false),
  };
  scroller.addEventListener("keydown", (event) => {
    if (keyMoves(event, shown) || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  startPointer(canvas, shown, {
    timeAt,
    length: () => area().width,
    hover: (event, px, py) => {
      const job = jobAt(px, py);
      if (job === null) hideTooltip();
      else showTooltip(event, jobLines(run, job));
      shown.read(px >= area().left ? timeAt(px) : null);
    },
    click: (px, py) => choose(jobAt(px, py), false),
  });
  scroller.addEventListener("scroll", oncePerFrame(draw));
  onePerLine.addEventListener("change", draw);
  shown.listen(draw);
  themeListeners.push(oncePerFrame(draw));
  new ResizeObserver(oncePerFrame(draw)).observe(root);
  return {
    draw,
    select,
    show: (jobs) => {
      state.ordered = byShare(run, jobs);
      state.lanes = packLanes(run, state.ordered);
      draw();
    },
  };
}

function startPointer(canvas, shown, on) {
  let held = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button === 0) held = { x: place(event)[0], from: shown.from, to: shown.to, moved: false };
  });
  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(event);
    if (held && event.buttons) {
      const by = ((held.x - px) / on.length()) * (held.to - held.from);
      held.moved ||= Math.abs(held.x - px) > 3;
      if (held.moved) shown.set(held.from + by, held.to + by);
      canvas.classList.toggle("dragging", held.moved);
    } else on.hover(event, px, py);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held && !held.moved) on.click(...place(event));
    held = null;
    canvas.classList.remove("dragging");
  });
  canvas.addEventListener("pointerleave", () => {
    held = null;
    hideTooltip();
    shown.read(null);
  });
  canvas.addEventListener("wheel", (event) => wheelZooms(event, shown, on.timeAt(place(event)[0])), { passive: false });
}

function fontOf(size, weight = 400) {
  return `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
}

function clipped(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let kept = text.length - 1;
  while (kept > 1 && context.measureText(`${text.slice(0, kept)}…`).width > width) kept -= 1;
  return `${text.slice(0, kept)}…`;
}
