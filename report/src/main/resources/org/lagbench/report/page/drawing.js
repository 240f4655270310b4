// A drawing of a chart: panels below each other, painted by org.lagbench.report.chart with values of the axes instead of
// positions. This script places the values and makes the ticks whenever width, zoom or runs change.

const SVG = "http://www.w3.org/2000/svg";
const LEAST_TICK_ROOM = { x: 30, y: 13 };
const CHARACTER_WIDTH = 4.4;
const LABEL_HEIGHT = 9;
const LABEL_GAP = 4;
const LEAST_WIDTH = .6;
const MOST_WORDS = 3;
const ROW_GAP = 8;

function element(parent, name, attributes, text) {
  const made = parent.appendChild(document.createElementNS(SVG, name));
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.textContent = text || "";
  return made;
}

// Returns the pieces of a path, each with the x and y of its points. The path has each x relative to the one before.
function pieces(path) {
  let last = 0;
  return path.getAttribute("d").split("M").slice(1).map(piece => {
    const points = piece.replace("h0", "").split(" ").map(point => point.split(","));
    return { x: Float64Array.from(points, ([step]) => last += Number(step)), y: Float64Array.from(points, ([, y]) => y) };
  });
}

// Removes each centered label that would be on top of one before it.
function removeOverlapping(labels) {
  let taken = -Infinity;
  labels.map(label => ({ label, at: Number(label.getAttribute("x")), half: label.getComputedTextLength() / 2 }))
    .forEach(({ label, at, half }) => {
      if (at - half < taken) {
        label.remove();
      } else {
        taken = at + half + LABEL_GAP;
      }
    });
}

// Returns the index of the first of ascending numbers that is not less.
function firstFrom(numbers, wanted) {
  let from = 0;
  let to = numbers.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    [from, to] = numbers[middle] < wanted ? [middle + 1, to] : [from, middle];
  }
  return from;
}

class Panel {
  constructor(group) {
    this.group = group;
    const [x, y, width, height] = group.dataset.area.split(" ").map(Number);
    Object.assign(this, { left: x, top: y, fullWidth: width, width, height });
    this.x = new Axis(group.querySelector(".axis-x"));
    this.y = new Axis(group.querySelector(".axis-y"));
    this.ledgers = new Map((group.querySelector(".ledgers")?.dataset.ledgers || "").split("|").map(text => text.match(/^(\d+) (.*)$/))
      .filter(Boolean).map(([, packet, text]) => [Number(packet), text]));
    this.layers = [...group.querySelectorAll(".line, .spans")].map(layer => ({
      group: layer,
      name: layer.dataset.name,
      isSpans: layer.classList.contains("spans"),
      step: layer.dataset.step,
      words: (layer.dataset.words || "").split("|"),
      paths: [...layer.querySelectorAll("path")].map(path => ({ path, pieces: pieces(path), isDots: path.getAttribute("d").includes("h0") })),
    }));
    group.querySelectorAll(".packets").forEach(({ dataset }) => {
      const layer = this.layers.find(({ name }) => name === dataset.name);
      const steps = dataset.packets.split(" ");
      const xs = layer.paths.flatMap(({ pieces }) => pieces.flatMap(({ x }) => [...x])).sort((a, b) => a - b).slice(-steps.length);
      let packet = 0;
      layer.packets = new Map(steps.map((step, i) => [xs[i], packet += Number(step)]));
    });
  }

  get lines() {
    return this.layers.filter(layer => !layer.isSpans && !layer.group.hasAttribute("hidden"));
  }

  // Returns every visible point of the lines with its layer.
  points() {
    const points = [];
    this.lines.forEach(layer => {
      const begin = points.length;
      layer.paths.forEach(({ pieces }) => pieces.forEach(({ x, y }) => {
        for (let i = firstFrom(x, this.x.from); i < x.length && x[i] <= this.x.to; i++) {
          points.push({ panel: this, layer, x: x[i], y: y[i], packet: layer.packets?.get(x[i]) });
        }
      }));
      if (layer.paths.length > 1) {
        points.push(...points.splice(begin).sort((a, b) => a.x - b.x));
      }
    });
    return points;
  }

  px(x) {
    return this.left + this.x.place(x) * this.width;
  }

  py(y) {
    return this.top + (1 - this.y.place(y)) * this.height;
  }

