// Files of a chart as it is shown: SVG, PNG and CSV.

const DRAWN = ["display", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "vector-effect",
  "paint-order", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];
const PNG_SCALE = 2;

function save(figure, content, type, extension) {
  const link = document.createElement("a");
  link.href = typeof content === "string" ? URL.createObjectURL(new Blob([content], { type })) : URL.createObjectURL(content);
  link.download = figure.getAttribute("aria-label").toLowerCase().replace(/[^a-z0-9]+/g, "-") + "." + extension;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

// Returns a copy of an element with the style that it has in the page.
function styled(original) {
  const copy = original.cloneNode(true);
  const copies = [copy, ...copy.querySelectorAll("*")];
  [original, ...original.querySelectorAll("*")].forEach((one, i) => {
    const style = getComputedStyle(one);
    DRAWN.forEach(name => copies[i].style.setProperty(name, style.getPropertyValue(name)));
  });
  return copy;
}

// Returns the visible drawings of a figure with their headings as one SVG.
function pictureOf(figure) {
  const { left, top, width, height } = figure.querySelector(".plot, .drawings, .sparklines table").getBoundingClientRect();
  const legend = [...figure.querySelectorAll(".legend li")].filter(item => item.checkVisibility());
  const space = legend.length ? 24 : 0;
  const svg = document.createElementNS(SVG, "svg");
  Object.entries({ xmlns: SVG, width, height: height + space, viewBox: `0 ${-space} ${width} ${height + space}` })
    .forEach(([name, value]) => svg.setAttribute(name, value));
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
  element(svg, "rect", { y: -space, width, height: height + space, fill: backgroundColor });
  const write = (text, x, y) => element(svg, "text", { x, y, fill: color, "font-size": 13, "font-family": fontFamily }, text);
  legend.forEach(item => {
    const box = item.getBoundingClientRect();
    const key = svg.appendChild(styled(item.querySelector("svg")));
    Object.entries({ x: box.left - left, y: 6 - space }).forEach(([name, value]) => key.setAttribute(name, value));
    write(item.textContent, box.left - left + 40, 17 - space);
  });
  figure.querySelectorAll(".drawing > svg, .drawing > h3, .sparklines :is(th, td:not(:has(svg)), td > svg, .ends > span)").forEach(part => {
    const box = part.getBoundingClientRect();
    if (part.checkVisibility() && part.localName !== "svg") {
      write(part.textContent.trim(), box.left - left, box.top - top + box.height / 2 + 5);
    } else if (part.checkVisibility()) {
      const copy = svg.appendChild(styled(part));
      Object.entries({ x: box.left - left, y: box.top - top, width: box.width, height: box.height })
        .forEach(([name, value]) => copy.setAttribute(name, value));
      copy.style.overflow = "visible";
    }
  });
  return svg;
}

async function savePng(figure) {
  const svg = pictureOf(figure);
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(svg));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * PNG_SCALE, image.height * PNG_SCALE];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob(blob => save(figure, blob, "image/png", "png"));
}

// Returns the data of the visible drawings: a row for each "name=value|name=value" of their parts.
function recordsOf(figure) {
  return [...figure.querySelectorAll(".drawing > svg [data-values]")].filter(part => part.closest("svg").checkVisibility())
    .flatMap(part => part.dataset.values.split(";").map(values =>
      new Map([["name", part.dataset.name || ""], ...values.split("|").map(value => value.split("="))])));
}

function csvOf(records) {
  const names = [...new Set(records.flatMap(record => [...record.keys()]))];
  const cell = text => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return [names, ...records.map(record => names.map(name => String(record.get(name) ?? "")))]
    .map(row => row.map(cell).join(",") + "\n").join("");
}

// Adds the buttons below a figure. Its records are those of the drawings unless a function makes them.
function addDownloads(figure, records = () => recordsOf(figure)) {
  const place = figure.appendChild(document.createElement("p"));
  place.className = "downloads";
  place.append("Download ");
  const name = figure.getAttribute("aria-label");
  button(place, "SVG", name + " as SVG", () => save(figure, new XMLSerializer().serializeToString(pictureOf(figure)), "image/svg+xml", "svg"));
  button(place, "PNG", name + " as PNG", () => savePng(figure));
  button(place, "CSV", name + " as CSV", () => save(figure, csvOf(records()), "text/csv", "csv"));
}
