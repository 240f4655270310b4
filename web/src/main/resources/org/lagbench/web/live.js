// What both live pages use: the connection, texts of numbers and times.

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

/** Returns a number with three significant digits at least, and groups of three before the point. */
export function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return "–";
  }
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en-US", { maximumFractionDigits: Math.min(6, digits) });
}

/** Returns a duration such as "2 h 5 min" or "14 s". */
export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  const parts = [[Math.floor(s / 86400), "d"], [Math.floor(s / 3600) % 24, "h"], [Math.floor(s / 60) % 60, "min"], [s % 60, "s"]];
  const first = parts.findIndex(([n]) => n > 0);
  return first < 0 ? "0 s" : parts.slice(first, first + 2).filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}`).join(" ");
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
