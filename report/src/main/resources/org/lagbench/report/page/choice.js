// The runs that the charts show.

const MOST_SHOWN = 12;
const FIRST_SHOWN = 6;
const boxes = [...document.querySelectorAll("#runs-shown input")];
const chosenListeners = [];

// Calls a listener with the numbers of the shown runs, in the order of the tables, whenever they change.
function onChosen(listener) {
  chosenListeners.push(listener);
}

function runName(number) {
  return boxes[number].dataset.name;
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
    box.parentNode.querySelector(".key").setAttribute("class", "key line look" + shown.indexOf(Number(box.value)));
  });
  document.getElementById("choice-status").textContent = shown.length + " of " + boxes.length + " runs are shown"
    + (shown.length >= MOST_SHOWN && boxes.length > MOST_SHOWN ? ", the most that a chart can show." : ".");
  chosenListeners.forEach(listener => listener(shown));
}

// Returns the first run of each point, in turns of the transports.
function inTurns() {
  const turns = new Map();
  return boxes.filter(box => box === box.closest("li").querySelector("input")).map(box => {
    const { transport } = box.dataset;
    turns.set(transport, (turns.get(transport) || 0) + 1);
    return { box, turn: turns.get(transport) };
  }).sort((a, b) => a.turn - b.turn).map(({ box }) => box);
}

function button(parent, text, label, act) {
  const made = parent.appendChild(document.createElement("button"));
  made.type = "button";
  made.textContent = text;
  made.ariaLabel = label;
  made.addEventListener("click", act);
}

function beginChoice() {
  const buttons = document.getElementById("choice-buttons");
  if (!buttons) {
    return;
  }
  const oneOfEach = most => {
    const wanted = inTurns().slice(0, most);
    choose(box => wanted.includes(box));
  };
  const all = "All" + (boxes.length > MOST_SHOWN ? " (first " + MOST_SHOWN + ")" : "");
  button(buttons, "One of each point", null, () => oneOfEach(MOST_SHOWN));
  button(buttons, all, null, () => choose((box, i) => i < MOST_SHOWN));
  button(buttons, "None", null, () => choose(() => false));
  boxes.forEach(box => box.addEventListener("change", chosen));
  oneOfEach(FIRST_SHOWN);
}
