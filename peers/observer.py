"""The kernel's own counters while a program sends: what left, what the receiver took, what the CPU did for it.

They are the same for every program and know nothing of what it says of itself. Looking costs a fraction of a
millisecond, twenty times a second.
"""

import os
import time
from contextlib import contextmanager
from dataclasses import dataclass

from namespaces import DEVICE
from quantiles import median

INTERVAL_S = 0.05

# Of a segment on the device: Ethernet, IPv4 and TCP with its stamps.
_TCP_HEADER_BYTES = 14 + 20 + 32

# A program that has no warm-up is given so much of its time before it counts, and so much is left out at its end.
_SETTLING = 0.3
_ENDING = 0.1


@dataclass(frozen=True)
class Look:
    """The counters at one time."""

    at_ns: int  # CLOCK_REALTIME
    sent: int  # datagrams, or bytes of TCP
    received: int
    cpu_ns: dict  # by process


class Counters:
    """Opened in their namespaces, read from anywhere."""

    def __init__(self, sent, received, of_udp):
        self._sent = sent
        self._received = received
        self._of_udp = of_udp

    def look(self, programs):
        cpu_ns = {}
        for program in programs:
            cpu_ns.update(program.cpu_ns())
        if self._of_udp:
            sent, received = udp_sent(_text(self._sent)), udp_received(_text(self._received))
        else:
            sent, received = tcp_bytes(_text(self._sent), "transmit"), tcp_bytes(_text(self._received), "receive")
        return Look(time.time_ns(), sent, received, cpu_ns)


@contextmanager
def counters(namespaces, of_udp):
    opened = []
    try:
        for side in "ab":
            with namespaces.entered(side):
                opened.append(os.open(f"/proc/thread-self/net/{'snmp' if of_udp else 'dev'}", os.O_RDONLY))
        yield Counters(*opened, of_udp)
    finally:
        for file in opened:
            os.close(file)


def _text(file):
    return os.pread(file, 1 << 16, 0).decode("ascii")


def udp_sent(snmp):
    return _udp(snmp)["OutDatagrams"]


def udp_received(snmp):
    """Those that an application took."""
    return _udp(snmp)["InDatagrams"]


def _udp(snmp):
    names, values = [line.split()[1:] for line in snmp.splitlines() if line.startswith("Udp:")]
    return dict(zip(names, map(int, values)))


def tcp_bytes(devices, way):
    """The payload that passed the path, were all of it TCP with stamps."""
    for line in devices.splitlines():
        name, _, values = line.partition(":")
        if name.strip() == DEVICE:
            fields = list(map(int, values.split()))
            octets, frames = fields[:2] if way == "receive" else fields[8:10]
            return octets - frames * _TCP_HEADER_BYTES
    raise ValueError(f"no device {DEVICE}")


@dataclass(frozen=True)
class Window:
    """The steady part of a run: a second's figures."""

    rate: float  # packets received
    loss: float  # fraction, of those sent; None with TCP
    cpu_ns: float  # a packet received, both programs


def steady(looks, cell, begin_ns=None, end_ns=None):
    """The figures of the time in which packets that count were sent; None where that was too short."""
    if begin_ns is None:
        begin_ns, end_ns = _traffic(looks)
        settling_ns = (end_ns - begin_ns) * _SETTLING
        begin_ns, end_ns = begin_ns + settling_ns, end_ns - (end_ns - begin_ns) * _ENDING
    within = [look for look in looks if begin_ns <= look.at_ns <= end_ns]
    if len(within) < 3:
        return None
    first, last = within[0], within[-1]
    seconds = (last.at_ns - first.at_ns) / 1e9
    unit = 1 if cell.is_udp else cell.packet_bytes
    received = (last.received - first.received) / unit
    sent = (last.sent - first.sent) / unit
    if received <= 0:
        return None
    cpu_ns = sum(after - first.cpu_ns.get(process, 0) for process, after in last.cpu_ns.items())
    # A packet may be under way at either end; that is no loss.
    return Window(received / seconds, max(0.0, 1 - received / sent) if cell.is_udp else None, cpu_ns / received)


def _traffic(looks):
    """From when to when there was traffic: at half the usual pace or more."""
    pairs = list(zip(looks, looks[1:]))
    paces = [(after.sent - before.sent) / (after.at_ns - before.at_ns) for before, after in pairs]
    moving = [pace for pace in paces if pace > 0]
    if not moving:
        return 0, 0
    busy = [i for i, pace in enumerate(paces) if pace >= median(moving) / 2]
    return pairs[busy[0]][0].at_ns, pairs[busy[-1]][1].at_ns
