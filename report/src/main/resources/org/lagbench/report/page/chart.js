// The behavior of all charts: visible runs, zoom, keys, pointer, reading of values, and the table of values.

// The width of a sheet of paper in px, for any screen.
const PRINTED_WIDTH = 760;
const PX_A_POINT = 1.5;
const STRETCHES = 20;
let printing = false;

function beginChart(figure) {
  const find = selector => figure.querySelector(selector);
  const [controls, legend, plot, status, details] = [".controls", ".legend", ".plot", ".status", ".values"].map(find);
  const boxes = [...figure.querySelectorAll(".drawing")];
  const drawings = new Map();
  let shown = [];
  let points = [];
  let reading = -1;
  let whole = [0, 1];
  let zoomed = null;
  let cursor = null;
  let rowName = null;
  let scale = null;

  const x = () => shown[0].panels[0].x;
  const view = () => zoomed || whole;
  const valuePanels = () => shown.flatMap(drawing => drawing.shown).filter(panel => !panel.y.isCategories);

  // Parses a drawing when it is first shown.
  function drawingIn(box) {
    if (!drawings.has(box)) {
      drawings.set(box, new Drawing(box));
    }
    return drawings.get(box);
  }

  function showRuns(runs) {
    shown = boxes.filter(box => {
      box.hidden = !(box.dataset.run ? runs.includes(Number(box.dataset.run)) : drawingIn(box).hasRun(runs));
      return !box.hidden;
    }).map(drawingIn);
    shown.forEach(drawing => drawing.showRuns(runs));
    fillLegend(runs);
    redraw();
  }

  // Names the series of drawings of several runs; a drawing of one run has a heading.
  function fillLegend(runs) {
    const named = shown.some(drawing => !drawing.box.dataset.run) ? new Map(runs.map(run => [seriesOf(run), run])) : new Map();
    legend.hidden = !named.size;
    legend.replaceChildren(...[...named].map(([series, run]) => {
      const item = document.createElement("li");
      const isolating = item.appendChild(document.createElement("button"));
      isolating.type = "button";
      isolating.dataset.series = series;
      isolating.ariaPressed = "false";
      const key = element(isolating, "svg", { class: "key line " + lookOf(run), "aria-hidden": "true", width: 34, height: 12 });
      element(key, "path", { d: "M1,6H33" });
      isolating.append(series);
      return item;
    }));
  }

  // Shows a message below the plot.
  function announce(message) {
    status.textContent = message;
    status.classList.remove("announced");
  }

  function redraw() {
    points = [];
    reading = -1;
    announce(shown.length ? "" : "No run is selected.");
    if (!shown.length) {
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
    const widthOf = ({ box }) => (printing ? PRINTED_WIDTH : Math.max(280, box.clientWidth || PRINTED_WIDTH)) / PX_A_POINT;
    shown.forEach(drawing => drawing.place(widthOf(drawing), 0));
    const inset = Math.max(0, ...shown.map(drawing => drawing.missingRoom()));
    if (inset) {
      shown.forEach(drawing => drawing.place(widthOf(drawing), inset));
    }
    namePeaks();
    cursor = null;
    hideReadout();
    figure.querySelectorAll(".cursor").forEach(old => old.remove());
    plot.ariaLabel = figure.ariaLabel + ", from " + view().map(edge => axes[0].text(edge)).join(" to ")
      + (points.length ? "; the greatest is " + textOf(points[greatest()]) : "");
    [figure.dataset.from, figure.dataset.until] = view();
    fillValues();
  }

  // Gives panels with the same value axis the same scale.
  function fitScales() {
    new Set(valuePanels().map(panel => panel.y.name)).forEach(name => {
      const panels = valuePanels().filter(panel => panel.y.name === name);
      const extremes = points.filter(({ panel }) => panel.y.name === name).reduce((extremes, { y }) => {
        extremes[0] = Math.min(extremes[0], y);
        extremes[1] = Math.max(extremes[1], y);
        extremes[2] = y > 0 ? Math.min(extremes[2], y) : extremes[2];
        return extremes;
      }, [Infinity, -Infinity, Infinity]).filter(Number.isFinite);
      panels.forEach(({ y }) => {
        y.scale = scale && extremes[0] >= 0 ? scale : scale ? "linear" : y.scale;
        y.fit(extremes);
      });
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
      const parts = panel.ledgers.get(peak.packet)?.split(", ");
      if (parts) {
        panel.namePoint(peak, parts.slice(0, 2).join(", ") + (parts.length > 2 ? " …" : ""));
      }
    });
  }

  // Returns the text of a point.
  function textOf(point) {
    const { panel, layer, x, y, packet } = point;
    const drawing = shown.find(one => one.panels.includes(panel));
    const ledger = panel.ledgers.get(packet);
    return runTitle(drawing.runOf(layer)) + ", " + panel.x.name + " " + panel.x.text(x) + ": " + panel.y.name + " "
      + panel.y.text(y)
      + (packet === undefined ? "" : `; packet ${packet.toLocaleString("en")}`) + (ledger ? `, lag: ${ledger}` : "");
  }

  function read(place) {
    if (!points.length) {
      return;
    }
    reading = Math.max(0, Math.min(points.length - 1, place));
    const point = points[reading];
    const { panel } = point;
    cursor?.remove();
    cursor = element(panel.group, "g", { class: "cursor" });
    element(cursor, "path", { d: `M${panel.px(point.x)},${panel.top}v${panel.height}` });
    const { right, top } = element(cursor, "circle", { cx: panel.px(point.x), cy: panel.py(point.y), r: 3.3 }).getBoundingClientRect();
    status.textContent = textOf(point);
    status.classList.add("announced");
    showReadout(status.textContent, right, top);
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
  }

  // Scales the visible range around its center, then moves it by a fraction of its width.
  function zoomBy(factor, move) {
    const to = x().isLogarithmic ? Math.log : value => value;
    const back = x().isLogarithmic ? Math.exp : value => value;
    const [a, b] = view().map(to);
    const [least, most] = whole.map(to);
    const width = Math.min((b - a) * factor, most - least);
    const from = Math.max(least, Math.min((a + b) / 2 + move * (b - a) - width / 2, most - width));
    zoomTo(from <= least ? whole[0] : back(from), from + width >= most * (1 - 1e-12) ? whole[1] : back(from + width));
  }

  function zoomAll() {
    zoomed = null;
    redraw();
  }

  // Returns the position of the pointer in the drawing below it, in points, and the panel there.
  function pointed(event) {
    const drawing = shown.find(({ svg }) => svg.contains(event.target));
    if (!drawing) {
      return null;
    }
    const { x: px, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.svg.getScreenCTM().inverse());
    const panels = drawing.shown.filter(panel => !panel.y.isCategories);
    const below = panels.find(panel => y <= panel.top - panel.shift + panel.height);
    const panel = below || panels[panels.length - 1];
    return { px, py: y + panel.shift, panel };
  }

  function listenToPointer() {
    let from = null;
    let band = null;
    const inside = ({ px, panel }) => Math.max(panel.left, Math.min(panel.left + panel.width, px));
    plot.addEventListener("pointerdown", event => {
      from = event.pointerType === "mouse" && event.button === 0 ? pointed(event) : null;
      if (from) {
        from.svg = event.target.closest("svg");
        from.svg.setPointerCapture(event.pointerId);
        band = element(from.panel.group, "rect", { class: "brush", y: from.panel.top, height: from.panel.height });
      }
    });
    plot.addEventListener("pointermove", event => {
      const at = pointed(event);
      if (at && !from) {
        const place = nearest(at.panel, at.px, at.py);
        if (place >= 0) {
          read(place);
        }
      } else if (at) {
        const [a, b] = [inside(from), inside({ ...from, px: at.px })];
        band.setAttribute("x", Math.min(a, b));
        band.setAttribute("width", Math.abs(b - a));
      }
    });
    plot.addEventListener("pointerup", event => {
      const at = from && pointed(event);
      const begun = from;
      from = null;
      band?.remove();
      if (at) {
        const { panel } = begun;
        const [a, b] = [inside(begun), inside({ ...begun, px: at.px })];
        if (Math.abs(b - a) > 3) {
          zoomTo(panel.x.valueAt((a - panel.left) / panel.width), panel.x.valueAt((b - panel.left) / panel.width));
        }
      }
    });
    plot.addEventListener("pointerleave", hideReadout);
    plot.addEventListener("dblclick", () => shown.length && zoomAll());
    plot.addEventListener("wheel", event => {
      if ((event.ctrlKey || event.metaKey) && shown.length) {
        event.preventDefault();
        zoomBy(event.deltaY > 0 ? 1.25 : .8, 0);
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
  };

  function listenToKeys() {
    plot.tabIndex = 0;
    plot.role = "group";
    plot.ariaRoleDescription = "chart";
    plot.setAttribute("aria-keyshortcuts", "+ - 0 ArrowLeft ArrowRight M Shift+ArrowLeft Shift+ArrowRight");
    plot.addEventListener("keydown", event => {
      const key = KEYS[(event.shiftKey && event.key.startsWith("Arrow") ? "shift " : "") + event.key];
      if (key && shown.length && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        key();
      }
    });
  }

  function select(name, options, chosen, change) {
    const made = controls.appendChild(document.createElement("select"));
    made.ariaLabel = name;
    options.forEach(([value, text]) => made.add(new Option(text, value, false, value === chosen)));
    made.addEventListener("change", () => change(made.value));
  }

  function addControls() {
    [["+", "Zoom in", "+"], ["−", "Zoom out", "-"], ["←", "Move left", "ArrowLeft"], ["→", "Move right", "ArrowRight"],
      ["All", "Show all", "0"]].forEach(([text, label, key]) => button(controls, text, label, () => shown.length && KEYS[key]()));
    const axes = [...figure.querySelectorAll(".axis-y:not([data-scale=categories])")].map(group => new Axis(group));
    const names = [...new Set(axes.map(axis => axis.name))];
    if (names.length > 1) {
      rowName = names.find(name => name === figure.dataset.first) || names[0];
      select("Panel", names.map(name => [name, name]), rowName, value => {
        rowName = value;
        redraw();
      });
    }
    if (new Set(axes.map(axis => axis.scale)).size === 1) {
      scale = axes[0].scale;
      select("Scale", [["logarithmic", "Logarithmic"], ["linear", "Linear"]], scale, value => {
        scale = value;
        redraw();
      });
    }
  }

  // Shows the extremes of twenty parts of the visible range.
  function fillValues() {
    const place = details.querySelector(":scope > div:empty, :scope > .made");
    if (!place || !details.open || !shown.length) {
      return;
    }
    place.className = "made";
    const [from, to] = view();
    const lines = valuePanels().flatMap(panel => panel.lines.map(layer => ({ panel, layer,
      drawing: shown.find(drawing => drawing.panels.includes(panel)) })));
    const eventful = shown.filter(drawing => drawing.between(-Infinity, Infinity).length);
    const nameOf = ({ drawing, layer }) => runTitle(drawing.runOf(layer));
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
    row(table.createTHead(), ["From", ...lines.flatMap(line => [nameOf(line) + ", least", nameOf(line) + ", greatest"]),
      ...eventful.map(drawing => runTitle(Number(drawing.box.dataset.run)) + ", meanwhile")], "th");
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
    return points.map(({ panel, layer, x, y }) => new Map([
      ["run", runTitle(shown.find(one => one.panels.includes(panel)).runOf(layer))],
      [panel.x.title, x],
      [panel.y.title, y],
    ]));
  }

  addControls();
  addDownloads(figure, records);
  listenToKeys();
  listenToPointer();
  details.addEventListener("toggle", fillValues);
  onChosen(showRuns);
  window.addEventListener("beforeprint", redraw);
  window.addEventListener("afterprint", redraw);
  let width = 0;
  new ResizeObserver(() => {
    if (plot.clientWidth !== width && !printing) {
      width = plot.clientWidth;
      redraw();
    }
  }).observe(plot);
}
