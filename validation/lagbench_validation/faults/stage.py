"""The machine of one row: its own network, shared memory and directories, its programs, and what they leave behind."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from lagbench_validation import captures
from lagbench_validation.processes import Failed, Program

START_S = 120
LEFT_S = 60  # a busy machine ends programs slowly

JVM_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SIDES = ("sender", "receiver")
_LAST = {"sender": "sent_ns", "receiver": "received_ns", "replies": "answered_ns"}  # the column that is written last

_POLL_S = 0.005
_OWN_FILES = re.compile(r"hsperfdata_\w+|lagbench-.*\.(?:so|jar)")
_FILLED = "hog"
_TRACING = Path("/sys/kernel/tracing/instances")
_STARTED = "MARK_OF_STAGE"


class Stage:
    """A stage, in namespaces that unshare has made for this process. Replaces what all programs of a machine share."""

    def __init__(self, home: Path, work: Path) -> None:
        self.home = home
        self.work = work
        self.results = work / "results"
        self.temporary = work / "t"
        self.programs: dict[str, Program] = {}
        self._tracing = _instances()
        self._namespaces: set[str] = set()
        self._sockets: list[socket.socket] = []

        for directory in (self.results, self.temporary):
            directory.mkdir(mode=0o777)
            directory.chmod(0o777)
        for shared in ("/dev/shm", "/run"):
            self.shell(f"mount -t tmpfs none {shared}")
        self.shell("ip link set lo up")

    def shell(self, command: str) -> None:
        environment = {**os.environ, "SCRIPTS": str(self.home / "scripts"), **self._variables()}
        done = subprocess.run(
            ["bash", "-euc", command], cwd=self.work, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise Failed(f"{command}: {done.stderr.strip()}")

    def begin(self) -> None:
        """What exists now is not left behind by the programs."""
        self._namespaces = set(_names("/run/netns"))

    def start(self, name: str, words: list[str], prefix: str = "") -> Program:
        """Starts a program of scripts/, with a prefix on its command line such as prlimit."""
        program = Program(
            name,
            ["env", "--default-signal=HUP,INT,TERM", *prefix.split(), self.home / "scripts" / words[0], *words[1:]],
            directory=self.work,
            environment=self._variables(),
        )
        self.programs[name] = program
        return program

    def _variables(self) -> dict[str, str]:
        return {
            _STARTED: str(self.work),
            "LAGBENCH_NO_INSTALL": "1",
            "TERM": "dumb",
            "TMPDIR": str(self.temporary),
            "JDK_JAVA_OPTIONS": f"{JVM_OPTIONS} -Djava.io.tmpdir={self.temporary}",
        }

    # --- Peers that are not lagbench ---

    def listen(self, port: int, act: Callable[[socket.socket], None]) -> None:
        """Accepts connections, each on its own thread."""
        listening = socket.create_server(("127.0.0.1", port))
        self._sockets.append(listening)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connected, _ = listening.accept()
                    self._sockets.append(connected)
                    threading.Thread(target=act, args=(connected,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()

    def keep(self, one: socket.socket) -> None:
        """Keeps a socket open until the end."""
        self._sockets.append(one)

    # --- While lagbench runs ---

    def processes(self) -> dict[int, str]:
        """Returns the command lines of the running processes that this stage has started, by process ID."""
        mark, found = f"{_STARTED}={self.work}\0".encode(), {}
        for pid in filter(str.isdigit, _names("/proc")):
            with suppress(OSError):
                directory = Path("/proc", pid)
                if mark in (directory / "environ").read_bytes():
                    found[int(pid)] = (directory / "cmdline").read_text().replace("\0", " ").strip()
        return found

    def find(self, text: str) -> int:
        """Waits for a process whose command line contains a text."""
        return self._await(lambda: next((pid for pid, line in self.processes().items() if text in line), 0), text)

    def await_stamps(self, side: str, records: int) -> None:
        """Waits until the capture of a side has this many records."""
        self._await(
            lambda: any(captures.is_written(path, _LAST[side], records - 1) for path in self._files(side)), side
        )

    def wait_until(self, is_true: Callable[[], bool]) -> None:
        self._await(is_true, "what is awaited")

    def _await(self, look: Callable[[], int], what: str) -> int:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            ended = self.programs["main"].ended
            if found := look():
                return found
            if ended:
                raise Failed(f"the program ended before {what}: {self.programs['main'].last_lines()}")
            time.sleep(_POLL_S)
        raise Failed(f"the program printed no {what} within {START_S} s: {self.programs['main'].last_lines()}")

    def fill(self, directory: Path) -> None:
        """Fills the disk of a directory."""
        some = bytes(1 << 12)
        with (directory / _FILLED).open("wb", buffering=0) as hog, suppress(OSError):
            while True:
                hog.write(some)

    def drain(self) -> None:
        """Removes what filled a disk."""
        for hog in self.work.glob(f"*/{_FILLED}"):
            hog.unlink()

    # --- What is kept, and what is left ---

    def sessions(self) -> list[Path]:
        return sorted(path for path in self.results.glob("*") if (path / "runs").is_dir())

    def runs(self) -> list[Path]:
        return sorted(path for path in self.work.glob("*/*/runs/*") if path.is_dir())

    def _files(self, side: str) -> list[Path]:
        return [*self.work.glob(f"results/*/runs/*/{side}.npy"), *self.work.glob(f"received/*/{side}.npy")]

    def stamps(self, side: str) -> int:
        """Returns how many records of a side were kept; raises ValueError if one is torn."""
        return sum(len(whole_records(path, side)) for path in self._files(side))

    def state(self, run: Path) -> str:
        """Returns the state in run.json; NONE if there is none."""
        record = run / "run.json"
        return str(json.loads(record.read_text())["state"]) if record.is_file() else "NONE"

    def dropped(self) -> int:
        """Returns how many packets the receivers' kernels dropped: a busy machine stops a receiver for too long."""
        records = [json.loads(path.read_text()) for run in self.runs() if (path := run / "run.json").is_file()]
        return sum(max((record.get("counts") or {}).get("kernelDrops", 0), 0) for record in records)

    def left(self) -> Iterator[str]:
        """Yields the leftovers of the programs. The processes have time to end."""
        deadline = time.monotonic() + LEFT_S
        while (running := self.processes()) and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        yield from (f"process {line[-80:]}" for line in running.values())
        yield from (f"namespace {name}" for name in _names("/run/netns") if name not in self._namespaces)
        yield from (f"lab {name}" for name in _names("/run/lagbench") if name.endswith(".json"))
        yield from (f"shared memory {name}" for name in _names("/dev/shm"))
        yield from (f"tracefs instance {name}" for name in _instances() - self._tracing if not _runs(name))
        yield from (f"temporary file {name}" for name in _names(self.temporary) if not _OWN_FILES.fullmatch(name))
        yield from (f"file {path.name}" for path in self.work.rglob("*") if path.suffix == ".partial")
        yield from (f"file {path.name}" for path in self.work.rglob("hs_err*"))

    def close(self) -> None:
        for program in self.programs.values():
            program.end(signal.SIGKILL)
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for one in self._sockets:
            one.close()


def whole_records(path: Path, side: str) -> list[int]:
    """Returns the sequence numbers in a capture, also of a killed program; raises ValueError if a record is torn."""
    columns = captures.read(path)
    stamps, numbers = columns[_LAST[side]], list(columns["seq"])
    written = next((i for i, stamp in enumerate(stamps) if stamp == 0), len(stamps))
    kept = numbers[:written]
    if any(stamps[written:]) or any(numbers[written + 1 :]):
        raise ValueError(f"{path.name}: records after the first missing one, {written}")
    if (
        any(stamp < 0 for stamp in stamps)
        or len(set(kept)) < written
        or (side == "sender" and kept != list(range(written)))
    ):
        raise ValueError(f"{path.name}: a torn record among {written}")
    return kept


def _names(directory: str | Path) -> list[str]:
    with suppress(OSError):
        return sorted(os.listdir(directory))  # noqa: PTH208 no paths needed
    return []


def _instances() -> set[str]:
    return set(_names(_TRACING))


def _runs(instance: str) -> bool:
    return Path("/proc", instance.rpartition("-")[2]).exists()
