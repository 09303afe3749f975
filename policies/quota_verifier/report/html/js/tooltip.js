// One box for whatever the pointer is on. It only repeats what tables and details say, so it is hidden from readers.

const tooltip = html("div", { class: "tooltip", "aria-hidden": "true", hidden: true });

function showTooltip(event, lines) {
  if (!tooltip.isConnected) document.body.append(tooltip);
  tooltip.replaceChildren(...lines.map((line, i) => html(i ? "div" : "strong", {}, line)));
  tooltip.hidden = false;
  const { width, height } = tooltip.getBoundingClientRect();
  const left = event.clientX + 14 + width > innerWidth ? event.clientX - width - 10 : event.clientX + 14;
  const top = event.clientY + 14 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 14;
  tooltip.style.left = `${Math.max(4, left)}px`;
  tooltip.style.top = `${Math.max(4, top)}px`;
}

function hideTooltip() {
  tooltip.hidden = true;
}
