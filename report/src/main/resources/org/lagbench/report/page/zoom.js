// The stretch of an axis that a chart shows. On a logarithmic axis it is zoomed in logarithms.

class Zoom {
  constructor() {
    this.whole = [0, 1];
    this.shown = null;
    this.log = false;
  }

  // The whole, which may change with the runs shown. What was zoomed to stays.
  within(whole, log) {
    this.whole = whole;
    this.log = log;
  }

  get domain() {
    return this.shown || this.whole;
  }

  get isWhole() {
    return !this.shown;
  }

  // To a stretch; the whole, where that is as much.
  to(from, until) {
    const [least, greatest] = this.whole;
    const a = Math.max(least, Math.min(from, until));
    const b = Math.min(greatest, Math.max(from, until));
    this.shown = a <= least && b >= greatest || !(b > a) ? null : [a, b];
  }

  all() {
    this.shown = null;
  }

  // Makes the stretch that many times as wide about its middle, and moves it by that part of its width.
  by(factor, move) {
    const scale = this.log ? Math.log : x => x;
    const back = this.log ? Math.exp : x => x;
    const [a, b] = this.domain.map(scale);
    const [least, greatest] = this.whole.map(scale);
    const width = Math.min((b - a) * factor, greatest - least);
    const middle = (a + b) / 2 + move * (b - a);
    const from = Math.max(least, Math.min(middle - width / 2, greatest - width));
    this.to(back(from), from + width >= greatest * (1 - 1e-12) ? this.whole[1] : back(from + width));
  }
}
