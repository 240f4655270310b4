// An axis of a panel: org.lagbench.report.chart.Axis with a range that changes with zoom.

const DURATIONS = { "s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1 };

// Returns a number with at most that many decimals.
function decimals(value, most) {
  return value.toLocaleString("en", { maximumFractionDigits: most });
}

// Returns a duration of ns in the largest unit in which it is at least 1, exact to the ns: "12.345 µs".
function duration(ns) {
  const [unit, size] = Object.entries(DURATIONS).find(([, size]) => Math.abs(ns) >= size) || ["ns", 1];
  return decimals(ns / size, Math.round(Math.log10(size))) + " " + unit;
}

// Returns the label of a tick.
function tickText(value) {
  const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  return value && exponent < -4 ? decimals(value / 10 ** exponent, 6) + "e−" + -exponent : decimals(value, 9);
}

class Axis {
  constructor(group) {
    this.group = group;
    const { name, from, to, scale } = group.dataset;
    this.title = name;
    [, this.name, this.unit] = name.match(/^(.*?)(?: \((.*)\))?$/);
    this.whole = [Number(from), Number(to)];
    this.scale = scale;
    this.show(this.whole);
  }

  get isLogarithmic() {
    return this.scale === "logarithmic";
  }

  get isFraction() {
    return this.name.startsWith("fraction");
  }

  get isCategories() {
    return this.scale === "categories";
  }

  show([from, to]) {
    this.from = from;
    this.to = to;
  }

  // Returns the position of a value: 0 at the beginning, 1 at the end. A logarithmic axis has no values before its beginning.
  place(value) {
    return this.isLogarithmic ? Math.log(Math.max(value, this.from) / this.from) / Math.log(this.to / this.from)
      : (value - this.from) / (this.to - this.from);
  }

  valueAt(place) {
    return this.isLogarithmic ? this.from * (this.to / this.from) ** place : this.from + place * (this.to - this.from);
  }

  // Fits the range to values, with a margin; a linear axis begins at 0.
  fit(values) {
    const positive = values.filter(value => value > 0);
    const greatest = Math.max(...values);
    if (this.isLogarithmic && positive.length) {
      this.show([Math.min(...positive) / 1.25, greatest * 1.25]);
    } else if (values.length) {
      const least = Math.min(0, ...values);
      this.show([least, greatest > least ? greatest + (greatest - least) * .05 : least + 1]);
    }
  }

  // Returns the values of the ticks, each a power of ten times 1, 2 or 5. They are at most the given number, except on a
  // logarithmic axis whose end is 3 to 100 times its beginning: it has all such values.
  ticks(most) {
    const factor = this.isLogarithmic ? this.to / this.from : 1;
    return factor >= 100 ? this.decades(most) : factor >= 3 ? this.multiples() : roundTicks(this.from, this.to, most);
  }

  multiples() {
    const first = Math.floor(Math.log10(this.from));
    return [0, 1, 2].flatMap(i => [1, 2, 5].map(multiple => Number(multiple + "e" + (first + i))))
      .filter(value => value >= this.from && value <= this.to);
  }

  decades(most) {
    const first = Math.ceil(Math.log10(this.from) - 1e-9);
    const last = Math.floor(Math.log10(this.to) + 1e-9);
    const step = Math.ceil((last - first + 1) / most);
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => Number("1e" + (first + i * step)));
  }

  // Returns an exact value with its unit: "12.345 µs", "4,299 bytes", "99.9 %", "1,234".
  text(value) {
    if (DURATIONS[this.unit]) {
      return duration(Math.round(value * DURATIONS[this.unit]));
    }
    if (this.unit === "KiB") {
      return Math.round(value * 1024).toLocaleString("en") + " bytes";
    }
    return this.isFraction ? Number((value * 100).toPrecision(6)) + " %" : decimals(value, 0);
  }
}
