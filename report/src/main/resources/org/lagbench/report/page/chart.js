// The behavior of all charts: zoom, keys, pointer, reading of values, and the table of values.

// The width of a sheet of paper in px, for any screen.
const PRINTED_WIDTH = 760;
const PX_A_POINT = 1.5;
const STRETCHES = 20;
let printing = false;
window.addEventListener("beforeprint", () => { printing = true; });
window.addEventListener("afterprint", () => { printing = false; });

function button(parent, text, label, act) {
  const made = parent.appendChild(document.createElement("button"));
  made.type = "button";
  made.textContent = text;
  made.ariaLabel = label;
  made.addEventListener("click", act);
}

// Begins a chart in a figure, which has a "plot" and a "status", and may have "controls" and "values". Options:
// - kind: what a layer shows, in files of the data
// - nameOf: returns the name of a layer of a drawing
// - textOf: returns the text of a point; without it, the name, both values and the packet
// - onZoom: is called with the range that a reader selects, or null for all
// - onEnd: is called when a reader presses the key End
// Returns a function that shows drawings, which may have new data, and a range: null for all, undefined for the last one.
function beginChart(figure, { kind = "series", nameOf = layer => layer.name, textOf, onZoom = () => {}, onEnd } = {}) {
  const [controls, plot, status, details] = [".controls", ".plot", ".status", ".values"].map(selector => figure.querySelector(selector));
  let shown = [];
  let points = [];
  let reading = -1;
  let whole = [0, 1];
  let zoomed = null;
  let cursor = null;
  let rowName = null;
  let scale = null;
  let left = 0;

  const x = () => shown[0].panels[0].x;
  const view = () => zoomed || whole;
  const valuePanels = () => shown.flatMap(drawing => drawing.shown).filter(panel => !panel.y.isCategories);
  const drawingOf = panel => shown.find(drawing => drawing.panels.includes(panel));

  function show(drawings, range = zoomed) {
    shown = drawings;
    zoomed = range;
    fillControls();
    redraw();
  }

  // Shows a message below the plot.
  function announce(message) {
    status.textContent = message;
    status.classList.remove("announced");
  }

  function redraw() {
    const read = cursor && points[reading];
    stopReading();
    points = [];
    if (!shown.length) {
      announce("No run is selected.");
      return;
    }
    shown.forEach(drawing => {
      drawing.showPanels(rowName);
      drawing.box.hidden = !drawing.shown.length;
    });
    const axes = shown.flatMap(drawing => drawing.shown).map(panel => panel.x);
    if (!axes.length) {
      announce("The selected runs have no such data.");
      return;
    }
    whole = [Math.min(...axes.map(axis => axis.whole[0])), Math.max(...axes.map(axis => axis.whole[1]))];
    axes.forEach(axis => axis.show(view()));
    points = valuePanels().flatMap(panel => panel.points());
    fitScales();
    left = Math.max(left, ...shown.flatMap(drawing => drawing.shown).map(panel => panel.roomAtLeft()));
    shown.forEach(drawing =>
      drawing.place((printing ? PRINTED_WIDTH : Math.max(280, drawing.box.clientWidth || PRINTED_WIDTH)) / PX_A_POINT, left));
    namePeaks();
    plot.ariaLabel = figure.ariaLabel + ", from " + view().map(edge => axes[0].text(edge)).join(" to ")
      + (points.length ? "; the greatest is " + describe(points[greatest()]) : "");
    [figure.dataset.from, figure.dataset.until] = view();
    fillValues();
    const place = read ? points.findIndex(({ panel, layer, x }) => panel === read.panel && layer.name === read.layer.name && x === read.x) : -1;
    if (place < 0) {
      announce("");
    } else {
      readAt(place);
    }
  }

  // Gives panels with the same value axis the same scale.
  function fitScales() {
    const byName = Map.groupBy(valuePanels(), panel => panel.y.name);
    byName.forEach(panels => {
      const all = panels.map(panel => panel.extremes());
      const extremes = [Math.min, Math.max, Math.min].map((most, i) => most(...all.map(one => one[i])));
      panels.forEach(({ y }) => y.fit(scale || y.wantedScale, extremes));
    });
  }

  // Names the largest parts of the greatest lag of each panel.
  function namePeaks() {
    const peaks = new Map();
    points.forEach(point => {
      if (!peaks.has(point.panel) || point.y > peaks.get(point.panel).y) {
        peaks.set(point.panel, point);
      }
    });
    peaks.forEach((peak, panel) => {
      const parts = peak.layer.ledgers?.[peak.packet]?.split(", ");
      if (parts) {
        panel.namePoint(peak, parts.slice(0, 2).join(", ") + (parts.length > 2 ? " …" : ""));
      }
    });
  }

  // Returns the text of a point.
  function describe(point) {
    const { panel, layer, x, y, packet } = point;
    const ledger = layer.ledgers?.[packet];
    return textOf ? textOf(point) : nameOf(layer, drawingOf(panel)) + ", " + panel.x.name + " " + panel.x.text(x) + ": "
      + panel.y.name + " " + panel.y.text(y)
      + (packet === undefined ? "" : `; packet ${packet.toLocaleString("en")}`) + (ledger ? `, lag: ${ledger}` : "");
  }

  function stopReading() {
    hideReadout();
    cursor?.remove();
    cursor = null;
  }

  // Reads the point at a place in all points, if there is one.
  function readAt(place) {
    const point = points[place];
    if (!point) {
      return;
    }
    reading = place;
    const { panel } = point;
    cursor?.remove();
    cursor = element(panel.group, "g", { class: "cursor" });
    element(cursor, "path", { d: `M${panel.px(point.x)},${panel.top}v${panel.height}` });
    const { right, top } = element(cursor, "circle", { cx: panel.px(point.x), cy: panel.py(point.y), r: 3.3 }).getBoundingClientRect();
    const text = describe(point);
    if (status.textContent !== text) {
      status.textContent = text;
    }
    status.classList.add("announced");
    showReadout(text, right, top);
  }

  function read(place) {
    readAt(Math.max(0, Math.min(points.length - 1, place)));
  }

  function nearest(panel, px, py) {
    let best = -1;
    let least = Infinity;
    points.forEach((point, i) => {
      const distance = point.panel === panel
        ? Math.abs(panel.px(point.x) - px) * 3 + Math.abs(panel.py(point.y) - py) : Infinity;
      [least, best] = distance < least ? [distance, i] : [least, best];
    });
    return best;
  }

  // Returns the index of the greatest measured value, which is the x of a distribution.
  function greatest() {
    const value = ({ panel, x, y }) => panel.y.isFraction ? x : y;
    return points.reduce((best, point, i) => value(point) > value(points[best]) ? i : best, 0);
  }

  // Zooms to a range, limited to the whole.
  function zoomTo(from, to) {
    const [a, b] = [Math.max(whole[0], Math.min(from, to)), Math.min(whole[1], Math.max(from, to))];
    zoomed = a <= whole[0] && b >= whole[1] || !(b > a) ? null : [a, b];
    redraw();
    onZoom(zoomed);
  }

  // Scales the visible range around a center from 0 to 1, then moves it by a fraction of its width.
  function zoomBy(factor, move, center = .5) {
    const to = x().isLogarithmic ? Math.log : value => value;
    const back = x().isLogarithmic ? Math.exp : value => value;
    const [a, b] = view().map(to);
    const [least, most] = whole.map(to);
    const width = Math.min((b - a) * factor, most - least);
    const from = Math.max(least, Math.min(a + (b - a) * (center + move) - width * center, most - width));
    zoomTo(from <= least ? whole[0] : back(from), from + width >= most * (1 - 1e-12) ? whole[1] : back(from + width));
  }

  const zoomAll = () => zoomTo(...whole);

  // Returns the position of the pointer in the drawing below it, in points, and the panel there.
  function pointed(event) {
    const drawing = shown.find(({ svg }) => svg.contains(event.target));
    const panels = drawing?.shown.filter(panel => !panel.y.isCategories);
    if (!panels?.length) {
      return null;
    }
    const { x: px, y: py } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.svg.getScreenCTM().inverse());
    const panel = panels.find(({ top, height }) => py <= top + height) || panels.at(-1);
    return { px: Math.max(panel.left, Math.min(panel.left + panel.width, px)), py, panel, svg: drawing.svg };
  }

  function listenToPointer() {
    let from = null;
    let band = null;
    const end = () => {
      band?.remove();
      from = null;
    };
    plot.addEventListener("pointerdown", event => {
      from = event.button === 0 ? pointed(event) : null;
      if (from) {
        from.svg.setPointerCapture(event.pointerId);
        band = element(from.panel.group, "rect", { class: "brush", y: from.panel.top, height: from.panel.height });
      }
    });
    plot.addEventListener("pointermove", event => {
      const at = pointed(event);
      if (at && !from) {
        readAt(nearest(at.panel, at.px, at.py));
      } else if (at) {
        band.setAttribute("x", Math.min(from.px, at.px));
        band.setAttribute("width", Math.abs(at.px - from.px));
      }
    });
    plot.addEventListener("pointerup", event => {
      const [begun, at] = [from, from && pointed(event)];
      end();
      if (at && Math.abs(at.px - begun.px) > 3) {
        const { x, left, width } = begun.panel;
        zoomTo(...[begun, at].map(({ px }) => x.valueAt((px - left) / width)));
      }
    });
    plot.addEventListener("pointercancel", end);
    plot.addEventListener("pointerleave", stopReading);
    plot.addEventListener("dblclick", () => shown.length && zoomAll());
    plot.addEventListener("wheel", event => {
      const at = event.ctrlKey || event.metaKey ? pointed(event) : null;
      if (at) {
        event.preventDefault();
        zoomBy(event.deltaY > 0 ? 1.25 : .8, 0, (at.px - at.panel.left) / at.panel.width);
      }
    }, { passive: false });
  }

  const KEYS = {
    "+": () => zoomBy(.5, 0),
    "=": () => zoomBy(.5, 0),
    "-": () => zoomBy(2, 0),
    "0": zoomAll,
    ArrowLeft: () => zoomBy(1, -.25),
    ArrowRight: () => zoomBy(1, .25),
    m: () => read(greatest()),
    M: () => read(greatest()),
    "shift ArrowLeft": () => read(reading - 1),
    "shift ArrowRight": () => read(reading + 1),
    Escape: stopReading,
    ...onEnd && { End: onEnd },
  };

  function listenToKeys() {
    plot.tabIndex = 0;
    plot.role = "group";
    plot.ariaRoleDescription = "chart";
    plot.setAttribute("aria-keyshortcuts", "+ - 0 ArrowLeft ArrowRight M Shift+ArrowLeft Shift+ArrowRight" + (onEnd ? " End" : ""));
    plot.addEventListener("keydown", event => {
      const key = KEYS[(event.shiftKey && event.key.startsWith("Arrow") ? "shift " : "") + event.key];
      if (key && shown.length && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        key();
      }
    });
  }

  // Adds a choice to the controls, or replaces it if its options are others.
  function select(name, options, chosen, change) {
    let made = [...controls.querySelectorAll("select")].find(one => one.ariaLabel === name);
    if (made && [...made.options].map(option => option.value).join() === options.join()) {
      return;
    }
    made?.remove();
    made = controls.appendChild(document.createElement("select"));
    made.ariaLabel = name;
    options.forEach(value => made.add(new Option(value[0].toUpperCase() + value.slice(1), value, false, value === chosen)));
    made.addEventListener("change", () => {
      change(made.value);
      left = 0;
      redraw();
    });
  }

  function fillControls() {
    const axes = controls ? shown.flatMap(drawing => drawing.panels).map(panel => panel.y).filter(axis => !axis.isCategories) : [];
    const names = [...new Set(axes.map(axis => axis.name))];
    if (names.length > 1 || names.length && rowName) {
      rowName = names.includes(rowName) ? rowName : names.find(name => name === figure.dataset.first) || names[0];
      select("Panel", names, rowName, value => { rowName = value; });
    }
    if (new Set(axes.map(axis => axis.wantedScale)).size === 1) {
      scale = scale || axes[0].wantedScale;
      select("Scale", ["logarithmic", "linear"], scale, value => { scale = value; });
    }
  }

  // Shows the extremes of twenty parts of the visible range.
  function fillValues() {
    const place = details?.querySelector(":scope > div:empty, :scope > .made");
    if (!place || !details.open || !shown.length) {
      return;
    }
    place.className = "made";
    const [from, to] = view();
    const lines = valuePanels().flatMap(panel => panel.lines.map(layer => ({ panel, layer, name: nameOf(layer, drawingOf(panel)) })));
    const eventful = shown.filter(drawing => drawing.between(-Infinity, Infinity).length);
    const table = document.createElement("table");
    const row = (parent, cells, cell) => {
      const made = parent.insertRow();
      cells.forEach((text, i) => {
        const one = made.appendChild(document.createElement(i ? cell : "th"));
        one.scope = cell === "th" ? "col" : i ? "" : "row";
        one.className = i ? "number" : "text";
        one.textContent = text;
      });
    };
    row(table.createTHead(), ["From", ...lines.flatMap(({ name }) => [name + ", least", name + ", greatest"]),
      ...eventful.map(drawing => nameOf(drawing.panels[0].layers[0], drawing) + ", meanwhile")], "th");
    const body = table.createTBody();
    for (let i = 0; i < STRETCHES; i++) {
      const [a, b] = [i, i + 1].map(part => from + (to - from) * part / STRETCHES);
      row(body, [x().text(a), ...lines.flatMap(({ panel, layer }) => {
        const part = points.filter(point => point.layer === layer && point.x >= a && (point.x < b || i === STRETCHES - 1));
        const ys = part.map(point => point.y);
        return ys.length ? [panel.y.text(Math.min(...ys)), panel.y.text(Math.max(...ys))] : ["–", "–"];
      }), ...eventful.map(drawing => drawing.between(a, b).join(", ") || "–")], "td");
    }
    place.replaceChildren(table);
  }

  // Returns the visible points as records.
  function records() {
    return points.map(({ panel, layer, x, y }) =>
      new Map([[kind, nameOf(layer, drawingOf(panel))], [panel.x.label, x], [panel.y.label, y]]));
  }

  if (controls) {
    [["+", "Zoom in", "+"], ["−", "Zoom out", "-"], ["←", "Move left", "ArrowLeft"], ["→", "Move right", "ArrowRight"],
      ["All", "Show all", "0"]].forEach(([text, label, key]) => button(controls, text, label, () => shown.length && KEYS[key]()));
  }
  addDownloads(figure, records);
  listenToKeys();
  listenToPointer();
  plot.addEventListener("focusout", stopReading);
  details?.addEventListener("toggle", fillValues);
  window.addEventListener("beforeprint", redraw);
  window.addEventListener("afterprint", redraw);
  let width = 0;
  new ResizeObserver(() => {
    if (plot.clientWidth !== width && !printing) {
      width = plot.clientWidth;
      redraw();
    }
  }).observe(plot);
  return show;
}
