"""The kernel's counters while a program sends: packets sent and received, and the CPU time.

They are the same for every program, and independent of its report. A sample takes 0.1 ms of a processor. There are
twenty a second, and none while delays are measured.
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

# Headers of a frame on the device: Ethernet and IPv4, then UDP or TCP with timestamps.
_UDP_HEADER_BYTES = 14 + 20 + 8
_TCP_HEADER_BYTES = 14 + 20 + 32

# The time that is excluded at the end of a program, unless the program reports which packets it measured.
_ENDING_NS = 50_000_000

# More packets per second than this are traffic: a quarter of the requested pace.
_TRAFFIC_PER_SECOND = PACED_PER_SECOND // 4


@dataclass(frozen=True)
class Sample:
    """The counters at one time."""

    at_ns: int  # CLOCK_REALTIME
    sent: int  # bytes of payload
    received: int
    cpu_ns: Mapping[int, int]  # by process


class Counters:
    """Counters of both namespaces, which any thread can read."""

    def __init__(self, sender_devices: int, receiver_devices: int, receiver_snmp: int | None) -> None:
        self._sender_devices = sender_devices
        self._receiver_devices = receiver_devices
        self._receiver_snmp = receiver_snmp  # with UDP only

    def sample(self, programs: Sequence[Program]) -> Sample:
        cpu_ns = {pid: ns for program in programs for pid, ns in program.cpu_ns().items()}
        header_bytes = _TCP_HEADER_BYTES if self._receiver_snmp is None else _UDP_HEADER_BYTES
        sent, _ = payload_bytes(_text(self._sender_devices), "transmit", header_bytes)
        received, frames = payload_bytes(_text(self._receiver_devices), "receive", header_bytes)
        if self._receiver_snmp is not None and frames > 0:
            # The kernel counts joined datagrams (UDP_GRO) as one, on the device as at the socket.
            received -= udp_dropped(_text(self._receiver_snmp)) * received // frames
        return Sample(time.time_ns(), sent, received, cpu_ns)


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
    """Returns the datagrams that arrived and that no application received."""
    names, values = [line.split()[1:] for line in snmp.splitlines() if line.startswith("Udp:")]
    return int(values[names.index("InErrors")])


def payload_bytes(devices: str, way: str, header_bytes: int) -> tuple[int, int]:
    """Returns the bytes of payload at a device, and the number of frames."""
    for line in devices.splitlines():
        name, _, values = line.partition(":")
        if name.strip() == DEVICE:
            fields = list(map(int, values.split()))
            octets, frames = fields[:2] if way == "receive" else fields[8:10]
            return octets - frames * header_bytes, frames
    raise ValueError(f"there is no device {DEVICE}")


@dataclass(frozen=True)
class Window:
    """The metrics of the steady part of a run."""

    rate: float  # packets received
    loss: float | None  # fraction of the packets sent; None with TCP
    cpu_ns: float  # per received packet, both programs


def begins_to_flow(before: Sample, after: Sample, cell: Cell) -> bool:
    """Returns whether there is traffic between two samples."""
    return (after.sent - before.sent) / cell.packet_bytes > _TRAFFIC_PER_SECOND * (after.at_ns - before.at_ns) / 1e9


def until_next_sample_s(now_ns: int, begin_ns: int, end_ns: int) -> float:
    """Returns the time until the next sample: none is taken while delays are measured, from begin to end.

    A sample would delay a packet. The beginning is known only to within one or two samples, so samples continue until
    the beginning has certainly passed.
    """
    surely_begun_ns = begin_ns + round(2 * INTERVAL_S * 1e9)
    if now_ns < surely_begun_ns:
        return min(INTERVAL_S, (surely_begun_ns - now_ns) / 1e9)
    return max(0, end_ns - now_ns) / 1e9


def counting(samples: Sequence[Sample], report: Report, tapped_ns: int | None = None) -> tuple[int, int]:
    """Returns begin and end of the measured interval in ns.

    It begins after the program's warm-up, or after SETTLING_S, and ends with the program or when the tap was opened.
    Without traffic it is empty.
    """
    if report.begin_ns is not None and report.end_ns is not None:
        begin_ns, end_ns = report.begin_ns, report.end_ns
    else:
        begin_ns, end_ns = _traffic(samples)
        begin_ns, end_ns = begin_ns + round(SETTLING_S * 1e9), end_ns - _ENDING_NS
    return begin_ns, min(end_ns, tapped_ns or end_ns)


def steady(samples: Sequence[Sample], cell: Cell, begin_ns: int, end_ns: int) -> Window | None:
    """Returns the metrics of the measured interval; None if it is too short."""
    within = [sample for sample in samples if begin_ns <= sample.at_ns <= end_ns]
    if len(within) < 2:
        return None
    first, last = within[0], within[-1]
    seconds = (last.at_ns - first.at_ns) / 1e9
    received = (last.received - first.received) / cell.packet_bytes
    sent = (last.sent - first.sent) / cell.packet_bytes
    if received <= 0:
        return None
    cpu_ns = sum(after - first.cpu_ns.get(process, 0) for process, after in last.cpu_ns.items())
    # Packets in flight at either end are not lost.
    return Window(received / seconds, max(0.0, 1 - received / sent) if cell.is_udp else None, cpu_ns / received)


def _traffic(samples: Sequence[Sample]) -> tuple[int, int]:
    """Returns the beginning and the end of the time in which the pace was at least half of its median."""
    pairs = list(pairwise(samples))
    paces = [(after.sent - before.sent) / (after.at_ns - before.at_ns) for before, after in pairs]
    moving = [pace for pace in paces if pace > 0]
    if not moving:
        return 0, 0
    busy = [i for i, pace in enumerate(paces) if pace >= median(moving) / 2]
    return pairs[busy[0]][0].at_ns, pairs[busy[-1]][1].at_ns
