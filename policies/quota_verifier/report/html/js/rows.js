// Where each job stands in the timeline: on a line of its own while there is room, else in a lane with others.

const HEADER_HEIGHT = 24;
const MOST_LINE_HEIGHT = 22;
const LEAST_LABELLED = 13;
const SCROLLED_LINE = 18;

// Jobs of a filter, by share; the order does not depend on the window.
function byShare(run, jobs) {
  const counts = new Int32Array(run.shares.length + 1);
  for (const job of jobs) counts[run.share[job] + 1] += 1;
  for (let i = 1; i < counts.length; i++) counts[i] += counts[i - 1];
  const ordered = new Int32Array(jobs.length);
  for (const job of jobs) ordered[counts[run.share[job]]++] = job;
  return ordered;
}

// `jobs` that are in the window, the `line` of each, and the groups of lines, one for each share.
function layoutRows(run, ordered, lanes, shown, space, onePerLine) {
  const places = [];
  ordered.forEach((job, place) => {
    if (run.submit[job] <= shown.to && run.last[job] >= shown.from) places.push(place);
  });
  const jobs = Int32Array.from(places, (place) => ordered[place]);
  const shares = new Set(Array.from(jobs, (job) => run.share[job])).size;
  const room = (space - HEADER_HEIGHT * shares) / Math.max(1, jobs.length);
  const labelled = onePerLine || room >= LEAST_LABELLED;
  const line = labelled ? Int32Array.from(jobs, (_, i) => i) : usedLanes(run, jobs, places.map((place) => lanes[place]));
  const groups = groupsOf(run, jobs, line);
  const lines = groups.reduce((sum, group) => sum + group.lines, 0);
  const header = labelled ? HEADER_HEIGHT : 0;
  const fitting = labelled ? Math.max(room, onePerLine ? SCROLLED_LINE : LEAST_LABELLED) : space / Math.max(1, lines);
  const height = Math.min(MOST_LINE_HEIGHT, fitting);
  const groupOf = (wanted) => groups.findLast((group) => group.first <= wanted);
  return {
    jobs, line, lines, groups, labelled, header, height,
    total: header * groups.length + height * lines,
    on: jobsOfLines(line, lines),
    top: (wanted) => wanted * height + header * (groupOf(wanted).place + 1),
    groupTop: (group) => group.first * height + header * group.place,
    // The line at a height; -1 on a header or below the last.
    at: (y) => {
      const group = groups.findLast((candidate) => y >= candidate.first * height + header * (candidate.place + 1));
      if (!group) return -1;
      const found = group.first + Math.floor((y - group.first * height - header * (group.place + 1)) / height);
      return found < group.first + group.lines ? found : -1;
    },
  };
}

// Lanes of the whole run, less those that nobody in the window stands in.
function usedLanes(run, jobs, lanes) {
  const key = (i) => run.share[jobs[i]] * 2 ** 32 + lanes[i];
  const used = [...new Set(Array.from(jobs, (_, i) => key(i)))].sort((a, b) => a - b);
  const lineOf = new Map(used.map((lane, line) => [lane, line]));
  return Int32Array.from(jobs, (_, i) => lineOf.get(key(i)));
}

function groupsOf(run, jobs, line) {
  const groups = [];
  jobs.forEach((job, i) => {
    let group = groups[groups.length - 1];
    if (group?.share !== run.share[job]) {
      const first = group ? group.first + group.lines : 0;
      group = { share: run.share[job], place: groups.length, first, lines: 0, count: 0 };
      groups.push(group);
    }
    group.count += 1;
    group.lines = Math.max(group.lines, line[i] - group.first + 1);
  });
  return groups;
}

// The places, among the jobs of the window, of those on a line.
function jobsOfLines(line, lines) {
  const first = new Int32Array(lines + 1);
  for (const on of line) first[on + 1] += 1;
  for (let i = 0; i < lines; i++) first[i + 1] += first[i];
  const next = first.slice();
  const places = new Int32Array(line.length);
  line.forEach((on, i) => (places[next[on]++] = i));
  return (wanted) => places.subarray(first[wanted], first[wanted + 1]);
}
