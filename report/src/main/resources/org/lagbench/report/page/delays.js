function delays() {
  const side = {
    name: "Side", options: [["received", "Received"], ["sent", "Sent"]], value: "received",
  };
  return panels({
    choices: [side],
    curve: run => curveOf(run, side.value),
    what: () => "Inter-packet delay, " + side.value + ",",
    xName: "packet",
    xTitle: "Packet number",
    xFormat: x => counted(Math.round(x)),
  });
}
