// An axis of a panel: { label, scale, from, to, categories, fit, isWhole }. The scale is linear, logarithmic, categories or time, which is in
// seconds since the epoch. A linear axis begins at 0 unless fit is "free", and keeps its range if fit is "none".
// The ticks are whole numbers if isWhole.

const DURATIONS = { "s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1 };
const TIME_STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000];

// Returns a number with at most that many decimals.
function decimals(value, most) {
  return value.toLocaleString("en", { maximumFractionDigits: most });
}

// Returns a number with three significant digits at least, and groups of three before the point.
function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return "–";
  }
  return decimals(value, value === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))));
}

// Returns a number and its unit, which stay in one line.
function withUnit(value, unit) {
  return value + "\u00a0" + unit;
}

// Returns a duration of ns in the largest unit in which it is at least 1, exact to the ns: "12.345 µs".
function duration(ns) {
  const [unit, size] = Object.entries(DURATIONS).find(([, size]) => Math.abs(ns) >= size) || ["ns", 1];
  return withUnit(decimals(ns / size, Math.round(Math.log10(size))), unit);
}

class Axis {
  constructor({ label, scale = "linear", from = 0, to = 1, categories = [], fit = "zero", isWhole = false }) {
    [, this.name, this.unit] = label.match(/^(.*?)(?: \((.*)\))?$/);
    Object.assign(this, { label, scale, wantedScale: scale, categories, isWhole, fitting: fit, whole: [from, to] });
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

  get isTime() {
    return this.scale === "time";
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

  // Fits the range to values, with a margin. Values below 0, or none above, have no logarithmic axis.
  fit(scale, [low, high, lowestAboveZero]) {
    this.scale = scale === "logarithmic" && !(low >= 0 && lowestAboveZero < Infinity) ? "linear" : scale;
    if (this.fitting === "none" || low > high) {
      this.show(this.whole);
    } else if (this.isLogarithmic) {
      this.show([lowestAboveZero / 1.25, high * 1.25]);
    } else {
      const isFree = low < 0 || this.fitting === "free" && low >= (high - low || high) * .2;
      const margin = (high - (isFree ? low : 0) || Math.abs(high) || 20) * .05;
      this.show([isFree ? low - margin : 0, high + margin]);
    }
  }

  // Returns the values of the ticks: round times, or powers of ten times 1, 2 or 5. They are at most the given number, except on a
  // logarithmic axis whose end is 3 to 100 times its beginning: it has all such values.
  ticks(most) {
    const factor = this.isLogarithmic ? this.to / this.from : 1;
    const multiples = factor >= 3 ? this.multiples() : [];
    return this.isTime ? this.times(most) : factor >= 100 && multiples.length > most ? this.decades(most) : factor >= 3 ? multiples
      : roundTicks(this.from, this.to, this.isWhole ? Math.max(1, Math.min(most, this.to - this.from)) : most);
  }

  // Returns round local times.
  times(most) {
    const longest = TIME_STEPS_S.at(-1);
    const wanted = (this.to - this.from) / most;
    this.step = TIME_STEPS_S.find(step => step >= wanted) ?? longest * Math.ceil(wanted / longest);
    const offset = -60 * new Date(this.from * 1000).getTimezoneOffset();
    const first = Math.ceil((this.from + offset) / this.step) * this.step - offset;
    return Array.from({ length: Math.max(0, Math.floor((this.to - first) / this.step) + 1) }, (_, i) => first + i * this.step);
  }

  multiples() {
    const first = Math.floor(Math.log10(this.from));
    const decades = Array.from({ length: Math.floor(Math.log10(this.to)) - first + 1 }, (_, i) => first + i);
    return decades.flatMap(exponent => [1, 2, 5].map(multiple => Number(multiple + "e" + exponent)))
      .filter(value => value >= this.from && value <= this.to);
  }

  decades(most) {
    const first = Math.ceil(Math.log10(this.from) - 1e-9);
    const last = Math.floor(Math.log10(this.to) + 1e-9);
    const step = Math.ceil((last - first + 1) / most);
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => Number("1e" + (first + i * step)));
  }

  // Returns the label of a tick made last.
  tickText(value) {
    if (this.isTime) {
      const time = new Date(value * 1000);
      return this.step >= 86400
        ? time.toLocaleDateString([], { month: "short", day: "numeric" })
        : time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", ...(this.step < 60 ? { second: "2-digit" } : {}), hour12: false });
    }
    const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
    return value && exponent < -4 ? decimals(value / 10 ** exponent, 6) + "e−" + -exponent : decimals(value, 9);
  }

  // Returns an exact value with its unit: "12.345 µs", "4,299 bytes", "99.9 %", "1,234".
  text(value) {
    if (this.isTime) {
      return new Date(value * 1000).toLocaleString([], { hour12: false });
    }
    if (DURATIONS[this.unit]) {
      return duration(Math.round(value * DURATIONS[this.unit]));
    }
    if (this.unit === "KiB") {
      return withUnit(Math.round(value * 1024).toLocaleString("en"), "bytes");
    }
    return this.isFraction ? withUnit(Number((value * 100).toPrecision(6)), "%") : this.unit ? withUnit(number(value), this.unit) : number(value);
  }
}
