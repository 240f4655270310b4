"""lagbench itself, as a user starts it: its receiver on one side, its sender on the other."""

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lagbench_validation import captures
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
_RECORDING = re.compile(r"^recording in (\d+)ns$", re.MULTILINE)

Settings = Mapping[str, Mapping[str, str]]  # by transport; a way without a transport's settings has no row there
PLAIN: Settings = {transport: {} for transport in TRANSPORTS}


@dataclass(frozen=True)
class Way:
    """A row for each engine: how it waits in paced cells, or what it is set to in floods."""

    name: str
    flood: bool = False
    settings: Settings = field(default_factory=lambda: PLAIN)
    engines: tuple[str, ...] = ("java", C_ENGINE)
    rivals: str | None = None  # the kind of the peers that it is compared with, if any
    pace: str = "flood"
    apart: bool = False  # whether each side has half of the processors to itself where packets are paced too


WAYS = (
    Way("sleep", pace="sleep", rivals="sleep"),
    Way("sleep apart", pace="sleep", apart=True),
    Way("hybrid", pace="hybrid"),
    Way("spin", pace="spin", rivals="spin"),
    Way("spin apart", pace="spin", apart=True),
    Way("flood", flood=True, engines=tuple(ENGINES), rivals="flood"),
    Way("flood batch", True, {"udp": {"batch": "32", "busy-poll": "1ms"}, "tcp": {"batch": "64"}}, rivals="flood"),
    Way("flood offload", True, {"udp": {"batch": "64", "offload": "on"}}, rivals="flood"),
    Way("flood nagle", True, {"tcp": {"no-delay": "false"}}, rivals="flood nagle"),
)


def every_row(home: Path, key: Path) -> list["Lagbench"]:
    """Returns each way with each of its engines."""
    return [Lagbench(home, key, engine, way) for way in WAYS for engine in way.engines]


class Lagbench(Peer):
    """One of its engines, waiting in one of its ways."""

    protocol, port = "tcp", PORT
    beside_s = 2.4

    def __init__(self, home: Path, key: Path, engine: str, way: Way, row: str | None = None) -> None:
        self._scripts = home / "scripts"
        self._key = key
        self._options = ENGINES[engine]
        self._way = way
        self._flood_per_second: dict[Cell, float] = {}
        self._begun_ns: int | None = None
        self.waits = way.name
        self.apart = way.apart
        self.engine = row or engine
        self.name = f"{self.engine} {way.name}"

    def control(self) -> "Lagbench":
        """Returns the C engine in a row of its own: how it compares to itself tells what of the rest is chance."""
        return Lagbench(self._scripts.parent, self._key, C_ENGINE, self._way, CONTROL)

    def missing(self) -> str | None:
        return None

    def check(self, cell: Cell) -> None:
        if cell.flood != self._way.flood or cell.transport not in self._way.settings:
            raise CannotDo(f"{self.waits} is of other cells")

    def kind(self, cell: Cell) -> str:
        return self.waits

    def rivals(self, cell: Cell) -> str | None:
        return self._way.rivals

    def server(self, cell: Cell, address: str) -> Command:
        self._begun_ns = None
        return [self._scripts / "receiver", "--listen", f"{ADDRESSES['b']}:{PORT}", "--key-file", self._key,
                "--directory", "received", "--runs", 1, "--end-with-stdin"]  # fmt: skip

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        per_second = self._flood_per_second.get(cell, _FIRST_FLOOD_PER_SECOND) if cell.flood else 1e6 / INTERVAL_US
        settings = {**({"receive-buffer": RECEIVE_BUFFER} if cell.is_udp else {}), **self._way.settings[cell.transport]}
        return [
            self._scripts / "sender", "--receiver", f"{address}:{PORT}", "--key-file", self._key, "--directory", ".",
            "--name", _RUN, *self._options, "--transport", cell.transport, "--packet-bytes", cell.packet_bytes,
            "--packets", round(per_second * (seconds - SETTLING_S)),
            "--pace", self._way.pace if cell.flood else f"{self._way.pace}:{INTERVAL_US}us", "--observe", "nothing",
            "--warm-up-packets", _WARM_UP_PACKETS_FLOOD if cell.flood else _WARM_UP_PACKETS, "--drain", "200ms",
            *(part for name, value in settings.items() for part in ("--set", f"{name}={value}")),
        ]  # fmt: skip

    def begun_ns(self, said: Callable[[], str], flowing_since_ns: int | None) -> int | None:
        if self._begun_ns is None and (found := _RECORDING.search(said())):
            self._begun_ns = time.time_ns() + int(found[1])
        return self._begun_ns

    def report(self, cell: Cell, directory: Path, server_said: str, client_said: str) -> Report:
        made = directory / _RUN
        record = json.loads((made / "run.json").read_text("utf-8"))
        sent = captures.read(made / "sender.npy")
        report = read(record, sent, captures.read(made / "receiver.npy"), with_lags=not cell.flood)
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
