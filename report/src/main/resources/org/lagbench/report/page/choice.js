// The choice of the runs that the charts show: at most MOST_SHOWN.

const MOST_SHOWN = 24;
const boxes = [...document.querySelectorAll("#runs-shown input")];
const chosenListeners = [];

// Calls a listener with the numbers of the shown runs, in the order of the tables, whenever they change.
function onChosen(listener) {
  chosenListeners.push(listener);
}

// Returns the name of a run in words: "UDP/IP, 992 bytes, batch 32, run 1".
function runTitle(number) {
  return boxes[number].dataset.title;
}

// Returns the series of a run: its name, and the number of its color and dashes in all charts.
function seriesOf(number) {
  return boxes[number].dataset.series;
}

function lookOf(number) {
  return "look" + boxes[number].dataset.look;
}

function runNamed(name) {
  return boxes.findIndex(box => box.dataset.name === name);
}

function choose(wanted) {
  boxes.forEach((box, i) => { box.checked = wanted(box, i); });
  chosen();
}

function chosen() {
  const shown = boxes.filter(box => box.checked).map(box => Number(box.value));
  boxes.forEach(box => {
    box.disabled = !box.checked && shown.length >= MOST_SHOWN;
    box.parentNode.querySelector(".key").setAttribute("class", "key line " + lookOf(Number(box.value)));
  });
  document.getElementById("choice-status").textContent = shown.length + " of " + boxes.length + " runs are shown"
    + (shown.length >= MOST_SHOWN && boxes.length > MOST_SHOWN ? ", the most that a chart can show." : ".");
  chosenListeners.forEach(listener => listener(shown));
}

// Returns the checkbox of each point's first run, in turns over the pairs of transport and packet size: one of each
// pair, then the second of each, and so on.
function inTurns() {
  const turns = new Map();
  return boxes.filter(box => box === box.closest("li").querySelector("input")).map(box => {
    const kind = box.dataset.transport + " " + box.dataset.size;
    turns.set(kind, (turns.get(kind) || 0) + 1);
    return { box, turn: turns.get(kind) };
  }).sort((a, b) => a.turn - b.turn).map(({ box }) => box);
}

function beginChoice() {
  const buttons = document.getElementById("choice-buttons");
  if (!buttons) {
    return;
  }
  const oneOfEach = () => {
    const wanted = inTurns().slice(0, MOST_SHOWN);
    choose(box => wanted.includes(box));
  };
  const all = "All" + (boxes.length > MOST_SHOWN ? " (first " + MOST_SHOWN + ")" : "");
  button(buttons, "One of each point", null, oneOfEach);
  button(buttons, all, null, () => choose((box, i) => i < MOST_SHOWN));
  button(buttons, "None", null, () => choose(() => false));
  boxes.forEach(box => box.addEventListener("change", chosen));
  oneOfEach();
}
