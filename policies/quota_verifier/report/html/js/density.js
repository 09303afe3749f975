// The timeline where lines are thinner than pixels: how many of the jobs behind each pixel wait, run, or borrow.

function drawDensity(context, run, rows, x, area, colours) {
  const scale = context.getTransform().a;
  const width = Math.round(area.width * scale);
  const height = Math.max(1, Math.round(rows.total * scale));
  const kinds = ["own", "borrowed", "waiting"].map(() => new Float32Array((width + 1) * height));
  const evicted = new Uint8Array(width * height);
  const perLine = Math.max(1, rows.lines / height);
  const { first, start, end, borrowed, stop, how } = run.spans;
  const evictions = run.hows.map((name) => name.startsWith("preempted"));
  const px = (at) => Math.min(Math.max((x(at) - area.left) * scale, 0), width);
  const add = (kind, line, from, to) => {
    const begin = Math.floor(px(from));
    const until = Math.max(begin + 1, Math.ceil(px(to)));
    if (begin >= width || px(to) <= 0) return;
    kinds[kind][line * (width + 1) + begin] += 1;
    kinds[kind][line * (width + 1) + Math.min(until, width)] -= 1;
  };
  rows.jobs.forEach((job, place) => {
    const line = Math.min(height - 1, Math.floor(((rows.line[place] + 0.5) * height) / rows.lines));
    eachWait(run, job, (from, to) => add(2, line, from, to));
    for (let i = first[job]; i < first[job + 1]; i++) {
      add(borrowed[i], line, start[i], Number.isNaN(end[i]) ? run.end : end[i]);
      const mark = evictions[how[i]] ? Math.floor(px(stop[i])) : -1;
      if (mark > 0 && mark < width) evicted[line * width + mark] = 1;
    }
  });
  const image = context.createImageData(width, height);
  const rgb = [colours.own, colours.borrowed, colours.waiting].map(channels);
  const mark = channels(colours.fails);
  for (let line = 0; line < height; line++) {
    const sums = [0, 0, 0];
    for (let at = 0; at < width; at++) {
      for (let kind = 0; kind < 3; kind++) sums[kind] += kinds[kind][line * (width + 1) + at];
      const pixel = 4 * (line * width + at);
      const weights = [sums[0], sums[1], sums[2] * 0.6];
      const all = weights[0] + weights[1] + weights[2];
      if (evicted[line * width + at]) {
        for (let c = 0; c < 3; c++) image.data[pixel + c] = mark[c];
        image.data[pixel + 3] = 255;
      } else if (all > 0) {
        for (let c = 0; c < 3; c++) image.data[pixel + c] = (weights[0] * rgb[0][c] + weights[1] * rgb[1][c] + weights[2] * rgb[2][c]) / all;
        image.data[pixel + 3] = 70 + 185 * Math.min(1, Math.sqrt(all / perLine));
      }
    }
  }
  const layer = html("canvas", { width, height });
  layer.getContext("2d").putImageData(image, 0, 0);
  context.drawImage(layer, area.left, area.top, area.width, rows.total);
}

function channels(colour) {
  return colour.match(/[\d.]+/g).slice(0, 3).map(Number);
}
