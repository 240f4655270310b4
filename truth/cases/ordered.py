"""Networks that the bench is ordered to make itself (lab), and whether what it measured over them is what was ordered."""

import glob
import json
import os
import statistics
import subprocess
from dataclasses import dataclass

import capture

# What a packet takes beyond the ordered delay: the relay's wake-up and the receiver's.
ALLOWANCE_NS = 100_000

SWEEP_SECONDS_MAX = 300

# How many standard deviations of chance a drawn share may be off the ordered one: one case in 10^9.
CHANCE = 6

EXPERIMENT = """\
name: {name}
lab: {network}
transports: [{transport}]
packet-bytes: 200
packets: {packets}
warm-up-packets: 0
pace: {{mode: hybrid, interval: {interval}}}
udp: {{receive-buffer: 4MiB}}
drain: 2s
observe: nothing
"""


@dataclass(frozen=True)
class Order:
    """A network that is ordered, shares in per cent."""

    title: str
    delay_ms: float
    loss: float = 0
    duplication: float = 0
    reordering: float = 0
    jitter_ms: float = 0
    transport: str = "udp"
    packets: int = 4_000
    interval: str = "1ms"

    @property
    def network(self):
        """Its description in YAML."""
        return (
            f"{{name: ordered, means: relay, delay: {self.delay_ms}ms, there: {{jitter: {self.jitter_ms}ms,"
            f" loss: {self.loss}%, duplication: {self.duplication}%, reordering: {self.reordering}%}}}}"
        )


@dataclass(frozen=True)
class Measured:
    """What the bench kept and said of the run."""

    median_ns: float
    least_ns: int
    bound_ns: int
    packets: dict  # the bench's own counts
    relay: dict  # the relay's, of the way from the sender to the receiver


def orders():
    """All of them. None is quick: the parts of a busy machine wait longer for each other than the allowance."""
    return [
        Order("ordered: 5 ms", 5),
        Order("ordered: 250 ms", 250),
        Order("ordered: 30 ms over TCP", 30, transport="tcp"),
        # Further apart than the jitter, which keeps the order, could make two of them meet.
        Order("ordered: 5 ms, 2 ms of jitter", 5, jitter_ms=2, packets=1_000, interval="5ms"),
        Order("ordered: 5 ms, 2 % lost", 5, loss=2, packets=20_000, interval="200us"),
        Order("ordered: 5 ms, 3 % twice", 5, duplication=3, packets=20_000, interval="200us"),
        Order("ordered: 5 ms, 1 % overtaken", 5, reordering=1, packets=20_000, interval="200us"),
        Order("ordered: 5 ms, 2 % lost, 1 % twice, 1 % overtaken", 5, 2, 1, 1),
    ]


def measure(order, home, work, number):
    """Has the bench make the network and a run over it."""
    directory = os.path.join(work, f"ordered-{number}")
    os.makedirs(directory)
    experiment = os.path.join(directory, "experiment.yaml")
    with open(experiment, "w") as file:
        file.write(
            EXPERIMENT.format(
                name=f"ordered-{number}", network=order.network, transport=order.transport, packets=order.packets,
                interval=order.interval,
            )
        )  # fmt: skip
    sweep = subprocess.run(
        [os.path.join(home, "scripts", "lagbench"), "sweep", experiment, "--no-report", "--quiet"],
        cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SWEEP_SECONDS_MAX,
    )  # fmt: skip
    if sweep.returncode != 0:
        raise RuntimeError(f"sweep: exit code {sweep.returncode}: {sweep.stderr.strip()}")
    return _read(directory)


def _read(directory):
    (session,) = glob.glob(os.path.join(directory, "results", "*"))
    (run,) = glob.glob(os.path.join(session, "runs", "*"))
    with open(os.path.join(session, "summary.json")) as file:
        figures = json.load(file)["points"][0]["pooled"]
    with open(os.path.join(run, "run.json")) as file:
        stations = {station["place"]: station["counts"] for station in json.load(file)["lab"]["stations"]}
    sent = capture.read(os.path.join(run, "sender.npy"))
    received = capture.read(os.path.join(run, "receiver.npy"))
    sent_ns = dict(zip(sent["seq"], sent["sent_ns"]))
    first_ns = {}
    for seq, at_ns in zip(received["seq"], received["received_ns"]):
        first_ns.setdefault(seq, at_ns)
    lags_ns = [at_ns - sent_ns[seq] for seq, at_ns in first_ns.items()]
    return Measured(
        statistics.median(lags_ns), min(lags_ns), figures["clockBoundNs"], figures["packets"], stations["relay there"]
    )


def judge_order(order, measured):
    """What is wrong with a run over an ordered network, sentences."""
    wrong = []
    delay_ns = order.delay_ms * 1_000_000
    amiss_ns = abs(measured.median_ns - delay_ns)
    if amiss_ns > ALLOWANCE_NS + measured.bound_ns:
        wrong.append(f"the median is off the ordered delay by {amiss_ns:.0f} ns, more than 100 µs and the bound")
    if measured.least_ns < delay_ns - order.jitter_ms * 1_000_000:
        wrong.append(f"a packet came in {measured.least_ns} ns, sooner than ordered")
    if order.transport == "udp":
        _judge_counts(order, measured, wrong)
    return wrong


def _judge_counts(order, measured, wrong):
    packets, relay = measured.packets, measured.relay
    if relay["received"] != order.packets:
        wrong.append(f"the relay took {relay['received']} packets of {order.packets}")
    if relay["queueFull"] > 0 or relay["refused"] > 0:
        wrong.append(f"the relay lost frames: {relay}")
    dropped = packets["kernelDrops"]  # by a receiver that this machine had no time for
    for count, share in (("lost", order.loss), ("duplicated", order.duplication), ("reordered", order.reordering)):
        beyond = packets[count] - relay[count] - (dropped if count == "lost" else 0)
        if abs(beyond) > (0 if count == "lost" else dropped):
            wrong.append(f"{packets[count]} {count} by the bench, {relay[count]} by the relay")
        expected = order.packets * share / 100
        if abs(relay[count] - expected) > CHANCE * (expected * (1 - share / 100)) ** 0.5:
            wrong.append(f"{relay[count]} {count} where {expected:.0f} were ordered")
