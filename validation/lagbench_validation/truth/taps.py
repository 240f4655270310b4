"""The kernel's stamps of a run's packets at both ends of the link."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from lagbench_validation.namespaces import SIDES, Namespaces
from lagbench_validation.packet_header import PacketHeader
from lagbench_validation.packet_socket import PacketSocket, Segment, polled

_BUFFER_BYTES = 64 * 1024 * 1024
_FRAME_BYTES = 2048


class Tap:
    """The UDP packets of one size at one end of the link."""

    def __init__(self, packet_bytes: int) -> None:
        self._packet_bytes = packet_bytes
        self.at_ns: dict[int, int] = {}  # the kernel's first stamp of each packet, by sequence number
        self.sent_ns: dict[int, int] = {}  # the sent stamp in each packet

    def take(self, at_ns: int, datagram: Segment) -> None:
        if datagram.protocol != socket.IPPROTO_UDP or datagram.payload_bytes != self._packet_bytes:
            return
        _, sequence, sent_ns = PacketHeader.read(datagram.payload)
        if sequence >= 0 and sequence not in self.at_ns:
            self.at_ns[sequence] = at_ns
            self.sent_ns[sequence] = sent_ns


@contextmanager
def taps(namespaces: Namespaces, packet_bytes: int) -> Iterator[dict[str, Tap]]:
    """Opens a tap on each side and yields them by side. They are complete after the context has ended."""
    opened = {side: Tap(packet_bytes) for side in SIDES}
    sockets = {}
    for side in SIDES:
        with namespaces.entered(side):
            sockets[side] = PacketSocket(_BUFFER_BYTES)
    with polled(sockets, _FRAME_BYTES, lambda side, at_ns, found: opened[side].take(at_ns, found)):
        yield opened
