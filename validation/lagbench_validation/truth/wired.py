"""The wire of lagbench's emulated links, measured by taps at both ends while a plain program sends."""

import json
import socket
import statistics
import struct
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagbench_validation.namespaces import Namespaces
from lagbench_validation.packet_socket import PacketSocket, Segment, polled
from lagbench_validation.processes import Failed, run
from lagbench_validation.quantiles import quantile

_HOSTS = ("sender", "receiver")
_DEVICE = "path1"
_PORT = 7
_LAB_SECONDS_MAX = 60
_SEND_SECONDS_MAX = 60
_PATIENCE_S = 10
_BUFFER_BYTES = 64 * 1024 * 1024
_HEAD_BYTES = 64
_SEQUENCE = struct.Struct(">Q")

# A separate process, because the taps' thread would interrupt a flood.
_SENDER = """
import socket, sys, time
address, port, packets, size, pause_s = sys.argv[1], *map(int, sys.argv[2:5]), float(sys.argv[5])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
    sending.connect((address, port))
    for sequence in range(packets):
        if pause_s:
            time.sleep(pause_s)
        sending.send(sequence.to_bytes(8, "big") + bytes(size - 8))
"""

# Headers of UDP, IPv4 and Ethernet, and preamble, check sequence and gap (RFC 768, RFC 791, IEEE 802.3).
_HEADER_BYTES = 8 + 20 + 14
_FRAMING_BYTES = 8 + 4 + 12
_SHORTEST_BYTES = 84

# Difference between two readings of the clock for one stamp.
_STAMP_NS = 1_000

# The maximum median and 0.99 quantile of the packets' lateness.
MEDIAN_ALLOWANCE_NS = 50_000
Q99_ALLOWANCE_NS = 1_000_000

SATURATED = 0.999


@dataclass(frozen=True)
class Wire:
    """Datagrams over an emulated link: one at a time on an idle link, or a flood."""

    rate_mbit: int
    payload_bytes: int
    delay_ms: int = 0
    flood: bool = False

    @property
    def title(self) -> str:
        how = "flood" if self.flood else "idle"
        delay = f" and {self.delay_ms} ms" if self.delay_ms else ""
        return f"wire: {self.payload_bytes} bytes at {self.rate_mbit} Mbit/s{delay}, {how}"

    @property
    def wire_ns(self) -> int:
        frame_bytes = max(_SHORTEST_BYTES, self.payload_bytes + _HEADER_BYTES + _FRAMING_BYTES)
        return frame_bytes * 8 * 1_000 // self.rate_mbit

    @property
    def packets(self) -> int:
        return 200 * self.rate_mbit if self.flood else 1_000


@dataclass(frozen=True)
class Carried:
    """How a link carried the datagrams."""

    packets: int
    median_ns: float  # of the time from one tap to the other
    expected_ns: float  # the same for a perfect wire
    late_ns: Sequence[int]  # of each packet after its time on a perfect wire; sorted
    share: float  # of the rate, between the first and the last arrival


def wires() -> list[Wire]:
    """Returns all cases. None is part of --smoke, because a busy machine exceeds the allowance."""
    idle = [Wire(rate_mbit, size) for rate_mbit in (10, 100) for size in (24, 396, 992)]
    return [*idle, Wire(10, 992, delay_ms=5), Wire(10, 992, flood=True), Wire(100, 992, flood=True)]


def carry(wire: Wire, home: Path, work: Path) -> Carried:
    """Makes the link, and sends the datagrams over it."""
    lagbench = home / "scripts" / "lagbench"
    name = f"truth-{wire.rate_mbit}-{wire.payload_bytes}"
    network = work / f"{name}.yaml"
    network.write_text(f"rate: {wire.rate_mbit}mbit\ndelay: {wire.delay_ms}ms\n")
    run([lagbench, "lab", "up", network, "--name", name], directory=work, timeout_s=_LAB_SECONDS_MAX)
    try:
        shown = run([lagbench, "lab", "show", name, "--json"], directory=work, timeout_s=_LAB_SECONDS_MAX)
        address = _lab(shown)["addresses"]["receiver"]
        namespaces = Namespaces(f"lagbench-lab-{name}")
        with _taps(namespaces) as seen_ns, _socket(namespaces, "receiver") as unread:
            unread.bind((address, _PORT))  # so that nothing is answered
            pause_s = 0 if wire.flood else 0.001 + wire.wire_ns / 1e9
            sender = [sys.executable, "-c", _SENDER, address, _PORT, wire.packets, wire.payload_bytes, pause_s]
            run(namespaces.command("sender", *sender), timeout_s=_SEND_SECONDS_MAX)
            _await_last(wire, seen_ns["receiver"])
    finally:
        run([lagbench, "lab", "down", name], directory=work, timeout_s=_LAB_SECONDS_MAX)
    return compare(wire, seen_ns["sender"], seen_ns["receiver"])


