function overTime() {
  return panels({
    curve: run => curveOf(run, "lag"),
    what: () => "Lag over time",
    xName: "at",
    xTitle: "Sent after the first packet",
    xFormat: shortly,
    bands: drawEvents,
    legend: eventsLegend,
    meanwhile: eventsBetween,
  });
}
