"""A packet socket with the kernel's stamps, at one end of the link."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from lagbench_validation.namespaces import DEVICE

_ETH_P_ALL = 3
_SO_RCVBUFFORCE = 33
_SOL_PACKET = 263
_PACKET_STATISTICS = 6
_SO_TIMESTAMPNS = 35
_ANCILLARY_BYTES = 256
_ETHERNET_BYTES = 14
_IPV4 = b"\x08\x00"
_IPV6 = b"\x86\xdd"
_IPV6_BYTES = 40
_TIMESPEC = struct.Struct("qq")
_POLL_S = 0.1


class PacketSocket:
    """The frames at a device of the current namespace. Captures none before open()."""

    def __init__(self, buffer_bytes: int, device: str = DEVICE) -> None:
        self._device = device
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, buffer_bytes)

    def open(self) -> None:
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._socket.bind((self._device, _ETH_P_ALL))

    def frames(self, head_bytes: int) -> Iterator[tuple[bytes, int]]:
        """Yields the first bytes of each frame in the socket's receive queue, with the kernel's stamp in ns."""
        while True:
            try:
                frame, ancillary, _, _ = self._socket.recvmsg(head_bytes, _ANCILLARY_BYTES, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return  # the queue has no more frames
            seconds, ns = next(_TIMESPEC.unpack(data) for _, kind, data in ancillary if kind == _SO_TIMESTAMPNS)
            yield frame, seconds * 1_000_000_000 + ns

    def missed(self) -> int:
        """Returns how many frames found the receive queue full since the last call."""
        _, drops = struct.unpack("II", self._socket.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
        return int(drops)

    def close(self) -> None:
        self._socket.close()


@dataclass(frozen=True)
class Segment:
    """The UDP datagram or TCP segment of a frame."""

    protocol: int
    source: str
    port: int  # to which it is sent
    sequence: int  # TCP's number of the first byte; 0 for UDP
    payload_bytes: int
    payload: bytes  # as much of it as is in the head of the frame


def segment(frame: bytes) -> Segment | None:
    """Returns the UDP datagram or TCP segment of a frame of IPv4, or of IPv6 without options; None for other frames."""
    ip = frame[_ETHERNET_BYTES:]
    if frame[12:14] == _IPV4:
        protocol, ip_header, total = ip[9], (ip[0] & 15) * 4, int.from_bytes(ip[2:4], "big")
        source = socket.inet_ntoa(ip[12:16])
    elif frame[12:14] == _IPV6:
        protocol, ip_header, total = ip[6], _IPV6_BYTES, _IPV6_BYTES + int.from_bytes(ip[4:6], "big")
        source = socket.inet_ntop(socket.AF_INET6, ip[8:24])
    else:
        return None
    if protocol not in (socket.IPPROTO_UDP, socket.IPPROTO_TCP):
        return None
    header = ip_header + (8 if protocol == socket.IPPROTO_UDP else (ip[ip_header + 12] >> 4) * 4)
    sequence = 0 if protocol == socket.IPPROTO_UDP else int.from_bytes(ip[ip_header + 4 : ip_header + 8], "big")
    port = int.from_bytes(ip[ip_header + 2 : ip_header + 4], "big")
    return Segment(protocol, source, port, sequence, total - header, ip[header:total])


@contextmanager
def polled(
    taps: Mapping[str, PacketSocket], head_bytes: int, take: Callable[[str, int, Segment], None]
) -> Iterator[None]:
    """Passes each segment to take(), with its tap and the kernel's stamp, until the context has ended."""
    over = threading.Event()

    def read() -> None:
        stopping = False
        while not stopping:
            stopping = over.wait(_POLL_S)  # waking a thread for each packet would delay it
            for name, tap in taps.items():
                for frame, at_ns in tap.frames(head_bytes):
                    if found := segment(frame):
                        take(name, at_ns, found)

    for tap in taps.values():
        tap.open()
    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        for tap in taps.values():
            tap.close()
