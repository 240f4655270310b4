"""The observer's waits, compared with those that perf has of the same threads."""

import statistics
import tempfile
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lagbench_validation import captures
from lagbench_validation.causes.planters import Planter
from lagbench_validation.causes.runs import ADDRESSES, Pinned, processors
from lagbench_validation.namespaces import SIDES
from lagbench_validation.observer.perf import PerfRecord, Wait
from lagbench_validation.observer.threads import PacketThreads
from lagbench_validation.truth.bench import Bench, Run

_PACKETS = 20_000
_PACE = ("--mode", "sleep", "--interval", "500us")
_WAITS = (4, 5)  # codes of causes: preempted, and after a wake-up
_LOST = 21
_ROLES = ("sender", "receiver")

# Waits of this length are compared: what is recorded as 10 µs may be shorter for a reader that is called later.
MIN_NS = 11_000
STAMP_NS = 5_000
AGREEING_MIN = 0.995

# The sums of the times of the same waits may differ by this share, and each wait by this time: 0.3 µs are usual.
SUM_MAX = 0.01
SHIFTS_MAX_NS = 1_000


def recorded(events: Path) -> tuple[list[Wait], list[Wait]]:
    """Returns the observer's waits, those that are divided among programs joined, and where it missed events."""
    waits: list[Wait] = []
    lost: list[Wait] = []
    for row in captures.rows(events):
        wait = Wait(row["start_ns"], row["end_ns"])
        if row["cause"] == _LOST:
            lost.append(wait)
        elif row["cause"] in _WAITS and waits and waits[-1].end_ns == wait.start_ns:
            waits[-1] = Wait(waits[-1].start_ns, wait.end_ns)
        elif row["cause"] in _WAITS:
            waits.append(wait)
    return waits, lost


class Agreement(NamedTuple):
    """
    How many waits another reader has too. At each tracepoint it is called after the first, so its stamps are later: by
    the time that the first takes there, which is another one at wake-ups than at switches.

    :ivar start_shift_ns: the median by which its waits begin later
    :ivar end_shift_ns: the median by which they end later
    :ivar longer: the sum of the same waits without these shifts, divided by that of the first
    """

    waits: int
    same: int
    start_shift_ns: int
    end_shift_ns: int
    longer: float


def agree(waits: Sequence[Wait], others: Sequence[Wait]) -> Agreement:
    """Compares waits, both in the order of time, with those of another reader that ended next to them."""
    ends_ns = [other.end_ns for other in others]
    nearest = []
    for wait in waits:
        index = bisect_left(ends_ns, wait.end_ns)
        nearest.append(min(others[max(0, index - 1) : index + 1], key=lambda other: abs(other.end_ns - wait.end_ns)))
    pairs = list(zip(waits, nearest, strict=True))
    start_ns = round(statistics.median(other.start_ns - wait.start_ns for wait, other in pairs)) if pairs else 0
    end_ns = round(statistics.median(other.end_ns - wait.end_ns for wait, other in pairs)) if pairs else 0
    shifted = [(wait, Wait(other.start_ns - start_ns, other.end_ns - end_ns)) for wait, other in pairs]
    same = [
        (wait, other)
        for wait, other in shifted
        if max(abs(other.start_ns - wait.start_ns), abs(other.end_ns - wait.end_ns)) <= STAMP_NS
    ]
    longer = sum(other.ns for _, other in same) / max(1, sum(wait.ns for wait, _ in same))
    return Agreement(len(pairs), len(same), start_ns, end_ns, longer)


class _Watch(Planter):
    """Records with perf from the begin of the run, and finds the packet threads."""

    def __init__(self, work: Path) -> None:
        self.record = PerfRecord(work / "perf.data")
        self.threads = PacketThreads()

    def started(self, role: str, pid: int) -> None:
        self.threads.started(role, pid)

    def end(self) -> None:
        self.threads.end()
        self.record.end()


def compare(home: Path) -> bool:
    """Makes a run while perf records, and prints how the waits of both agree. Returns whether they do."""
    with tempfile.TemporaryDirectory(prefix="lagbench-observer-") as directory:
        work = Path(directory)
        bench = Bench(home, work, ADDRESSES)
        watch = _Watch(work)
        options = ("--packet-bytes", 200, "--packets", _PACKETS, "--warm-up-packets", 2_000,
                   *_PACE, "--observe", "events", "--engine", "c")  # fmt: skip
        try:
            made = bench.run(Pinned(processors(), watch), "a", {side: {} for side in SIDES}, "run", "udp", options,
                             watch.started)  # fmt: skip
        finally:
            watch.end()
        agreeing = [_agrees(role, watch, work / "runs" / "run", made) for role in _ROLES]  # prints both
    return all(agreeing)


def _agrees(role: str, watch: _Watch, directory: Path, made: Run) -> bool:
    waits, lost = recorded(directory / f"{role}-events.npy")
    missed = made.record[role]["metadata"]["waitsLost"]
    begin_ns, end_ns = waits[0].start_ns, waits[-1].end_ns
    known = [
        wait
        for wait in watch.record.waits(watch.threads.thread(role))
        if wait.ns >= MIN_NS
        and begin_ns <= wait.start_ns
        and wait.end_ns <= end_ns
        and not any(gap.start_ns < wait.end_ns and wait.start_ns < gap.end_ns for gap in lost)
    ]
    found = agree(known, waits)
    print(f"{role}: {found.same} of {found.waits} waits of perf are in the observer's record"
          f" ({found.same / max(1, found.waits):.2%}), which begin {found.start_shift_ns / 1e3:.2f} µs later and end"
          f" {found.end_shift_ns / 1e3:.2f} µs later; without that, the sum of their times differs by"
          f" {found.longer - 1:+.2%}; the record has {len(waits)} and missed {missed} events")  # fmt: skip
    return (
        found.same >= AGREEING_MIN * found.waits > 0
        and abs(found.end_shift_ns - found.start_shift_ns) <= SHIFTS_MAX_NS
        and abs(found.longer - 1) <= SUM_MAX
    )
