"""Compares round trips of lagbench with those of sockperf and qperf; scripts/validate round-trips starts it."""

import os
import random
import re
import shutil
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import lagbench

from lagbench_validation.key import make_key
from lagbench_validation.namespaces import ADDRESSES, Namespaces, remove_leftovers, two_namespaces
from lagbench_validation.peers.cells import PACKET_BYTES, TRANSPORTS
from lagbench_validation.peers.peer import PORT
from lagbench_validation.peers.sides import await_port, processors_of_sides
from lagbench_validation.peers.sockperf import parse_round_trips
from lagbench_validation.processes import Command, Failed, Program
from lagbench_validation.program import UNAVAILABLE, make_parser, run_main
from lagbench_validation.quantiles import CONFIDENCE, VALUES_MIN, median_interval, quantile

_MAKER = "round-trips"
_NICE = -20
_PATIENCE_S = 60
_SOCKPERF_PORT, _QPERF_PORT = 11111, 19765
_QPERF_UNITS_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3}
_GOAL = 0.05
_COMPARED = (
    ("lagbench c", "sockperf", "median"),
    ("lagbench c", "qperf", "mean"),
    ("lagbench java", "lagbench c", "median"),
)


@dataclass(frozen=True)
class Pinging:
    """What all programs do in a comparison: one message of this size in flight."""

    transport: str
    message_bytes: int
    seconds: int

    @property
    def name(self) -> str:
        return f"{self.transport}/{self.message_bytes}"


Metrics = dict[str, float]
"""Median and mean of the round trips in µs."""

Values = defaultdict[tuple[str, str, str], list[float]]
"""One value a round, by cell, program and metric."""


@dataclass(frozen=True)
class Tool:
    """A program: the commands of its sides, where its server listens, and how to read its round trips."""

    name: str
    server: Callable[[Pinging], Command]
    client: Callable[[Pinging], Command]
    port: Callable[[Pinging], tuple[str, int]]
    read: Callable[[Path, str], Metrics]
    ends_with_input: bool = False


def _sockperf() -> Tool:
    def transport(pinging: Pinging) -> list[str]:
        return ["--tcp"] if pinging.transport == "tcp" else []

    def read(directory: Path, _: str) -> Metrics:
        log = (directory / "round-trips.csv").read_text("ascii", "replace")  # without its warm-up
        return _metrics(parse_round_trips(log).round_trips_ns or [])

    return Tool(
        "sockperf",
        lambda pinging: ["sockperf", "sr", "-i", ADDRESSES["b"], "-p", _SOCKPERF_PORT, *transport(pinging)],
        lambda pinging: ["sockperf", "pp", "-i", ADDRESSES["b"], "-p", _SOCKPERF_PORT, "-m", pinging.message_bytes,
                         "-t", pinging.seconds, "--full-rtt", "--full-log", "round-trips.csv",
                         *transport(pinging)],
        lambda pinging: (pinging.transport, _SOCKPERF_PORT),
        read,
    )  # fmt: skip


def _qperf() -> Tool:
    return Tool(
        "qperf",
        lambda _: ["qperf"],
        lambda pinging: ["qperf", ADDRESSES["b"], "-t", pinging.seconds, "-m", pinging.message_bytes, "-e", 6, "-vv",
                         f"{pinging.transport}_lat"],
        lambda _: ("tcp", _QPERF_PORT),
        lambda _, output: {"mean": parse_latency(output)},
    )  # fmt: skip


def parse_latency(output: str) -> float:
    """Returns the mean round trip in µs; qperf prints half of it."""
    found = re.search(r"^\s*latency\s*=\s*([\d.]+)\s*(ns|us|ms)\b", output, re.MULTILINE)
    if not found:
        raise Failed("qperf printed no latency")
    return 2 * float(found[1]) * _QPERF_UNITS_US[found[2]]


def _lagbench(home: Path, key: Path, engine: str) -> Tool:
    scripts = home / "scripts"

    def read(directory: Path, _: str) -> Metrics:
        made = lagbench.Run(directory / "run")
        trips_ns = made.packets()["round_trip_ns"].compressed().tolist()
        if lost := made.record["run"]["point"]["packets"] - len(trips_ns):
            raise Failed(f"{lost} packets had no reply")
        return _metrics(trips_ns)

    return Tool(
        f"lagbench {engine}",
        lambda _: [scripts / "receiver", "--listen", f"{ADDRESSES['b']}:{PORT}", "--key-file", key, "--directory",
                   "received", "--runs", 1, "--end-with-stdin"],
        lambda pinging: [scripts / "sender", pinging.transport, f"{ADDRESSES['b']}:{PORT}", "--key-file", key,
                         "--directory", ".", "--name", "run", "--engine", engine, "--traffic", "round-trip",
                         "--packet-bytes", pinging.message_bytes, "--packets",
                         pinging.seconds * 20_000, "--flood", "--observe", "none", "--drain", "200ms"],
        lambda _: ("tcp", PORT),
        read,
        ends_with_input=True,
    )  # fmt: skip


