// The page of a sweep: runs done, time left, the table so far.
import { chartIn, connect, duration, element, setText } from "./live.js";
import { number } from "./charts.js";

const METRICS = ["packets.sent", "loss", "lag.minimum", "lag.median", "lag.q95", "lag.q99", "lag.maximum"];
const figures = ["seconds", "finished"].map(id => document.getElementById(id));
const [showSeconds, showFinished] = figures.map(figure => chartIn(figure));
let sweep;

function reset() {
  sweep = { all: 0, ended: new Set(), rows: new Map(), current: "", seconds: [], finished: [], isOver: false, endS: null };
  document.getElementById("runs").replaceChildren();
  document.getElementById("notes").replaceChildren();
}

/** Concurrent runs have one number, which is the first part of their names. */
function groupOf(run) {
  return run.split("-", 1)[0];
}

function row(run) {
  let made = sweep.rows.get(run);
  if (!made) {
    made = element("tr");
    const name = element("th", run);
    name.scope = "row";
    made.append(name, element("td", "running", "text"), ...Array.from({ length: METRICS.length + 1 }, () => element("td")));
    sweep.rows.set(run, made);
    document.getElementById("runs").prepend(made);
  }
  return made;
}

function expectEnd(remainingS) {
  sweep.endS = Date.now() / 1000 + remainingS;
}

const HANDLERS = {
  start(data) {
    reset();
    sweep.all = data.runs;
    setText("experiment", data.experiment);
    document.title = `${data.experiment} – lagbench sweep`;
    setText("session", `Session: ${data.session}`);
    expectEnd(data.remainingS);
  },
  "run-start"(data) {
    sweep.current = data.run;
    sweep.seconds = [];
    row(data.run);
    setText("now", `${data.run} starts.`);
  },
  interval(data) {
    if (data.run !== sweep.current) {
      sweep.current = data.run;
      sweep.seconds = [];
    }
    const [median, q99, rate, lost, perS] =
      ["lag.median", "lag.q99", "receiveRate", "packets.lost", "rates.received.packetsPerS"].map(id => data.metrics[id] ?? null);
    sweep.seconds.push([data.endedS, median, q99, rate, lost]);
    setText("now", `${data.run}: ${number(data.endedS)}\u00a0s, lag ${number(median)}\u00a0µs, Q99 ${number(q99)}\u00a0µs, `
      + `lost ${number(lost)}, received ${number(perS)}/s ${number(rate)}\u00a0Mbit/s`);
  },
  "run-end"(data) {
    sweep.ended.add(groupOf(data.run));
    const cells = row(data.run).cells;
    cells[1].textContent = data.result;
    cells[1].classList.toggle("bad", data.result === "failed");
    cells[2].textContent = number(data.seconds);
    setText("now", `${data.run}: ${data.result}.`);
    expectEnd(data.remainingS);
  },
  metrics(data) {
    const cells = row(data.run).cells;
    if (data.excluded === null) {
      const values = METRICS.map(id => data.metrics[id] ?? null);
      sweep.finished.push(values);
      values.forEach((value, i) => { cells[i + 3].textContent = number(value); });
    } else {
      cells[1].textContent = `excluded: ${data.excluded}`;
    }
  },
  note(data) {
    document.getElementById("notes").append(element("li", data.sentence));
  },
  error(data) {
    document.getElementById("notes").append(element("li", data.sentence, "bad"));
  },
  end(data) {
    sweep.isOver = true;
    setText("now", data.exitCode === 0 ? "All runs have ended." : `The sweep has ended with exit code ${data.exitCode}.`);
    disconnect("The sweep has ended. This page keeps what it showed until it is closed or reloaded.");
  },
};

function show() {
  const progress = document.getElementById("progress");
  const done = sweep.ended.size;
  progress.max = Math.max(1, sweep.all);
  progress.value = done;
  const left = sweep.endS === null ? null : sweep.endS - Date.now() / 1000;
  setText("done", `${done} of ${sweep.all} runs done`
    + (sweep.isOver || left === null ? "." : left > 0 ? `, ${done === 0 ? "at least" : "about"} ${duration(left)} left.` : ", about to end."));
  document.documentElement.dataset.ready = "true";
  document.getElementById("finished-heading").hidden = sweep.rows.size === 0;
  [sweep.seconds, sweep.finished].forEach((points, i) => {
    figures[i].hidden = points.length === 0;
    figures[i].dataset.points = points.length;
  });
  showSeconds(dataOfSeconds(sweep.seconds), sweep.seconds.length > 1 ? undefined : null);
  showFinished(dataOfFinished(sweep.finished));
}

function dataOfSeconds(points) {
  const [x, median, q99, rate, lost] = [0, 1, 2, 3, 4].map(column => points.map(point => point[column]));
  const time = { label: "time (s)", to: Math.max(1, x.at(-1) ?? 1) };
  const scale = points.some((_, i) => q99[i] > 10 * median[i]) ? "logarithmic" : "linear";
  return {
    title: "Each second of the current run",
    panels: [
      { height: 130, x: time, y: { label: "lag (µs)", scale, fit: "free" }, layers: [
        { kind: "line", name: "median", look: "value", x, y: median },
        { kind: "line", name: "Q99", look: "forecast", x, y: q99 },
      ] },
      { height: 60, x: time, y: { label: "rate (Mbit/s)" }, layers: [
        { kind: "line", name: "received", look: "value", x, y: rate },
        { kind: "marks", name: "packets lost", look: "lost", x: x.filter((_, i) => lost[i] > 0) },
      ] },
    ],
  };
}

function dataOfFinished(points) {
  const x = points.map((_, i) => i + 1);
  const [loss, median, q99] = ["loss", "lag.median", "lag.q99"].map(id => points.map(values => values[METRICS.indexOf(id)]));
  return {
    title: "Finished runs",
    panels: [{
      height: 60,
      x: { label: "run", from: .5, to: points.length + .5, isWhole: true },
      y: { label: "lag (µs)", scale: "logarithmic" },
      layers: [
        { kind: "bars", name: "median to Q99", look: "value", x, low: median, high: q99 },
        { kind: "line", name: "median", look: "value", x, y: median, gap: 0 },
        { kind: "marks", name: "packets lost", look: "lost", x: x.filter((_, i) => loss[i] > 0) },
      ],
    }],
  };
}

let isShowing = false;
function showSoon() {
  if (!isShowing) {
    isShowing = true;
    requestAnimationFrame(() => {
      isShowing = false;
      show();
    });
  }
}

reset();
const disconnect = connect(({ event, data }) => {
  HANDLERS[event]?.(data);
  showSoon();
}, () => {
  reset();
  showSoon();
});
setInterval(showSoon, 1000);
