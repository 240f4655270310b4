// How runs are told apart: by colour, by dashes and by a mark, each enough by itself for the first few.

const COLOURS = 8;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];
const SYMBOLS = [
  d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond, d3.symbolCross, d3.symbolStar, d3.symbolWye,
];

// The look of the run that is in that place among those shown.
function lookOf(place) {
  return {
    colour: "s" + place % COLOURS,
    dashes: DASHES[place % DASHES.length],
    symbol: d3.symbol(SYMBOLS[place % SYMBOLS.length], 34)(),
  };
}

// Draws a sample of a look into an svg of 34 by 12.
function drawKey(svg, look) {
  const key = d3.select(svg);
  key.selectAll("*").remove();
  key.append("line").attr("class", look.colour).attr("stroke-width", 2).attr("stroke-dasharray", look.dashes)
    .attr("x1", 1).attr("x2", 33).attr("y1", 6).attr("y2", 6);
  key.append("path").attr("class", "mark " + look.colour).attr("d", look.symbol).attr("transform", "translate(17,6)");
}
