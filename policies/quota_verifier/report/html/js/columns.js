// Columns as `encode.py` writes them: all values, `{d: differences}`, or `{r: [value, count, ...]}`.

function column(encoded) {
  if (Array.isArray(encoded)) return Float64Array.from(encoded);
  if (encoded.d) {
    const values = new Float64Array(encoded.d.length);
    let sum = 0;
    for (let i = 0; i < values.length; i++) values[i] = sum += encoded.d[i];
    return values;
  }
  let length = 0;
  for (let i = 1; i < encoded.r.length; i += 2) length += encoded.r[i];
  const values = new Float64Array(length);
  let at = 0;
  for (let i = 0; i < encoded.r.length; i += 2) {
    values.fill(encoded.r[i], at, at + encoded.r[i + 1]);
    at += encoded.r[i + 1];
  }
  return values;
}

// The last place in ascending `values` whose value is at most `wanted`; -1 where all are above.
function lastUpTo(values, wanted) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
