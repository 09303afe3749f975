// Light, dark, or as the system says; and the page's colours for what is drawn on canvas.

const THEME_KEY = "quota-shares-theme";
const COLOURS = ["own", "borrowed", "over", "waiting", "fails", "stopping", "text", "muted", "line", "page", "surface", "accent"];
const themeListeners = [];
const probe = html("span", { hidden: true });

function palette() {
  if (!probe.isConnected) document.body.append(probe);
  const colours = {};
  for (const name of COLOURS) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  return colours;
}

function stored(read) {
  try {
    return read(localStorage);
  } catch {
    return null; // a page opened from a file may have no storage: the switch then lasts as long as the page
  }
}

function setTheme(name) {
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  stored((storage) => storage.setItem(THEME_KEY, name));
  for (const told of themeListeners) told();
}

function startTheme() {
  const chosen = stored((storage) => storage.getItem(THEME_KEY)) ?? "system";
  for (const input of document.querySelectorAll("input[name=theme]")) {
    input.checked = input.value === chosen;
    input.addEventListener("change", () => setTheme(input.value));
  }
  if (chosen !== "system") setTheme(chosen);
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", () => themeListeners.forEach((told) => told()));
  }
}
