"""The cost of running a program."""

import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.processes import Command, Failed


@dataclass(frozen=True)
class Cost:
    """Time and memory of one run of a program."""

    seconds: float
    cpu_seconds: float
    resident_mib: float
    own_mib: float


class OwnMemory(threading.Thread):
    """The peak memory of a process without mapped files, sampled every 10 ms."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._status = Path(f"/proc/{pid}/status")
        self.mib = 0.0
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.01):
            try:
                lines = self._status.read_text().splitlines()
            except OSError:
                return
            kib = [int(line.split()[1]) for line in lines if line.startswith(("RssAnon", "RssShmem"))]
            self.mib = max(self.mib, sum(kib) / 1024)


def measured(command: Command) -> tuple[bytes, Cost]:
    """Returns the output of a command and its cost."""
    with tempfile.TemporaryFile() as output:
        began = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=output)
        own = OwnMemory(process.pid)
        own.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        own.ended.set()
        own.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Failed(f"the program ended with exit code {process.returncode}")
        output.seek(0)
        return output.read(), Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, own.mib)
