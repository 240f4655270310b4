"""Disturbs runs on purpose and judges the causes that lagbench names; scripts/validate disturbances starts it."""

import csv
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from lagbench_validation.disturbed_paths import BLAMED_MAX, LATE_MIN, RIGHT_MIN, judge_paths
from lagbench_validation.namespaces import ADDRESSES, SIDES, Namespaces, remove_leftovers, two_namespaces
from lagbench_validation.processes import Command, Failed, run
from lagbench_validation.program import make_parser, run_main
from lagbench_validation.quantiles import wilson
from lagbench_validation.truth.bench import Bench
from lagbench_validation.truth.injection import (
    EXCESS_MIN_NS,
    TAIL_PERCENT,
    Collections,
    Delays,
    Intervals,
    PeriodicDelays,
    packet_process,
    stop,
)
from lagbench_validation.unexplained import measure_unexplained

_NAME = "disturbances"
_PACKETS = 4_000
_OPTIONS = ("--packet-bytes", 100, "--packets", _PACKETS, "--warm-up-packets", 200,
            "--mode", "sleep", "--interval", "1ms", "--observe", "events")  # fmt: skip
_ENGINES = ("java", "c")
_SECONDS_MAX = 120
_NOTHING = "not-explained"
_WAITS = (".run-queue", ".involuntary-switch")

# The program fails if recall or precision is certainly below this, by its interval.
_SHARE_MIN = 0.8

_COUNT = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
_FLOOD = "exec 3>/dev/udp/%s/9; i=0; while [ $i -lt 4000 ]; do echo >&3; i=$((i+1)); done"
_FUNCTION = "int f%d(int a) { int s = 0; for (int i = 0; i < a; i++) s += i * a ^ (s >> %d); return s; }\n"


@dataclass(frozen=True)
class Kind:
    """
    A kind of disturbance.

    :param names: how lagbench may name it: the side and the cause, with the program that ran instead
    """

    title: str
    where: str
    names: tuple[str, ...]
    engines: tuple[str, ...] = _ENGINES


def _waits_for(*programs: str) -> tuple[str, ...]:
    return tuple(f"receiver{wait}:{program}" for wait in _WAITS for program in programs)


_HOG = Kind("SCHED_FIFO hog", "receiver", _waits_for("fifo-hog"))
_COMPILER = Kind("compiler", "receiver", _waits_for("cc1"))
_FLOOD_KIND = Kind("flood to a socket", "receiver", _waits_for("udp-flood", "ksoftirqd"))
_COLLECTION = Kind("System.gc()", "receiver", ("receiver.garbage-collection",), ("java",))
_STOPS = (
    Kind("receiver stopped", "receiver", ("receiver.stall",)),
    Kind("sender stopped", "sender", ("sender.stall",)),
)
_KINDS = (*_STOPS, _HOG, _COMPILER, _FLOOD_KIND, _COLLECTION)


class Named(NamedTuple):
    """A disturbance that delayed a packet, and the cause that lagbench names for the slowest of its packets."""

    kind: Kind
    engine: str
    name: str


class _Pinned:
    """Two hosts, each with its own processor, so that a program can disturb one side."""

    def __init__(self, namespaces: Namespaces) -> None:
        processors = sorted(os.sched_getaffinity(0))
        if len(processors) < len(SIDES):
            raise Failed("a machine with two processors is required")
        self._namespaces = namespaces
        self._processors = dict(zip(SIDES, processors, strict=False))

    def command(self, side: str, *arguments: object, environment: Mapping[str, str] | None = None) -> list[str]:
        pinned = ("taskset", "-c", self._processors[side], *arguments)
        return self._namespaces.command(side, *pinned, environment=environment)


