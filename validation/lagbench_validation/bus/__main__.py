"""Measures CPU time and lateness of the bus daemon under streams of 8,000 packets/s each.

Each round makes every measurement once, with a separate bus; the table has the medians over the rounds. Talkers and
listeners are programs of libraw1394 (raw1394_stream). A pair of intervals such as 1:4 is the number of packets per
interrupt of a talker and of a listener; a run of lagbench has an interrupt per packet at the talker. The metrics are
the daemon's own (lagbench-busd --statistics).
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from lagbench_validation import machine
from lagbench_validation.processes import Failed, Program, run
from lagbench_validation.program import make_parser, run_main

PACKETS_PER_SECOND = 8000
CHANNEL_FIRST = 1
START_S = 10
SETTLE_S = 0.5
LISTENING_S = 20
DELIVERED_MIN = 0.5  # a busy machine delays programs; less means a wrong set-up

Metrics = Mapping[str, float | None]


@dataclass(frozen=True)
class Intervals:
    """Numbers of packets per interrupt."""

    talker: int
    listener: int

    @classmethod
    def parse(cls, text: str) -> list["Intervals"]:
        return [cls(*map(int, pair.split(":"))) for pair in text.split(",")]

    def __str__(self) -> str:
        return f"{self.talker}:{self.listener}"


@dataclass(frozen=True)
class Load:
    """The traffic on the bus: streams of one kind."""

    streams: int
    mode: str

    def __str__(self) -> str:
        if self.streams == 0:
            return "no stream"
        return f"{self.streams} {'paced' if self.mode == 'pace' else 'queued'}"


class Bus:
    """A daemon and the programs on it. Ends them all."""

    def __init__(self, build: Path) -> None:
        self._shim = build / "liblagbench_bus_shim.so"
        self._stream = build / "tests" / "raw1394_stream"
        self._parent = tempfile.TemporaryDirectory(prefix="lagbench-measure-")
        self._directory = Path(self._parent.name, "bus")
        self._command = [build / "lagbench-busd", "--directory", self._directory]
        self._programs: list[Program] = []
        self._daemon = Program(
            "lagbench-busd",
            [*self._command, "--foreground", "--end-with-stdin"],
            keep_input_open=True,
        )
        self.greeting = ""

    def __enter__(self) -> "Bus":
        try:
            self.greeting = self._daemon.await_text("^.+$", START_S)[0]
        except Failed:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def start(self, *arguments: object) -> Program:
        program = Program(
            "raw1394_stream",
            [self._stream, *arguments],
            environment={"LD_PRELOAD": str(self._shim), "LAGBENCH_BUS_DIR": str(self._directory)},
        )
        self._programs.append(program)
        return program

    def statistics(self) -> dict[str, int]:
        text = run([*self._command, "--statistics"])
        return {name: int(number) for name, number in (line.split() for line in text.splitlines())}

    def check(self) -> None:
        for program in self._programs:
            if program.ended:
                raise Failed(f"{program.name} ended early: {program.last_lines()}")

    def _end(self) -> None:
        for program in self._programs:
            program.end()
        self._daemon.end()
        self._parent.cleanup()


def measure(build: Path, intervals: Intervals, load: Load, seconds: int, packet_bytes: int) -> dict[str, int]:
    packets = PACKETS_PER_SECOND * (seconds + LISTENING_S)
    with Bus(build) as bus:
        # Without a stream there is a listener without a talker.
        channels = range(CHANNEL_FIRST, CHANNEL_FIRST + max(load.streams, 1))
        interval = intervals.listener
        for listener in [bus.start("receive", 1, channel, packet_bytes, packets, interval) for channel in channels]:
            listener.await_text("^listening$", START_S)
        for channel in channels[: load.streams]:
            bus.start(load.mode, 0, channel, packet_bytes, packets, intervals.talker)
        time.sleep(SETTLE_S)
        bus.statistics()
        time.sleep(seconds)
        bus.check()
        return bus.statistics()


def metrics(taken: Mapping[str, int]) -> Metrics:
    seconds = taken["elapsed_ns"] / 1e9
    cpu_ns = taken["user_ns"] + taken["system_ns"]
    packets = taken["packets"]
    cycles = taken["cycles"]
    return {
        "packets/s": packets / seconds,
        "CPU %": cpu_ns / taken["elapsed_ns"] * 100,
        "CPU us/packet": cpu_ns / packets / 1000 if packets else None,
        "wake-ups/s": taken["wakeups"] / seconds,
        "kicks/s": taken["kicks"] / seconds,
        "late/million": taken["late_cycles"] / cycles * 1e6 if cycles else None,
        "p50 us": taken["lateness_p50_ns"] / 1000 if cycles else None,
        "p99 us": taken["lateness_p99_ns"] / 1000 if cycles else None,
        "p99.9 us": taken["lateness_p999_ns"] / 1000 if cycles else None,
    }


def known(rounds: Sequence[Metrics], name: str) -> list[float]:
    """Returns a value of the rounds that have it."""
    return [value for made in rounds if (value := made[name]) is not None]


def middle(rounds: Sequence[Metrics], name: str) -> str:
    values = known(rounds, name)
    if not values:
        return "-"
    places = 0 if name.endswith("/s") or name == "late/million" else 2 if name == "CPU us/packet" else 1
    return f"{statistics.median(values):,.{places}f}"


def spread(rounds: Sequence[Metrics], name: str) -> str:
    values = known(rounds, name)
    return f"{min(values):.1f} to {max(values):.1f}" if values else "-"


def print_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[i]) for row in [headers, *rows]) for i in range(len(headers))]
    for row in [headers, ["-" * width for width in widths], *rows]:
        cells = [text.ljust(w) if i < 3 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))]
        print("| " + " | ".join(cells) + " |")


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def parse() -> argparse.Namespace:
    parser = make_parser("bus", __doc__ or "", "one stream, one second")
    parser.add_argument("--build", required=True, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5, help="of all measurements, interleaved (default: 5)")
    parser.add_argument("--seconds", type=int, default=4, help="length of each measurement (default: 4)")
    parser.add_argument("--bytes", type=int, default=396, help="size of each packet (default: 396)")
    parser.add_argument(
        "--streams", type=numbers, default=[0, 1, 10], help="numbers of simultaneous streams (default: 0,1,10)"
    )
    parser.add_argument(
        "--intervals",
        type=Intervals.parse,
        default="1:1,1:4,4:4,16:16,64:64",
        help="packets per interrupt, talker:listener (default: %(default)s)",
    )
    parser.add_argument(
        "--against",
        metavar="DIR",
        type=Path,
        help="build directory of another version of the bus, to measure both alternately",
    )
    arguments = parser.parse_args()
    if arguments.smoke:
        arguments.rounds, arguments.seconds, arguments.streams = 1, 1, [1]
        arguments.intervals = Intervals.parse("4:4")
    if min(arguments.rounds, arguments.seconds) < 1 or not 4 <= arguments.bytes <= 4096 or max(arguments.streams) > 30:
        parser.error("required: at least one round of one second, packets of 4 to 4096 bytes, up to 30 streams")
    return arguments


def main() -> int:
    arguments = parse()
    builds = {"this": arguments.build}
    if arguments.against:
        builds["other"] = arguments.against
    loads = [Load(n, mode) for n in arguments.streams for mode in (["send"] if n == 0 else ["send", "pace"])]
    cases = [(build, intervals, load) for load in loads for intervals in arguments.intervals for build in builds]
    load_average = os.getloadavg()[0]
    with Bus(arguments.build) as bus:
        scheduling = bus.greeting.split(", ")[-1]
    made: dict[tuple[str, Intervals, Load], list[Metrics]] = {case: [] for case in cases}
    print(f"{len(cases) * arguments.rounds} measurements of {arguments.seconds} s and about a second more each")
    try:
        for round_number in range(arguments.rounds):
            for case in cases:
                build, intervals, load = case
                found = metrics(measure(builds[build], intervals, load, arguments.seconds, arguments.bytes))
                made[case].append(found)
                print(
                    f"round {round_number + 1}: {load}, {intervals}, {build}: {found['packets/s']:,.0f} packets/s,"
                    f" {found['CPU %']:.1f} % of a core",
                    flush=True,
                )
    finally:
        print_results(arguments, {case: rounds for case, rounds in made.items() if rounds}, scheduling, load_average)
    delivered = [rate / load.streams for (_, _, load), rounds in made.items() for rate in known(rounds, "packets/s")
                 if load.streams]  # fmt: skip
    smallest = min(delivered, default=PACKETS_PER_SECOND)
    print(f"{len(delivered)} streams, each at least {smallest:,.0f} of {PACKETS_PER_SECOND:,} packets/s")
    return 0 if smallest >= PACKETS_PER_SECOND * DELIVERED_MIN else 1


def print_results(
    arguments: argparse.Namespace,
    made: Mapping[tuple[str, Intervals, Load], Sequence[Metrics]],
    scheduling: str,
    load_average: float,
) -> None:
    if not made:
        return
    names = list(next(iter(made.values()))[0])
    print(f"{machine.describe()}, load {load_average:.1f} at the start; {scheduling}")
    print(
        f"Medians of up to {arguments.rounds} interleaved rounds of {arguments.seconds} s; {arguments.bytes} bytes a"
        " packet. CPU: of one core, user and system.\nAn interrupt is due at the start of its cycle. p50, p99, p99.9:"
        " how long after that the last of a cycle's was sent.\nLate: when the next cycle had begun."
    )
    rows = [
        [str(intervals), str(load), build] + [middle(rounds, name) for name in names] + [spread(rounds, "CPU %")]
        for (build, intervals, load), rounds in made.items()
    ]
    print_table(["interval", "streams", "build", *names, "CPU % min to max"], rows)


if __name__ == "__main__":
    run_main("bus", main)
