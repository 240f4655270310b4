// Charts of a value over time or packet number: a panel a run, one below the other, on one scale.

const PANEL = { left: 62, right: 22, height: 112, title: 24, axis: 42 };

// What goes on besides is drawn by bands(svg, panel, frame), told by legend(runs, domain) and meanwhile(run, from, until).
// of: {curve(run) → curve or undefined, what(), xName, xTitle, xFormat, choices, counted, yTick, yText, scale}
function panels(of) {
  const yTick = of.yTick || shortly;
  const yText = of.yText || exactly;
  const y = { name: "Scale", options: [["log", "Logarithmic"], ["linear", "Linear"]], value: of.scale || "log" };

  function shown(runs) {
    return runs.map(run => ({ ...run, curve: of.curve(run.run) })).filter(run => run.curve);
  }

  // From, until: the points of a curve whose x is shown.
  function stretch(curve, [from, until]) {
    return [d3.bisectLeft(curve.x, from), d3.bisectRight(curve.x, until)];
  }

  function yDomain(all, domain) {
    let least = Infinity;
    let greatest = -Infinity;
    let positive = Infinity;
    all.forEach(({ curve }) => {
      const [a, b] = stretch(curve, domain);
      for (let i = a; i < b; i++) {
        const value = curve.y[i];
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
        positive = value > 0 ? Math.min(positive, value) : positive;
      }
    });
    return least <= greatest ? { least, greatest, positive } : { least: 0, greatest: 1, positive: 1 };
  }

  // Nothing below 0 can stand on a logarithmic scale; 0 itself stands on its lower edge.
  function yScale({ least, greatest, positive }, range) {
    if (y.value === "log" && least >= 0 && greatest > 0) {
      return d3.scaleLog([positive, Math.max(greatest, positive * 1.1)], range).nice().clamp(true);
    }
    return d3.scaleLinear([Math.min(0, least), Math.max(greatest, least + 1)], range).nice();
  }

  function drawPanel(svg, panel, frame, points) {
    const { x, top, y: yScaled } = frame;
    const [a, b] = stretch(panel.curve, frame.domain);
    let d = "";
    let column = -1;
    let least = 0;
    let greatest = 0;
    let inColumn = [];
    const end = () => {
      if (column < 0) {
        return;
      }
      if (inColumn.length > 3) {
        d += "M" + column + " " + yScaled(greatest).toFixed(1) + "V" + yScaled(least).toFixed(1);
      } else {
        inColumn.forEach(value => { d += "M" + column + " " + yScaled(value).toFixed(1) + "h0"; });
      }
    };
    for (let i = a; i < b; i++) {
      const at = Math.round(x(panel.curve.x[i]));
      const value = panel.curve.y[i];
      if (at !== column) {
        end();
        column = at;
        least = greatest = value;
        inColumn = [];
      }
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
      inColumn.push(value);
      points.push({ i, panel, px: x(panel.curve.x[i]), top });
    }
    end();
    const plain = svg.append("path").attr("class", "extent " + panel.look.colour).attr("d", d);
    plain.attr("data-run", panel.run);
  }

  function besides(run, from, until) {
    const names = of.meanwhile ? of.meanwhile(run, from, until) : [];
    return names.length ? "; meanwhile: " + names.join(", ") : "";
  }

  return {
    choices: [...(of.choices || []), y],
    domain(runs) {
      const all = shown(runs);
      return { whole: [0, d3.max(all, ({ curve }) => curve.x[curve.x.length - 1]) || 1], log: false };
    },
    draw({ svg, width, runs, zoom }) {
      const all = shown(runs);
      const domain = zoom.domain;
      const left = PANEL.left;
      const right = width - PANEL.right;
      const x = d3.scaleLinear(domain, [left, right]);
      const yRange = yDomain(all, domain);
      const bottom = all.length * (PANEL.height + PANEL.title);
      const points = [];
      const scales = [];
      all.forEach((panel, i) => {
        const top = i * (PANEL.height + PANEL.title) + PANEL.title;
        const yScaled = yScale(yRange, [top + PANEL.height - 4, top + 4]);
        scales.push(yScaled);
        svg.append("text").attr("x", left).attr("y", top - 8).text(panel.point + ", run " + panel.repeat)
          .append("tspan").attr("class", "quiet").text(panel.curve.thinnedFrom > panel.curve.x.length
            ? " – " + counted(panel.curve.thinnedFrom) + " " + (of.counted || "packets") : "");
        drawYAxis(svg, yScaled, left, right, yTick, 4);
        if (of.bands) {
          of.bands(svg, panel, { x, top, height: PANEL.height, domain });
        }
        drawPanel(svg, panel, { x, top, y: yScaled, domain }, points);
        svg.append("rect").attr("class", "frame").attr("x", left).attr("y", top).attr("width", right - left)
          .attr("height", PANEL.height);
        points.forEach(point => {
          if (point.panel === panel) {
            point.value = panel.curve.y[point.i];
            point.py = yScaled(point.value);
          }
        });
      });
      drawXAxis(svg, x, bottom, bottom, of.xFormat, of.xTitle);
      points.forEach(point => {
        const { panel, i } = point;
        Object.defineProperty(point, "text", { get: () => panel.name + ", " + of.xName + " "
          + of.xFormat(panel.curve.x[i]) + ": " + yText(panel.curve.y[i])
          + besides(panel.run, panel.curve.x[i], panel.curve.x[i] + panel.curve.y[i]) });
      });
      const greatest = all.length ? yText(yRange.greatest) : "none";
      return { x, left, right, top: PANEL.title, bottom, height: bottom + PANEL.axis, points: () => points,
        legend: of.legend ? of.legend(all, domain) : "",
        label: of.what() + " of " + all.length + " runs, from " + of.xFormat(domain[0]) + " to " + of.xFormat(domain[1])
          + "; the greatest value is " + greatest };
    },
    // The extremes of twenty stretches of what is shown.
    rows({ runs, zoom }) {
      const all = shown(runs);
      const [from, until] = zoom.domain;
      const eventful = of.meanwhile ? all.filter(run => of.meanwhile(run.run, 0, Infinity).length) : [];
      const rows = [["From", ...all.flatMap(run => [run.name + ", least", run.name + ", greatest"]),
        ...eventful.map(run => run.name + ", meanwhile")]];
      for (let i = 0; i < 20; i++) {
        const a = from + (until - from) * i / 20;
        const b = from + (until - from) * (i + 1) / 20;
        rows.push([of.xFormat(a), ...all.flatMap(({ curve }) => {
          const last = i === 19 ? d3.bisectRight(curve.x, b) : d3.bisectLeft(curve.x, b);
          const part = curve.y.subarray(d3.bisectLeft(curve.x, a), last);
          return part.length ? [yText(d3.min(part)), yText(d3.max(part))] : ["–", "–"];
        }), ...eventful.map(run => of.meanwhile(run.run, a, b).join(", ") || "–")]);
      }
      return rows;
    },
  };
}
