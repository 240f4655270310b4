"""Runs of lagbench in which causes are planted."""

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import lagbench
from lagbench.ledger import Ledger, read_ledgers

from lagbench_validation.causes.judge import Found, judge, judge_packets
from lagbench_validation.causes.kinds import Kind, Site
from lagbench_validation.causes.losses import LossKind, arrivals_at_loopback, dropped, judge_losses
from lagbench_validation.causes.paths import PathKind, late_packets, path
from lagbench_validation.causes.plant import Plant, schedule
from lagbench_validation.causes.planters import Planter
from lagbench_validation.namespaces import SIDES
from lagbench_validation.path_captures import LAB_ADDRESSES
from lagbench_validation.processes import Failed, run
from lagbench_validation.truth.bench import Bench, Hosts, Run

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
    return ("--packet-bytes", _PACKET_BYTES, "--packets", packets, "--warm-up-packets", 2_000,
            "--mode", "sleep", "--interval", f"{1_000 // _PACKETS_PER_MS}us", "--observe", kind.observe,
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


Judge = Callable[[Path, Bench, Run, Sequence[Plant]], tuple[int, list[Found]]]


@dataclass(frozen=True)
class _Planting:
    """
    A way to plant causes in a run.

    :ivar hosts: where its sides run
    :ivar judge: called after the run; returns the number of plants, and what was found of those that delayed a packet
    """

    hosts: Hosts
    planter: Planter
    judge: Judge


def plant(home: Path, kind: Kind | PathKind | LossKind, plants: int, seed: int) -> tuple[int, list[Found]]:
    """Makes one run. Returns the number of its plants and what was found of those that delayed a packet."""
    with tempfile.TemporaryDirectory(prefix="lagbench-causes-") as directory:
        work = Path(directory)
        bench = Bench(home, work, LAB_ADDRESSES if isinstance(kind, PathKind) else ADDRESSES)
        slots = list(schedule(plants, seed, _LONGEST_MS, _GAP_MS))
        site = Site(work, bench.sender_capture("run"), kind.engine, processors(), slots)
        with _planting(home, kind, site) as planting:
            environments = {side: planting.planter.environment(side) for side in SIDES}
            try:
                made = bench.run(planting.hosts, "a", environments, "run", kind.transport, _options(kind, plants),
                                 planting.planter.started)  # fmt: skip
            finally:
                planted = planting.planter.plants()
        return planting.judge(work, bench, made, planted)


def _planting(home: Path, kind: Kind | PathKind | LossKind, site: Site) -> AbstractContextManager[_Planting]:
    if isinstance(kind, PathKind):
        return _on_path(home, kind, site)
    return _of_losses(site) if isinstance(kind, LossKind) else _of_delays(home, kind, site)


@contextmanager
def _of_delays(home: Path, kind: Kind, site: Site) -> Iterator[_Planting]:
    def judged(work: Path, _bench: Bench, made: Run, planted: Sequence[Plant]) -> tuple[int, list[Found]]:
        return len(planted), judge(planted, _ledgers(home, work, made), _sent_ns(made), _median_ns(made))

    with kind.planter(site) as planter:
        yield _Planting(Pinned(site.processors, planter), planter, judged)


@contextmanager
def _on_path(home: Path, kind: PathKind, site: Site) -> Iterator[_Planting]:
    """Plants on the path between two hosts, where captures show which packets were delayed."""
    with path(home, site.work, kind, LAB_ADDRESSES["b"]) as (lab, seen, act):

        def judged(work: Path, _bench: Bench, made: Run, _planted: Sequence[Plant]) -> tuple[int, list[Found]]:
            planted = late_packets(kind, seen, _sent_ns(made), _PACKET_BYTES)
            return len(planted), judge_packets(planted, _ledgers(home, work, made), _sent_ns(made), _median_ns(made))

        yield _Planting(lab, site.scheduled(act), judged)


@contextmanager
def _of_losses(site: Site) -> Iterator[_Planting]:
    """Stops the receiver until its buffer is full."""
    with arrivals_at_loopback() as seen:

        def judged(work: Path, bench: Bench, made: Run, planted: Sequence[Plant]) -> tuple[int, list[Found]]:
            drops = lagbench.Run(work / "runs" / "run").drops()
            lost = dropped(seen, _PACKET_BYTES, made.sent["seq"], made.received["seq"], drops)
            return len(planted), judge_losses([*chain(*planted)], lost, _by_kernel_drop(bench))

        planter = site.scheduled(lambda pids, slot: [site.stop(pids, slot.duration_ns)])
        yield _Planting(Pinned(site.processors, planter), planter, judged)


def _by_kernel_drop(bench: Bench) -> int:
    """Returns how many losses lagbench attributes to drops of the kernel."""
    (point,) = bench.table("run")["points"]
    return int(point["metrics"]["ledger.losses.byKernelDrop"])
