// Numbers and times as people read them, in the same words as the tables that Python wrote.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS = [[DAY, "d"], [HOUR, "h"], [MINUTE, "m"], [SECOND, "s"], [1, "ms"]];
const TICK_STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE,
  5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 5 * DAY, 7 * DAY,
  14 * DAY, 28 * DAY, 56 * DAY, 140 * DAY, 280 * DAY,
];

// `1d2h`, `12m30s`: exact, but for what `grain` (ms) rounds away.
function duration(ms, grain = 1) {
  let rest = Math.round(ms / grain) * grain;
  if (rest === 0) return "0s";
  const sign = rest < 0 ? "-" : "";
  rest = Math.abs(rest);
  let text = "";
  for (const [size, unit] of UNITS) {
    const count = Math.floor(rest / size);
    if (count) text += `${count}${unit}`;
    rest -= count * size;
  }
  return sign + text;
}

// A duration rounded to what its size deserves.
function roughly(ms) {
  const size = Math.abs(ms);
  return duration(ms, size >= 4 * DAY ? HOUR : size >= 10 * HOUR ? MINUTE : size >= MINUTE ? SECOND : size >= SECOND ? 10 : 1);
}

// Round instants between `from` and `to`, at most `most` of them.
function ticks(from, to, most) {
  const step = TICK_STEPS.find((size) => (to - from) / size <= most) ?? DAY * 560;
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push(at);
  return found;
}

function count(number) {
  return number.toLocaleString("en-US");
}

// Instances: whole, or with one decimal; never a 0 that is none.
function amount(number) {
  if (Number.isInteger(number)) return count(number);
  const rounded = Math.round(number * 10) / 10;
  return rounded === 0 ? "<0.1" : rounded.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

function plural(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}
