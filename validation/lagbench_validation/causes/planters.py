"""Programs and threads that plant the causes, with separate stamps."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from lagbench_validation import captures
from lagbench_validation.causes.plant import Plant, Slot, Span
from lagbench_validation.observer.perf import PerfRecord
from lagbench_validation.observer.threads import PacketThreads
from lagbench_validation.processes import run
from lagbench_validation.truth.injection import POLL_SECONDS, Collections

_PRIORITY = 20
_FIRST_PACKETS = 200
_HOG = Path(__file__).with_name("hog.py")
_SLOW_CALLS = Path(__file__).with_name("slow_calls.c")
_GROUPS = Path("/sys/fs/cgroup/cpu")
_PERIOD_US, _QUOTA_US = 100_000, 50_000

Pids = Mapping[str, int]  # of the processes with the packets, by role


class Planter:
    """Plants causes while a run is recorded. This one plants none."""

    def command(self, side: str) -> Sequence[object]:
        """Returns the command in front of that of a side's program."""
        return ()

    def environment(self, side: str) -> Mapping[str, str]:
        """Returns additional variables of a side's program."""
        return {}

    def started(self, role: str, pid: int) -> None:
        """Called when a program of the run has started."""

    def plants(self) -> list[Plant]:
        """Ends and returns what was planted."""
        return []


def sleep_until(at_ns: int) -> None:
    """Sleeps until a time of CLOCK_REALTIME."""
    time.sleep(max(0, at_ns - time.time_ns()) / 1e9)


class Scheduled(Planter):
    """
    Plants at the times of a schedule, in a thread with real-time priority on the sender's processor.

    :param capture: the sender's capture, whose first packets begin the schedule
    :param act: plants in a slot that begins now, and returns what it knows of it; receives the IDs of the programs
    """

    def __init__(
        self, capture: Path, slots: Sequence[Slot], processor: int, act: Callable[[Pids, Slot], Plant | None]
    ) -> None:
        self._capture, self._slots, self._processor, self._act = capture, slots, processor, act
        self._pids: dict[str, int] = {}
        self._plants: list[Plant] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._plant)

    def started(self, role: str, pid: int) -> None:
        self._pids[role] = pid
        if role == "sender":
            self._thread.start()

    def plants(self) -> list[Plant]:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        return self._plants

    def _plant(self) -> None:
        os.sched_setaffinity(0, [self._processor])
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))
        while not captures.is_written(self._capture, "sent_ns", _FIRST_PACKETS):
            if self._over.wait(POLL_SECONDS):
                return
        begin_ns = time.time_ns()
        for slot in self._slots:
            sleep_until(begin_ns + slot.begin_ns)
            if self._over.is_set():
                return
            with suppress(ProcessLookupError):  # the run has ended
                if planted := self._act(self._pids, slot):
                    self._plants.append(planted)


def _is_stopped(pid: int) -> bool:
    """Returns whether all threads of a process are stopped: each needs a processor to stop."""
    threads = list(Path(f"/proc/{pid}/task").iterdir())
    with suppress(FileNotFoundError, ProcessLookupError):
        return all((thread / "stat").read_text("ascii").rpartition(")")[2].split()[0] == "T" for thread in threads)
    return False  # a thread has ended meanwhile


def stop(pid: int, role: str, duration_ns: int, then: Callable[[], None] = lambda: None) -> Span:
    """
    Stops a process by signals, and returns when. It is stopped once each thread has handled the first signal.

    :param then: called when it has stopped
    """
    begin_ns = time.time_ns()
    try:
        os.kill(pid, signal.SIGSTOP)
        while not _is_stopped(pid):
            time.sleep(0)
        stopped_ns = time.time_ns()
        then()
        sleep_until(stopped_ns + duration_ns)
    finally:
        continued_ns = time.time_ns()
        os.kill(pid, signal.SIGCONT)
    return Span((f"{role}.stall",), (), (begin_ns, stopped_ns), (continued_ns, time.time_ns()))


class Hog:
    """A program with real-time priority that takes the receiver's processor."""

    def __init__(self, name: str, processor: int, *group: object) -> None:
        self.name = name
        self._process = subprocess.Popen(
            list(map(str, (sys.executable, "-B", _HOG, name, processor, *group))),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, duration_ns: int) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{duration_ns}\n")
        self._process.stdin.flush()

    def ran_ns(self) -> tuple[int, int, int]:
        """Waits until it has run. Returns when it began and ended by its clock, and when it had ended for sure."""
        assert self._process.stdout
        begin_ns, end_ns = map(int, self._process.stdout.readline().split())
        return begin_ns, end_ns, time.time_ns()

    def end(self) -> str:
        """Ends it and returns its remaining output."""
        self._process.kill()
        return self._process.communicate()[0]


