// How full the sockets' buffers were.

const BUFFERS = [
  ["send_bytes", "Send buffer"], ["not_sent_bytes", "Of it not sent yet"],
  ["unacked_bytes", "Of it not acknowledged"], ["receive_bytes", "Receive buffer"],
];

function occupancy() {
  const buffer = {
    name: "Buffer",
    options: BUFFERS.filter(([field]) => data.runs.some(run => run.occupancy && run.occupancy[field])),
    value: null,
  };
  buffer.value = buffer.options[0][0];
  return panels({
    choices: [buffer],
    scale: "linear",
    counted: "samples",
    curve: run => curveOf(run, "occupancy", buffer.value),
    what: () => BUFFERS.find(([field]) => field === buffer.value)[1] + " over time",
    xName: "at",
    xTitle: "After the first packet was sent",
    xFormat: shortly,
    yTick: d3.format("~s"),
    yText: bytes => counted(bytes) + " bytes",
  });
}
