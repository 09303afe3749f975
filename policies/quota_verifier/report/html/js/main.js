// The page: theme, which run is shown, and the links to its sections.

const data = JSON.parse(document.getElementById("report-data").textContent);
const sections = [...document.querySelectorAll("section.run")];
const started = new Set();

function showRun(wanted) {
  const place = Math.min(Math.max(wanted, 0), sections.length - 1);
  sections.forEach((section, i) => (section.hidden = i !== place));
  for (const button of document.querySelectorAll("button.choice")) {
    button.setAttribute("aria-pressed", Number(button.dataset.run) === place);
  }
  for (const link of document.querySelectorAll("nav a[data-section]")) link.setAttribute("href", `#run${place}-${link.dataset.section}`);
  if (sections[place] && !started.has(place)) {
    started.add(place);
    startRun(sections[place], data.runs[place]);
  }
}

function fromHash() {
  const match = /^#run(\d+)/.exec(location.hash);
  if (!match) return;
  showRun(Number(match[1]));
  document.querySelector(location.hash)?.scrollIntoView();
}

document.documentElement.classList.add("alive");
startTheme();
showRun(0);
fromHash();
addEventListener("hashchange", fromHash);
document.addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-run]"); // a button, or a link into the run, which must be there first
  if (chosen) showRun(Number(chosen.dataset.run));
});
