"""
A program that takes a processor on request, under a given name. It is started by its path, so it has no other
module of the package.

hog.py NAME PROCESSOR
    has real-time priority: runs for as many ns as each line of its input says, and prints when it ran
hog.py NAME PROCESSOR GROUP
    uses up the quota of a control group again and again, and prints the times in which the group was throttled
"""

import ctypes
import os
import random
import sys
import time
from pathlib import Path

_PR_SET_NAME = 15
_PRIORITY = 50

# A pause of the loop is a throttle if it is this long, and the control group was throttled for most of it.
_PAUSE_MIN_NS = 5_000_000
_THROTTLED_MIN = 0.9


def _throttled_ns(group: Path) -> int:
    fields = dict(line.split() for line in (group / "cpu.stat").read_text("ascii").splitlines())
    return int(fields["throttled_time"])


def exhaust(group: Path) -> None:
    """Uses up the quota of a group until this program is killed."""
    (group / "cgroup.procs").write_text(str(os.getpid()))
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    pauses = random.Random(1)
    while True:
        before_ns = _throttled_ns(group)
        last_ns = time.time_ns()
        while (now_ns := time.time_ns()) - last_ns < _PAUSE_MIN_NS:
            last_ns = now_ns
        if _throttled_ns(group) - before_ns >= _THROTTLED_MIN * (now_ns - last_ns):
            print(last_ns, now_ns, flush=True)
        time.sleep(pauses.uniform(0.02, 0.12))


def run_on_request() -> None:
    """Uses the processor for the ns of each line."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))
    for line in sys.stdin:
        now_ns = begin_ns = time.time_ns()
        end_ns = begin_ns + int(line)
        while now_ns < end_ns:
            now_ns = time.time_ns()
        print(begin_ns, now_ns, flush=True)


def main(name: str, processor: str, group: str = "") -> None:
    ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode(), 0, 0, 0)
    os.sched_setaffinity(0, [int(processor)])
    if group:
        exhaust(Path(group))
    else:
        run_on_request()


if __name__ == "__main__":
    main(*sys.argv[1:])
