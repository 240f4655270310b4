"""Networks that the bench makes itself (lab), and whether what it measured over them is what was ordered."""

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation import captures
from lagbench_validation.processes import run

# What a packet takes beyond the ordered delay: the relay's wake-up and the receiver's.
ALLOWANCE_NS = 100_000

SWEEP_SECONDS_MAX = 300

# Of what the relay draws.
SEED = 1

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
    def network(self) -> str:
        """Returns its description in YAML."""
        return (
            f"{{name: ordered, backend: relay, seed: {SEED}, delay: {self.delay_ms}ms,"
            f" forward: {{jitter: {self.jitter_ms}ms, loss: {self.loss}%, duplication: {self.duplication}%,"
            f" reordering: {self.reordering}%}}}}"
        )


@dataclass(frozen=True)
class Measured:
    """What the bench kept and said of the run."""

    median_ns: float
    ordered_ns: float  # the median of what was ordered for these packets
    beyond_ns: float  # the median of what each took beyond what was ordered for it
    soonest_ns: int  # the least of the same
    bound_ns: int
    packets: Mapping[str, int]  # the bench's own counts
    relay: Mapping[str, int]  # the relay's, of the way from the sender to the receiver


def orders() -> list[Order]:
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


def measure(order: Order, home: Path, work: Path, number: int) -> Measured:
    """Has the bench make the network and a run over it."""
    directory = work / f"ordered-{number}"
    directory.mkdir()
    experiment = directory / "experiment.yaml"
    experiment.write_text(
        EXPERIMENT.format(
            name=directory.name,
            network=order.network,
            transport=order.transport,
            packets=order.packets,
            interval=order.interval,
        )
    )
    command = [home / "scripts" / "lagbench", "sweep", experiment, "--no-report", "--quiet"]
    run(command, directory=directory, timeout_s=SWEEP_SECONDS_MAX)
    return _read(order, directory)


def ordered_lags_ns(order: Order, sent_ns: Iterable[int]) -> list[int]:
    """
    Returns how long each packet of one direction is to take. Jitter is drawn from the seed, evenly from -jitter to
    jitter, and keeps the order: no packet is due before the one ahead of it. So packets that a busy machine sends late
    and close together are ordered to take more than the delay in the median. The excess is computed packet by packet,
    since the median of a sum is not the sum of the medians.
    """
    delay_ns, jitter_ns = round(order.delay_ms * 1e6), round(order.jitter_ms * 1e6)
    if jitter_ns > 0 and (order.loss or order.duplication or order.reordering):
        raise ValueError("what is drawn for jitter is known only where nothing else is drawn")
    state, due_ns, lags_ns = 2 * SEED, 0, []
    for at_ns in sent_ns:
        drawn_ns = 0
        if jitter_ns > 0:
            state, number = _split_mix(state)
            drawn_ns = number % (2 * jitter_ns + 1) - jitter_ns
        due_ns = max(due_ns, at_ns + delay_ns + drawn_ns)
        lags_ns.append(due_ns - at_ns)
    return lags_ns


def _split_mix(state: int) -> tuple[int, int]:
    """Returns the next state and number of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    mask = (1 << 64) - 1
    state = (state + 0x9E3779B97F4A7C15) & mask
    number = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & mask
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB & mask
    return state, number ^ (number >> 31)


def _read(order: Order, directory: Path) -> Measured:
    (session,) = directory.glob("results/*")
    (made,) = session.glob("runs/*")
    figures = json.loads((session / "summary.json").read_text())["points"][0]["pooled"]
    record = json.loads((made / "run.json").read_text())
    stations = {station["place"]: station["counts"] for station in record["lab"]["stations"]}
    sent = captures.read(made / "sender.npy")
    received = captures.read(made / "receiver.npy")
    sent_ns = dict(zip(sent["seq"], sent["sent_ns"], strict=True))
    first_ns: dict[int, int] = {}
    for seq, at_ns in zip(received["seq"], received["received_ns"], strict=True):
        first_ns.setdefault(seq, at_ns)
    ordered_ns = dict(zip(sent["seq"], ordered_lags_ns(order, sent["sent_ns"]), strict=True))
    lags_ns = {seq: at_ns - sent_ns[seq] for seq, at_ns in first_ns.items()}
    beyond_ns = [lag_ns - ordered_ns[seq] for seq, lag_ns in lags_ns.items()]
    return Measured(
        statistics.median(lags_ns.values()),
        statistics.median(ordered_ns[seq] for seq in lags_ns),
        statistics.median(beyond_ns),
        min(beyond_ns),
        figures["clock"]["boundNs"],
        figures["packets"] | {"kernelDrops": figures["kernelDrops"]},
        stations["relay forward"],
    )


def judge_order(order: Order, measured: Measured) -> list[str]:
    """Returns what is wrong with a run over an ordered network, sentences."""
    wrong: list[str] = []
    amiss_ns = abs(measured.beyond_ns)
    if amiss_ns > ALLOWANCE_NS + measured.bound_ns:
        wrong.append(
            f"lags are off the ordered ones by {amiss_ns:.0f} ns in the median, more than 100 µs and the bound"
        )
    if measured.soonest_ns < 0:
        wrong.append(f"a packet came {-measured.soonest_ns} ns sooner than ordered")
    if order.transport == "udp":
        _judge_counts(order, measured, wrong)
    return wrong


def _judge_counts(order: Order, measured: Measured, wrong: list[str]) -> None:
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
