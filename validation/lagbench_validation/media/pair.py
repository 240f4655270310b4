"""A receiver of lagbench that runs, and its sender, on two hosts."""

import json
import re
import signal
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from lagbench_validation.peers.peer import PORT
from lagbench_validation.processes import Command, Program

_START_S = 60
_PATIENCE_S = 120


@dataclass(frozen=True)
class Ended:
    """A run that is over: the record if it is complete, else what the sender printed."""

    directory: Path
    exit_code: int
    output: str

    @property
    def record(self) -> Any:
        return json.loads((self.directory / "run.json").read_text("utf-8"))

    @property
    def lost(self) -> int:
        record = self.record
        return int(record["run"]["point"]["packets"] - record["counts"]["distinct"])

    @property
    def reason(self) -> str:
        """The sentence with which a run was refused."""
        return " ".join(line.strip() for line in self.output.splitlines() if line.strip())[:300]


class Hosts(Protocol):
    """Two hosts, sender and receiver."""

    def command(self, host: str, *words: object) -> Command: ...

    def address(self, host: str) -> str: ...


def on_loopback(_: str, *words: object) -> Command:
    return list(words)


class Pair:
    """A receiver that serves any number of runs, one after the other."""

    def __init__(self, home: Path, key: Path, work: Path, lab: Hosts | None = None) -> None:
        self._scripts = home / "scripts"
        self._key = key
        self._work = work
        self._command: Callable[..., Command] = lab.command if lab else on_loopback
        self._address = f"{lab.address('receiver') if lab else '127.0.0.1'}:{PORT}"
        self._runs = 0

    def __enter__(self) -> "Pair":
        self._receiver = Program(
            "receiver",
            self._command("receiver", self._scripts / "receiver", "--listen", self._address, "--key-file", self._key,
                          "--directory", self._work / "received", "--end-with-stdin"),
            keep_input_open=True,
        )  # fmt: skip
        self._receiver.await_text(rf":{PORT}", _START_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._receiver.end(signal.SIGINT)

    def printed(self) -> str:
        """Returns what the receiver has printed so far."""
        return self._receiver.output()

    def command(
        self, transport: str, engine: str, options: Sequence[object], settings: dict[str, str]
    ) -> tuple[Path, list[str]]:
        """Returns the directory of the next run, and the command line of its sender."""
        name = f"{self._runs:04}"
        self._runs += 1
        words = self._command(
            "sender", self._scripts / "sender", transport, self._address, "--key-file", self._key, "--directory",
            self._work / "sent", "--name", name, "--engine", engine, "--observe", "none",
            "--accept-unsynchronized", *options,
            *(word for setting, value in settings.items() for word in (f"--{setting}", value)),
        )  # fmt: skip
        return self._work / "sent" / name, [str(word) for word in words]

    def run(self, transport: str, engine: str, options: Sequence[object], settings: dict[str, str]) -> Ended:
        directory, command = self.command(transport, engine, options, settings)
        made = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
        return Ended(directory, made.returncode, re.sub(r"\x1b\[[0-9;]*m", "", made.stdout))
