// The readout at the cursor, and the isolation of a series in all charts of the page.

const readout = document.body.appendChild(document.createElement("div"));
readout.className = "readout";
readout.hidden = true;
readout.ariaHidden = "true"; // its text is the name of the element, or in the status of the chart
let pinned = null;

// Shows a text beside a point of the window.
function showReadout(text, x, y) {
  readout.textContent = text;
  readout.hidden = false;
  const { width, height } = readout.getBoundingClientRect();
  readout.style.left = Math.max(4, x + 14 + width < innerWidth ? x + 14 : x - 14 - width) + "px";
  readout.style.top = Math.max(4, y + 14 + height < innerHeight ? y + 14 : y - 14 - height) + "px";
}

function hideReadout() {
  readout.hidden = true;
}

// Fades all series but one; null shows all.
function isolate(series) {
  document.querySelectorAll("[data-series]").forEach(one => {
    one.classList.toggle("faded", series !== null && one.dataset.series !== series);
  });
}

function pin(series) {
  pinned = pinned === series ? null : series;
  document.querySelectorAll("button[data-series]").forEach(one => { one.ariaPressed = String(one.dataset.series === pinned); });
  isolate(pinned);
}

function beginReadout() {
  const named = event => event.target instanceof Element ? event.target.closest("[data-series]") : null;
  document.addEventListener("pointermove", event => {
    const one = named(event);
    if (one && one.getAttribute("role") === "img") {
      showReadout(one.ariaLabel, event.clientX, event.clientY);
    } else if (!(event.target instanceof Element && event.target.closest("figure.chart .plot, .sparklines svg"))) {
      hideReadout();
    }
  });
  document.addEventListener("pointerover", event => isolate(named(event)?.dataset.series ?? pinned));
  document.addEventListener("focusin", event => {
    const one = named(event);
    isolate(one?.dataset.series ?? pinned);
    if (one && one.getAttribute("role") === "img" && one.matches(":focus-visible")) {
      const { left, bottom } = one.getBoundingClientRect();
      showReadout(one.ariaLabel, left, bottom - 10);
    }
  });
  document.addEventListener("focusout", hideReadout);
  document.addEventListener("click", event => named(event) && pin(named(event).dataset.series));
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") {
      pin(pinned);
      hideReadout();
    } else if (event.key === "Enter" && named(event)?.getAttribute("role") === "img") {
      pin(named(event).dataset.series);
    }
  });
}
