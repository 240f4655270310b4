// What all charts share: their buttons, keys, dragging, reading and redrawing. A chart is an object with
//   domain(shown)   the whole of x and whether it is logarithmic: {whole: [from, until], log}
//   draw(frame)     draws into frame.svg and returns what can be read: {x, left, right, top, bottom, points(), label}
//   rows(frame)     the table of what is drawn
//   choices         [{name, options: [[value, text], …], value}], buttons beside those of the zoom

// A sheet is as wide as this, whatever the screen is.
const PRINTED_WIDTH = 760;
let printing = false;

function beginChart(figure, chart) {
  const controls = d3.select(figure.querySelector(".controls"));
  const plot = figure.querySelector(".plot");
  const said = figure.querySelector(".said");
  const legend = figure.querySelector(".legend");
  const zoom = new Zoom();
  let drawn = null;
  let reading = -1;
  let runs = [];

  const fillValues = valuesTable(figure.querySelector("details"), () => chart.rows({ runs, zoom }));

  function redraw() {
    const width = printing ? PRINTED_WIDTH : Math.max(280, plot.clientWidth || PRINTED_WIDTH);
    const { whole, log } = chart.domain(runs);
    zoom.within(whole, log);
    plot.replaceChildren();
    reading = -1;
    said.textContent = "";
    if (!runs.length) {
      drawn = null;
      said.textContent = "No run is chosen.";
      return;
    }
    const svg = d3.select(plot).append("svg").attr("aria-hidden", "true");
    drawn = chart.draw({ svg, width, runs, zoom });
    svg.attr("viewBox", "0 0 " + width + " " + drawn.height);
    plot.setAttribute("aria-label", drawn.label);
    legend.textContent = drawn.legend || "";
    figure.dataset.from = zoom.domain[0];
    figure.dataset.until = zoom.domain[1];
    listenToPointer(svg);
    fillValues();
  }

  function read(place) {
    const points = drawn.points();
    if (!points.length) {
      return;
    }
    reading = Math.max(0, Math.min(points.length - 1, place));
    const point = points[reading];
    const svg = d3.select(plot).select("svg");
    svg.selectAll(".cursor, .reading").remove();
    svg.append("line").attr("class", "cursor").attr("x1", point.px).attr("x2", point.px)
      .attr("y1", drawn.top).attr("y2", drawn.bottom);
    svg.append("circle").attr("class", "reading").attr("cx", point.px).attr("cy", point.py).attr("r", 5);
    said.textContent = point.text;
  }

  function nearest(px, py) {
    let best = -1;
    let least = Infinity;
    drawn.points().forEach((point, i) => {
      const distance = Math.abs(point.px - px) * 3 + Math.abs(point.py - py);
      if (distance < least) {
        least = distance;
        best = i;
      }
    });
    return best;
  }

  function listenToPointer(svg) {
    let from = null;
    let band = null;
    const inside = event => Math.max(drawn.left, Math.min(drawn.right, d3.pointer(event, svg.node())[0]));
    svg.on("pointerdown", event => {
      if (event.pointerType === "mouse" && event.button === 0) {
        from = inside(event);
        svg.node().setPointerCapture(event.pointerId);
        band = svg.append("rect").attr("class", "brush").attr("y", drawn.top).attr("height", drawn.bottom - drawn.top);
      }
    });
    svg.on("pointermove", event => {
      if (from === null) {
        const [px, py] = d3.pointer(event, svg.node());
        const place = nearest(px, py);
        if (place >= 0) {
          read(place);
        }
      } else {
        const to = inside(event);
        band.attr("x", Math.min(from, to)).attr("width", Math.abs(to - from));
      }
    });
    svg.on("pointerup", event => {
      if (from === null) {
        return;
      }
      const to = inside(event);
      band.remove();
      if (Math.abs(to - from) > 4) {
        zoom.to(drawn.x.invert(Math.min(from, to)), drawn.x.invert(Math.max(from, to)));
        from = null;
        redraw();
      }
      from = null;
    });
    svg.on("dblclick", () => act(() => zoom.all()));
    svg.on("wheel", event => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        act(() => zoom.by(event.deltaY > 0 ? 1.25 : 0.8, 0));
      }
    }, { passive: false });
  }

  function act(change) {
    change();
    redraw();
  }

  function greatest() {
    return d3.maxIndex(drawn.points(), point => point.value);
  }

  const KEYS = {
    "+": () => act(() => zoom.by(0.5, 0)),
    "=": () => act(() => zoom.by(0.5, 0)),
    "-": () => act(() => zoom.by(2, 0)),
    "0": () => act(() => zoom.all()),
    ArrowLeft: () => act(() => zoom.by(1, -0.25)),
    ArrowRight: () => act(() => zoom.by(1, 0.25)),
    m: () => read(greatest()),
    M: () => read(greatest()),
    "shift ArrowLeft": () => read(reading - 1),
    "shift ArrowRight": () => read(reading + 1),
  };

  plot.setAttribute("tabindex", "0");
  plot.setAttribute("role", "group");
  plot.setAttribute("aria-roledescription", "chart");
  plot.setAttribute("aria-keyshortcuts", "+ - 0 ArrowLeft ArrowRight M Shift+ArrowLeft Shift+ArrowRight");
  plot.addEventListener("keydown", event => {
    const arrow = event.key.startsWith("Arrow");
    const key = KEYS[(event.shiftKey && arrow ? "shift " : "") + event.key];
    if (key && drawn && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      key();
    }
  });

  const button = (text, label, change) => controls.append("button").attr("type", "button").attr("aria-label", label)
    .text(text).on("click", () => drawn && act(change));
  button("+", "Zoom in", () => zoom.by(0.5, 0));
  button("−", "Zoom out", () => zoom.by(2, 0));
  button("←", "Move left", () => zoom.by(1, -0.25));
  button("→", "Move right", () => zoom.by(1, 0.25));
  button("All", "Show all", () => zoom.all());
  (chart.choices || []).forEach(choice => {
    const select = controls.append("select").attr("aria-label", choice.name).on("change", event => {
      choice.value = event.target.value;
      act(() => choice.resetsZoom && zoom.all());
    });
    select.selectAll("option").data(choice.options).join("option").attr("value", ([value]) => value)
      .text(([, text]) => text).property("selected", ([value]) => value === choice.value);
  });

  onChosen(shown => {
    runs = shown.map((run, place) => ({ run, look: lookOf(place), name: data.runs[run].name, point: data.runs[run].point,
      repeat: data.runs[run].repeat }));
    redraw();
  });
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