  place(isLast) {
    const right = this.left + this.width;
    this.group.querySelectorAll(":scope > rect, :scope > clipPath > rect").forEach(frame => frame.setAttribute("width", this.width));
    const title = this.x.group.querySelector("text");
    title.toggleAttribute("hidden", !isLast);
    title.setAttribute("x", Math.min((this.left + right) / 2, right + 4 - title.getComputedTextLength() / 2));
    this.group.querySelectorAll(".ticks").forEach(ticks => ticks.remove());
    const grid = element(this.group.querySelector(".grid"), "g", { class: "ticks" });
    const labels = element(this.group, "g", { class: "ticks" });
    this.xTicks().forEach(tick => {
      const at = this.px(tick);
      element(grid, "path", { d: `M${at},${this.top}v${this.height}` });
      if (isLast) {
        element(labels, "text", { x: at, y: this.top + this.height + 10.5, "text-anchor": "middle" }, tickText(tick));
      }
    });
    removeOverlapping([...labels.children]);
    if (!this.y.isCategories) {
      let lowest = Infinity;
      this.y.ticks(Math.max(2, Math.floor(this.height / LEAST_TICK_ROOM.y))).forEach(tick => {
        const at = this.py(tick);
        element(grid, "path", { d: `M${this.left},${at}h${this.width}` });
        if (lowest - at >= LABEL_HEIGHT) {
          element(labels, "text", { x: this.left - 4, y: at + 2.2, "text-anchor": "end" }, tickText(tick));
          lowest = at;
        }
      });
    }
    this.layers.forEach(layer => layer.paths.forEach(path => this.placePath(layer, path)));
    this.layers.filter(layer => layer.isSpans).forEach(layer => this.nameSpans(layer, labels));
  }

  // Returns how many points wider the left margin must be, so that the labels fit beside the axis title.
  missingRoom() {
    const all = selector => [...this.group.querySelectorAll(selector)];
    const widths = all(".axis-y > text:not([transform]), .ticks > text[text-anchor=end]").map(label => label.getComputedTextLength());
    const titles = all(".axis-y > text[transform]").map(title => Number(title.getAttribute("x")));
    return Math.max(0, ...widths) + 5 + Math.max(0, ...titles) + LABEL_GAP - this.left;
  }

  moveTitle(inset) {
    this.group.querySelectorAll(".axis-y > text[transform]").forEach(title => {
      title.dataset.turn = title.dataset.turn || title.getAttribute("transform");
      title.setAttribute("transform", `translate(${-inset},0) ${title.dataset.turn}`);
    });
  }

  // Writes a label beside each of the longest visible spans of a lane, where there is room.
  nameSpans({ name, words, paths }, parent) {
    const spans = paths.flatMap(({ pieces }) => pieces).map(({ x, y }, i) => ({ from: x[0], to: x[1], y: y[0], words: words[i] }))
      .filter(({ from, to }) => to >= this.x.from && from <= this.x.to);
    const right = this.left + this.width;
    const taken = spans.map(({ from, to }) => [this.px(from) - 1, this.px(to) + 1]);
    const isFree = (a, b) => a >= this.left && b <= right && taken.every(([from, to]) => b <= from || a >= to);
    const kind = name.replace(/ at the .*/, "");
    spans.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST_WORDS).forEach(span => {
      const length = span.words || duration(Number(((span.to - span.from) * DURATIONS[this.x.unit]).toPrecision(3)));
      const label = element(parent, "text", { class: "words", y: this.py(span.y) + 2.5 });
      const isPlaced = [kind + ", " + length, length].some(text => {
        label.textContent = text;
        const width = label.getComputedTextLength();
        const [after, before] = [this.px(span.to) + 3, this.px(span.from) - 3 - width];
        const at = [after, before].find(start => isFree(start, start + width));
        if (at !== undefined) {
          label.setAttribute("x", at);
          taken.push([at - LABEL_GAP, at + width + LABEL_GAP]);
        }
        return at !== undefined;
      });
      if (!isPlaced) {
        label.remove();
      }
    });
  }

  // Writes a text beside a point, or as many of its words as the plot has room for.
  namePoint({ x, y }, text) {
    const label = element(this.group.querySelector(":scope > .ticks"), "text",
      { class: "words", y: Math.max(this.top + 7, Math.min(this.top + this.height - 2, this.py(y) + 2.5)) }, text);
    for (let end = text.lastIndexOf(" "); end > 0 && label.getComputedTextLength() > this.width; end = text.lastIndexOf(" ", end - 1)) {
      label.textContent = text.slice(0, end) + " …";
    }
    const width = label.getComputedTextLength();
    const after = this.px(x) + LABEL_GAP;
    label.setAttribute("x", after + width <= this.left + this.width ? after : Math.max(this.left, this.px(x) - LABEL_GAP - width));
  }

  // Returns as many ticks as have room for their labels side by side.
  xTicks() {
    let most = Math.floor(this.width / LEAST_TICK_ROOM.x);
    let ticks = [];
    let needed = 0;
    do {
      ticks = this.x.ticks(Math.max(1, most));
      needed = ticks.length * (8 + CHARACTER_WIDTH * Math.max(...ticks.map(tick => tickText(tick).length)));
    } while (needed > this.width && most-- > 2);
    return ticks;
  }

  placePath({ isSpans, step }, { path, pieces, isDots }) {
    const d = [];
    const at = (x, y) => this.px(x).toFixed(2) + "," + this.py(y).toFixed(2);
    pieces.forEach(({ x, y }) => {
      // one point beyond each end shows that a line continues
      const from = Math.max(0, firstFrom(x, this.x.from) - 1);
      const to = Math.min(x.length - 1, firstFrom(x, this.x.to));
      if (isSpans) {
        const end = Math.max(this.px(x[1]), this.px(x[0]) + LEAST_WIDTH);
        d.push("M", at(x[0], y[0]), "H", end.toFixed(2));
        return;
      }
      for (let i = from; i <= to; i++) {
        if (step === "ACROSS") {
          d.push(i === from ? "M" : " ", at(x[i], i > 0 ? y[i - 1] : 0), " ", at(x[i], y[i]));
        } else {
          d.push(i === from ? "M" : step === "UP" ? " " + at(x[i - 1], y[i]) + " " : " ", at(x[i], y[i]), isDots ? "h0" : "");
        }
      }
    });
    path.setAttribute("d", d.join(""));
  }
}

