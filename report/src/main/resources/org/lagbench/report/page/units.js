// Durations of ns as text.

const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

function unitFor(ns) {
  return UNITS.find(([size]) => Math.abs(ns) >= size) || UNITS[3];
}

// Exact to the ns: "12.345 µs".
function exactly(ns) {
  const [size, unit] = unitFor(ns);
  return (ns / size).toFixed(Math.round(Math.log10(size))).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") + " " + unit;
}

// For ticks: "10 µs".
function shortly(ns) {
  const [size, unit] = unitFor(ns);
  return ns === 0 ? "0" : Number((ns / size).toPrecision(4)) + " " + unit;
}

const counted = d3.format(",");
