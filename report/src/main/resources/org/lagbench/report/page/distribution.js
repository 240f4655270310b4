// Cumulative and complementary distribution of lags.

const SHARES = [.5, .9, .95, .99, .999, .9999, .99999, 1];

function distribution() {
  const kind = {
    name: "Kind", options: [["above", "Complementary"], ["below", "Cumulative"]], value: "above",
  };
  const share = d3.format(".5~g");
  const percent = fraction => Number((fraction * 100).toPrecision(6)) + " %";

  function line(run) {
    const of = data.runs[run].distribution;
    if (!of) {
      return [];
    }
    // x, and how many are less than it and at or below it
    return of.ns.map((x, i) => ({
      x, n: of.n, atOrBelow: of.atOrBelow[i],
      y: kind.value === "above" ? (of.n - of.atOrBelow[i] + 1) / of.n : of.atOrBelow[i] / of.n,
    }));
  }

  return lines({
    id: "distribution",
    choices: [kind],
    line,
    curve: d3.curveLinear,
    what: () => (kind.value === "above" ? "Complementary" : "Cumulative") + " distribution of lags",
    xTitle: "Transmit lag",
    xFormat: shortly,
    y: all => kind.value === "above"
      ? { domain: [d3.min(all, run => 1 / run.line[0].n) || 1e-3, 1], log: true, format: share }
      : { domain: [0, 1], log: false, format: percent },
    read: point => percent(point.y) + (kind.value === "above" ? " of packets take " : " of packets take at most ")
      + exactly(point.x) + (kind.value === "above" ? " or more" : ""),
    rows: all => [
      ["Packets", ...all.map(run => run.name)],
      ...SHARES.map(part => [
        part === 1 ? "all within" : percent(part) + " within",
        ...all.map(({ line: points }) => {
          const wanted = Math.ceil(part * points[0].n - 1e-6);
          const exact = points.find(point => point.atOrBelow >= wanted);
          return exact.atOrBelow === wanted ? exactly(exact.x) : "≤ " + exactly(exact.x);
        }),
      ]),
    ],
  });
}
