"""Programs that are run to their end, and programs that are started, watched and ended by their process numbers."""

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
_LOOK_S = 0.005
_END_S = 5
_SHOWN_LINES = 3

Command = Sequence[object]


class Failed(Exception):
    """A program broke off, or did not do what it was asked to; the message has what it printed."""


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
        raise Failed(f"{name}: not done in {timeout_s} s") from None
    except OSError as e:
        raise Failed(f"{name}: {e.strerror}") from e
    if done.returncode != 0:
        raise Failed(f"{name}: exit code {done.returncode}: {_last_lines(done.stderr)}")
    return done.stdout


class Program:
    """A running program in a session of its own, with all that it starts. Both its outputs are kept as one text."""

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
        self._said: str | None = None
        # Read by pread alone, since the program writes at the file's position.
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

    def said(self) -> str:
        """Returns what it has printed so far."""
        if self._said is not None:
            return self._said
        file = self._output.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode("utf-8", "replace")

    def await_text(self, pattern: str, seconds: float) -> re.Match[str]:
        """Waits until it has printed a text; the pattern's ^ is the beginning of a line."""
        deadline = time.monotonic() + seconds
        while True:
            ended = self.ended
            if found := re.search(pattern, self.said(), re.MULTILINE):
                return found
            if ended:
                raise Failed(f"{self.name} ended: {self.last_words()}")
            if time.monotonic() > deadline:
                raise Failed(f"{self.name} did not start within {seconds} s: {self.last_words()}")
            time.sleep(_LOOK_S)

    def await_end(self, seconds: float) -> bool:
        """Returns whether it ended in time. Takes no CPU time from the programs while it waits."""
        if self.ended:
            return True
        ending = os.pidfd_open(self._process.pid)
        try:
            select.select([ending], [], [], seconds)
        finally:
            os.close(ending)
        return self.ended

    def await_success(self, seconds: float) -> None:
        """Waits for its end with exit code 0."""
        if not self.await_end(seconds):
            raise Failed(f"{self.name}: not done in {seconds} s")
        if self._process.returncode != 0:
            raise Failed(f"{self.name}: exit code {self._process.returncode}: {self.last_words()}")

    def last_words(self) -> str:
        """Returns the end of what it has printed, for a message."""
        return _last_lines(self.said())

    def close_input(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()

    def end(self, with_signal: signal.Signals = signal.SIGTERM) -> None:
        """Ends it and all of its session: asks, then kills."""
        self.close_input()
        if not self.ended:
            self._signal(with_signal)
            self.await_end(_END_S)
        self._signal(signal.SIGKILL)  # and whatever it left behind
        self._process.wait()
        self._said = self.said()
        self._output.close()

    def find_children(self) -> None:
        """Looks up the processes it has by now; that takes time with many threads, so not at every look."""
        waiting, self._pids = [self._process.pid], []
        while waiting:
            pid = waiting.pop()
            self._pids.append(pid)
            with suppress(OSError):  # it may have ended meanwhile
                waiting += _children(pid)

    def cpu_ns(self) -> dict[int, int]:
        """Returns the CPU time of the processes that were found, in user and system mode, by process number."""
        found = {}
        for pid in self._pids:
            with suppress(OSError):  # it may have ended meanwhile
                found[pid] = time.clock_gettime_ns(~pid << 3 | _CPU_CLOCK)
        return found

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # it has ended, with all of its session
            os.killpg(self._process.pid, number)


def _last_lines(text: str) -> str:
    """Returns the last lines but those that are indented, as a stack trace's are."""
    lines = [line for line in text.splitlines() if line and not line[0].isspace()]
    return "\n".join(lines[-_SHOWN_LINES:]) or "it said nothing"


def _children(pid: int) -> list[int]:
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text("ascii").split()
    ]
