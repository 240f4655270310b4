// The cursor that all sparklines share.

function beginSparklines(figure) {
  const lines = [...figure.querySelectorAll("svg")].map(svg => ({
    svg,
    cursor: element(svg, "path", { class: "cursor" }),
    points: svg.dataset.sparkline.split(";").map(point => point.split(" ")).map(([x, value]) => ({ x: Number(x), value })),
  }));
  figure.addEventListener("pointermove", event => {
    const over = event.target.closest("svg");
    if (!over) {
      return;
    }
    const { left, width } = over.getBoundingClientRect();
    const at = Math.max(0, Math.min(100, (event.clientX - left) / width * 100));
    const texts = lines.map(({ svg, cursor, points }) => {
      cursor.setAttribute("d", `M${at},0V100`);
      const { value } = points.reduce((best, point) => Math.abs(point.x - at) < Math.abs(best.x - at) ? point : best);
      return `${svg.dataset.name} ${value} ${svg.dataset.unit}`;
    });
    showReadout(texts.join("\n"), event.clientX, event.clientY);
  });
  figure.addEventListener("pointerleave", () => {
    lines.forEach(({ cursor }) => cursor.removeAttribute("d"));
    hideReadout();
  });
}
