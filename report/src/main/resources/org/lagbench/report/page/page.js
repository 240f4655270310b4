// Begins every chart that the page has a place for.

window.addEventListener("beforeprint", () => { printing = true; });
window.addEventListener("afterprint", () => { printing = false; });

document.querySelectorAll("figure.chart").forEach(beginChart);
beginChoice();

// A section that is linked to is opened.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target && target.querySelector(":scope > details");
  if (details) {
    details.open = true;
  }
}
window.addEventListener("hashchange", openTarget);
openTarget();

// On paper nothing can be opened. The runs are too long for it: those that the reader opened are printed.
let opened = [];
window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("#environment details:not([open])")];
  opened.forEach(details => { details.open = true; });
});
window.addEventListener("afterprint", () => opened.forEach(details => { details.open = false; }));
document.documentElement.dataset.ready = "true";
