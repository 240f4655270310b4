"""A step of the faked clock in the middle of a run, however long the machine takes to begin it."""

import os
import struct
import threading
import time
from pathlib import Path

from lagbench_validation import captures

NEVER_NS = 4 * 10**18
LEAD_NS = 300_000_000
LOOK_SECONDS = 0.02


class ClockStep:
    """
    The file from which the programs with the faked clock read when it steps: once a run has recorded so many packets.
    Every program reads the time a little before it comes, so that the clock steps for all of them at once.
    """

    def __init__(self, path: Path, zero_ns: int) -> None:
        self.path = path
        self._zero_ns = zero_ns
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self.after_ns = NEVER_NS
        self._write(NEVER_NS)

    def begin_after(self, sender_capture: Path, packets: int) -> None:
        """Watches a capture that is yet to be made, from a thread of its own."""
        self._thread = threading.Thread(target=self._watch, args=(sender_capture, packets))
        self._thread.start()

    def end(self) -> None:
        """Watches no longer; after_ns tells when the clock stepped, if it did."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self, sender_capture: Path, packets: int) -> None:
        while not self._over.wait(LOOK_SECONDS):
            if captures.is_written(sender_capture, "sent_ns", packets):
                self.after_ns = time.time_ns() + LEAD_NS - self._zero_ns
                self._write(self.after_ns)
                return

    def _write(self, after_ns: int) -> None:
        # In place, and 8 bytes at once: the file is mapped by those who read it.
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            os.pwrite(file, struct.pack("=q", after_ns), 0)
        finally:
            os.close(file)
