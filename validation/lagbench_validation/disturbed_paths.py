"""
Disturbs the path between two hosts, and judges the main causes of late packets by captures at both ends of the path.
"""

import csv
import json
import os
import signal
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lagbench.ledger import read_ledgers

from lagbench_validation.divisions import (
    Contradiction,
    contradictions,
    ledger_places,
    main_places,
    place_of,
    stage_places,
    usual_of,
)
from lagbench_validation.namespaces import SIDES, Namespaces
from lagbench_validation.packet_header import PacketHeader, number_and_stamp
from lagbench_validation.packet_socket import PacketSocket, Segment, polled
from lagbench_validation.processes import Failed, Program, run
from lagbench_validation.quantiles import wilson
from lagbench_validation.truth.bench import Bench, Run
from lagbench_validation.truth.injection import TAIL_PERCENT, PeriodicDelays, stop

_PACKETS = 4_000
_PACKET_BYTES = 992
_PACE = "hybrid:1ms"
_BURSTS = "hybrid:40ms:12"
_PLACES = {"a": "sender", "b": "receiver"}
LAB_ADDRESSES = {"a": "10.139.0.1", "b": "10.139.0.2"}  # of every lab
LAB_DEVICE = "path1"
_LAB_SECONDS_MAX = 60
_FRAME_BYTES = 2048
_BUFFER_BYTES = 256 * 1024 * 1024
_SEQUENCES = 1 << 32

Seen = list[tuple[int, Segment]]  # with the kernel's stamps

# The program fails if less is right of what the causes say, or more is blamed on a host that did nothing.
RIGHT_MIN = 0.95
BLAMED_MAX = 0.01

# The rival's socket is not connected: nobody receives its datagrams, and a refusal would end the rival.
_RIVAL = """
import socket, sys, time
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as rival:
    print("ready", flush=True)
    while True:
        for _ in range(30):
            rival.sendto(bytes(1000), (sys.argv[1], 9))
        time.sleep(0.1)
"""


@dataclass(frozen=True)
class Disturbed:
    """A kind of disturbance: the network, the pace, and what else happens meanwhile."""

    title: str
    network: str
    pace: str = _PACE
    transports: tuple[str, ...] = ("udp", "tcp")
    rival: bool = False
    pauses: bool = False  # the path carries nothing for 20 ms at a time
    stops: bool = False  # the receiver's process likewise


KINDS = (
    Disturbed("queue behind bursts", "rate: 10mbit\n", pace=_BURSTS),
    Disturbed("rival flow", "rate: 20mbit\n", rival=True),
    Disturbed("jitter", "delay: 6ms\njitter: 5ms\n"),
    Disturbed("reordering", "delay: 5ms\nreordering: 2%\n"),
    Disturbed("outage", "delay: 2ms\nrate: 50mbit\n", pauses=True),
    Disturbed("retransmission", "delay: 5ms\nrate: 50mbit\nforward: {loss: 1%}\n", transports=("tcp",)),
    Disturbed("shaper", "rate: 9mbit\nqueue: 50 packets\n", pace="hybrid:5ms:5"),
    Disturbed("outage, and stops of the receiver", "delay: 2ms\nrate: 50mbit\n", pauses=True, stops=True),
)


