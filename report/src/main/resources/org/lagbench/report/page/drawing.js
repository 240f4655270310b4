// A drawing of a chart: { title, panels: [{ height, x, y, layers }] }, the panels below each other, x and y their axes. A layer has a
// kind, a name, and values of the axes in the order of x, which this script places whenever width, zoom or data change:
// - line: a y for each x. It breaks at null and where x differ by more than "gap", and may step "UP" or "ACROSS".
//   "packets" has the numbers of the packets of the last points, "ledgers" the texts of some packets.
// - band, bars: from low to high at each x; they count for the scale unless isOutOfScale
// - marks: at the bottom at each x
// - spans: from each x to its end in a lane, with words
// Color, width, dot (the diameter) and look (a class) are optional.

const SVG = "http://www.w3.org/2000/svg";
const LEAST_TICK_ROOM = { x: 30, y: 13 };
const CHARACTER_WIDTH = 4.4;
const LABEL_HEIGHT = 9;
const LABEL_GAP = 4;
const LEAST_WIDTH = .6;
const MOST_WORDS = 3;
const MARGIN = 4;
const ROW_GAP = 8;
const TITLE_HEIGHT = 9.4;
const RIGHT = 14;
const COLUMNS_A_POINT = 2;
let clips = 0;

function element(parent, name, attributes, text) {
  const made = parent.appendChild(document.createElementNS(SVG, name));
  Object.entries(attributes).forEach(([key, value]) => value !== undefined && made.setAttribute(key, value));
  made.textContent = text || "";
  return made;
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

// Breaks a text into lines of about that length.
function wrapped(text, length) {
  return text.split(" ").reduce((lines, word) => {
    const longer = lines.length ? lines.at(-1) + " " + word : word;
    return lines.length && longer.length * CHARACTER_WIDTH <= length ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
}

class Panel {
  constructor(svg, data) {
    this.height = data.height;
    const id = "clip" + ++clips;
    this.group = element(svg, "g", { class: "panel" });
    this.grid = element(this.group, "g", { class: "grid" });
    const clip = element(element(this.group, "clipPath", { id }), "rect", { height: data.height });
    this.data = element(this.group, "g", { "clip-path": `url(#${id})` });
    this.frames = [clip, element(this.group, "rect", { class: "frame", height: data.height })];
    this.labels = element(this.group, "g", { class: "ticks" });
    this.update(data);
  }

  // Replaces the data.
  update({ x, y, layers }) {
    this.x = new Axis(x);
    this.y = new Axis(y);
    this.data.replaceChildren();
    this.layers = layers.map(layer => {
      const group = element(this.data, "g", { class: layer.kind + " " + (layer.look || ""), "data-name": layer.name, "stroke-width": layer.width });
      if (layer.color) {
        group.style.setProperty("--run", layer.color);
      }
      return { ...layer, group };
    });
  }

  get lines() {
    return this.layers.filter(layer => layer.kind === "line" && !layer.group.hasAttribute("hidden"));
  }

  // Returns the indexes of the visible points of a layer: the first and the one after the last.
  visible({ x }) {
    const from = firstFrom(x, this.x.from);
    let to = firstFrom(x, this.x.to);
    while (x[to] === this.x.to) {
      to++;
    }
    return [from, to];
  }

  // Returns every visible point of the lines with its layer.
  points() {
    const points = [];
    this.lines.forEach(layer => {
      const [from, to] = this.visible(layer);
      const unnamed = layer.x.length - (layer.packets?.length ?? 0);
      for (let i = from; i < to; i++) {
        if (layer.y[i] !== null) {
          points.push({ panel: this, layer, x: layer.x[i], y: layer.y[i], packet: layer.packets?.[i - unnamed] });
        }
      }
    });
    return points;
  }

  // Returns the lowest, the highest, and the lowest visible value above 0.
  extremes() {
    const extremes = [Infinity, -Infinity, Infinity];
    this.layers.filter(layer => !layer.isOutOfScale && !layer.group.hasAttribute("hidden")).forEach(layer => {
      const [from, to] = this.visible(layer);
      [layer.y, layer.low, layer.high].filter(Boolean).forEach(values => {
        for (let i = from; i < to; i++) {
          const value = values[i];
          if (value !== null) {
            extremes[0] = Math.min(extremes[0], value);
            extremes[1] = Math.max(extremes[1], value);
            extremes[2] = value > 0 ? Math.min(extremes[2], value) : extremes[2];
          }
        }
      });
    });
    return extremes;
  }

  px(x) {
    return this.left + this.x.place(x) * this.width;
  }

  py(y) {
    return this.top + (1 - this.y.place(y)) * this.height;
  }

  // Returns the ticks of the vertical axis with their labels.
  yTicks() {
    return this.y.isCategories ? this.y.categories.map((text, i) => ({ value: i + .5, text }))
      : this.y.ticks(Math.max(2, Math.floor(this.height / LEAST_TICK_ROOM.y))).map(value => ({ value, text: this.y.tickText(value) }));
  }

  // Returns the room for labels and title on the left, once the scale is known.
  roomAtLeft() {
    const titles = wrapped(this.y.label, this.height).length * TITLE_HEIGHT;
    return MARGIN + titles + LABEL_GAP + CHARACTER_WIDTH * Math.max(...this.yTicks().map(({ text }) => text.length)) + LABEL_GAP;
  }

  // Lays out the panel. Only the last one of a drawing has labels and a title below.
  place(top, left, right, isLast) {
    Object.assign(this, { top, left, width: right - left });
    this.frames.forEach(frame => Object.entries({ x: left, y: top, width: this.width }).forEach(([name, value]) => frame.setAttribute(name, value)));
    this.grid.replaceChildren();
    this.labels.replaceChildren();
    const bottom = top + this.height;
    let taken = -Infinity;
    this.xTicks().forEach(tick => {
      const text = this.x.tickText(tick);
      const half = text.length * CHARACTER_WIDTH / 2;
      const at = Math.min(this.px(tick), right + RIGHT - half);
      element(this.grid, "path", { d: `M${this.px(tick)},${top}v${this.height}` });
      if (isLast && at - half >= taken) {
        element(this.labels, "text", { x: at, y: bottom + 10.5, "text-anchor": "middle" }, text);
        taken = at + half + LABEL_GAP;
      }
    });
    let lowest = Infinity;
    this.yTicks().forEach(({ value, text }) => {
      const at = this.py(value);
      if (!this.y.isCategories) {
        element(this.grid, "path", { d: `M${left},${at}h${this.width}` });
      }
      if (lowest - at >= LABEL_HEIGHT || this.y.isCategories) {
        element(this.labels, "text", { x: left - LABEL_GAP, y: at + 2.2, "text-anchor": "end" }, text);
        lowest = at;
      }
    });
    wrapped(this.y.label, this.height).forEach((line, i) => element(this.labels, "text", { class: "title", "text-anchor": "middle",
      transform: `translate(${MARGIN + 7.5 + i * TITLE_HEIGHT},${top + this.height / 2}) rotate(-90)` }, line));
    if (isLast) {
      const half = this.x.label.length * CHARACTER_WIDTH / 2;
      element(this.labels, "text", { class: "title", "text-anchor": "middle", y: bottom + 20,
        x: Math.min((left + right) / 2, right + RIGHT - half) }, this.x.label);
    }
    this.layers.forEach(layer => this.placeLayer(layer));
    this.layers.filter(layer => layer.kind === "spans").forEach(layer => this.nameSpans(layer));
  }

  // Writes a label beside each of the longest visible spans of a lane, where there is room.
  nameSpans({ name, x, to: ends, lane, words }) {
    const spans = ends.map((to, i) => ({ from: x[i], to, words: words?.[i] })).filter(({ from, to }) => to >= this.x.from && from <= this.x.to);
    const right = this.left + this.width;
    const taken = spans.map(({ from, to }) => [this.px(from) - 1, this.px(to) + 1]);
    const isFree = (a, b) => a >= this.left && b <= right && taken.every(([from, to]) => b <= from || a >= to);
    const kind = name.replace(/ at the .*/, "");
    spans.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST_WORDS).forEach(span => {
      const length = span.words || duration(Number(((span.to - span.from) * DURATIONS[this.x.unit]).toPrecision(3)));
      const label = element(this.labels, "text", { class: "words", y: this.py(lane + .5) + 2.5 });
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
    const label = element(this.labels, "text",
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
      needed = ticks.length * (8 + CHARACTER_WIDTH * Math.max(...ticks.map(tick => this.x.tickText(tick).length)));
    } while (needed > this.width && most-- > 2);
    return ticks;
  }

  placeLayer(layer) {
    const at = (x, y) => this.px(x).toFixed(2) + "," + this.py(y).toFixed(2);
    const { x, low, high } = layer;
    const [from, to] = this.visible(layer);
    // one point beyond each end shows that a line continues
    const pieces = this.pieces(layer, Math.max(0, from - 1), Math.min(x.length - 1, to));
    const all = pieces.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
    const paths = {
      line: () => [
        pieces.filter(([first, last]) => last > first).map(piece => this.line(layer, piece, at)).join(""),
        pieces.filter(([first, last]) => last === first).map(([i]) => `M${at(x[i], layer.y[i])}h0`).join(""),
      ],
      band: () => [pieces.map(([first, last]) => {
        const [lower, upper] = [this.thinned(x, low, first, last), this.thinned(x, high, first, last).reverse()];
        return "M" + lower.map(i => at(x[i], low[i])).join(" ") + " " + upper.map(i => at(x[i], high[i])).join(" ")
          + (first === last ? "h1v" + (this.py(low[first]) - this.py(high[first])).toFixed(2) : "") + "Z";
      }).join("")],
      bars: () => [all.map(i => `M${at(x[i], low[i])}V${this.py(high[i]).toFixed(2)}`).join("")],
      marks: () => [all.map(i => `M${this.px(x[i]).toFixed(2)},${this.top + this.height}v-4`).join("")],
      spans: () => [layer.to.map((end, i) =>
        `M${at(x[i], layer.lane + .5)}H${Math.max(this.px(end), this.px(x[i]) + LEAST_WIDTH).toFixed(2)}`).join("")],
    };
    const drawn = paths[layer.kind]();
    drawn.forEach((d, i) => {
      const path = layer.group.children[i] || element(layer.group, "path", i ? { class: "dots", "stroke-width": layer.dot } : {});
      path.setAttribute("d", d);
    });
  }

  // Returns the first and the last index of each part of a layer without a break.
  pieces({ x, y, low, gap = Infinity }, from, to) {
    const values = y || low || x;
    const pieces = [];
    for (let i = from; i <= to; i++) {
      if (values[i] === null) {
        continue;
      }
      if (pieces.length && pieces.at(-1)[1] === i - 1 && x[i] - x[i - 1] <= gap) {
        pieces.at(-1)[1] = i;
      } else {
        pieces.push([i, i]);
      }
    }
    return pieces;
  }

  line({ x, y, step }, [first, last], at) {
    const corner = {
      ACROSS: (i, before) => at(x[i], before === undefined ? first && y[first - 1] : y[before]) + " ",
      UP: (i, before) => before === undefined ? "" : at(x[before], y[i]) + " ",
    }[step] || (() => "");
    return "M" + this.thinned(x, y, first, last).map((i, k, all) => corner(i, all[k - 1]) + at(x[i], y[i])).join(" ");
  }

  // Returns the indexes of the points that look like all of a piece: the first, lowest, highest and last of each column of pixels.
  thinned(x, y, first, last) {
    const kept = [];
    const columnOf = i => Math.floor(this.px(x[i]) * COLUMNS_A_POINT);
    for (let i = first; i <= last;) {
      const [begin, column] = [i, columnOf(i)];
      let [lowest, highest] = [i, i];
      for (; i <= last && columnOf(i) === column; i++) {
        lowest = y[i] < y[lowest] ? i : lowest;
        highest = y[i] > y[highest] ? i : highest;
      }
      kept.push(...new Set([begin, Math.min(lowest, highest), Math.max(lowest, highest), i - 1]));
    }
    return kept;
  }
}

class Drawing {
  // Creates the panels in the SVG element of a box.
  constructor(box, data) {
    this.box = box;
    this.svg = box.querySelector(":scope > svg");
    this.svg.ariaLabel = data.title;
    this.panels = data.panels.map(panel => new Panel(this.svg, panel));
    this.shown = this.panels;
  }

  // Replaces the data; the panels stay the same.
  update({ panels }) {
    this.panels.forEach((panel, i) => panel.update(panels[i]));
  }

  // Shows the panels of that name and those of events.
  showPanels(name) {
    this.shown = this.panels.filter(panel => panel.y.isCategories || !name || panel.y.name === name);
    this.panels.forEach(panel => panel.group.toggleAttribute("hidden", !this.shown.includes(panel)));
  }

  // Lays out the drawing in a width in points, with that room at the left.
  place(width, left) {
    let top = MARGIN + ROW_GAP / 2;
    this.shown.forEach(panel => {
      panel.place(top, left, width - RIGHT, panel === this.shown.at(-1));
      top += panel.height + ROW_GAP;
    });
    this.svg.setAttribute("viewBox", `0 0 ${width} ${top + (this.shown.at(-1)?.x.label ? TITLE_HEIGHT : 0) + ROW_GAP}`);
  }

  // Returns the names of the events between two values of x.
  between(from, to) {
    return this.panels.flatMap(panel => panel.layers)
      .filter(layer => layer.kind === "spans" && layer.to.some((end, i) => end > from && layer.x[i] < to))
      .map(layer => layer.name);
  }
}
