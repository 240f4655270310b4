// The page of a monitor: each series with the forecasts made before its values, in one time range for all.
import { chartIn, connect, duration, element, setText } from "./live.js";
import { number } from "./charts.js";

const RANGES = [["15 min", 900], ["1 h", 3600], ["6 h", 21600], ["1 day", 86400], ["1 week", 604800], ["1 month", 2592000], ["1 year", 31536000], ["All", null]];
const LEAST_RANGE_S = 10;
const AHEAD = .03;

const views = new Map();
// a range of so many seconds that ends now, all (seconds is null), or a fixed one (from and until are set)
let shown = null;

/** Returns the unit in which values of a series are shown, and how many units of the series that is. */
function shownUnit({ unit, value, next }) {
  const size = Math.abs(value ?? next ?? 0);
  if (unit !== "ns" || size < 1e3) {
    return [unit, 1];
  }
  return size < 1e6 ? ["µs", 1e3] : size < 1e9 ? ["ms", 1e6] : ["s", 1e9];
}

function now() {
  return Date.now() / 1000;
}

/** Returns the last seconds of all values, at most so many, and a part of them ahead. */
function last(most) {
  const newest = Math.max(now(), ...[...views.values()].map(view => view.series.lastS ?? 0));
  const first = Math.min(newest - 60, ...[...views.values()].map(view => view.series.firstS ?? newest));
  const seconds = Math.min(most ?? Infinity, newest - first);
  return [newest - seconds, newest + seconds * AHEAD];
}

/** Returns the first and the last second that the charts show. */
function range() {
  return shown.from === undefined ? last(shown.seconds) : [shown.from, shown.until];
}

/** Selects the shortest range of a day or less that shows all values; if there is none, a day. */
function selectInitial() {
  const first = Math.min(now(), ...[...views.values()].map(view => view.series.firstS ?? now()));
  const fitting = RANGES.filter(([, seconds]) => seconds !== null && seconds <= 86400);
  shown = { seconds: (fitting.find(([, seconds]) => now() - first <= seconds) ?? fitting.at(-1))[1] };
}

function select(from, until) {
  const middle = (from + until) / 2;
  const half = Math.max(LEAST_RANGE_S, until - from) / 2;
  shown = { from: Math.max(0, middle - half), until: middle + half };
  showAll();
}

function follow(seconds) {
  shown = { seconds };
  showAll();
}

function showAll() {
  if (shown === null) {
    return; // not yet loaded
  }
  for (const button of document.querySelectorAll("#ranges button")) {
    button.setAttribute("aria-pressed", String(shown.from === undefined && button.dataset.seconds === String(shown.seconds)));
  }
  const [from, until] = range();
  const text = seconds => new Date(seconds * 1000).toLocaleString([], { hour12: false });
  setText("range", `${text(from)} to ${text(until)}, ${duration(until - from)}${shown.from === undefined ? ", follows the newest" : ""}`);
  views.forEach(view => view.load());
}

/** The chart and the figures of one series. */
class View {
  #data = { columns: [], forecasters: [], from: 0 };
  #request = null;
  #loaded = { from: 0, until: 0, at: 0 };

