// The table that a chart can be read in instead.

// Fills the details below a chart when they are opened, and again when the chart changes: rows() gives lists of texts,
// the first of them the headers.
function valuesTable(details, rows) {
  const fill = () => {
    if (!details.open) {
      return;
    }
    const [headers, ...body] = rows();
    const table = d3.select(details.querySelector("div")).html("").append("table");
    table.append("thead").append("tr").selectAll("th").data(headers).join("th")
      .attr("scope", "col").attr("class", (_, i) => i === 0 ? "text" : "number").text(text => text);
    const row = table.append("tbody").selectAll("tr").data(body).join("tr");
    row.append("th").attr("scope", "row").attr("class", "text").text(cells => cells[0]);
    row.selectAll("td").data(cells => cells.slice(1)).join("td").attr("class", "number").text(text => text);
  };
  details.addEventListener("toggle", fill);
  return fill;
}