def _lab(shown: str) -> Any:
    (lab,) = json.loads(shown)
    return lab


def _socket(namespaces: Namespaces, host: str) -> socket.socket:
    with namespaces.entered(host):
        return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def _await_last(wire: Wire, arrived_ns: Mapping[int, int]) -> None:
    until_s = time.monotonic() + _PATIENCE_S
    while wire.packets - 1 not in arrived_ns and time.monotonic() < until_s:
        time.sleep(0.01)


@contextmanager
def _taps(namespaces: Namespaces) -> Iterator[Mapping[str, dict[int, int]]]:
    """Taps both hosts, and yields the kernel's stamps by host and sequence number."""
    seen_ns: dict[str, dict[int, int]] = {host: {} for host in _HOSTS}
    sockets: dict[str, PacketSocket] = {}
    for host in _HOSTS:
        with namespaces.entered(host):
            sockets[host] = PacketSocket(_BUFFER_BYTES, _DEVICE)

    def take(host: str, at_ns: int, datagram: Segment) -> None:
        if datagram.protocol == socket.IPPROTO_UDP:
            (sequence,) = _SEQUENCE.unpack_from(datagram.payload)
            seen_ns[host].setdefault(sequence, at_ns)

    with polled(sockets, _HEAD_BYTES, take):
        yield seen_ns


def compare(wire: Wire, left_ns: Mapping[int, int], arrived_ns: Mapping[int, int]) -> Carried:
    """Compares the stamps with a perfect wire, which carries the packets one at a time as they leave."""
    free_ns = 0
    late_ns: list[int] = []
    expected_ns: list[int] = []
    for sequence, at_ns in sorted(left_ns.items(), key=lambda packet: packet[1]):
        free_ns = max(free_ns, at_ns) + wire.wire_ns
        expected_ns.append(free_ns + wire.delay_ms * 1_000_000 - at_ns)
        if sequence in arrived_ns:
            late_ns.append(arrived_ns[sequence] - at_ns - expected_ns[-1])
    if len(late_ns) < 2:
        raise Failed(f"only {len(late_ns)} packets arrived")
    taken_ns = max(arrived_ns.values()) - min(arrived_ns.values())
    return Carried(
        len(late_ns),
        statistics.median(arrived_ns[sequence] - left_ns[sequence] for sequence in arrived_ns),
        statistics.median(expected_ns),
        sorted(late_ns),
        (len(late_ns) - 1) * wire.wire_ns / taken_ns,
    )


def describe_wire(wire: Wire, carried: Carried) -> str:
    """Returns the result for the line of the case."""
    late_us = [quantile(carried.late_ns, share) / 1e3 for share in (0, 0.5, 0.99)]
    text = f"{wire.title}: {late_us[0]:.1f}, {late_us[1]:.1f}, {late_us[2]:.1f} µs late (least, median, Q99)"
    return f"{text}, {carried.share:.2%} of the rate" if wire.flood else text


def judge_wire(wire: Wire, carried: Carried) -> list[str]:
    """Returns the errors of the link, one sentence each."""
    wrong = []
    if carried.packets < wire.packets:
        wrong.append(f"only {carried.packets} of {wire.packets} packets arrived")
    if carried.late_ns[0] < -_STAMP_NS:
        wrong.append(f"a packet arrived {-carried.late_ns[0]} ns before its last bit")
    for share, allowance_ns in ((0.5, MEDIAN_ALLOWANCE_NS), (0.99, Q99_ALLOWANCE_NS)):
        late_ns = quantile(carried.late_ns, share)
        if late_ns > allowance_ns:
            wrong.append(f"the {share} quantile is {late_ns:.0f} ns late, more than {allowance_ns}")
    if wire.flood and not SATURATED <= carried.share <= 1 / SATURATED:
        wrong.append(f"the flood took {carried.share:.3%} of the rate")
    return wrong
