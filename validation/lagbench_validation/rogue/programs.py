"""The real programs: started as users start them, each in a separate directory, and measured until they end."""

import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from lagbench_validation.processes import Failed

START_S = 120  # a first start may build
FILE_BYTES_MAX = 64 << 20  # a file beyond is an error to the program, as on a full disk

_POLL_S = 0.005

# Thousands of JVMs start: one compiler and one collector take less CPU time than others.
_JVM_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@dataclass(frozen=True)
class Ended:
    """The result of a program."""

    exit_code: int | None  # None if it did not end in time and was killed
    output: bytes
    peak_mib: float
    seconds: float


class TestedProgram:
    """A real program that runs."""

    _running: ClassVar[set[int]] = set()

    def __init__(self, command: Sequence[object], sandbox: Path, line: str = "") -> None:
        """Starts the program, with a line on its standard input if there is one."""
        self.sandbox = sandbox
        sandbox.mkdir(parents=True, exist_ok=True)
        self._log = sandbox.parent / f"{sandbox.name}.log"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LAGBENCH_")}
        with self._log.open("wb") as log:
            self._started = time.monotonic()
            self._process = subprocess.Popen(
                [str(word) for word in command],
                cwd=sandbox,
                env={**environment, "LAGBENCH_NO_INSTALL": "1", "TERM": "dumb", "JDK_JAVA_OPTIONS": _JVM_OPTIONS},
                stdin=subprocess.PIPE,  # ends with this process, which ends a program with --end-with-stdin
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._running.add(self.pid)
        if line and self._process.stdin:
            self._process.stdin.write(f"{line}\n".encode("ascii"))
            self._process.stdin.flush()
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (FILE_BYTES_MAX, FILE_BYTES_MAX))
        self._read = 0

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    @classmethod
    def kill_all(cls) -> None:
        """Kills all running programs."""
        for pid in list(cls._running):
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)

    def new_output(self) -> bytes:
        """Returns the program's output since the last call."""
        with self._log.open("rb") as log:
            log.seek(self._read)
            found = log.read()
        self._read += len(found)
        return found

    def await_text(self, text: str, seconds: float) -> str:
        """Waits for a line that begins with a text, and returns the rest of the line."""
        deadline = time.monotonic() + seconds
        seen = ""
        while time.monotonic() < deadline:
            ended = self.has_ended
            seen += self.new_output().decode("utf-8", "replace")
            for line in seen.splitlines():
                if line.startswith(text) and seen.endswith("\n"):
                    return line.removeprefix(text)
            if ended:
                break
            time.sleep(_POLL_S)
        raise Failed(f"{self.sandbox.name} did not start: {seen[-500:]}")

    def command_line(self) -> list[str]:
        return Path(f"/proc/{self.pid}/cmdline").read_text().split("\0")[:-1]

    def peak_mib(self) -> float:
        """Returns the program's peak of resident memory so far."""
        status = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))  # noqa: PTH208 no paths needed

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/task"))  # noqa: PTH208

    def await_end(self, seconds: float) -> Ended:
        """Waits until the program ends, and kills it if it does not end in time."""
        ending = os.pidfd_open(self.pid)
        try:
            in_time = bool(select.select([ending], [], [], seconds)[0])
        finally:
            os.close(ending)
        took = time.monotonic() - self._started
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # and its remaining children
        self._running.discard(self.pid)
        _, status, usage = os.wait4(self.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        if self._process.stdin:
            self._process.stdin.close()
        output = self.new_output()
        self._log.unlink()
        code = self._process.returncode if in_time else None
        return Ended(code, output, usage.ru_maxrss / 1024, took)

    def end(self, seconds: float) -> Ended:
        """Ends the program by SIGTERM."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        return self.await_end(seconds)


class Commands:
    """The command lines of the programs of a checkout.

    Thousands of senders start, so their command line is that of a receiver that scripts/receiver started, without the
    script's search for newer sources.
    """

    def __init__(self, home: Path) -> None:
        self._scripts = home / "scripts"
        self.experiment = home / "configs/quickstart.yaml"
        self._jvm: list[str] = []

    def receiver(self, *arguments: object) -> list[object]:
        return [self._scripts / "receiver", "--end-with-stdin", *arguments]

    def lagbench(self, *arguments: object) -> list[object]:
        return [self._scripts / "lagbench", *arguments]

    def learn(self, receiver: TestedProgram) -> None:
        """Stores the command line of a running receiver."""
        words = receiver.command_line()
        self._jvm = words[: words.index("org.lagbench.receiver.Receiver")]

    def sender(self, *arguments: object) -> list[object]:
        if not self._jvm:
            return [self._scripts / "sender", *arguments]
        return [*self._jvm, "org.lagbench.sender.Sender", *arguments]
