// Step functions over intervals, thinned to what a width can show, and their outlines as SVG paths.

// The intervals between two instants, at most `most`: means of `series`, and the largest of each of `peaks`.
function visibleSteps(edges, series, peaks, from, to, most) {
  const first = Math.max(0, lastUpTo(edges, from));
  let last = lastUpTo(edges, to);
  if (last < 0 || edges.length < 2) return { edges: [], series: series.map(() => []), peaks: peaks.map(() => []) };
  if (edges[last] < to || last === first) last += 1;
  last = Math.min(last, edges.length - 1);
  const together = Math.max(1, Math.ceil((last - first) / most));
  const kept = [];
  const means = series.map(() => []);
  const tops = peaks.map(() => []);
  for (let i = first; i < last; i += together) {
    const until = Math.min(i + together, last);
    kept.push(edges[i]);
    series.forEach((values, s) => {
      let sum = 0;
      for (let k = i; k < until; k++) sum += values[k] * (edges[k + 1] - edges[k]);
      means[s].push(sum / (edges[until] - edges[i]));
    });
    peaks.forEach((values, p) => {
      let top = 0;
      for (let k = i; k < until; k++) top = Math.max(top, values[k]);
      tops[p].push(top);
    });
  }
  kept.push(edges[last]);
  return { edges: kept, series: means, peaks: tops };
}

// The value of `[[from, value], ...]` at an instant.
function stepAt(steps, at) {
  let value = steps[0][1];
  for (const [from, now] of steps) {
    if (from > at) break;
    value = now;
  }
  return value;
}

function stepLine(edges, values, x, y) {
  let path = "";
  for (let i = 0; i < values.length; i++) {
    path += `${path ? "L" : "M"}${x(edges[i])} ${y(values[i])}H${x(edges[i + 1])}`;
  }
  return path;
}

// The area between two step functions; nothing where they are equal.
function stepArea(edges, low, high, x, y) {
  let path = "";
  for (let i = 0; i < high.length; i++) {
    if (high[i] <= low[i]) continue;
    let until = i;
    while (until < high.length && high[until] > low[until]) until += 1;
    let back = "";
    path += `M${x(edges[i])} ${y(low[i])}`;
    for (let k = i; k < until; k++) {
      path += `L${x(edges[k])} ${y(high[k])}H${x(edges[k + 1])}`;
      back = `L${x(edges[k + 1])} ${y(low[k])}H${x(edges[k])}${back}`;
    }
    path += `${back}Z`;
    i = until;
  }
  return path;
}
