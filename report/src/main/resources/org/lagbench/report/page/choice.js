// Which runs the charts show.

const MOST_SHOWN = 12;
const FIRST_SHOWN = 6;
const boxes = [...document.querySelectorAll("#runs-shown input")];
const chosenListeners = [];

// Their numbers, in the order of the tables.
function chosenRuns() {
  return boxes.filter(box => box.checked).map(box => Number(box.value));
}

function onChosen(listener) {
  chosenListeners.push(listener);
}

function choose(wanted) {
  boxes.forEach((box, i) => { box.checked = wanted(box, i); });
  chosen();
}

function chosen() {
  const shown = chosenRuns();
  boxes.forEach(box => {
    box.disabled = !box.checked && shown.length >= MOST_SHOWN;
    if (box.checked) {
      drawKey(box.parentNode.querySelector(".key"), lookOf(shown.indexOf(Number(box.value))));
    }
  });
  document.getElementById("choice-said").textContent = shown.length + " of " + boxes.length + " runs are shown"
    + (shown.length >= MOST_SHOWN && boxes.length > MOST_SHOWN ? "; that is as many as a chart holds." : ".");
  chosenListeners.forEach(listener => listener(shown));
}

// The first run of each point, one point of each transport after the other.
function inTurns() {
  const turns = new Map();
  return boxes.filter(isFirstOfPoint).map(box => {
    const transport = data.runs[box.value].transport;
    turns.set(transport, (turns.get(transport) || 0) + 1);
    return { box, turn: turns.get(transport) };
  }).sort((a, b) => a.turn - b.turn).map(({ box }) => box);
}

function isFirstOfPoint(box) {
  return box === box.closest("li").querySelector("input");
}

function beginChoice() {
  const buttons = document.getElementById("choice-buttons");
  if (!buttons) {
    return;
  }
  const add = (text, act) => d3.select(buttons).append("button").attr("type", "button").text(text).on("click", act);
  const oneOfEach = most => {
    const wanted = inTurns().slice(0, most);
    choose(box => wanted.includes(box));
  };
  add("One of each point", () => oneOfEach(MOST_SHOWN));
  add("All" + (boxes.length > MOST_SHOWN ? " (first " + MOST_SHOWN + ")" : ""), () => choose((box, i) => i < MOST_SHOWN));
  add("None", () => choose(() => false));
  boxes.forEach(box => box.addEventListener("change", chosen));
  oneOfEach(FIRST_SHOWN);
}
