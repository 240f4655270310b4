"""The kernel's record of switches and wake-ups that perf makes: an independent reader of the same tracepoints."""

import os
import re
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lagbench_validation.processes import Program, run

_RECORD = ("perf", "record", "--quiet", "-a", "-m", "4M", "-k", "CLOCK_MONOTONIC", "-e",
           "sched:sched_switch,sched:sched_waking")  # fmt: skip
_END_S = 60
_IDLE = "swapper/"

_EVENT = re.compile(
    r"(?P<s>\d+)\.(?P<ns>\d{9}): sched:(?:sched_waking: .* ?pid=(?P<woken>\d+) "
    r"|sched_switch: prev_comm=(?P<program>.*) prev_pid=(?P<prev>\d+) .*prev_state=(?P<state>\S+) ==> "
    r".*next_pid=(?P<next>\d+))"
)


class Wait(NamedTuple):
    """
    A wait of a thread for a CPU, CLOCK_REALTIME in ns.

    :ivar program: what ran last on the CPU that the thread got
    """

    start_ns: int
    end_ns: int
    program: str = ""

    @property
    def ns(self) -> int:
        return self.end_ns - self.start_ns

    @property
    def is_idle(self) -> bool:
        """Whether no program ran instead: the CPU woke up."""
        return self.program.startswith(_IDLE)


def waits_of(lines: Iterable[str], thread: int, offset_ns: int = 0) -> Iterator[Wait]:
    """
    Yields the waits of a thread.

    :param lines: of `perf script --ns -F time,event,trace`
    :param offset_ns: how far the clock of these lines is behind CLOCK_REALTIME
    """
    runnable_ns = 0
    asleep = False
    for line in lines:
        if not (event := _EVENT.search(line)):
            continue
        now_ns = int(event["s"]) * 1_000_000_000 + int(event["ns"]) + offset_ns
        if event["woken"] == str(thread) and asleep:
            runnable_ns, asleep = now_ns, False
        elif event["prev"] == str(thread):
            asleep = not event["state"].startswith("R")
            runnable_ns = 0 if asleep else now_ns
        elif event["next"] == str(thread):
            if runnable_ns:
                yield Wait(runnable_ns, now_ns, event["program"])
            runnable_ns, asleep = 0, False


class PerfRecord:
    """What perf records of all CPUs from now on, until it is ended."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._perf = Program("perf", (*_RECORD, "-o", file))
        self._offset_ns = 0

    def end(self) -> None:
        """Ends the record, which perf then writes."""
        self._offset_ns = time.time_ns() - time.monotonic_ns()
        with suppress(ProcessLookupError):
            os.kill(self._perf.pid, signal.SIGINT)
        self._perf.await_end(_END_S)
        self._perf.end()

    def waits(self, thread: int) -> list[Wait]:
        """Returns the waits of a thread by the ended record."""
        lines = run(["perf", "script", "--ns", "-i", self._file, "-F", "time,event,trace"]).splitlines()
        return list(waits_of(lines, thread, self._offset_ns))
