"""Attaches the observer from outside, in windows of a run, and compares windows with and without it."""

import shutil
import statistics
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lagbench_validation import captures
from lagbench_validation.processes import Failed, run
from lagbench_validation.quantiles import median_interval
from lagbench_validation.truth.bench import Run

_TOGGLE = Path(__file__).with_name("toggle.c")
_SOURCES = ("packetio/src/main/observer/observer.c", "packetio/src/main/observer/packet_record.c",
            "packetio/src/main/observer/kernel_program.c",
            "packetio/src/main/c/kernel_clock.c")  # fmt: skip
_INCLUDED = ("packetio/src/main/observer", "packetio/src/main/c", "core/src/main/c")
DATA_PORT = 5_393  # of the receiver, where the observer records packets
_FIRST_PACKETS = 500
_BUSY_SECONDS = 0.3
_POLL_SECONDS = 0.02
_PACKETS_MIN = 20


@dataclass(frozen=True)
class Window:
    """
    A window of a run.

    :ivar begin_ns: CLOCK_REALTIME, as end_ns
    :ivar ran_ns: the CPU time of the observed threads and of the program with the observers
    :ivar round_trips: of two other programs over pipes
    """

    is_observed: bool
    begin_ns: int
    end_ns: int
    ran_ns: int
    round_trips: int

    @property
    def ns(self) -> int:
        return self.end_ns - self.begin_ns


Block = tuple[Window, Window]  # without the observer, with it


@dataclass(frozen=True)
class Estimate:
    """A median over blocks with its interval."""

    blocks: int
    value: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Estimate":
        low, high = median_interval(values) or (float("-inf"), float("inf"))
        return cls(len(values), statistics.median(values) if values else float("nan"), low, high)

    def text(self, decimals: int) -> str:
        return f"{self.value:.{decimals}f} ({self.low:.{decimals}f} to {self.high:.{decimals}f})"


def compile_toggle(home: Path, work: Path) -> Path:
    """Compiles the program that attaches and detaches the observer."""
    program = work / "toggle"
    run([shutil.which("cc") or "gcc", "-O2", *(f"-I{home / folder}" for folder in _INCLUDED), "-o", program, _TOGGLE,
         *(home / source for source in _SOURCES)])  # fmt: skip
    return program


def toggle(program: Path, observed: str, seed: int, seconds: int, threads: Sequence[int]) -> list[Block]:
    """
    Attaches observers to threads in one window of each pair; without threads, next to programs with pipes.

    :param observed: waits of all threads; packets, for those too; receiver or sender, for both of that side alone
    :param threads: the receiver's and the sender's
    """
    words = [str(program), observed, str(seed), str(seconds), str(DATA_PORT), *map(str, threads)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"the observer cannot be attached: exit code {done.returncode}")
    rows = (tuple(map(int, line.split())) for line in done.stdout.splitlines())
    windows = [Window(bool(row[0]), *row[1:]) for row in rows]
    pairs = (windows[at : at + 2] for at in range(0, len(windows) - 1, 2))
    return [(pair[pair[0].is_observed], pair[pair[1].is_observed]) for pair in pairs]


def _threads(pid: int) -> Iterator[int]:
    """Yields the threads of a process and of all that descend from it."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        yield int(task.name)
        for child in (task / "children").read_text("ascii").split():
            yield from _threads(int(child))


def _ran_ns(thread: int) -> int:
    try:
        return int(Path(f"/proc/{thread}/schedstat").read_text("ascii").split()[0])
    except (FileNotFoundError, ProcessLookupError):
        return 0


class Toggled:
    """
    Attaches observers to the packet threads of a run from outside.

    :param observed: as of toggle
    :param capture: the sender's capture, whose first packets begin the windows
    """

    def __init__(self, program: Path, observed: str, capture: Path, seed: int, seconds: int) -> None:
        self._program, self._observed, self._capture = program, observed, capture
        self._seed, self._seconds = seed, seconds
        self._pids: dict[str, int] = {}
        self._blocks: list[Block] = []
        self._failure: Exception | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._toggle)

    def started(self, role: str, pid: int) -> None:
        """Called when a program of the run has started."""
        self._pids[role] = pid
        if role == "sender":
            self._thread.start()

    def end(self) -> list[Block]:
        """Ends and returns the windows."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._failure:
            raise self._failure
        return self._blocks

    def _toggle(self) -> None:
        while not captures.is_written(self._capture, "sent_ns", _FIRST_PACKETS):
            if self._over.wait(_POLL_SECONDS):
                return
        try:
            threads = [self._busiest(pid) for pid in self._pids.values()]
            self._blocks = toggle(self._program, self._observed, self._seed, self._seconds, threads)
        except (Failed, OSError) as e:
            self._failure = e

    def _busiest(self, pid: int) -> int:
        """Returns the thread of a side that runs most: while packets flow, the one that sends or receives."""
        before = {thread: _ran_ns(thread) for thread in _threads(pid)}
        self._over.wait(_BUSY_SECONDS)
        return max(before, key=lambda thread: _ran_ns(thread) - before[thread])


Values = npt.NDArray[np.int64]


class Lags:
    """The packets of a run by the windows in which they were sent and received."""

    def __init__(self, made: Run) -> None:
        sent = np.zeros(int(np.max(made.sent["seq"])) + 1, dtype=np.int64)
        sent[np.asarray(made.sent["seq"])] = made.sent["sent_ns"]
        self._received_ns = np.asarray(made.received["received_ns"])
        self._sent_ns = sent[np.asarray(made.received["seq"])]

    def by_block(self, blocks: Sequence[Block]) -> list[tuple[Values, Values]]:
        """Returns the lags in ns without and with the observer, of each block in which both windows have enough."""
        lags = [(self._of(without), self._of(with_it)) for without, with_it in blocks]
        return [pair for pair in lags if min(map(len, pair)) >= _PACKETS_MIN]

    def arrivals(self, window: Window) -> float:
        """Returns the number of packets that arrive per ns."""
        return float(np.count_nonzero(self._arrive_in(window))) / window.ns

    def _of(self, window: Window) -> Values:
        kept = self._arrive_in(window) & (self._sent_ns >= window.begin_ns)
        lags: Values = (self._received_ns - self._sent_ns)[kept]
        return lags

    def _arrive_in(self, window: Window) -> npt.NDArray[np.bool_]:
        return (self._received_ns >= window.begin_ns) & (self._received_ns < window.end_ns)
