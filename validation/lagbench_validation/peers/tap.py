"""The kernel's stamps of packets at the sending end of the link.

The kernel keeps the frames until the run is over, so that no program needs time for them during the run. Each packet
still costs about a microsecond in the kernel: nothing else is measured while a tap is open.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from lagbench_validation.namespaces import ADDRESSES, Namespaces
from lagbench_validation.packet_socket import PacketSocket, segment
from lagbench_validation.peers.cells import Cell

_BUFFER_BYTES = 512 * 1024 * 1024
_HEAD_BYTES = 128
_PROTOCOLS = {"udp": socket.IPPROTO_UDP, "tcp": socket.IPPROTO_TCP}


class Tap:
    """The frames of one transport from a to b that carry exactly one packet."""

    def __init__(self, cell: Cell) -> None:
        self._protocol = _PROTOCOLS[cell.transport]
        self._packet_bytes = cell.packet_bytes
        self._socket = PacketSocket(_BUFFER_BYTES)

    def open(self) -> None:
        """Begins to capture frames; before, the tap costs nothing."""
        self._socket.open()

    def at_ns(self) -> list[int]:
        """Returns the kernel's stamps of all captured frames."""
        frames = self._socket.frames(_HEAD_BYTES)
        return [at_ns for frame, at_ns in frames if payload_bytes(frame, self._protocol) == self._packet_bytes]

    def close(self) -> None:
        self._socket.close()


def payload_bytes(frame: bytes, protocol: int) -> int:
    """Returns the number of payload bytes of a frame that host a sent by the protocol; 0 for other frames."""
    found = segment(frame)
    return found.payload_bytes if found and (found.protocol, found.source) == (protocol, ADDRESSES["a"]) else 0


@contextmanager
def tap(namespaces: Namespaces, cell: Cell) -> Iterator[Tap]:
    with namespaces.entered("a"):
        opened = Tap(cell)
    try:
        yield opened
    finally:
        opened.close()
