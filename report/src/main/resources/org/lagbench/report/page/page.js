// Starts every chart of the page.

document.querySelectorAll("figure.chart").forEach(beginRunChart);
document.querySelectorAll("figure.fixed").forEach(figure => addDownloads(figure));
document.querySelectorAll("figure.sparklines").forEach(beginSparklines);
beginChoice();
beginReadout();
linkRows();
linkPairs();

// Links each row of a table of all points to its row in the charts.
function linkRows() {
  const rows = document.querySelectorAll("#overview .wide .row").length;
  [...document.querySelectorAll("table.figures")].filter(table => rows && table.tBodies[0].rows.length === rows && !table.closest(".run"))
    .forEach(table => [...table.tBodies[0].rows].forEach((row, i) => {
      const link = document.createElement("a");
      link.href = "#point-" + i;
      link.append(...row.cells[0].childNodes);
      row.cells[0].append(link);
    }));
}

// Links each measured pair in the maps of a matrix to its session directory.
function linkPairs() {
  document.querySelectorAll("#maps .cell").forEach(cell => {
    const [from, to] = cell.dataset.values.split("|").map(value => value.split("=")[1]);
    cell.closest("svg").setAttribute("role", "group"); // an image hides what it contains
    if (cell.dataset.name && cell.dataset.name !== "–") {
      const anchor = document.createElementNS(SVG, "a");
      anchor.setAttribute("href", `pairs/${encodeURIComponent(from)}/${encodeURIComponent(to)}/`);
      anchor.setAttribute("aria-label", `${from} to ${to}: ${cell.dataset.name}`);
      cell.replaceWith(anchor);
      anchor.append(cell);
    }
  });
}

// Opens a linked section, or shows the row of a linked point.
function openTarget() {
  const point = location.hash.match(/^#point-(\d+)$/);
  const row = point && [...document.querySelectorAll(`.row[data-point="${point[1]}"]`)].find(one => one.checkVisibility());
  if (row) {
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
    return;
  }
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target && target.querySelector(":scope > details");
  if (details) {
    details.open = true;
  }
}
window.addEventListener("hashchange", openTarget);
openTarget();

// Opens the section "environment" for printing. The runs are too long: only those that the reader opened are printed.
let opened = [];
window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("#environment details:not([open])")];
  opened.forEach(details => { details.open = true; });
});
window.addEventListener("afterprint", () => opened.forEach(details => { details.open = false; }));
document.documentElement.dataset.ready = "true";