class _Disturber:
    """The disturbances of the receiver's processor by other programs."""

    def __init__(self, hosts: _Pinned, work: Path) -> None:
        self._hosts = hosts
        self._source = work / "functions.c"
        self._source.write_text("".join(_FUNCTION % (number, number % 31) for number in range(30)))
        self._hog, self._flood = work / "fifo-hog", work / "udp-flood"  # by these names lagbench knows them
        for program in (self._hog, self._flood):
            program.symlink_to("/bin/bash")

    def delays(self, kind: Kind, engine: str, sender_capture: Path, work: Path) -> Delays:
        if kind is _COLLECTION:
            return Collections(work)
        actions: dict[Kind, Callable[[int], None]] = dict.fromkeys(_STOPS, partial(_stop_packets, engine))
        actions[_HOG] = partial(self._run, ["chrt", "-f", 10, self._hog, "-c", _COUNT])
        actions[_COMPILER] = partial(self._run, ["chrt", "-r", 5, "gcc", "-O2", "-S", "-o", "/dev/null", self._source])
        actions[_FLOOD_KIND] = partial(self._run, ["chrt", "-r", 5, self._flood, "-c", _FLOOD % ADDRESSES["a"]])
        return PeriodicDelays(sender_capture, kind.where, actions[kind], _PACKETS)

    def _run(self, command: Command, _pid: int) -> None:
        run(self._hosts.command("b", *command), timeout_s=_SECONDS_MAX)


def _stop_packets(engine: str, pid: int) -> None:
    stop(packet_process(engine, pid))


def slowest_packets(exported: Path, intervals_ns: Intervals, where: str) -> Iterator[tuple[int, str]]:
    """Yields the number and the cause of the slowest packet that was due during each interval, if it is late."""
    departure, named = ("scheduled_ns", "schedule_cause") if where == "sender" else ("sent_ns", "cause")
    with exported.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["received_ns"] and row["copy"] == "0"]
    lags_ns = [int(row["received_ns"]) - int(row[departure]) for row in rows]
    median_ns = statistics.median(lags_ns)
    late = [
        (lag_ns, int(row[departure]) + median_ns, row)
        for lag_ns, row in zip(lags_ns, rows, strict=True)
        if lag_ns - median_ns >= EXCESS_MIN_NS
    ]
    for begin_ns, end_ns in intervals_ns:
        during = [(lag_ns, row) for lag_ns, due_ns, row in late if begin_ns <= due_ns < end_ns]
        if during:
            row = max(during, key=lambda one: one[0])[1]
            side = row[f"{named}_side"]
            yield int(row["seq"]), f"{side}.{row[named]}" if side else _NOTHING


def _name(home: Path, directory: Path, packet: int, cause: str) -> str:
    """Returns the cause with the program that ran instead, which exports do not have."""
    if not cause.endswith(_WAITS):
        return cause
    text = run([home / "scripts" / "lagbench", "explain", directory, packet, "--json"], timeout_s=_SECONDS_MAX)
    parts = [part for part in json.loads(text)["parts"] if part["cause"].startswith(cause)]
    largest = max(parts, key=lambda part: int(part["ns"]), default={"cause": cause})
    return str(largest["cause"])


def _cells() -> list[tuple[Kind, str]]:
    return [(kind, engine) for kind in _KINDS for engine in kind.engines]


def is_right(named: Named) -> bool:
    return _names(named.kind, named.name)


def _names(kind: Kind, name: str) -> bool:
    return name.startswith(kind.names)


def _disturb(home: Path, kind: Kind, engine: str, rounds: int) -> Iterator[Named]:
    with tempfile.TemporaryDirectory(prefix="lagbench-disturbances-") as directory, two_namespaces(_NAME) as namespaces:
        work = Path(directory)
        bench, hosts = Bench(home, work), _Pinned(namespaces)
        disturber = _Disturber(hosts, work)
        for number in range(rounds):
            name = f"run-{number}"
            delays = disturber.delays(kind, engine, bench.sender_capture(name), work)
            side = "a" if kind.where == "sender" else "b"
            environments = {one: delays.environment() if one == side else {} for one in SIDES}
            try:
                bench.run(hosts, "a", environments, name, "udp", [*_OPTIONS, "--engine", engine], delays.started)
            finally:
                intervals_ns = delays.intervals_ns()
            exported = bench.exported(name, TAIL_PERCENT)
            for packet, cause in slowest_packets(exported, intervals_ns, kind.where):
                yield Named(kind, engine, _name(home, bench.sender_capture(name).parent, packet, cause))


def _share(successes: int, trials: int) -> str:
    low, high = wilson(successes, trials)
    return f"{successes / trials:6.1%} ({low:.1%} to {high:.1%})" if trials else "none"