class Lab:
    """The hosts of one of lagbench's emulated networks, by the sides of Bench."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._namespaces = Namespaces(f"lagbench-lab-{name}")

    def command(self, side: str, *arguments: object, environment: Mapping[str, str] | None = None) -> list[str]:
        return self._namespaces.command(_PLACES[side], *arguments, environment=environment)

    def tap(self, side: str) -> PacketSocket:
        with self._namespaces.entered(_PLACES[side]):
            return PacketSocket(_BUFFER_BYTES, LAB_DEVICE)

    def relay(self) -> int:
        """Returns the process that is the path."""
        wanted = f"lagbench-lab-{self._name}-".encode()
        for directory in Path("/proc").glob("[0-9]*"):
            try:
                command = (directory / "cmdline").read_bytes()
            except FileNotFoundError:
                continue  # the process has ended
            if b"lagbench-relay\0" in command and wanted in command:
                return int(directory.name)
        raise Failed(f"the network {self._name} has no relay")


@contextmanager
def made_lab(home: Path, work: Path, name: str, network: str) -> Iterator[Lab]:
    file = work / f"{name}.yaml"
    file.write_text("backend: relay\n" + network)
    lagbench = home / "scripts" / "lagbench"
    run([lagbench, "lab", "up", file, "--name", name], directory=work, timeout_s=_LAB_SECONDS_MAX)
    try:
        yield Lab(name)
    finally:
        run([lagbench, "lab", "down", name], directory=work, timeout_s=_LAB_SECONDS_MAX)


@contextmanager
def tapped(lab: Lab) -> Iterator[Mapping[str, Seen]]:
    """Yields the segments with data that both ends see. They are complete after the context has ended."""
    seen: dict[str, Seen] = {side: [] for side in SIDES}

    def take(side: str, at_ns: int, found: Segment) -> None:
        if found.source == LAB_ADDRESSES["a"] and found.payload_bytes > 0:
            seen[side].append((at_ns, found))

    with polled({side: lab.tap(side) for side in SIDES}, _FRAME_BYTES, take):
        yield seen


def datagrams_ns(seen: Iterable[tuple[int, Segment]], size: int) -> dict[int, int]:
    """Returns the first stamp of each packet over UDP, by sequence number."""
    at_ns: dict[int, int] = {}
    for ns, one in seen:
        if one.protocol == socket.IPPROTO_UDP and one.payload_bytes == size:
            _, sequence, _ = PacketHeader.read(one.payload)
            at_ns.setdefault(sequence, ns)
    return at_ns


def stream_begin(seen: Iterable[tuple[int, Segment]], size: int, sent_ns: Mapping[int, int]) -> int:
    """Returns TCP's number of the first byte of packet 0, by the number and the stamp in any packet's header."""
    for _, one in seen:
        if one.protocol != socket.IPPROTO_TCP:
            continue
        for sequence in range(2_000):
            at = one.payload.find(number_and_stamp(sequence, sent_ns.get(sequence, 0)))
            if at >= 0:
                return (one.sequence + at - 8 - sequence * size) % _SEQUENCES
    raise Failed("no segment has a packet's header")


def streamed_ns(seen: Iterable[tuple[int, Segment]], begin: int, size: int, in_order: bool) -> dict[int, int]:
    """
    Returns when each packet over TCP was complete, by sequence number.

    :param in_order: with all bytes before it, as a receiver can read it; otherwise its last byte alone
    """
    at_ns: dict[int, int] = {}
    waiting: dict[int, int] = {}  # ends of later pieces by their beginnings
    complete = 0
    for ns, one in seen:
        if one.protocol != socket.IPPROTO_TCP:
            continue
        start = (one.sequence - begin + _SEQUENCES // 2) % _SEQUENCES - _SEQUENCES // 2
        if abs(start) > 100_000_000:
            continue  # another connection
        end = start + one.payload_bytes
        if in_order:
            waiting[start] = max(end, waiting.get(start, end))
            before = complete
            while ready := [first for first in waiting if first <= complete]:
                complete = max(complete, *(waiting.pop(first) for first in ready))
            numbers = range(before // size, complete // size)
        else:
            numbers = range(max(start, 0) // size, max(end, 0) // size)
        for number in numbers:
            at_ns.setdefault(number, ns)
    return at_ns


class Late(NamedTuple):
    """A late packet: where it was late by the captures, and the cause that lagbench names."""

    where: str  # sender, path or receiver
    side: str
    cause: str

    @property
    def known(self) -> bool:
        """Whether the cause says where the packet was late."""
        return self.cause not in ("", "network-or-receiver")

    @property
    def right(self) -> bool:
        if self.where == "receiver":
            return self.known and self.side == "receiver"
        if self.where == "path":
            return self.cause in ("before-receiver", "network", "retransmission")
        return self.cause in ("before-receiver", "sender-queue") or self.side == "sender"

    @property
    def blames_idle_host(self) -> bool:
        """Whether it names a host where the packet was not late."""
        if not self.known or self.right:
            return False
        return self.side in ("sender", "receiver") and self.side != self.where and self.cause != "retransmission"


def judge(rows: Sequence[Mapping[str, Any]], left_ns: Mapping[int, int], arrived_ns: Mapping[int, int]) -> list[Late]:
    """
    Judges the packets of an export that are late and mostly at one place.

    :param left_ns: when each packet left the sender's host
    :param arrived_ns: when each reached the receiver's
    """
    parts: dict[int, tuple[int, int, int]] = {}
    named: dict[int, Mapping[str, Any]] = {}
    for row in rows:
        number = int(row["seq"])
        if row["received_ns"] and row["copy"] == "0" and number in left_ns and number in arrived_ns:
            sent_ns, received_ns = int(row["sent_ns"]), int(row["received_ns"])
            left, arrived = left_ns[number], arrived_ns[number]
            parts[number] = (left - sent_ns, arrived - left, received_ns - arrived)
            named[number] = row
    if len(parts) < len(rows) // 2:
        raise Failed(f"the captures have only {len(parts)} of {len(rows)} packets")
    return [
        Late(place, str(named[number]["cause_side"]), str(named[number]["cause"]))
        for number, place in main_places(parts, usual_of(parts)).items()
    ]


def _run_disturbed(
    home: Path, work: Path, lab: Lab, kind: Disturbed, options: Sequence[object]
) -> tuple[Run, Path, Mapping[str, Seen]]:
    bench = Bench(home, work, LAB_ADDRESSES)
    capture = bench.sender_capture("run")
    pauses = PeriodicDelays(capture, "sender", lambda _pid: stop(lab.relay()), _PACKETS)
    stops = PeriodicDelays(capture, "receiver", stop, _PACKETS)
    acting = [delays for delays, wanted in ((pauses, kind.pauses), (stops, kind.stops)) if wanted]

    def started(role: str, pid: int) -> None:
        for delays in acting:
            delays.started(role, pid)

    rival = Program("rival", lab.command("a", sys.executable, "-c", _RIVAL, LAB_ADDRESSES["b"])) if kind.rival else None
    try:
        if rival is not None:
            rival.await_text("^ready$", _LAB_SECONDS_MAX)
        with tapped(lab) as seen:
            environments: Mapping[str, Mapping[str, str]] = {side: {} for side in SIDES}
            made = bench.run(lab, "a", environments, "run", options, started)
    finally:
        for delays in acting:
            delays.intervals_ns()
        if rival is not None:
            rival.end(signal.SIGKILL)
    return made, bench.exported("run", TAIL_PERCENT), seen


def _divided(home: Path, work: Path, transport: str, made: Run) -> dict[str, dict[int, str]]:
    """Returns the main places of late packets by each division that lagbench has of their lags."""
    lagbench, runs = home / "scripts" / "lagbench", work / "runs" / "run"
    run([lagbench, "export", runs, "--format", "ledger", "--tail", TAIL_PERCENT, "--output", work / "ledgers"])
    (ledgers,) = (work / "ledgers").iterdir()
    explained = json.loads(run([lagbench, "explain", runs, "--json"]))["parts"]
    divided = {
        "ledger": ledger_places(read_ledgers(ledgers)),
        "explain": {
            int(part["packet"]): place_of(*part["packetCause"].split(":")[0].split("."))
            for part in explained
            if part["packetCause"]
        },
    }
    if made.kernel is not None:
        first_key = made.record["sender"]["metadata"]["firstRecordedKey"]
        sent_ns = dict(zip(made.sent["seq"], made.sent["sent_ns"], strict=True))
        key_step = _PACKET_BYTES if transport == "tcp" else 1
        divided["stages"] = stage_places(made.kernel, first_key, key_step, sent_ns, made.received)
    return divided


def disturb(
    home: Path, kind: Disturbed, transport: str, engine: str, observed: str
) -> tuple[list[Late], list[Contradiction]]:
    """Makes the network and a run over it, judges its late packets, and compares the divisions of their lags."""
    options = ("--transport", transport, "--packet-bytes", _PACKET_BYTES, "--packets", _PACKETS, "--warm-up-packets",
               200, "--pace", kind.pace, "--observe", observed, "--engine", engine)  # fmt: skip
    name = f"paths-{os.getpid()}"
    with tempfile.TemporaryDirectory(prefix="lagbench-paths-") as directory:
        work = Path(directory)
        with made_lab(home, work, name, kind.network) as lab:
            made, exported, seen = _run_disturbed(home, work, lab, kind, options)
        with exported.open(newline="") as file:
            rows = list(csv.DictReader(file))
        contradicting = contradictions(rows, _divided(home, work, transport, made))
    left, arrived = seen["a"], seen["b"]
    if transport == "udp":
        left_ns, arrived_ns = datagrams_ns(left, _PACKET_BYTES), datagrams_ns(arrived, _PACKET_BYTES)
    else:
        begin = stream_begin(left, _PACKET_BYTES, dict(zip(made.sent["seq"], made.sent["sent_ns"], strict=True)))
        left_ns = streamed_ns(left, begin, _PACKET_BYTES, in_order=False)
        arrived_ns = streamed_ns(arrived, begin, _PACKET_BYTES, in_order=True)
    return judge(rows, left_ns, arrived_ns), contradicting


def _share(part: int, whole: int) -> str:
    low, high = wilson(part, whole)
    return f"{part / whole:6.1%} ({low:.1%} to {high:.1%})" if whole else "none"


def print_judged(title: str, late: Sequence[Late]) -> None:
    known = [one for one in late if one.known]
    right, blamed = sum(one.right for one in known), sum(one.blames_idle_host for one in late)
    where = Counter(one.where for one in late)
    print(f"{title:48} {len(late):6}  {where['sender']:6} {where['path']:6} {where['receiver']:6}"
          f"  {_share(right, len(known)):26} {_share(len(late) - len(known), len(late)):26}"
          f" {_share(blamed, len(late))}", flush=True)  # fmt: skip


def judge_paths(home: Path, only: str, rounds: int, smoke: bool = False) -> bool:
    """Runs each kind, prints what it found, and returns whether the causes are as right as they must be.

    A cause that is of another place than the ledger, the stages or the explanation of the same packet is wrong.
    """
    print(f"{'disturbance, transport, engine, observation':48} {'late':>6}  {'sender':>6} {'path':>6} {'receiv':>6}"
          f"  {'right where known':26} {'unknown':26} blamed on a host that did nothing")  # fmt: skip
    found: list[Late] = []
    wrong: Counter[tuple[str, Late]] = Counter()
    contradicted: Counter[tuple[str, ...]] = Counter()
    for kind, transport, engine, observed in _cells(only)[: 1 if smoke else None]:
        title = f"{kind.title}, {transport}, {engine}, {observed}"
        late: list[Late] = []
        for _ in range(rounds):
            judged, contradicting = disturb(home, kind, transport, engine, observed)
            late += judged
            contradicted.update((title, *one[1:]) for one in contradicting)
        found += late
        wrong.update((title, one) for one in late if one.known and not one.right)
        print_judged(title, late)
    print_judged("all", found)
    for (title, one), number in sorted(wrong.items(), key=lambda item: -item[1]):
        print(f"{number} packets of {title}: late at the {one.where}, attributed to {one.side} {one.cause}")
    for (title, cause, division, place), number in sorted(contradicted.items(), key=lambda item: -item[1]):
        print(f"{number} packets of {title}: attributed to {cause}, by the {division} late at the {place}")
    print(f"{contradicted.total()} causes contradict the ledger, the stages or the explanation of the same packet")
    known = [one for one in found if one.known]
    return (
        contradicted.total() == 0
        and len(known) > 0
        and sum(one.right for one in known) >= RIGHT_MIN * len(known)
        and sum(one.blames_idle_host for one in found) <= BLAMED_MAX * len(found)
    )


def _cells(only: str) -> list[tuple[Disturbed, str, str, str]]:
    """Stages, which only the engine java has, separate the sender's queue from the network."""
    return [
        (kind, transport, engine, observed)
        for kind in KINDS
        for transport in kind.transports
        for engine, observed in (("java", "causes"), ("java", "causes,stages"), ("c", "causes"))
        if only in f"{kind.title}, {transport}, {engine}, {observed}"
    ]
