"""The kernel's stamps of a run's packets at both ends of the link."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from lagbench_validation.namespaces import SIDES, Namespaces
from lagbench_validation.packet_socket import PacketSocket, segment

_BUFFER_BYTES = 64 * 1024 * 1024
_FRAME_BYTES = 2048
_PACKET_HEADER = struct.Struct(">Qqq")  # run tag, sequence number, sent stamp


class Tap:
    """The UDP packets of one size at one end of the link."""

    def __init__(self, packet_bytes: int) -> None:
        self._packet_bytes = packet_bytes
        self.at_ns: dict[int, int] = {}  # the kernel's first stamp of each packet, by sequence number
        self.sent_ns: dict[int, int] = {}  # the sent stamp in each packet
        self._socket = PacketSocket(_BUFFER_BYTES)
        self._socket.open()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def close(self) -> None:
        """Reads the remaining packets and ends."""
        self._stop.set()
        self._thread.join()
        self._socket.close()

    def _read(self) -> None:
        """Polls ten times a second: waking a thread would delay each packet."""
        stopping = False
        while not stopping:
            stopping = self._stop.wait(0.1)
            for frame, at_ns in self._socket.frames(_FRAME_BYTES):
                self._take(frame, at_ns)

    def _take(self, frame: bytes, at_ns: int) -> None:
        datagram = segment(frame)
        if not datagram or datagram.protocol != socket.IPPROTO_UDP or datagram.payload_bytes != self._packet_bytes:
            return
        _, sequence, sent_ns = _PACKET_HEADER.unpack_from(datagram.payload)
        if sequence >= 0 and sequence not in self.at_ns:
            self.at_ns[sequence] = at_ns
            self.sent_ns[sequence] = sent_ns


@contextmanager
def taps(namespaces: Namespaces, packet_bytes: int) -> Iterator[dict[str, Tap]]:
    """Opens a tap on each side and yields them by side. They are complete after the context has ended."""
    opened = {}
    try:
        for side in SIDES:
            with namespaces.entered(side):
                opened[side] = Tap(packet_bytes)
        yield opened
    finally:
        for tap in opened.values():
            tap.close()
