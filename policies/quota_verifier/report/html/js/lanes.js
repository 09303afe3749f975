// Jobs packed into as few lanes as hold them side by side in time, from submission to end, share by share.

// A heap of whole numbers, smallest `key` first.
function heap(key) {
  const items = [];
  const swap = (a, b) => ([items[a], items[b]] = [items[b], items[a]]);
  return {
    first: () => items[0],
    size: () => items.length,
    push(item) {
      let at = items.push(item) - 1;
      while (at > 0 && key(items[at]) < key(items[(at - 1) >> 1])) {
        swap(at, (at - 1) >> 1);
        at = (at - 1) >> 1;
      }
    },
    pop() {
      const top = items[0];
      const last = items.pop();
      if (!items.length) return top;
      items[0] = last;
      for (let at = 0; ; ) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < items.length && key(items[child]) < key(items[least])) least = child;
        }
        if (least === at) return top;
        swap(at, least);
        at = least;
      }
    },
  };
}

// The lane of each of `ordered`, which are by share and submission: always the lowest that is free.
function packLanes(run, ordered) {
  const lane = new Int32Array(ordered.length);
  let share = -1;
  let taken = 0;
  let free = null;
  let busy = null;
  ordered.forEach((job, i) => {
    if (run.share[job] !== share) {
      share = run.share[job];
      taken = 0;
      free = heap((number) => number);
      busy = heap((place) => run.last[ordered[place]]);
    }
    while (busy.size() && run.last[ordered[busy.first()]] <= run.submit[job]) free.push(lane[busy.pop()]);
    lane[i] = free.size() ? free.pop() : taken++;
    busy.push(i);
  });
  return lane;
}
