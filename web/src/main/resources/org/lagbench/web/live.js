// What both live pages use: the connection, charts, texts of times.
import { Drawing, beginChart } from "./charts.js";

/**
 * Receives the server's events, and connects again whenever the connection ends.
 *
 * @param onEvent gets the data of each event, parsed
 * @param onReset is called when earlier events must be forgotten
 * @returns a function that disconnects
 */
export function connect(onEvent, onReset) {
  const status = document.getElementById("connection");
  let source;
  let timer;
  let isOver = false;
  const show = (state, text) => {
    status.dataset.state = state;
    status.textContent = text;
  };
  const open = () => {
    source = new EventSource("events");
    source.onopen = () => show("open", "Connected.");
    source.addEventListener("reset", onReset);
    source.onmessage = event => onEvent(JSON.parse(event.data));
    source.onerror = () => {
      if (isOver) {
        return;
      }
      show("lost", "No connection to lagbench. Trying again.");
      if (source.readyState === EventSource.CLOSED) {
        // the browser gives up after an answer other than 200
        timer = setTimeout(open, 2000);
      }
    };
  };
  open();
  return text => {
    isOver = true;
    clearTimeout(timer);
    source.close();
    show("closed", text);
  };
}

/** Returns a duration such as "2 h 5 min" or "14 s". */
export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  const parts = [[Math.floor(s / 86400), "d"], [Math.floor(s / 3600) % 24, "h"], [Math.floor(s / 60) % 60, "min"], [s % 60, "s"]];
  const first = parts.findIndex(([n]) => n > 0);
  return first < 0 ? "0\u00a0s" : parts.slice(first, first + 2).filter(([n]) => n > 0).map(([n, unit]) => `${n}\u00a0${unit}`).join(" ");
}

/** Sets the text of the element with this id. */
export function setText(id, text) {
  document.getElementById(id).textContent = text;
}

/** Returns a new element with a text and a class. */
export function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}

/**
 * Adds a chart to a figure.
 *
 * @param options those of beginChart
 * @returns a function that shows data, which are those of a drawing, in a range: null for all, undefined for the last one
 */
export function chartIn(figure, options) {
  figure.insertAdjacentHTML("beforeend", `<div class="plot"><div class="drawing">
    <svg role="img" fill="none" stroke-linejoin="round"></svg></div></div><p class="status" role="status"></p>`);
  const show = beginChart(figure, { textOf: valuesAt, ...options });
  let drawing;
  return (data, range) => {
    drawing?.update(data);
    drawing ??= new Drawing(figure.querySelector(".drawing"), data);
    show([drawing], range);
  };
}

/** Returns the values of all layers at the x of a point. */
function valuesAt({ panel, x }) {
  const texts = panel.layers.flatMap(({ name, kind, x: xs, y, low, high }) => {
    const i = xs.indexOf(x);
    const values = i < 0 ? [] : [y, low, high].flatMap(all => all && all[i] !== null ? [panel.y.text(all[i])] : []);
    return values.length ? [name + " " + values.join(" to ")] : kind === "marks" && i >= 0 ? [name] : [];
  });
  return [`${panel.x.name} ${panel.x.text(x)}`.trim(), ...texts].join(", ");
}