// Decades of a logarithmic axis, no more than there is room for; other ticks where it has no two decades.
function logTicks(scale, room) {
  const [least, greatest] = scale.domain();
  const decades = d3.range(Math.ceil(Math.log10(least) - 1e-9), Math.floor(Math.log10(greatest) + 1e-9) + 1)
    .map(power => 10 ** power);
  const ticks = decades.length > 1 ? decades : scale.ticks(room);
  return ticks.filter((_, i) => i % Math.ceil(ticks.length / room) === 0);
}

// A logarithmic or linear axis of y with its grid and ticks.
function drawYAxis(svg, y, left, right, format, count) {
  (y.base ? logTicks(y, count) : y.ticks(count)).forEach(t => {
    svg.append("line").attr("class", "grid").attr("x1", left).attr("x2", right).attr("y1", y(t)).attr("y2", y(t));
    svg.append("text").attr("class", "quiet").attr("x", left - 6).attr("y", y(t) + 4).attr("text-anchor", "end")
      .text(format(t));
  });
}

// Ticks of x below a chart.
function drawXAxis(svg, x, top, bottom, format, title) {
  const [left, right] = x.range();
  const room = Math.max(2, Math.floor((right - left) / 90));
  (x.base ? logTicks(x, room) : x.ticks(room)).forEach(t => {
    svg.append("line").attr("class", "grid").attr("x1", x(t)).attr("x2", x(t)).attr("y1", top).attr("y2", bottom);
    svg.append("text").attr("class", "quiet").attr("x", x(t)).attr("y", bottom + 16).attr("text-anchor", "middle")
      .text(format(t));
  });
  svg.append("text").attr("x", (left + right) / 2).attr("y", bottom + 34).attr("text-anchor", "middle").text(title);
}