def _metrics(trips_ns: Sequence[int]) -> Metrics:
    if not trips_ns:
        raise Failed("no round trip was measured")
    return {"median": quantile(sorted(trips_ns), 0.5) / 1e3, "mean": fmean(trips_ns) / 1e3}


def _measure(tool: Tool, pinging: Pinging, namespaces: Namespaces, directory: Path) -> Metrics:
    """Runs both sides of a program, each on its half of the processors."""
    of_client, of_server = processors_of_sides(apart=True)
    server = Program(tool.name, namespaces.command("b", *tool.server(pinging)), directory=directory,
                     processors=of_server, keep_input_open=tool.ends_with_input)  # fmt: skip
    client = None
    try:
        await_port(namespaces, "b", *tool.port(pinging), server)
        client = Program(tool.name, namespaces.command("a", *tool.client(pinging)), directory=directory,
                         processors=of_client)  # fmt: skip
        client.await_success(pinging.seconds + _PATIENCE_S)
        return tool.read(directory, client.output())
    finally:
        if client is not None:
            client.end()
        server.end(signal.SIGINT)


def _compare(tools: Sequence[Tool], cells: Sequence[Pinging], rounds: int, work: Path, values: Values) -> None:
    for done in range(rounds):
        for pinging in cells:
            for tool in random.sample(tools, len(tools)):
                directory = work / "run"
                shutil.rmtree(directory, ignore_errors=True)
                directory.mkdir()
                with two_namespaces(_MAKER) as namespaces:
                    for metric, value in _measure(tool, pinging, namespaces, directory).items():
                        values[pinging.name, tool.name, metric].append(value)
        print(f"round {done + 1} of {rounds}", file=sys.stderr, flush=True)


def _print_cell(pinging: Pinging, tools: Sequence[Tool], values: Values) -> None:
    print(f"\n{pinging.transport.upper()}, {pinging.message_bytes} bytes: round trips in µs, median of the rounds")
    for tool in tools:
        shown = [
            f"{metric} {median(values[pinging.name, tool.name, metric]):.2f}"
            for metric in ("median", "mean")
            if values[pinging.name, tool.name, metric]
        ]
        print(f"  {tool.name:15}", "  ".join(shown))
    for ours, other, metric in _COMPARED:
        # an interrupted round may have only one of both
        pairs = zip(values[pinging.name, ours, metric], values[pinging.name, other, metric], strict=False)
        if not (ratios := [one / two for one, two in pairs]):
            continue
        interval = median_interval(ratios)
        within = f" [{interval[0]:.3f}–{interval[1]:.3f}]" if interval else " (too few rounds for an interval)"
        print(f"  {ours} ÷ {other}, {metric}: {median(ratios):.3f}{within}")


def main() -> int:
    parser = make_parser(
        "round-trips",
        "Ping-pong over TCP and UDP by lagbench's engines c and java, sockperf and qperf, in two network"
        " namespaces of this machine, each side on its half of the processors, in shuffled order. Prints the round"
        " trips and their ratios; the goal is within"
        f" {_GOAL:.0%}. qperf reports only half of its mean round trip. Each ratio is the median over the rounds of the"
        f" ratio within a round, with its confidence interval of at least {CONFIDENCE:.0%} by order statistics, from"
        f" {VALUES_MIN} rounds. Needs root, sockperf and qperf (Debian packages).",
        "one round of 1 s in one cell, with the installed programs",
    )
    parser.add_argument("--rounds", type=int, default=VALUES_MIN, metavar="N", help="default: %(default)s")
    parser.add_argument(
        "--seconds", type=int, default=2, metavar="S", help="duration of each run (default: %(default)s)"
    )
    options = parser.parse_args()
    others = [_sockperf(), _qperf()]
    missing = [tool.name for tool in others if not shutil.which(tool.name)]
    if missing and not options.smoke:
        print(f"not installed: {', '.join(missing)}; run: apt-get install {' '.join(missing)}", file=sys.stderr)
        return UNAVAILABLE
    if options.smoke:
        options.rounds = options.seconds = 1
    os.setpriority(os.PRIO_PROCESS, 0, _NICE)
    remove_leftovers(_MAKER)
    values: Values = defaultdict(list)
    cells = [Pinging(transport, size, options.seconds) for transport in TRANSPORTS for size in PACKET_BYTES]
    cells = cells[:1] if options.smoke else cells
    with tempfile.TemporaryDirectory(prefix="lagbench-round-trips-") as directory:
        work = Path(directory)
        key = make_key(work)
        ours = [_lagbench(options.home, key, engine) for engine in ("c", "java")]
        tools = [*ours, *(tool for tool in others if tool.name not in missing)]
        try:
            _compare(tools, cells, options.rounds, work, values)
        finally:
            for pinging in cells:
                _print_cell(pinging, tools, values)
            means = [f"{tool.name} {median(found):.1f}" for tool in tools
                     if (found := values[cells[0].name, tool.name, "mean"])]  # fmt: skip
            print(f"mean round trips in µs, {cells[0].name}: {', '.join(means) or 'none'}")
    return 0


if __name__ == "__main__":
    run_main("round-trips", main)