  constructor(series) {
    this.series = series;
    const section = element("section");
    section.dataset.series = series.name;
    section.append(element("h2", series.title));
    this.figures = element("dl", "", "figures");
    this.figure = element("figure");
    this.figure.ariaLabel = `${series.title} over time, with forecasts`;
    section.append(this.figures, this.figure);
    document.getElementById("series").append(section);
    this.section = section;
    section.id = `series-${series.name}`;
    this.row = document.getElementById("rows").insertRow();
    const link = element("a", series.title);
    link.href = `#${section.id}`;
    const heading = element("th");
    heading.scope = "row";
    heading.append(link);
    this.line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    Object.entries({ class: "sparkline", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" })
      .forEach(([name, value]) => this.line.setAttribute(name, value));
    const cell = element("td", "", "text");
    cell.append(this.line);
    this.cells = [element("td"), element("td"), element("td", "", "text")];
    this.row.append(heading, cell, ...this.cells);
    this.showChart = chartIn(this.figure, {
      onZoom: zoomed => zoomed ? select(...zoomed) : follow(null),
      onEnd: () => follow(shown.seconds ?? (shown.until - shown.from)),
    });
    this.update(series);
  }

  /** Takes the newest record into account. */
  update(series) {
    this.series = series;
    const [unit, scale] = shownUnit(series);
    [series.value, series.next].forEach((value, i) => { this.cells[i].textContent = value === null ? "–" : number(value / scale); });
    this.cells[2].textContent = unit;
    const interval = series.low === null ? "" : ` (${number(series.low / scale)} to ${number(series.high / scale)})`;
    const texts = [
      ["Last value", series.value === null ? "–" : `${number(series.value / scale)} ${unit}`],
      ["Its time", series.valueS === null ? "–" : new Date(series.valueS * 1000).toLocaleString([], { hour12: false })],
      ["Forecast of the next", series.next === null ? "–" : `${number(series.next / scale)}${interval} ${unit}`],
      ["Forecaster", series.forecaster || "–"],
      ["Values", series.values.toLocaleString("en-US")],
      ["Without a value", `${series.missing.toLocaleString("en-US")}${series.state === "ok" ? "" : ` (now: ${series.state})`}`],
    ];
    this.figures.replaceChildren(...texts.map(([name, text]) => {
      const pair = element("div");
      pair.append(element("dt", name), element("dd", text));
      return pair;
    }));
  }

  /** Reloads a range that contains the newest value, as soon as the new values cover a pixel of the chart. */
  loadIfVisible() {
    const column = (this.#loaded.until - this.#loaded.from) / Math.max(1, this.figure.clientWidth);
    if (shown.from !== undefined && shown.until < this.series.lastS) {
      return;
    }
    if (now() - this.#loaded.at >= Math.min(column, 600)) {
      this.load();
    } else {
      this.#show(); // the next point moves
    }
  }

  async load() {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    const [from, until] = range();
    const began = performance.now();
    const fromMs = Math.max(0, Math.floor(from * 1000));
    const query = new URLSearchParams({
      series: this.series.name, from: fromMs, until: Math.max(fromMs + 1, Math.ceil(until * 1000)), columns: Math.max(100, Math.round(this.figure.clientWidth)),
    });
    try {
      const answer = await fetch(`range?${query}`, { signal: request.signal });
      if (!answer.ok) {
        throw new Error(await answer.text());
      }
      this.#data = { ...await answer.json(), from: fromMs / 1000 };
      this.#loaded = { from, until, at: now() };
      this.#show();
      this.section.dataset.loadedMs = Math.round(performance.now() - began);
      this.section.dataset.columns = this.#data.columns.length;
    } catch (error) {
      if (error.name !== "AbortError") {
        this.section.dataset.failed = error.message; // the next event or the new connection loads again
      }
    }
  }

  // Draws the row's line, clipped to the 99 % quantile: a single outlier would flatten all other values.
  #drawLine() {
    const known = this.#data.columns.filter(column => column[1] !== null);
    const sorted = known.map(column => column[1]).sort((a, b) => a - b);
    const [low, high] = [sorted[0], sorted[Math.ceil(.99 * sorted.length) - 1]];
    const [from, until] = range();
    const path = known.map((column, i) => {
      const x = (this.#data.from + column[0] - from) / (until - from) * 100;
      const y = high > low ? 95 - Math.min(1, (column[1] - low) / (high - low)) * 90 : 50;
      return `${i ? "L" : "M"}${x.toFixed(2)},${y.toFixed(1)}`;
    }).join("");
    this.line.innerHTML = `<path d="${path}"/>`;
  }

  #show() {
    const { columns, from } = this.#data;
    const series = this.series;
    const [unit, scale] = shownUnit(series);
    const scaled = value => value === null ? null : value / scale;
    const column = i => columns.map(one => scaled(one[i]));
    const edge = (sign, limit) => columns.map(c => c[4] === null || c[5] === null ? null : scaled(limit(c[4] + sign * c[5])));
    const x = columns.map(one => from + one[0]);
    const values = columns.flatMap(one => one[1] === null ? [] : [one[1]]).sort((a, b) => a - b);
    const isSkewed = values[0] > 0 && values.at(-1) > 10 * values[values.length >> 1];
    const hasNext = series.lastS !== null && series.next !== null;
    const next = { look: "forecast", x: hasNext ? [series.lastS + series.everyS] : [] };
    const isBounded = series.least !== null && series.greatest !== null;
    const [start, end] = last();
    this.section.dataset.forecasts = columns.filter(one => one[4] !== null).length;
    this.#drawLine();
    this.showChart({
      title: this.figure.ariaLabel,
      panels: [{
        height: 150,
        x: { label: "", scale: "time", from: start, to: end },
        y: {
          label: unit ? `value (${unit})` : "value",
          scale: isSkewed && !isBounded ? "logarithmic" : "linear",
          ...isBounded ? { fit: "none", from: scaled(series.least), to: scaled(series.greatest) } : { fit: "free" },
        },
        layers: [
          { kind: "band", name: "interval", look: "forecast", x, isOutOfScale: true,
            low: edge(-1, value => Math.max(series.least ?? -Infinity, value)),
            high: edge(1, value => Math.min(series.greatest ?? Infinity, value)) },
          { kind: "band", name: "least to greatest", look: "value", x, low: column(2), high: column(3) },
          { kind: "line", name: "value", look: "value", x, y: column(1) },
          { kind: "line", name: "forecast", look: "forecast", x, y: column(4) },
          { kind: "marks", name: "no value", look: "missing", x: x.filter((_, i) => columns[i][6] > 0) },
          { ...next, kind: "bars", name: "interval", low: [scaled(series.low)], high: [scaled(series.high)] },
          { ...next, kind: "line", name: "next", y: [scaled(series.next)] },
        ],
      }],
    }, range());
  }
}

/** Loads all series anew: at first, and after a connection to another server. */
async function begin() {
  const answer = await fetch("series");
  const { series, target } = await answer.json();
  setText("target", target);
  document.title = `${target} – lagbench monitor`;
  const isSame = series.length === views.size && series.every(one => views.has(one.name));
  if (!isSame) {
    views.clear();
    document.getElementById("series").replaceChildren();
    document.getElementById("rows").replaceChildren();
    series.forEach(one => views.set(one.name, new View(one)));
  }
  series.forEach(one => views.get(one.name).update(one));
  if (shown === null) {
    selectInitial();
  }
  showAll();
  document.documentElement.dataset.ready = "true";
}

for (const [text, seconds] of RANGES) {
  const button = element("button", text);
  button.type = "button";
  button.dataset.seconds = String(seconds);
  button.addEventListener("click", () => follow(seconds));
  document.getElementById("ranges").append(button);
}

connect(({ event, data }) => {
  if (event === "error") {
    document.getElementById("notes").append(element("li", data.sentence, "bad"));
    return;
  }
  const view = views.get(data.name);
  if (view && (view.series.lastS === null || data.lastS > view.series.lastS)) {
    view.update(data);
    view.loadIfVisible();
  }
}, () => begin().catch(error => setText("range", `The series cannot be loaded: ${error.message}`)));

let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(showAll, 200);
});
