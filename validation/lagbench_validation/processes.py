"""Programs that run to their end, and programs that are started, monitored and ended by their process IDs."""

import os
import re
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_CPU_CLOCK = 2  # CLOCK_PROCESS_CPUTIME_ID as the kernel writes it into a process's clock: ~pid << 3 | 2
_POLL_S = 0.005
_END_S = 5
_SHOWN_LINES = 3

Command = Sequence[object]

# Options with which a busy machine spoils no run: what a program measures is then compared with the truth at any load.
ANY_LOAD = ("--set", "machine.max-other-load=100%")


class Failed(Exception):
    """A program failed; the message contains its output."""


def run(command: Command, *, directory: Path | None = None, timeout_s: float | None = None) -> str:
    """Runs a program to its end and returns its standard output."""
    words = [str(word) for word in command]
    name = Path(words[0]).name
    try:
        done = subprocess.run(
            words,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{name}: did not end within {timeout_s} s") from None
    except OSError as e:
        raise Failed(f"{name}: {e.strerror}") from e
    if done.returncode != 0:
        raise Failed(f"{name}: exit code {done.returncode}: {_last_lines(done.stderr)}")
    return done.stdout


class Program:
    """A running program and its children, in a separate session. Both outputs are recorded as one text."""

    def __init__(
        self,
        name: str,
        command: Command,
        *,
        directory: Path | None = None,
        environment: Mapping[str, str] | None = None,
        processors: Iterable[int] | None = None,
        keep_input_open: bool = False,
    ) -> None:
        self.name = name
        self._pids: list[int] = []
        self._final_output: str | None = None
        # Read only by pread, because the program writes at the file's position.
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 closed by end()
        self._process = subprocess.Popen(
            [str(word) for word in command],
            cwd=directory,
            env={**os.environ, **environment} if environment else None,
            stdin=subprocess.PIPE if keep_input_open else subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=None if processors is None else lambda: os.sched_setaffinity(0, processors),
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    @property
    def exit_code(self) -> int | None:
        """The exit code, or the negative number of the signal that killed it; None while it runs."""
        return self._process.poll()

    def output(self) -> str:
        """Returns its output so far."""
        if self._final_output is not None:
            return self._final_output
        file = self._output.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode("utf-8", "replace")

    def await_text(self, pattern: str, seconds: float) -> re.Match[str]:
        """Waits until the output matches a pattern, in which ^ is the beginning of a line."""
        deadline = time.monotonic() + seconds
        while True:
            ended = self.ended
            if found := re.search(pattern, self.output(), re.MULTILINE):
                return found
            if ended:
                raise Failed(f"{self.name} ended: {self.last_lines()}")
            if time.monotonic() > deadline:
                raise Failed(f"{self.name} did not start within {seconds} s: {self.last_lines()}")
            time.sleep(_POLL_S)

    def await_end(self, seconds: float) -> bool:
        """Waits until the program ends, without using CPU time; returns whether it ended in time."""
        if self.ended:
            return True
        ending = os.pidfd_open(self._process.pid)
        try:
            select.select([ending], [], [], seconds)
        finally:
            os.close(ending)
        return self.ended

    def await_success(self, seconds: float) -> None:
        """Waits until the program ends; raises Failed unless the exit code is 0."""
        if not self.await_end(seconds):
            raise Failed(f"{self.name}: did not end within {seconds} s")
        if self._process.returncode != 0:
            raise Failed(f"{self.name}: exit code {self._process.returncode}: {self.last_lines()}")

    def last_lines(self) -> str:
        """Returns the end of the output, for a message."""
        return _last_lines(self.output())

    def close_input(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()

    def end(self, with_signal: signal.Signals = signal.SIGTERM) -> None:
        """Ends the program and its session: first by a signal, then by SIGKILL. Does nothing the second time."""
        if self._final_output is not None:
            return
        self.close_input()
        if not self.ended:
            self._signal(with_signal)
            self.await_end(_END_S)
        self._signal(signal.SIGKILL)  # and its remaining children
        self._process.wait()
        self._final_output = self.output()
        self._output.close()

    def find_children(self) -> None:
        """Finds the program's processes. With many threads that takes time, so it is not part of cpu_ns()."""
        waiting, self._pids = [self._process.pid], []
        while waiting:
            pid = waiting.pop()
            self._pids.append(pid)
            with suppress(OSError):  # it may have ended meanwhile
                waiting += _children(pid)

    def cpu_ns(self) -> dict[int, int]:
        """Returns the CPU time of the found processes in user and system mode, by process ID."""
        found = {}
        for pid in self._pids:
            with suppress(OSError):  # it may have ended meanwhile
                found[pid] = time.clock_gettime_ns(~pid << 3 | _CPU_CLOCK)
        return found

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # it has ended, with all of its session
            os.killpg(self._process.pid, number)


def _last_lines(text: str) -> str:
    """Returns the last lines, without indented ones, such as those of a stack trace."""
    lines = [line for line in text.splitlines() if line and not line[0].isspace()]
    return "\n".join(lines[-_SHOWN_LINES:]) or "no output"


def _children(pid: int) -> list[int]:
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text("ascii").split()
    ]
