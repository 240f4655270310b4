"""Networks that lagbench emulates (lab), and whether its metrics are the requested ones."""

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import lagbench

from lagbench_validation.processes import run

# Time of a packet beyond the requested delay: the wake-ups of relay and receiver.
ALLOWANCE_NS = 100_000

SWEEP_SECONDS_MAX = 300

# Seed of the relay's random numbers.
SEED = 1

_COUNTS = {"kernelDrops", *(f"packets.{count}" for count in ("lost", "duplicated", "reordered"))}

# Largest difference of a random share from the requested one, in standard deviations: one case in 10^9.
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
observe: none
"""


@dataclass(frozen=True)
class EmulatedNetwork:
    """A network to emulate; shares are in percent."""

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
            f"{{name: emulated, backend: relay, seed: {SEED}, delay: {self.delay_ms}ms,"
            f" forward: {{jitter: {self.jitter_ms}ms, loss: {self.loss}%, duplication: {self.duplication}%,"
            f" reordering: {self.reordering}%}}}}"
        )


@dataclass(frozen=True)
class Measured:
    """The metrics of the run."""

    median_ns: float
    expected_ns: float  # the median of the requested delays of these packets
    excess_ns: float  # the median of the excess of each packet over its requested delay
    excess_min_ns: int  # the smallest excess
    bound_ns: int
    packets: Mapping[str, int]  # lagbench's counts
    relay: Mapping[str, int]  # the relay's counts from sender to receiver
    lead_out: int  # packets after the recorded ones, which only the relay counts


def emulated_networks() -> list[EmulatedNetwork]:
    """Returns all cases. None is part of --smoke, because a busy machine exceeds the allowance."""
    return [
        EmulatedNetwork("emulated: 5 ms", 5),
        EmulatedNetwork("emulated: 250 ms", 250),
        EmulatedNetwork("emulated: 30 ms over TCP", 30, transport="tcp"),
        # The packets are further apart than the jitter, so that they do not wait for each other.
        EmulatedNetwork("emulated: 5 ms, 2 ms of jitter", 5, jitter_ms=2, packets=1_000, interval="5ms"),
        EmulatedNetwork("emulated: 5 ms, 2 % lost", 5, loss=2, packets=20_000, interval="200us"),
        EmulatedNetwork("emulated: 5 ms, 3 % twice", 5, duplication=3, packets=20_000, interval="200us"),
        EmulatedNetwork("emulated: 5 ms, 1 % overtaken", 5, reordering=1, packets=20_000, interval="200us"),
        EmulatedNetwork("emulated: 5 ms, 2 % lost, 1 % twice, 1 % overtaken", 5, 2, 1, 1),
    ]


def measure(requested: EmulatedNetwork, home: Path, work: Path, number: int) -> Measured:
    """Runs lagbench over an emulated network."""
    directory = work / f"emulated-{number}"
    directory.mkdir()
    experiment = directory / "experiment.yaml"
    experiment.write_text(
        EXPERIMENT.format(
            name=directory.name,
            network=requested.network,
            transport=requested.transport,
            packets=requested.packets,
            interval=requested.interval,
        )
    )
    command = [home / "scripts" / "lagbench", "sweep", experiment, "--no-report", "--quiet"]
    run(command, directory=directory, timeout_s=SWEEP_SECONDS_MAX)
    return _read(requested, directory)


def expected_lags_ns(requested: EmulatedNetwork, sent_ns: Iterable[int]) -> list[int]:
    """
    Returns the requested delay of each packet of one direction. Jitter is uniform from -jitter to jitter and preserves
    the order: no packet is due before the one ahead of it. So packets that were sent late and close together have a
    median above the delay.
    """
    delay_ns, jitter_ns = round(requested.delay_ms * 1e6), round(requested.jitter_ms * 1e6)
    if jitter_ns > 0 and (requested.loss or requested.duplication or requested.reordering):
        raise ValueError("the jitter is reproducible only without loss, duplication and reordering")
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


def _read(requested: EmulatedNetwork, directory: Path) -> Measured:
    (found,) = directory.glob("results/*")
    session = lagbench.open(found)
    (made,) = session.runs
    metrics = session.summary["points"][0]["metrics"]
    stations = {station["place"]: station["counts"] for station in made.record["lab"]["stations"]}
    packets, sent = made.packets(), made.columns("sender")
    expected_ns = dict(zip(sent["seq"], expected_lags_ns(requested, sent["sent_ns"]), strict=True))
    first = (packets["copy"] == 0).filled(False)
    lags_ns = dict(zip(packets["seq"][first].tolist(), packets["lag_ns"][first].tolist(), strict=True))
    excess_ns = [lag_ns - expected_ns[seq] for seq, lag_ns in lags_ns.items()]
    return Measured(
        statistics.median(lags_ns.values()),
        statistics.median(expected_ns[seq] for seq in lags_ns),
        statistics.median(excess_ns),
        min(excess_ns),
        round(metrics["clock.bound"] * 1000),
        {name.removeprefix("packets."): value for name, value in metrics.items() if name in _COUNTS},
        stations["relay forward"],
        made.record["sender"]["metadata"]["leadOutPackets"],
    )


def judge_emulation(requested: EmulatedNetwork, measured: Measured) -> list[str]:
    """Returns the errors of a run over an emulated network, one sentence each."""
    wrong: list[str] = []
    error_ns = abs(measured.excess_ns)
    if error_ns > ALLOWANCE_NS + measured.bound_ns:
        wrong.append(f"the median error of the delay is {error_ns:.0f} ns, more than 100 µs and the bound")
    if measured.excess_min_ns < 0:
        wrong.append(f"a packet arrived {-measured.excess_min_ns} ns before its requested delay")
    if requested.transport == "udp":
        _judge_counts(requested, measured, wrong)
    return wrong


def _judge_counts(requested: EmulatedNetwork, measured: Measured, wrong: list[str]) -> None:
    packets, relay = measured.packets, measured.relay
    sent = requested.packets + measured.lead_out
    if relay["received"] != sent:
        wrong.append(f"the relay received {relay['received']} packets of {sent}")
    if relay["queueFull"] + relay["refused"] + relay["missed"] > 0:
        wrong.append(f"the relay lost frames: {relay}")
    dropped = packets["kernelDrops"]  # by a receiver without enough CPU time
    for count, share in (
        ("lost", requested.loss),
        ("duplicated", requested.duplication),
        ("reordered", requested.reordering),
    ):
        beyond = packets[count] - relay[count] - (dropped if count == "lost" else 0)
        tolerated = 0 if count == "lost" else dropped
        if not -tolerated - measured.lead_out <= beyond <= tolerated:
            wrong.append(f"{packets[count]} {count} counted by lagbench, {relay[count]} by the relay")
        expected = sent * share / 100
        if abs(relay[count] - expected) > CHANCE * (expected * (1 - share / 100)) ** 0.5:
            wrong.append(f"{relay[count]} {count} where {expected:.0f} were requested")
