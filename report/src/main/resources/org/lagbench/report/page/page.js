// Starts every chart of the page.

window.addEventListener("beforeprint", () => { printing = true; });
window.addEventListener("afterprint", () => { printing = false; });

document.querySelectorAll("figure.chart").forEach(beginChart);
beginChoice();

// Opens a linked section.
function openTarget() {
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