def waits_for(programs: Sequence[str], begin_ns: tuple[int, int], end_ns: tuple[int, int]) -> Span:
    """Returns the span in which the receiver waits while programs run."""
    return Span(("receiver.run-queue", "receiver.involuntary-switch"), programs, begin_ns, end_ns)


@contextmanager
def hogs(names: Sequence[str], processor: int) -> Iterator[Sequence[Hog]]:
    """Starts hogs. They run one after the other if they begin together."""
    started = [Hog(name, processor) for name in names]
    try:
        yield started
    finally:
        for hog in started:
            hog.end()


class Throttle(Planter):
    """Throttles the receiver by the quota of a control group, which another program of the group uses up."""

    def __init__(self, processor: int) -> None:
        self._group = _GROUPS / f"lagbench-causes-{os.getpid()}"
        self._group.mkdir()
        (self._group / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
        (self._group / "cpu.cfs_quota_us").write_text(str(_QUOTA_US))
        self._processor = processor
        self._hog: Hog | None = None

    def command(self, side: str) -> Sequence[object]:
        join = f'echo $$ > {self._group}/cgroup.procs && exec "$@"'
        return ("sh", "-c", join, "sh") if side == "b" else ()

    def started(self, role: str, pid: int) -> None:
        if role == "sender":
            self._hog = Hog("planted-hog", self._processor, self._group)

    def plants(self) -> list[Plant]:
        lines = self._hog.end().splitlines() if self._hog else []
        pauses = (tuple(map(int, line.split())) for line in lines)
        return [[Span(("receiver.cpu-quota",), (), (begin, begin), (end, end))] for begin, end in pauses]

    def close(self) -> None:
        """Removes the control group, whose processes have ended."""
        deadline = time.monotonic() + 10
        while (self._group / "cgroup.procs").read_text() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        self._group.rmdir()


class Collecting(Planter):
    """Makes the receiver's JVM collect garbage."""

    def __init__(self, work: Path) -> None:
        self._collections = Collections(work)

    def environment(self, side: str) -> Mapping[str, str]:
        return self._collections.environment() if side == "b" else {}

    def plants(self) -> list[Plant]:
        pauses = self._collections.intervals_ns()
        return [[Span(("receiver.garbage-collection",), (), (begin, begin), (end, end))] for begin, end in pauses]


class SlowCalls(Planter):
    """
    Delays calls of the C engine, which it preloads.

    :param calls: receive or send
    """

    def __init__(self, work: Path, calls: str, parts: tuple[str, ...]) -> None:
        self._library, self._log = work / "slow_calls.so", work / "slow_calls.txt"
        run([shutil.which("cc") or "gcc", "-O2", "-shared", "-fPIC", "-o", self._library, _SLOW_CALLS])
        self._calls, self._parts = calls, parts

    def environment(self, side: str) -> Mapping[str, str]:
        if (side == "a") != (self._calls == "send"):
            return {}
        return {"LD_PRELOAD": str(self._library), "SLOW_CALLS": self._calls, "SLOW_LOG": str(self._log)}

    def plants(self) -> list[Plant]:
        pauses = (tuple(map(int, line.split())) for line in self._log.read_text().splitlines())
        return [[Span(self._parts, (), (begin, begin), (planned, end))] for begin, planned, end in pauses]


class WakeUps(Planter):
    """
    The longest wake-ups of the receiver's idle CPU, which the machine below delays: the truth is perf's record.

    :param plants: how many
    """

    def __init__(self, work: Path, plants: int) -> None:
        self._record, self._plants = PerfRecord(work / "perf.data"), plants
        self._threads = PacketThreads()

    def started(self, role: str, pid: int) -> None:
        self._threads.started(role, pid)

    def plants(self) -> list[Plant]:
        self.close()
        waits = self._record.waits(self._threads.thread("receiver"))
        idle = sorted((wait for wait in waits if wait.is_idle), key=lambda wait: wait.ns)[-self._plants :]
        return [
            [Span(("receiver.run-queue",), (wait.program,), (wait.start_ns,) * 2, (wait.end_ns,) * 2)] for wait in idle
        ]

    def close(self) -> None:
        self._threads.end()
        self._record.end()