class Drawing {
  constructor(box) {
    this.box = box;
    this.svg = box.querySelector(":scope > svg");
    const [, , width, height] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    Object.assign(this, { fullWidth: width, fullHeight: height });
    this.panels = [...this.svg.querySelectorAll(".panel")].map(group => new Panel(group));
    this.bottoms = this.panels.map((panel, i) => (this.panels[i + 1]?.top || panel.top + panel.height + ROW_GAP));
  }

  // Returns the run of a layer.
  runOf(layer) {
    return this.box.dataset.run ? Number(this.box.dataset.run) : runNamed(layer.name);
  }

  // Returns whether it has a line of one of these runs.
  hasRun(runs) {
    return this.panels[0].layers.some(({ name }) => runs.includes(runNamed(name)));
  }

  // Gives each run the color of its series; lines of one drawing differ in their dashes too.
  showRuns(runs) {
    if (this.box.dataset.run) {
      this.box.className = "drawing " + lookOf(Number(this.box.dataset.run));
      return;
    }
    this.panels.flatMap(panel => panel.layers).forEach(({ group, name }) => {
      const run = runNamed(name);
      group.setAttribute("class", "line " + lookOf(run));
      group.dataset.series = seriesOf(run);
      group.toggleAttribute("hidden", !runs.includes(run));
    });
  }

  // Shows the panels of that name and those of events.
  showPanels(name) {
    this.shown = this.panels.filter(panel => panel.y.isCategories || !name || panel.y.name === name);
    this.panels.forEach(panel => panel.group.toggleAttribute("hidden", !this.shown.includes(panel)));
  }

  // Returns how many points wider the left margin must be for the labels, after they were placed.
  missingRoom() {
    return Math.max(0, ...this.shown.map(panel => panel.missingRoom()));
  }

  // Lays out the drawing in a width in points. The inset is added to the left margin.
  place(width, inset) {
    let hidden = 0;
    this.panels.forEach((panel, i) => {
      panel.width = panel.fullWidth + width - inset - this.fullWidth;
      if (this.shown.includes(panel)) {
        panel.moveTitle(inset);
        panel.group.setAttribute("transform", `translate(0,${-hidden})`);
        panel.shift = hidden;
        panel.place(panel === this.shown[this.shown.length - 1]);
      } else {
        hidden += this.bottoms[i] - panel.top;
      }
    });
    this.svg.setAttribute("viewBox", `${-inset} 0 ${width} ${this.fullHeight - hidden}`);
  }

  // Returns the names of the events between two values of x.
  between(from, to) {
    return this.panels.flatMap(panel => panel.layers)
      .filter(layer => layer.isSpans && layer.paths.some(({ pieces }) => pieces.some(({ x }) => x[1] > from && x[0] < to)))
      .map(layer => layer.name);
  }
}
