// What a lag is made of: of each point a bar for its median, Q95 and Q99, all as long, divided as the time was.

const STAGES = [
  ["socketBuffer", "S", "socket buffer"], ["queueingDiscipline", "Q", "queueing discipline"],
  ["transmitQueue", "T", "transmit queue"], ["wire", "W", "wire"], ["receiveBuffer", "B", "receive buffer"],
  ["reader", "R", "reader"],
];
const STACK = { left: 62, right: 84, bar: 22, gap: 5, title: 26 };

function drawStack(figure) {
  const plot = figure.querySelector(".plot");
  const width = printing ? PRINTED_WIDTH : Math.max(280, plot.clientWidth || PRINTED_WIDTH);
  const points = data.summary.points.filter(point => point.pooled.stages);
  const x = d3.scaleLinear([0, 1], [STACK.left, width - STACK.right]);
  const used = new Set();
  plot.replaceChildren();
  const svg = d3.select(plot).append("svg").attr("role", "img");
  let y = 0;
  const told = [];
  points.forEach(point => {
    const label = data.runs.find(run => run.name === point.runs[0].name).point;
    svg.append("text").attr("x", STACK.left).attr("y", y + 18).text(label);
    y += STACK.title;
    Object.entries(point.pooled.stages.compositions).forEach(([quantile, { lagUs, meanUs }]) => {
      const parts = STAGES.map(([id, letter, name], i) => ({ letter, name, i, us: Math.max(0, meanUs[id] || 0) }))
        .filter(part => part.us > 0);
      const sum = d3.sum(parts, part => part.us);
      let from = 0;
      svg.append("text").attr("class", "quiet").attr("x", STACK.left - 6).attr("y", y + 15).attr("text-anchor", "end")
        .text(quantile[0].toUpperCase() + quantile.slice(1));
      parts.forEach(part => {
        const share = part.us / sum;
        const wide = x(share) - x(0);
        used.add(part.i);
        svg.append("rect").attr("class", "part s" + part.i).attr("x", x(from)).attr("y", y).attr("width", wide)
          .attr("height", STACK.bar).append("title").text(part.name + ": " + exactly(part.us * 1e3));
        if (wide > 14) {
          svg.append("text").attr("class", "inside").attr("x", x(from) + wide / 2).attr("y", y + 15)
            .attr("text-anchor", "middle").text(part.letter + (wide > 60 ? " " + Math.round(share * 100) + " %" : ""));
        }
        from += share;
      });
      if (sum > 0) {
        const most = d3.greatest(parts, part => part.us);
        told.push(label + ", " + quantile + " " + shortly(lagUs * 1e3) + ", most of it " + most.name);
      }
      svg.append("text").attr("x", width - STACK.right + 8).attr("y", y + 15).text(lagUs === null ? "" : shortly(lagUs * 1e3));
      y += STACK.bar + STACK.gap;
    });
  });
  svg.attr("viewBox", "0 0 " + width + " " + (y + 4)).attr("aria-label", told.join("; "));
  figure.querySelector(".legend").textContent = STAGES.filter((_, i) => used.has(i))
    .map(([, letter, name]) => letter + " " + name).join(", ") + ".";
}

function beginStacks() {
  document.querySelectorAll("figure.stack").forEach(figure => {
    const redraw = () => drawStack(figure);
    let width = -1;
    new ResizeObserver(([entry]) => {
      if (!printing && entry.contentRect.width !== width) {
        width = entry.contentRect.width;
        redraw();
      }
    }).observe(figure.querySelector(".plot"));
    window.addEventListener("beforeprint", redraw);
    window.addEventListener("afterprint", redraw);
    redraw();
  });
}
