"""lagbench as a user starts it: a receiver on one side, a sender on the other."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lagbench

from lagbench_validation.captures import Columns
from lagbench_validation.namespaces import ADDRESSES
from lagbench_validation.peers.cells import INTERVAL_US, SETTLING_S, TRANSPORTS, CannotDo, Cell, Report
from lagbench_validation.peers.peer import CONTROL, PORT, Peer
from lagbench_validation.processes import Command

# The sender's options for each engine.
ENGINES: Mapping[str, tuple[str, ...]] = {
    "java": ("--engine", "java"),
    "java-nio": ("--engine", "java-nio"),
    "c": ("--engine", "c"),
}
JAVA_ENGINES = ("java", "java-nio")
C_ENGINE = "c"

RECEIVE_BUFFER = "4MiB"
_RUN = "run"
_FIRST_FLOOD_PER_SECOND = 300_000
_WARM_UP_PACKETS = 10_000  # the default of experiments
_WARM_UP_PACKETS_FLOOD = 200_000
_RECORDING = re.compile(r"^the recorded packets begin in (\d+)(s|ms|us|ns)$", re.MULTILINE)
_UNITS_NS = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}

Settings = Mapping[str, Mapping[str, str]]  # by transport; a mode has no row for a transport without settings
PLAIN: Settings = {transport: {} for transport in TRANSPORTS}


@dataclass(frozen=True)
class Mode:
    """How lagbench waits in paced cells, or its settings in floods. Each engine of a mode is a row."""

    name: str
    flood: bool = False
    settings: Settings = field(default_factory=lambda: PLAIN)
    engines: tuple[str, ...] = ("java", C_ENGINE)
    rivals: str | None = None  # the kind of peers to compare with, if any
    pace: str = "flood"
    apart: bool = False  # whether each side has half of the processors in paced cells too


MODES = (
    Mode("sleep", pace="sleep", rivals="sleep"),
    Mode("sleep apart", pace="sleep", apart=True),
    Mode("hybrid", pace="hybrid"),
    Mode("spin", pace="spin", rivals="spin"),
    Mode("spin apart", pace="spin", apart=True),
    Mode("flood", flood=True, engines=tuple(ENGINES), rivals="flood"),
    Mode("flood batch", True, {"udp": {"batch": "32", "busy-poll": "1ms"}, "tcp": {"batch": "64"}}, rivals="flood"),
    Mode("flood offload", True, {"udp": {"batch": "64", "offload": "on"}}, rivals="flood"),
    Mode("flood nagle", True, {"tcp": {"no-delay": "false"}}, rivals="flood nagle"),
)


def every_row(home: Path, key: Path) -> list["Lagbench"]:
    """Returns each mode with each of its engines."""
    return [Lagbench(home, key, engine, mode) for mode in MODES for engine in mode.engines]


class Lagbench(Peer):
    """One engine in one mode."""

    protocol, port = "tcp", PORT
    overhead_s = 2.4

    def __init__(self, home: Path, key: Path, engine: str, mode: Mode, row: str | None = None) -> None:
        self._scripts = home / "scripts"
        self._key = key
        self._options = ENGINES[engine]
        self._mode = mode
        self._flood_per_second: dict[Cell, float] = {}
        self._begun_ns: int | None = None
        self.waits = mode.name
        self.apart = mode.apart
        self.engine = row or engine
        self.name = f"{self.engine} {mode.name}"

    def control(self) -> "Lagbench":
        """Returns a second row of the C engine. Its ratio to the first row shows how much of a ratio is chance."""
        return Lagbench(self._scripts.parent, self._key, C_ENGINE, self._mode, CONTROL)

    def missing(self) -> str | None:
        return None

    def check(self, cell: Cell) -> None:
        if cell.flood != self._mode.flood or cell.transport not in self._mode.settings:
            raise CannotDo(f"its mode {self.waits} is for other cells")

    def kind(self, cell: Cell) -> str:
        return self.waits

    def rivals(self, cell: Cell) -> str | None:
        return self._mode.rivals

    def server(self, cell: Cell, address: str) -> Command:
        self._begun_ns = None
        return [self._scripts / "receiver", "--listen", f"{ADDRESSES['b']}:{PORT}", "--key-file", self._key,
                "--directory", "received", "--runs", 1, "--end-with-stdin"]  # fmt: skip

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        per_second = self._flood_per_second.get(cell, _FIRST_FLOOD_PER_SECOND) if cell.flood else 1e6 / INTERVAL_US
        settings = {
            **({"receive-buffer": RECEIVE_BUFFER} if cell.is_udp else {}),
            **self._mode.settings[cell.transport],
        }
        return [
            self._scripts / "sender", cell.transport, f"{address}:{PORT}", "--key-file", self._key, "--directory", ".",
            "--name", _RUN, *self._options, "--packet-bytes", cell.packet_bytes,
            "--packets", round(per_second * (seconds - SETTLING_S)), "--observe", "none",
            "--mode", self._mode.pace, *(() if cell.flood else ("--interval", f"{INTERVAL_US}us")),
            "--warm-up-packets", _WARM_UP_PACKETS_FLOOD if cell.flood else _WARM_UP_PACKETS, "--drain", "200ms",
            *(part for name, value in settings.items() for part in (f"--{name}", value)),
        ]  # fmt: skip

    def begun_ns(self, output: Callable[[], str], flowing_since_ns: int | None) -> int | None:
        if self._begun_ns is None and (found := _RECORDING.search(output())):
            self._begun_ns = time.time_ns() + int(found[1]) * _UNITS_NS[found[2]]
        return self._begun_ns

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        made = lagbench.Run(directory / _RUN)
        sent = made.columns("sender")
        report = read(made.record, sent, made.columns("receiver"), with_lags=not cell.flood)
        if cell.flood:
            length_ns = sent["sent_ns"][-1] - sent["sent_ns"][0]
            self._flood_per_second[cell] = len(sent["seq"]) / length_ns * 1e9
        return report


def read(record: Any, sent: Columns, received: Columns, with_lags: bool) -> Report:
    count = len(received["seq"])
    threads_ns = [record[side]["metadata"].get("packetThreadCpuNs") for side in ("sender", "receiver")]
    report = Report(
        received=count,
        lost=len(sent["seq"]) - count,
        packet_threads_ns=sum(threads_ns) / count if None not in threads_ns else None,
        begin_ns=sent["sent_ns"][0],
        end_ns=sent["sent_ns"][-1],
    )
    if with_lags:
        all_sent_ns = sent["sent_ns"]
        report.sent_ns = [all_sent_ns[sequence] for sequence in received["seq"]]
        report.lags_ns = [at - sent_ns for at, sent_ns in zip(received["received_ns"], report.sent_ns, strict=True)]
    return report
