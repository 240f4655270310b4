"""The kernel's own counters while a program sends: what left, what the receiver took, what the CPU did for it.

They are the same for every program and do not depend on what it says of itself. A look takes 0.1 ms of a
processor; there are twenty a second, and none while delays count.
"""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from lagbench_validation.namespaces import DEVICE, SIDES, Namespaces
from lagbench_validation.peers.cells import PACED_PER_SECOND, SETTLING_S, Cell, Report
from lagbench_validation.processes import Program

INTERVAL_S = 0.05

# Of a frame on the device: Ethernet and IPv4, then UDP or TCP with its timestamps.
_UDP_HEADER_BYTES = 14 + 20 + 8
_TCP_HEADER_BYTES = 14 + 20 + 32

# What is left out at the end of a program that does not tell which packets count.
_ENDING_NS = 50_000_000

# There is traffic once more than this go out: a quarter of the pace that is asked for at the least.
_TRAFFIC_PER_SECOND = PACED_PER_SECOND // 4


@dataclass(frozen=True)
class Look:
    """The counters at one time."""

    at_ns: int  # CLOCK_REALTIME
    sent: int  # bytes of payload
    received: int
    cpu_ns: Mapping[int, int]  # by process


class Counters:
    """Opened in their namespaces, read from anywhere."""

    def __init__(self, sender_devices: int, receiver_devices: int, receiver_snmp: int | None) -> None:
        self._sender_devices = sender_devices
        self._receiver_devices = receiver_devices
        self._receiver_snmp = receiver_snmp  # with UDP only

    def look(self, programs: Sequence[Program]) -> Look:
        cpu_ns = {pid: ns for program in programs for pid, ns in program.cpu_ns().items()}
        header_bytes = _TCP_HEADER_BYTES if self._receiver_snmp is None else _UDP_HEADER_BYTES
        sent, _ = payload_bytes(_text(self._sender_devices), "transmit", header_bytes)
        received, frames = payload_bytes(_text(self._receiver_devices), "receive", header_bytes)
        if self._receiver_snmp is not None and frames > 0:
            # The kernel counts joined datagrams (UDP_GRO) as one, on the device as at the socket.
            received -= udp_dropped(_text(self._receiver_snmp)) * received // frames
        return Look(time.time_ns(), sent, received, cpu_ns)


@contextmanager
def counters(namespaces: Namespaces, of_udp: bool) -> Iterator[Counters]:
    sender, receiver = SIDES
    opened: list[int] = []
    try:
        for side, name in [(sender, "dev"), (receiver, "dev"), *([(receiver, "snmp")] if of_udp else [])]:
            with namespaces.entered(side):
                opened.append(os.open(f"/proc/thread-self/net/{name}", os.O_RDONLY))
        yield Counters(opened[0], opened[1], opened[2] if of_udp else None)
    finally:
        for file in opened:
            os.close(file)


def _text(file: int) -> str:
    return os.pread(file, 1 << 16, 0).decode("ascii")


def udp_dropped(snmp: str) -> int:
    """Returns the datagrams that came and that no application took."""
    names, values = [line.split()[1:] for line in snmp.splitlines() if line.startswith("Udp:")]
    return int(values[names.index("InErrors")])


def payload_bytes(devices: str, way: str, header_bytes: int) -> tuple[int, int]:
    """Returns the bytes of payload that passed the path, and in how many frames."""
    for line in devices.splitlines():
        name, _, values = line.partition(":")
        if name.strip() == DEVICE:
            fields = list(map(int, values.split()))
            octets, frames = fields[:2] if way == "receive" else fields[8:10]
            return octets - frames * header_bytes, frames
    raise ValueError(f"no device {DEVICE}")


@dataclass(frozen=True)
class Window:
    """The steady part of a run: a second's figures."""

    rate: float  # packets received
    loss: float | None  # fraction, of those sent; None with TCP
    cpu_ns: float  # a packet received, both programs


def begins_to_flow(before: Look, after: Look, cell: Cell) -> bool:
    """Returns whether there is traffic between two looks."""
    return (after.sent - before.sent) / cell.packet_bytes > _TRAFFIC_PER_SECOND * (after.at_ns - before.at_ns) / 1e9


def until_next_look_s(now_ns: int, begin_ns: int, end_ns: int) -> float:
    """From begin to end delays count, and a packet would have to wait for a look: returns the time until that time has
    surely begun, or else until its end."""
    surely_begun_ns = begin_ns + round(2 * INTERVAL_S * 1e9)  # it is known to a look or two
    if now_ns < surely_begun_ns:
        return min(INTERVAL_S, (surely_begun_ns - now_ns) / 1e9)
    return max(0, end_ns - now_ns) / 1e9


def counting(looks: Sequence[Look], report: Report, tapped_ns: int | None = None) -> tuple[int, int]:
    """Returns from when to when packets count, in ns: from the end of a program's own warm-up, or of the time that
    others are given, until its end or until the tap was opened. Nothing is in between where there was no traffic."""
    if report.begin_ns is not None and report.end_ns is not None:
        begin_ns, end_ns = report.begin_ns, report.end_ns
    else:
        begin_ns, end_ns = _traffic(looks)
        begin_ns, end_ns = begin_ns + round(SETTLING_S * 1e9), end_ns - _ENDING_NS
    return begin_ns, min(end_ns, tapped_ns or end_ns)


def steady(looks: Sequence[Look], cell: Cell, begin_ns: int, end_ns: int) -> Window | None:
    """Returns the figures of the time in which packets that count were sent; None where that was too short."""
    within = [look for look in looks if begin_ns <= look.at_ns <= end_ns]
    if len(within) < 2:
        return None
    first, last = within[0], within[-1]
    seconds = (last.at_ns - first.at_ns) / 1e9
    received = (last.received - first.received) / cell.packet_bytes
    sent = (last.sent - first.sent) / cell.packet_bytes
    if received <= 0:
        return None
    cpu_ns = sum(after - first.cpu_ns.get(process, 0) for process, after in last.cpu_ns.items())
    # A packet may be under way at either end; that is no loss.
    return Window(received / seconds, max(0.0, 1 - received / sent) if cell.is_udp else None, cpu_ns / received)


def _traffic(looks: Sequence[Look]) -> tuple[int, int]:
    """Returns from when to when there was traffic: at half the usual pace or more."""
    pairs = list(pairwise(looks))
    paces = [(after.sent - before.sent) / (after.at_ns - before.at_ns) for before, after in pairs]
    moving = [pace for pace in paces if pace > 0]
    if not moving:
        return 0, 0
    busy = [i for i, pace in enumerate(paces) if pace >= median(moving) / 2]
    return pairs[busy[0]][0].at_ns, pairs[busy[-1]][1].at_ns
