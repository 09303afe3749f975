// A long table, one page at a time; it can be sorted by its columns.

const PAGE_ROWS = 20;

// `columns` are {title, cell(i), number?, key?(i)}; those with a key sort. Returns {show(rows)}.
function pagedTable(root, caption, columns, more) {
  let rows = [];
  let order = [];
  let page = 0;
  let sorted = null;
  const body = html("tbody");
  const status = html("span", { class: "status", role: "status" });
  const back = html("button", { type: "button", onclick: () => turn(-1) }, "Previous");
  const on = html("button", { type: "button", onclick: () => turn(1) }, "Next");
  const heads = columns.map((column) => {
    const label = column.key ? html("button", { type: "button", class: "sort", onclick: () => sort(column) }, column.title) : column.title;
    return html("th", { scope: "col", class: column.number ? "number" : "" }, label);
  });
  root.replaceChildren(
    html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      html("table", {}, html("caption", {}, caption), html("thead", {}, html("tr", {}, ...heads)), body)),
    html("div", { class: "pager" }, back, on, status),
  );

  function sort(column) {
    const again = sorted?.column === column;
    sorted = again && sorted.down ? null : { column, down: again };
    heads.forEach((head, i) => {
      if (columns[i] !== sorted?.column) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
    });
    arrange();
  }

  function arrange() {
    order = Array.from(rows);
    if (sorted) {
      const { column: { key }, down } = sorted;
      order.sort((a, b) => (down ? key(b) - key(a) : key(a) - key(b)) || a - b);
    }
    page = 0;
    fill();
  }

  function turn(by) {
    page += by;
    fill();
  }

  function fill() {
    const first = page * PAGE_ROWS;
    const some = order.slice(first, first + PAGE_ROWS);
    body.replaceChildren(
      ...some.map((i) =>
        html("tr", more ? more(i) : {}, ...columns.map((column, c) =>
          html(c ? "td" : "th", { class: column.number ? "number" : "", ...(c ? {} : { scope: "row" }) }, column.cell(i)))),
      ),
    );
    back.disabled = page === 0;
    on.disabled = first + PAGE_ROWS >= order.length;
    status.textContent = order.length ? `${count(first + 1)}–${count(first + some.length)} of ${count(order.length)}` : "none";
  }

  return {
    fill,
    show: (chosen) => {
      rows = chosen;
      arrange();
    },
  };
}
