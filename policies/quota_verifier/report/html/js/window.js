// The stretch of time that everything of a run shows, and the instant that is being read.

const LEAST_WINDOW = 10;

function timeWindow(start, end) {
  const listeners = [];
  const shown = { start, end: Math.max(end, start + 1), from: start, to: Math.max(end, start + 1), cursor: null };
  const tell = oncePerFrame(() => listeners.forEach((told) => told(shown)));
  shown.listen = (told) => listeners.push(told);
  shown.changed = tell;
  shown.set = (from, to) => {
    const length = Math.min(Math.max(to - from, LEAST_WINDOW), shown.end - shown.start);
    shown.from = Math.min(Math.max(from, shown.start), shown.end - length);
    shown.to = shown.from + length;
    tell();
  };
  shown.zoom = (factor, around = (shown.from + shown.to) / 2) =>
    shown.set(around - (around - shown.from) * factor, around + (shown.to - around) * factor);
  shown.pan = (part) => {
    const by = (shown.to - shown.from) * part;
    shown.set(shown.from + by, shown.to + by);
  };
  shown.all = () => shown.set(shown.start, shown.end);
  shown.read = (at) => {
    shown.cursor = at === null ? null : Math.min(Math.max(at, shown.from), shown.to);
    tell();
  };
  return shown;
}

const WINDOW_MOVES = {
  earlier: (shown) => shown.pan(-0.5),
  later: (shown) => shown.pan(0.5),
  closer: (shown) => shown.zoom(0.5),
  farther: (shown) => shown.zoom(2),
  all: (shown) => shown.all(),
};

function startToolbar(toolbar, shown) {
  for (const button of toolbar.querySelectorAll("button[data-move]")) {
    button.addEventListener("click", () => WINDOW_MOVES[button.dataset.move](shown));
  }
  const output = toolbar.querySelector("output");
  const tell = () => {
    const grain = (shown.to - shown.from) / 200 >= MINUTE ? MINUTE : (shown.to - shown.from) / 200 >= SECOND ? SECOND : 1;
    const whole = shown.from <= shown.start && shown.to >= shown.end;
    const range = `${duration(shown.from, grain)} – ${duration(shown.to, grain)}`;
    output.textContent = whole ? `${range}, the whole run` : range;
  };
  shown.listen(tell);
  tell();
}

// What wheel, drag and keys have in common on everything that has a time axis.
function keyMoves(event, shown) {
  const move = { "+": "closer", "=": "closer", "-": "farther", Home: "all", "0": "all" }[event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return false;
  WINDOW_MOVES[move](shown);
  event.preventDefault();
  return true;
}

function wheelZooms(event, shown, at) {
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
  event.preventDefault();
  shown.zoom((event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, at);
}
