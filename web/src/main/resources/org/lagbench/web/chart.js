// A chart on a canvas: lines, bands and points over time, with zoom by mouse, touch and keyboard.
import { number } from "./live.js";
import { roundTicks } from "./ticks.js";
import { logarithmicTicks, timeText, timeTicks } from "./axes.js";

const LEFT = 58;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 24;

export class Chart {
  #canvas;
  #options;
  #data = { range: [0, 1], layers: [], isTime: true };
  #low = 0;
  #high = 1;
  #isLogarithmic = false;
  #cursor = null;
  #drag = null;

  /**
   * @param options.unit of the values
   * @param options.readout the element that shows the values at the cursor
   * @param options.onRange is called with the range that a user selects; without it the chart cannot be zoomed
   */
  constructor(canvas, options) {
    this.#canvas = canvas;
    this.#options = options;
    new ResizeObserver(() => this.#draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
    this.#listen();
  }

  /**
   * Shows data.
   *
   * @param data.range first and last x, in seconds
   * @param data.isTime whether x is a time since the epoch
   * @param data.xName what whole numbers on the axis are, such as "run"; without it, other x are in seconds
   * @param data.bounds the least and the greatest value of the axis, if the values have both
   * @param data.isFromZero whether the axis of values that are not negative begins at 0
   * @param data.isLogarithmic whether the values are shown on a logarithmic axis, if all are above 0
   * @param data.layers each with kind, name, color and points: line [x, y], band [x, low, high], mark [x],
   *     point [x, y, low, high]; an undefined number is null
   */
  show(data) {
    this.#data = { isTime: true, ...data };
    this.#scale();
    this.#draw();
  }

  set unit(unit) {
    this.#options.unit = unit;
  }

  #scale() {
    const [from, until] = this.#data.range;
    let low = Infinity;
    let high = -Infinity;
    for (const layer of this.#data.layers) {
      for (const [x, ...ys] of layer.points) {
        if (x >= from && x <= until && !layer.isOutOfScale) {
          for (const y of ys) {
            if (y !== null && Number.isFinite(y)) {
              low = Math.min(low, y);
              high = Math.max(high, y);
            }
          }
        }
      }
    }
    if (this.#data.bounds?.every(Number.isFinite)) {
      [this.#low, this.#high] = this.#data.bounds;
      this.#isLogarithmic = false;
      this.#canvas.dataset.axis = "linear";
      return;
    }
    if (low > high) {
      [low, high] = [0, 1];
    }
    this.#isLogarithmic = this.#data.isLogarithmic === true && low > 0;
    this.#canvas.dataset.axis = this.#isLogarithmic ? "logarithmic" : "linear";
    if (this.#isLogarithmic) {
      const room = Math.max(1.2, (high / low) ** .08); // a dot at an end is not cut
      [this.#low, this.#high] = [low / room, high * room];
      return;
    }
    const margin = (high - low || Math.abs(high) || 1) * .05;
    this.#low = low >= 0 && (this.#data.isFromZero || low < margin * 4) ? 0 : low - margin;
    this.#high = high + margin;
  }

  #x(seconds) {
    const [from, until] = this.#data.range;
    return LEFT + (seconds - from) / (until - from) * (this.#canvas.clientWidth - LEFT - RIGHT);
  }

  #seconds(x) {
    const [from, until] = this.#data.range;
    return from + (x - LEFT) / (this.#canvas.clientWidth - LEFT - RIGHT) * (until - from);
  }

  #y(value) {
    const at = this.#isLogarithmic ? y => Math.log10(Math.max(y, this.#low)) : y => y;
    return this.#canvas.clientHeight - BOTTOM
      - (at(value) - at(this.#low)) / (at(this.#high) - at(this.#low)) * (this.#canvas.clientHeight - TOP - BOTTOM);
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width < LEFT + RIGHT + 20 || height < TOP + BOTTOM + 20) {
      return;
    }
    const scale = devicePixelRatio;
    if (this.#canvas.width !== Math.round(width * scale) || this.#canvas.height !== Math.round(height * scale)) {
      this.#canvas.width = Math.round(width * scale);
      this.#canvas.height = Math.round(height * scale);
    }
    const pen = this.#canvas.getContext("2d");
    const style = getComputedStyle(this.#canvas);
    const color = name => style.getPropertyValue(name).trim();
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.#axes(pen, color, width, height);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, TOP, width - LEFT - RIGHT, height - TOP - BOTTOM);
    pen.clip();
    for (const layer of this.#data.layers) {
      pen.strokeStyle = pen.fillStyle = color(layer.color);
      pen.setLineDash(layer.dash ?? []);
      pen.lineWidth = layer.width ?? 1.6;
      this[`_${layer.kind}`](pen, layer, height);
    }
    pen.restore();
    pen.setLineDash([]);
    if (this.#drag) {
      pen.globalAlpha = .2;
      pen.fillStyle = color("--link");
      pen.fillRect(Math.min(this.#drag.from, this.#drag.to), TOP, Math.abs(this.#drag.to - this.#drag.from), height - TOP - BOTTOM);
      pen.globalAlpha = 1;
    }
    if (this.#cursor !== null) {
      pen.strokeStyle = color("--quiet");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(this.#cursor, TOP);
      pen.lineTo(this.#cursor, height - BOTTOM);
      pen.stroke();
    }
    this.#read();
  }

  #axes(pen, color, width, height) {
    pen.font = "12px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.fillStyle = color("--quiet");
    pen.strokeStyle = color("--rule");
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    pen.beginPath();
    const ticks = this.#isLogarithmic ? logarithmicTicks : roundTicks;
    for (const y of ticks(this.#low, this.#high, Math.max(2, Math.floor((height - TOP - BOTTOM) / 30)))) {
      pen.moveTo(LEFT, this.#y(y));
      pen.lineTo(width - RIGHT, this.#y(y));
      pen.fillText(number(y), LEFT - 6, this.#y(y));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const most = Math.max(2, Math.floor((width - LEFT - RIGHT) / 80));
    const [from, until] = this.#data.range;
    const [xs, step] = this.#data.isTime ? timeTicks(from, until, most) : [roundTicks(from, until, most), 0];
    for (const x of xs) {
      pen.moveTo(this.#x(x), TOP);
      pen.lineTo(this.#x(x), height - BOTTOM);
      const text = this.#data.isTime ? timeText(x, step) : this.#otherText(x);
      if (this.#x(x) + pen.measureText(text).width / 2 <= width) {
        pen.fillText(text, this.#x(x), height - BOTTOM + 6);
      }
    }
    pen.stroke();
    pen.textAlign = "left";
    pen.textBaseline = "top";
    pen.fillText(this.#options.unit ?? "", LEFT + 4, TOP);
  }

  /** Returns the text of an x that is not a time since the epoch. */
  #otherText(x) {
    const { xName } = this.#data;
    return !xName ? `${number(x)} s` : Number.isInteger(x) && x > 0 ? `${xName} ${x}` : "";
  }

  _line(pen, layer) {
    const isKnown = point => point !== undefined && point[1] !== null && Number.isFinite(point[1]);
    const lone = [];
    pen.beginPath();
    layer.points.forEach((point, i, all) => {
      if (!isKnown(point)) {
        return;
      }
      const at = [this.#x(point[0]), this.#y(point[1])];
      if (isKnown(all[i - 1])) {
        pen.lineTo(...at);
      } else {
        pen.moveTo(...at);
        lone.push(...isKnown(all[i + 1]) ? [] : [at]);
      }
    });
    pen.lineCap = "round";
    pen.stroke();
    lone.forEach(([x, y]) => {
      pen.beginPath();
      pen.arc(x, y, 2.5, 0, 2 * Math.PI);
      pen.fill();
    });
  }

  _band(pen, layer) {
    pen.globalAlpha = layer.alpha ?? .3;
    let run = [];
    const fill = () => {
      if (run.length > 0) {
        pen.beginPath();
        run.forEach(([x, low]) => pen.lineTo(this.#x(x), this.#y(low)));
        run.reverse().forEach(([x, , high]) => pen.lineTo(this.#x(x) + (run.length === 1 ? 1.5 : 0), this.#y(high)));
        pen.fill();
      }
      run = [];
    };
    for (const point of layer.points) {
      if (point[1] === null || point[2] === null) {
        fill();
      } else {
        run.push(point);
      }
    }
    fill();
    pen.globalAlpha = 1;
  }

  _mark(pen, layer, height) {
    for (const [x] of layer.points) {
      pen.fillRect(this.#x(x) - 1, height - BOTTOM - 6, 2, 6);
    }
  }

  _point(pen, layer) {
    for (const [x, y, low, high] of layer.points) {
      if (y === null) {
        continue;
      }
      pen.beginPath();
      if (low !== null && high !== null) {
        pen.moveTo(this.#x(x), this.#y(low));
        pen.lineTo(this.#x(x), this.#y(high));
        pen.stroke();
      }
      pen.beginPath();
      pen.arc(this.#x(x), this.#y(y), 4, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  /** Shows the values nearest to the cursor. */
  #read() {
    const readout = this.#options.readout;
    if (!readout) {
      return;
    }
    if (this.#cursor === null) {
      readout.textContent = "";
      return;
    }
    const at = this.#seconds(this.#cursor);
    const texts = [];
    for (const layer of this.#data.layers) {
      const near = nearest(layer.points, at);
      if (near && layer.kind !== "mark" && Math.abs(this.#x(near[0]) - this.#cursor) < 12) {
        const [, ...ys] = near;
        const text = layer.kind === "band" ? `${number(ys[0])} to ${number(ys[1])}` : number(ys[0]);
        texts.push(`${layer.name} ${text} ${this.#options.unit ?? ""}`);
      }
    }
    const time = this.#data.isTime ? new Date(at * 1000).toLocaleString([], { hour12: false }) : this.#otherText(this.#data.xName ? Math.round(at) : at);
    readout.textContent = [time, ...texts].join(", ");
    const isLeft = this.#cursor < this.#canvas.clientWidth / 2;
    readout.style.left = isLeft ? `${this.#cursor + 10}px` : "";
    readout.style.right = isLeft ? "" : `${this.#canvas.clientWidth - this.#cursor + 10}px`;
  }

  #select(from, until) {
    this.#options.onRange?.(from, until);
  }

  #listen() {
    const canvas = this.#canvas;
    const within = x => Math.min(canvas.clientWidth - RIGHT, Math.max(LEFT, x));
    canvas.addEventListener("pointermove", event => {
      this.#cursor = within(event.offsetX);
      if (this.#drag) {
        this.#drag.to = this.#cursor;
      }
      this.#draw();
    });
    canvas.addEventListener("pointerleave", () => {
      this.#cursor = null;
      this.#draw();
    });
    canvas.addEventListener("pointerdown", event => {
      if (this.#options.onRange && event.button === 0) {
        canvas.setPointerCapture(event.pointerId);
        this.#drag = { from: within(event.offsetX), to: within(event.offsetX) };
      }
    });
    canvas.addEventListener("pointercancel", () => { this.#drag = null; });
    canvas.addEventListener("pointerup", () => {
      const drag = this.#drag;
      this.#drag = null;
      if (drag && Math.abs(drag.to - drag.from) > 8) {
        this.#select(this.#seconds(Math.min(drag.from, drag.to)), this.#seconds(Math.max(drag.from, drag.to)));
      }
      this.#draw();
    });
    canvas.addEventListener("wheel", event => {
      if (this.#options.onRange) {
        event.preventDefault();
        this.#zoom(Math.exp(Math.sign(event.deltaY) * .25), this.#seconds(within(event.offsetX)));
      }
    }, { passive: false });
    canvas.addEventListener("dblclick", () => this.#options.onAll?.());
    canvas.addEventListener("keydown", event => {
      if (this.#key(event.key)) {
        event.preventDefault();
      }
    });
  }

  #zoom(factor, center) {
    const [from, until] = this.#data.range;
    this.#select(center - (center - from) * factor, center + (until - center) * factor);
  }

  #move(share) {
    const [from, until] = this.#data.range;
    this.#select(from + (until - from) * share, until + (until - from) * share);
  }

  /** Returns whether it was a key of the chart. */
  #key(key) {
    const [from, until] = this.#data.range;
    const width = this.#canvas.clientWidth;
    switch (key) {
      case "ArrowLeft":
      case "ArrowRight":
        this.#cursor = Math.min(width - RIGHT, Math.max(LEFT, (this.#cursor ?? width / 2) + (key === "ArrowLeft" ? -8 : 8)));
        this.#draw();
        return true;
      case "Escape":
        this.#cursor = null;
        this.#drag = null;
        this.#draw();
        return true;
      default:
        if (!this.#options.onRange) {
          return false;
        }
    }
    switch (key) {
      case "+":
      case "=": this.#zoom(.5, this.#cursor === null ? (from + until) / 2 : this.#seconds(this.#cursor)); return true;
      case "-": this.#zoom(2, (from + until) / 2); return true;
      case "PageUp": this.#move(-.5); return true;
      case "PageDown": this.#move(.5); return true;
      case "0":
      case "Home": this.#options.onAll?.(); return true;
      case "End": this.#options.onNewest?.(); return true;
      default: return false;
    }
  }
}

/** Returns the point whose x is nearest; the points ascend. */
function nearest(points, x) {
  let low = 0;
  let high = points.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < x) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const [a, b] = [points[low], points[high]];
  return !a ? b : !b ? a : Math.abs(a[0] - x) <= Math.abs(b[0] - x) ? a : b;
}