def print_shares(found: Sequence[Named]) -> bool:
    """Prints recall and precision of each kind and engine; returns whether neither is certainly too low."""
    print(f"\n{'disturbance':20} {'engine':6} {'number':>6}  {'recall':26} {'precision':26}")
    for kind, engine in _cells():
        done = [one for one in found if one.kind is kind and one.engine == engine]
        named = [one for one in found if one.engine == engine and _names(kind, one.name)]
        right = sum(map(is_right, done))
        print(f"{kind.title:20} {engine:6} {len(done):6}  {_share(right, len(done)):26} {_share(right, len(named)):26}")
    right = sum(map(is_right, found))
    named = [one for one in found if any(_names(kind, one.name) for kind in _KINDS)]
    wrong = sorted({f"{one.kind.title}, {one.engine}: {one.name}" for one in found if not is_right(one)})
    print("\n".join(["", *(f"attributed to another cause: {name}" for name in wrong)]))
    print(f"{len(found)} disturbances: recall {_share(right, len(found))}, precision {_share(right, len(named))}")
    shares = ((right, len(found)), (right, len(named)))
    return all(trials > 0 and wilson(successes, trials)[1] >= _SHARE_MIN for successes, trials in shares)


def main() -> int:
    parser = make_parser(
        _NAME,
        "Disturbs runs by known means: a SCHED_FIFO hog, a compiler run and a flood to another socket, both with"
        " real-time priority, SIGSTOP of either side's packet process, and garbage collections. Of each that delayed a"
        " packet by a millisecond, takes the slowest packet and the cause that lagbench names for it. Recall: the share"
        " of the disturbances of a kind that have its name. Precision: the share of the disturbances with a kind's name"
        " that are of it. Other programs can delay the same packet, so an idle machine is required. Both with Wilson's"
        f" 95 % interval. Fails if one is certainly below {_SHARE_MIN:.0%}. Clock steps: scripts/validate truth.",
        "one run with stops of the receiver",
    )
    parser.add_argument("--rounds", type=int, default=4,
                        help="runs of each kind and engine; with --paths at most so many, until"
                             f" {LATE_MIN} packets of a cell were late (default: %(default)s)")  # fmt: skip
    parser.add_argument("--unexplained", type=int, metavar="N",
                        help="instead run N sessions of each of three workloads with the engines java and c, and print"
                             " the unexplained part of the excess above Q99; also without root")  # fmt: skip
    parser.add_argument("--paths", action="store_true",
                        help="instead disturb the path between two hosts: queues, a rival flow, jitter, reordering,"
                             " outages, losses, a shaper, stops of either side, for packets over UDP, TCP, SRT, RIST"
                             " and in datagrams of QUIC. Captures at both ends show where each late packet was late."
                             " Fails if less than"
                             f" {RIGHT_MIN:.0%}% of what the causes say is right, if more than {BLAMED_MAX:.0%}% of the"
                             " late packets are blamed on a host where they were not late (of all cells, or"
                             " certainly of one), or if the cause of a packet"
                             " is of another place than its ledger, its stamps or its explanation")  # fmt: skip
    parser.add_argument("--busy", type=int, default=0, metavar="N",
                        help="with --paths: N other programs load the processors meanwhile")  # fmt: skip
    parser.add_argument("--only", default="", metavar="TEXT", help="only workloads whose names contain this")
    options = parser.parse_args()
    if options.unexplained:
        return 0 if measure_unexplained(options.home, options.unexplained, options.only) else 1
    if options.paths:
        return 0 if judge_paths(options.home, options.only, options.rounds, options.busy, options.smoke) else 1
    remove_leftovers(_NAME)
    found: list[Named] = []
    try:
        for kind, engine in _cells()[:1] if options.smoke else _cells():
            found += _disturb(options.home, kind, engine, 1 if options.smoke else options.rounds)
            print(f"{kind.title}, {engine}: {len(found)} disturbances so far", file=sys.stderr, flush=True)
    finally:
        holds = print_shares(found)
    return 0 if holds else 1


if __name__ == "__main__":
    run_main(_NAME, main)
