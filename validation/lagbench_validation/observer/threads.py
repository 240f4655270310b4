"""Finds the threads that move the packets of a run."""

import threading
from contextlib import suppress
from pathlib import Path

from lagbench_validation.truth.injection import packet_process

_POLL_S = 0.2


def _runs(thread: Path) -> int:
    """Returns how often a thread has run."""
    return int((thread / "schedstat").read_text("ascii").split()[2])


class PacketThreads:
    """The threads of the C engines of a run, by role: that of each process which ran most often."""

    def __init__(self) -> None:
        self._runs: dict[str, dict[int, int]] = {}
        self._over = threading.Event()
        self._reading: list[threading.Thread] = []

    def started(self, role: str, pid: int) -> None:
        """Called when a program of the run has started."""
        thread = threading.Thread(target=self._read_until_over, args=(role, pid))
        self._reading.append(thread)
        thread.start()

    def end(self) -> None:
        self._over.set()
        for thread in self._reading:
            thread.join()

    def thread(self, role: str) -> int:
        """Returns the thread of a role."""
        runs = self._runs[role]
        return max(runs, key=lambda thread: runs[thread])

    def _read_until_over(self, role: str, pid: int) -> None:
        runs = self._runs.setdefault(role, {})
        while not self._over.wait(_POLL_S):
            with suppress(ProcessLookupError, FileNotFoundError):  # not yet, or no more
                for thread in Path(f"/proc/{packet_process('c', pid)}/task").iterdir():
                    runs[int(thread.name)] = _runs(thread)
