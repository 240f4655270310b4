"""When the kernel gave each packet to the sending end of the path: a packet socket with the kernel's stamps.

The kernel keeps the frames until the run is over, so that nobody but the kernel spends time on them meanwhile. It costs
each packet about a microsecond all the same: nothing else is measured while a tap is open.
"""

import socket
import struct
from contextlib import contextmanager

from namespaces import ADDRESSES, DEVICE

_ETH_P_ALL = 3
_SO_RCVBUFFORCE = 33
_SO_TIMESTAMPNS = 35
_BUFFER_BYTES = 512 * 1024 * 1024
_ETHERNET_BYTES = 14
_TIMESPEC = struct.Struct("qq")
_HEAD_BYTES = 128
_PROTOCOLS = {"udp": socket.IPPROTO_UDP, "tcp": socket.IPPROTO_TCP}


class Tap:
    """The frames of one transport from a to b that carry at least a packet."""

    def __init__(self, cell):
        self._protocol = _PROTOCOLS[cell.transport]
        self._packet_bytes = cell.packet_bytes
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER_BYTES)

    def open(self):
        """Takes frames from now on; until then it costs nothing."""
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._socket.bind((DEVICE, _ETH_P_ALL))

    def at_ns(self):
        """All of them that it has now."""
        stamps = []
        try:
            while True:
                frame, ancillary, _, _ = self._socket.recvmsg(_HEAD_BYTES, 256, socket.MSG_DONTWAIT)
                if payload_bytes(frame, self._protocol) == self._packet_bytes:
                    seconds, ns = next(_TIMESPEC.unpack(data) for _, kind, data in ancillary if kind == _SO_TIMESTAMPNS)
                    stamps.append(seconds * 1_000_000_000 + ns)
        except BlockingIOError:
            return stamps  # there are no more

    def close(self):
        self._socket.close()


def payload_bytes(frame, protocol):
    """What a frame from a carries in a protocol; 0 for any other."""
    ip = frame[_ETHERNET_BYTES:]
    if frame[12:14] != b"\x08\x00" or ip[9] != protocol or ip[12:16] != socket.inet_aton(ADDRESSES["a"]):
        return 0
    header = (ip[0] & 15) * 4
    transport = 8 if protocol == socket.IPPROTO_UDP else (ip[header + 12] >> 4) * 4
    return int.from_bytes(ip[2:4], "big") - header - transport


@contextmanager
def tap(namespaces, cell):
    with namespaces.entered("a"):
        opened = Tap(cell)
    try:
        yield opened
    finally:
        opened.close()
