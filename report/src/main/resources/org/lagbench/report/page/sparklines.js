// The cursor that all sparklines share, by pointer and arrow keys.

const CURSOR_STEP = 1;

function beginSparklines(figure) {
  const lines = [...figure.querySelectorAll("svg")].map(svg => ({
    svg,
    cursor: element(svg, "path", { class: "cursor" }),
    points: svg.dataset.sparkline.split(";").map(point => point.split(" ")).map(([x, value]) => ({ x: Number(x), value })),
  }));
  const [fromMs, untilMs] = ["from", "until"].map(end => Number(figure.dataset[end]));
  const timeAt = x => new Date(fromMs + x / 100 * (untilMs - fromMs)).toISOString().replace(/\.\d+Z/, "Z");
  const region = figure.querySelector(".scroll");
  const status = figure.querySelector(".status");
  let at = 100;

  function read(x, left, top) {
    at = Math.max(0, Math.min(100, x));
    const texts = lines.map(({ svg, cursor, points }) => {
      cursor.setAttribute("d", `M${at},0V100`);
      const { value } = points.reduce((best, point) => Math.abs(point.x - at) < Math.abs(best.x - at) ? point : best);
      return `${svg.dataset.name} ${value}\u00a0${svg.dataset.unit}`;
    });
    status.textContent = [timeAt(at), ...texts].join("\n");
    showReadout(status.textContent, left, top);
  }

  function leave() {
    lines.forEach(({ cursor }) => cursor.removeAttribute("d"));
    hideReadout();
  }

  figure.addEventListener("pointermove", event => {
    const over = event.target.closest("svg");
    if (over) {
      const { left, width } = over.getBoundingClientRect();
      read((event.clientX - left) / width * 100, event.clientX, event.clientY);
    }
  });
  figure.addEventListener("pointerleave", leave);
  region.addEventListener("focusout", leave);
  region.addEventListener("keydown", event => {
    const step = { ArrowLeft: -CURSOR_STEP, ArrowRight: CURSOR_STEP }[event.key];
    if (step && event.target === region) {
      event.preventDefault();
      const { left, width, top } = lines[0].svg.getBoundingClientRect();
      read(at + step, left + (at + step) / 100 * width, top);
    }
  });
  addDownloads(figure, () => lines.flatMap(({ svg, points }) => points.map(({ x, value }) =>
    new Map([["series", svg.dataset.name], ["time", timeAt(x)], ["value", value], ["unit", svg.dataset.unit]]))));
}
