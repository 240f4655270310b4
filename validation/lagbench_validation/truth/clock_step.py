"""A step of the faked clock in the middle of a run."""

import os
import struct
import threading
import time
from pathlib import Path

from lagbench_validation import captures

NEVER_NS = 4 * 10**18
LEAD_NS = 300_000_000
POLL_SECONDS = 0.02


class ClockStep:
    """
    The file from which programs with the faked clock read when the clock steps. The time is written once a run has
    recorded enough packets. All programs read it before it is reached, so that the clock steps for all of them at once.
    """

    def __init__(self, path: Path, zero_ns: int) -> None:
        self.path = path
        self._zero_ns = zero_ns
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self.after_ns = NEVER_NS
        self._write(NEVER_NS)

    def begin_after(self, sender_capture: Path, packets: int) -> None:
        """Monitors a capture, which may not exist yet, in a separate thread."""
        self._thread = threading.Thread(target=self._watch, args=(sender_capture, packets))
        self._thread.start()

    def end(self) -> None:
        """Stops monitoring; after_ns is then the time of the step, if there was one."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self, sender_capture: Path, packets: int) -> None:
        while not self._over.wait(POLL_SECONDS):
            if captures.is_written(sender_capture, "sent_ns", packets):
                self.after_ns = time.time_ns() + LEAD_NS - self._zero_ns
                self._write(self.after_ns)
                return

    def _write(self, after_ns: int) -> None:
        # In place, and 8 bytes at once: readers map the file.
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            os.pwrite(file, struct.pack("=q", after_ns), 0)
        finally:
            os.close(file)
