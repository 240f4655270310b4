// Charts of one line a run over a common axis.

const LINES = { left: 62, right: 22, top: 12, height: 340, axis: 42 };
const MARKS_A_LINE = 5;

// of: {line(run, choices) → [{x, y}, …], domain, choices, y(choices) → {domain, log, format}, xFormat, xTitle, read(point)}
function lines(of) {
  function shown(runs) {
    return runs.map(run => ({ ...run, line: of.line(run.run) })).filter(run => run.line.length);
  }

  return {
    choices: of.choices,
    domain(runs) {
      const all = shown(runs);
      const least = d3.min(all, run => run.line[0].x);
      const greatest = d3.max(all, run => run.line[run.line.length - 1].x);
      const log = least > 0;
      if (!all.length) {
        return { whole: [1, 10], log };
      }
      // a little more, so that no line runs along the frame
      return { whole: log ? [least / 1.1, greatest * 1.1] : [least, greatest > least ? greatest : least + 1], log };
    },
    draw({ svg, width, runs, zoom }) {
      const all = shown(runs);
      const { left, top } = LINES;
      const right = width - LINES.right;
      const bottom = top + LINES.height;
      const x = (zoom.log ? d3.scaleLog : d3.scaleLinear)(zoom.domain, [left, right]);
      const axis = of.y(all);
      const y = (axis.log ? d3.scaleLog : d3.scaleLinear)(axis.domain, [bottom, top]);
      drawYAxis(svg, y, left, right, axis.format, 6);
      drawXAxis(svg, x, top, bottom, of.xFormat, of.xTitle);
      svg.append("clipPath").attr("id", "clip-" + of.id).append("rect").attr("x", left).attr("y", top - 6)
        .attr("width", right - left).attr("height", LINES.height + 12);
      const inside = svg.append("g").attr("clip-path", "url(#clip-" + of.id + ")");
      const path = d3.line(point => x(point.x), point => y(point.y)).curve(of.curve || d3.curveLinear);
      const points = [];
      all.forEach(run => {
        inside.append("path").attr("class", "line " + run.look.colour).attr("stroke-dasharray", run.look.dashes)
          .attr("data-run", run.run).attr("d", path(run.line));
        const seen = run.line.filter(point => point.x >= zoom.domain[0] && point.x <= zoom.domain[1]);
        seen.forEach(point => points.push({
          px: x(point.x), py: y(point.y), value: point.x, text: run.name + ": " + of.read(point),
        }));
        for (let i = 0; i < MARKS_A_LINE && seen.length; i++) {
          const wanted = left + (right - left) * (i + .5) / MARKS_A_LINE;
          const at = d3.least(seen, point => Math.abs(x(point.x) - wanted));
          if (Math.abs(x(at.x) - wanted) < 40) {
            inside.append("path").attr("class", "mark " + run.look.colour).attr("d", run.look.symbol)
              .attr("transform", "translate(" + x(at.x) + "," + y(at.y) + ")");
          }
        }
      });
      svg.append("rect").attr("class", "frame").attr("x", left).attr("y", top).attr("width", right - left)
        .attr("height", LINES.height);
      return { x, left, right, top, bottom, height: bottom + LINES.axis, points: () => points,
        label: of.what() + " of " + all.length + " runs, from " + of.xFormat(zoom.domain[0]) + " to "
          + of.xFormat(zoom.domain[1]) };
    },
    rows({ runs }) {
      return of.rows(shown(runs));
    },
  };
}
