"""Runs of lagbench in which causes are planted."""

import os
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import lagbench
from lagbench.ledger import Ledger, read_ledgers

from lagbench_validation.causes.judge import Found, judge, judge_packets
from lagbench_validation.causes.kinds import Kind, Site
from lagbench_validation.causes.losses import LossKind, arrivals_at_loopback, dropped, judge_losses
from lagbench_validation.causes.paths import PathKind, late_packets, path
from lagbench_validation.causes.plant import Span, schedule
from lagbench_validation.causes.planters import Planter, Scheduled
from lagbench_validation.disturbed_paths import LAB_ADDRESSES
from lagbench_validation.namespaces import SIDES
from lagbench_validation.processes import Failed, run
from lagbench_validation.truth.bench import Bench, Run

_LONGEST_MS, _GAP_MS = 20, 60
_PACKET_BYTES = 200
_PACKETS_PER_MS = 2
_START_MS = 500
_OBSERVER = "the observer in the kernel"
ADDRESSES = dict.fromkeys(SIDES, "127.0.0.1")


class NotObservedError(Exception):
    """This machine does not permit the observer."""


class Pinned:
    """Two sides on this machine, each with its own processor."""

    def __init__(self, processors: tuple[int, int], planter: Planter) -> None:
        self._processors = dict(zip(SIDES, processors, strict=True))
        self._planter = planter

    def command(self, side: str, *arguments: object, environment: Mapping[str, str] | None = None) -> list[str]:
        variables = [f"{name}={value}" for name, value in (environment or {}).items()]
        words = ("taskset", "-c", self._processors[side], *self._planter.command(side), "env", *variables, *arguments)
        return list(map(str, words))


def processors() -> tuple[int, int]:
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < len(SIDES):
        raise Failed("a machine with two processors is required")
    return allowed[0], allowed[1]


def _options(kind: Kind | PathKind | LossKind, plants: int) -> Sequence[object]:
    packets = (_START_MS + plants * (kind.plant_ms + 10)) * _PACKETS_PER_MS
    return ("--transport", kind.transport, "--packet-bytes", _PACKET_BYTES, "--packets", packets, "--warm-up-packets",
            2_000, "--pace", f"sleep:{1_000 // _PACKETS_PER_MS}us", "--observe", kind.observe,
            "--engine", kind.engine, *kind.options)  # fmt: skip


def _ledgers(home: Path, work: Path, made: Run) -> list[Ledger]:
    """Returns the ledgers of all packets above the median."""
    for side in SIDES:
        waits = made.record["sender" if side == "a" else "receiver"]["metadata"].get("waits")
        if waits != _OBSERVER:
            raise NotObservedError(str(waits))
    run(
        [home / "scripts" / "lagbench", "export", work / "runs" / "run", "--format", "ledger", "--tail", 50,
         "--output", work / "export"]
    )  # fmt: skip
    (exported,) = (work / "export").iterdir()
    return read_ledgers(exported)


def _sent_ns(made: Run) -> Mapping[int, int]:
    return dict(zip(made.sent["seq"], made.sent["sent_ns"], strict=True))


def _median_ns(made: Run) -> float:
    return statistics.median(received_ns - sent_ns for _, sent_ns, received_ns in made.stamps())


def plant(home: Path, kind: Kind, plants: int, seed: int) -> tuple[int, list[Found]]:
    """Makes one run. Returns the number of its plants and what was found of those that delayed a packet."""
    with tempfile.TemporaryDirectory(prefix="lagbench-causes-") as directory:
        work = Path(directory)
        bench = Bench(home, work, ADDRESSES)
        slots = list(schedule(plants, seed, _LONGEST_MS, _GAP_MS))
        pinned_to = processors()
        with kind.planter(Site(work, bench.sender_capture("run"), kind.engine, pinned_to, slots)) as planter:
            environments = {side: planter.environment(side) for side in SIDES}
            pinned = Pinned(pinned_to, planter)
            try:
                made = bench.run(pinned, "a", environments, "run", _options(kind, plants), planter.started)
            finally:
                planted = planter.plants()
        return len(planted), judge(planted, _ledgers(home, work, made), _sent_ns(made), _median_ns(made))


def plant_on_path(home: Path, kind: PathKind, plants: int, seed: int) -> tuple[int, list[Found]]:
    """The same on the path between two hosts, where captures show which packets were delayed."""
    with tempfile.TemporaryDirectory(prefix="lagbench-causes-") as directory:
        work = Path(directory)
        bench = Bench(home, work, LAB_ADDRESSES)
        slots = list(schedule(plants, seed, _LONGEST_MS, _GAP_MS))
        with path(home, work, kind, LAB_ADDRESSES["b"]) as (lab, taps, act):
            planter = Scheduled(bench.sender_capture("run"), slots, processors()[0], act)
            try:
                options = _options(kind, plants)
                made = bench.run(lab, "a", {side: {} for side in SIDES}, "run", options, planter.started)
            finally:
                planter.plants()
        planted = late_packets(kind, taps, _sent_ns(made), _PACKET_BYTES)
        return len(planted), judge_packets(planted, _ledgers(home, work, made), _sent_ns(made), _median_ns(made))


def plant_losses(home: Path, kind: LossKind, plants: int, seed: int) -> tuple[int, list[Found]]:
    """The same with stops of the receiver that fill its buffer."""
    with tempfile.TemporaryDirectory(prefix="lagbench-causes-") as directory:
        work = Path(directory)
        bench = Bench(home, work, ADDRESSES)
        slots = list(schedule(plants, seed, _LONGEST_MS, _GAP_MS))
        pinned_to = processors()
        site = Site(work, bench.sender_capture("run"), kind.engine, pinned_to, slots)
        stops: list[Span] = []
        planter = site.scheduled(lambda pids, slot: stops.append(site.stop(pids, slot.duration_ns)))
        with arrivals_at_loopback() as seen:
            try:
                options = _options(kind, plants)
                environments: Mapping[str, Mapping[str, str]] = {side: {} for side in SIDES}
                made = bench.run(Pinned(pinned_to, planter), "a", environments, "run", options, planter.started)
            finally:
                planter.plants()
        drops = lagbench.Run(work / "runs" / "run").drops()
        lost = dropped(seen, _PACKET_BYTES, made.sent["seq"], made.received["seq"], drops)
        return len(stops), judge_losses(stops, lost, _by_kernel_drop(bench))


def _by_kernel_drop(bench: Bench) -> int:
    """Returns how many losses lagbench attributes to drops of the kernel."""
    (point,) = bench.table("run")["points"]
    return int(point["pooled"]["causes"]["losses"]["byKernelDrop"])
