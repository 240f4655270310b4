// The page of a sweep: runs done, time left, the table so far.
import { connect, duration, element, number, setText } from "./live.js";
import { Chart } from "./chart.js";

const FIGURES = ["sent", "lost", "lagMinimumUs", "lagMedianUs", "lagQ95Us", "lagQ99Us", "lagMaximumUs"];
const chartIn = (id, readout, unit) => new Chart(document.getElementById(id), { unit, readout: document.getElementById(readout) });
const chart = chartIn("seconds", "readout", "µs");
const rate = chartIn("rate", "rate-readout", "Mbit/s");
const finished = chartIn("finished", "finished-readout", "µs");
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
    made.append(name, element("td", "running", "text"), ...Array.from({ length: FIGURES.length + 1 }, () => element("td")));
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
    sweep.seconds.push([data.endedS, data.lagMedianUs, data.lagQ99Us, data.receivedMbitPerS, data.lost]);
    setText("now", `${data.run}: ${number(data.endedS)}\u00a0s, lag ${number(data.lagMedianUs)}\u00a0µs, Q99 ${number(data.lagQ99Us)}\u00a0µs, `
      + `lost ${number(data.lost)}, received ${number(data.receivedPerS)}/s ${number(data.receivedMbitPerS)}\u00a0Mbit/s`);
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
  figures(data) {
    const cells = row(data.run).cells;
    if (data.excluded === null) {
      sweep.finished.push([data.lagMedianUs, data.lagQ99Us, data.lost]);
      FIGURES.forEach((figure, i) => { cells[i + 3].textContent = number(data[figure]); });
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
  document.getElementById("seconds").dataset.points = sweep.seconds.length;
  document.documentElement.dataset.ready = "true";
  const ofRun = { isTime: false, range: [0, Math.max(1, sweep.seconds.at(-1)?.[0] ?? 1)] };
  rate.show({
    ...ofRun,
    isFromZero: true,
    layers: [
      { kind: "line", name: "received", color: "--value", points: sweep.seconds.map(([s, , , mbitPerS]) => [s, mbitPerS]) },
      { kind: "mark", name: "lost", color: "--bad", points: sweep.seconds.filter(([, , , , lost]) => lost > 0).map(([s]) => [s]) },
    ],
  });
  document.getElementById("finished").dataset.points = sweep.finished.length;
  document.getElementById("finished-heading").hidden = sweep.rows.size === 0;
  document.getElementById("finished").closest("figure").hidden = sweep.finished.length === 0;
  document.getElementById("seconds").closest("figure").hidden = sweep.seconds.length === 0;
  finished.show({
    isTime: false,
    xName: "run",
    isLogarithmic: true,
    range: [0, sweep.finished.length + 1],
    layers: [
      { kind: "point", name: "median", color: "--value", points: sweep.finished.map(([median, q99], i) => [i + 1, median, median, q99]) },
      { kind: "mark", name: "lost", color: "--bad", points: sweep.finished.flatMap(([, , lost], i) => lost > 0 ? [[i + 1]] : []) },
    ],
  });
  chart.show({
    ...ofRun,
    isLogarithmic: sweep.seconds.some(([, median, q99]) => q99 > 10 * median),
    layers: [
      { kind: "line", name: "median", color: "--value", points: sweep.seconds.map(([s, median]) => [s, median]) },
      { kind: "line", name: "Q99", color: "--forecast", dash: [6, 4], points: sweep.seconds.map(([s, , q99]) => [s, q99]) },
    ],
  });
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
