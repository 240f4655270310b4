// The charts of runs, whose data are in the page.

// Begins a chart whose drawings show one run each, or the chosen ones of many.
function beginRunChart(figure) {
  const legend = figure.querySelector(".legend");
  const boxes = [...figure.querySelectorAll(".drawing")];
  const drawings = new Map();
  const runOf = (box, layer) => Number(box.dataset.run || runNamed(layer.name));
  const show = beginChart(figure, { kind: "run", nameOf: (layer, { box }) => runTitle(runOf(box, layer)) });

  // Makes a drawing when it is first shown.
  function drawingIn(box) {
    if (!drawings.has(box)) {
      drawings.set(box, new Drawing(box, dataOf(box)));
    }
    return drawings.get(box);
  }

  // Gives each run the color of its series; lines of one drawing differ in their dashes too.
  function showRuns({ box, panels }, runs) {
    if (box.dataset.run) {
      box.className = "drawing " + lookOf(Number(box.dataset.run));
      return;
    }
    panels.flatMap(panel => panel.layers).forEach(layer => {
      const run = runOf(box, layer);
      layer.group.setAttribute("class", "line " + lookOf(run));
      layer.group.dataset.series = seriesOf(run);
      layer.group.toggleAttribute("hidden", !runs.includes(run));
    });
  }

  // Names the series of drawings of several runs; a drawing of one run has a heading.
  function fillLegend(named) {
    legend.hidden = !named.size;
    legend.replaceChildren(...[...named].map(([series, run]) => {
      const item = document.createElement("li");
      const isolating = item.appendChild(document.createElement("button"));
      isolating.type = "button";
      isolating.dataset.series = series;
      isolating.ariaPressed = "false";
      const key = element(isolating, "svg", { class: "key line " + lookOf(run), "aria-hidden": "true", width: 34, height: 12 });
      element(key, "path", { d: "M1,6H33" });
      isolating.append(series);
      return item;
    }));
  }

  onChosen(runs => {
    const shown = boxes.filter(box => {
      box.hidden = box.dataset.run ? !runs.includes(Number(box.dataset.run))
        : !drawingIn(box).panels[0].layers.some(layer => runs.includes(runOf(box, layer)));
      return !box.hidden;
    }).map(drawingIn);
    shown.forEach(drawing => showRuns(drawing, runs));
    fillLegend(new Map(shown.some(({ box }) => !box.dataset.run) ? runs.map(run => [seriesOf(run), run]) : []));
    show(shown);
  });
}

// Returns the data of a drawing. In the page, each x and each packet of a layer is the difference from the one before.
function dataOf(box) {
  const data = JSON.parse(box.querySelector("script").textContent);
  const sums = steps => {
    let sum = 0;
    return steps?.map(step => sum += step);
  };
  data.panels.flatMap(panel => panel.layers).forEach(layer => {
    [layer.x, layer.packets] = [sums(layer.x), sums(layer.packets)];
  });
  return data;
}
