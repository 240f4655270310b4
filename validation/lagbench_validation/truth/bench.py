"""One run of lagbench: a receiver on one side, a sender on the other."""

import json
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import lagbench

from lagbench_validation.captures import Columns
from lagbench_validation.key import make_key
from lagbench_validation.namespaces import ADDRESSES
from lagbench_validation.processes import Program, run

PORT = 5394
START_SECONDS_MAX = 60
RUN_SECONDS_MAX = 180
RECEIVER_ENDS_SECONDS_MAX = 30

Environments = Mapping[str, Mapping[str, str]]  # variables by side
Started = Callable[[str, int], None]  # receives role and process ID of each program of a run


class Hosts(Protocol):
    """The two hosts that programs run on."""

    def command(self, side: str, *arguments: object, environment: Mapping[str, str] | None = None) -> list[str]: ...


@dataclass(frozen=True)
class Run:
    """A recorded run: run.json and the captures, columns by name."""

    record: Mapping[str, Any]
    sent: Columns
    received: Columns
    kernel: Columns | None = None  # the kernel's transmit stamps, with observe: timestamping

    def stamps(self) -> list[tuple[int, int, int]]:
        """Returns (sequence number, sent, received) of every received packet, in ns of each clock."""
        sent_ns = dict(zip(self.sent["seq"], self.sent["sent_ns"], strict=True))
        arrivals = zip(self.received["seq"], self.received["received_ns"], strict=True)
        return [(seq, sent_ns[seq], at) for seq, at in arrivals]


def ignore(_role: str, _pid: int) -> None:
    """Ignores the programs of a run."""


class Bench:
    """lagbench's programs as a user starts them."""

    def __init__(self, home: Path, work: Path, addresses: Mapping[str, str] = ADDRESSES) -> None:
        self._addresses = addresses
        self._scripts = home / "scripts"
        self._work = work
        self._runs = work / "runs"
        self._received = work / "received"
        self._key = make_key(work)

    def run(
        self,
        hosts: Hosts,
        sending: str,
        environments: Environments,
        name: str,
        transport: str,
        options: Sequence[object],
        started: Started = ignore,
        receiving_options: Sequence[object] = (),
    ) -> Run:
        """Executes a run from one side to the other, with additional options for the sender and the receiver."""
        receiving = "b" if sending == "a" else "a"
        address = f"{self._addresses[receiving]}:{PORT}"
        receiver = Program(
            "receiver",
            hosts.command(
                receiving, self._scripts / "receiver", "--listen", address, "--key-file", self._key,
                "--directory", self._received, "--runs", 1, "--end-with-stdin", *receiving_options,
                environment=environments[receiving],
            ),
            keep_input_open=True,
        )  # fmt: skip
        try:
            receiver.await_text("^listening on ", START_SECONDS_MAX)
            started("receiver", receiver.pid)
            self._send(hosts, sending, environments[sending], [transport, address, "--name", name, *options], started)
            # The end of its input would interrupt a receiver that has not yet processed the end of its sender.
            receiver.await_success(RECEIVER_ENDS_SECONDS_MAX)
        finally:
            receiver.end(signal.SIGKILL)
        return self._read(name)

    def table(self, name: str = "") -> Any:
        """Returns the JSON table of one run, or of all, with corrected lags."""
        return json.loads(
            run([self._scripts / "lagbench", "table", self._runs / name, "--format", "json", "--clock", "corrected"])
        )

    def exported(self, name: str, tail_percent: float) -> Path:
        """Returns the file with a run's packets and the causes of its tail."""
        directory = self._work / f"export-{name}"
        run([
            self._scripts / "lagbench", "export", self._runs / name, "--format", "csv", "--tail", tail_percent,
            "--output", directory,
        ])  # fmt: skip
        return directory / f"{name}.csv"

    def sender_capture(self, name: str) -> Path:
        """Returns the capture of a run's sender."""
        return self._runs / name / "sender.npy"

    def _send(
        self,
        hosts: Hosts,
        sending: str,
        environment: Mapping[str, str],
        options: Sequence[object],
        started: Started,
    ) -> None:
        sender = Program(
            "sender",
            hosts.command(
                sending, self._scripts / "sender", *options, "--key-file", self._key, "--directory", self._runs,
                environment=environment,
            ),
        )  # fmt: skip
        try:
            started("sender", sender.pid)
            sender.await_success(RUN_SECONDS_MAX)
        finally:
            sender.end(signal.SIGKILL)

    def _read(self, name: str) -> Run:
        made = lagbench.Run(self._runs / name)
        kernel = made.columns("sender-kernel") if "sender-kernel" in made.captures else None
        return Run(made.record, made.columns("sender"), made.columns("receiver"), kernel)
