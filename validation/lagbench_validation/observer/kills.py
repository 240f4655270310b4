"""What is left of the observers in the kernel after their processes were killed."""

import os
import re
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from lagbench_validation.processes import Program, run

_START_S = 60
_LEFT_S = 10
_POLL_S = 0.05
_OPTIONS = ("--packets", 1_000_000, "--interval", "1ms", "--observe", "events", "--quiet", "--no-report")
_PROGRAM = re.compile(r"^prog_id:\t(\d+)$", re.MULTILINE)
_LISTED = re.compile(r"^(\d+):", re.MULTILINE)

# Each side has two BPF programs of its waits; the receiver may have others.
_OF_BOTH_SIDES = 4


def _of_session(leader: int) -> list[int]:
    """Returns the processes of a session."""
    found = []
    for directory in Path("/proc").glob("[0-9]*"):
        with suppress(ProcessLookupError):
            if os.getsid(int(directory.name)) == leader:
                found.append(int(directory.name))
    return found


def _programs_of(process: int) -> set[int]:
    """Returns the numbers of the BPF programs that a process has open."""
    found: set[int] = set()
    with suppress(OSError):  # it has ended
        for file in Path(f"/proc/{process}/fdinfo").iterdir():
            with suppress(OSError):  # closed meanwhile
                found.update(map(int, _PROGRAM.findall(file.read_text("ascii"))))
    return found


def _loaded(kind: str) -> set[int]:
    """Returns the numbers of all programs or links in the kernel."""
    return set(map(int, _LISTED.findall(run(["bpftool", kind]))))


def _kill_one(home: Path, work: Path, engine: str) -> set[int] | None:
    """
    Starts a run with both sides on this machine, and kills it while it is observed.

    :return: its BPF programs that are left in the kernel; None if it had too few
    """
    mine: set[int] = set()
    running = Program("run", [home / "scripts" / "lagbench", "run", "udp", *_OPTIONS, "--engine", engine,
                              "--output", work])  # fmt: skip
    try:
        until_s = time.monotonic() + _START_S
        while len(mine) < _OF_BOTH_SIDES and time.monotonic() < until_s:
            time.sleep(_POLL_S)
            mine |= set().union(*map(_programs_of, _of_session(running.pid)))
    finally:
        running.end(signal.SIGKILL)
    if len(mine) < _OF_BOTH_SIDES:
        return None
    until_s = time.monotonic() + _LEFT_S
    while mine & _loaded("prog") and time.monotonic() < until_s:
        time.sleep(_POLL_S)
    return mine & _loaded("prog")


def kill_often(home: Path, times: int) -> bool:
    """Kills runs. Returns whether all were observed, and nothing of them is left in the kernel."""
    left, observed = 0, 0
    for number in range(times):
        with tempfile.TemporaryDirectory(prefix="lagbench-observer-") as directory:
            found = _kill_one(home, Path(directory), "c" if number % 2 else "java")
            left += bool(found)
            observed += found is not None
    print(f"{times} runs killed, {observed} of them while observed: {left} left programs in the kernel")
    return left == 0 and observed == times
