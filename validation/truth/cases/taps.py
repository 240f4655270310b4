"""What the kernel saw of a run's packets at both ends of the path: packet sockets with its own stamps."""

import socket
import struct
import threading
from contextlib import contextmanager

from namespaces import DEVICE

_ETH_P_ALL = 3
_ETH_P_IP = 0x0800
_SO_RCVBUFFORCE = 33
_SO_TIMESTAMPNS = 35
_BUFFER_BYTES = 64 * 1024 * 1024
_ETHERNET_BYTES = 14
_UDP_BYTES = 8
_PACKET_HEADER = struct.Struct(">Qqq")  # run tag, sequence number, sent stamp
_TIMESPEC = struct.Struct("qq")


class Tap:
    """The lagbench packets of one size that passed one end, by UDP."""

    def __init__(self, packet_bytes):
        self._packet_bytes = packet_bytes
        self.at_ns = {}  # when the kernel saw each packet first, by sequence number
        self.sent_ns = {}  # the stamp that the packet carried
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER_BYTES)
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._socket.bind((DEVICE, _ETH_P_ALL))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def close(self):
        """Takes what is still queued and ends."""
        self._stop.set()
        self._thread.join()
        self._socket.close()

    def _read(self):
        """Looks ten times a second: the kernel would take time to wake whoever waits, and a packet that time on its way."""
        stopping = False
        while not stopping:
            stopping = self._stop.wait(0.1)
            try:
                while True:
                    self._take(*self._socket.recvmsg(2048, 256, socket.MSG_DONTWAIT)[:2])
            except BlockingIOError:
                pass  # there are no more

    def _take(self, frame, ancillary):
        if int.from_bytes(frame[12:14], "big") != _ETH_P_IP or frame[_ETHERNET_BYTES + 9] != socket.IPPROTO_UDP:
            return
        payload = frame[_ETHERNET_BYTES + (frame[_ETHERNET_BYTES] & 15) * 4 + _UDP_BYTES :]
        if len(payload) != self._packet_bytes:
            return
        _, sequence, sent_ns = _PACKET_HEADER.unpack_from(payload)
        stamps = [data for _, kind, data in ancillary if kind == _SO_TIMESTAMPNS]
        if sequence >= 0 and sequence not in self.at_ns:
            seconds, nanoseconds = _TIMESPEC.unpack(stamps[0])
            self.at_ns[sequence] = seconds * 1_000_000_000 + nanoseconds
            self.sent_ns[sequence] = sent_ns


@contextmanager
def taps(namespaces, packet_bytes):
    """Opens a tap on either side; gives them by side. What they saw is complete once the context has ended."""
    opened = {}
    try:
        for side in "ab":
            with namespaces.entered(side):
                opened[side] = Tap(packet_bytes)
        yield opened
    finally:
        for tap in opened.values():
            tap.close()
