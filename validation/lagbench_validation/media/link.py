"""The packets of SRT and RIST on both ends of a link, parsed from the frames that the kernel captured."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

from lagbench_validation.namespaces import entered
from lagbench_validation.packet_socket import PacketSocket, segment
from lagbench_validation.peers.lab import Lab
from lagbench_validation.processes import Failed

_BUFFER_BYTES = 256 * 1024 * 1024
_HEAD_BYTES = 128
_RTP_BYTES = 12
_PACKET_BYTES = 24  # the header of lagbench's packet


@dataclass(frozen=True)
class Packet:
    """A packet with data in a frame: its number in the transport's header, and whether lagbench sent it."""

    number: int
    is_retransmitted: bool
    is_ours: bool = True


Parser = Callable[[bytes], Packet | None]


def parse_srt(payload: bytes) -> Packet | None:
    """Parses an SRT data packet; None for control packets and packets of the FEC filter, whose message number is 0."""
    if len(payload) < 16 or payload[0] & 0x80:
        return None
    second = int.from_bytes(payload[4:8], "big")
    if second & 0x3FFFFFF == 0:
        return None
    return Packet(int.from_bytes(payload[:4], "big"), bool(second & 0x4000000))


def parse_rist(payload: bytes) -> Packet | None:
    """Parses an RTP packet of RIST's simple profile; None for RTCP. The first packets of a flow are not lagbench's."""
    if len(payload) <= _RTP_BYTES or payload[0] >> 6 != 2 or 200 <= payload[1] <= 207:
        return None
    is_ours = len(payload) >= _RTP_BYTES + _PACKET_BYTES
    return Packet(int.from_bytes(payload[2:4], "big"), bool(payload[11] & 1), is_ours)


@dataclass(frozen=True)
class Flow:
    """The packets at both ends of a link, in their order."""

    entered: list[Packet]
    left: list[Packet]

    @property
    def first_copies(self) -> list[int]:
        """The numbers of lagbench's packets, in the order in which they were sent."""
        return [packet.number for packet in self.entered if packet.is_ours and not packet.is_retransmitted]

    @property
    def retransmitted(self) -> int:
        return sum(packet.is_retransmitted for packet in self.entered)

    @property
    def first_copies_lost(self) -> set[int]:
        """The numbers of lost first copies, also of packets that are not lagbench's."""
        entered, left = ({packet.number for packet in packets if not packet.is_retransmitted}
                         for packets in (self.entered, self.left))  # fmt: skip
        return entered - left

    @property
    def lost_at_end(self) -> int:
        """How many of the last packets have not left the link, in no copy."""
        left = {packet.number for packet in self.left}
        return sum(1 for _ in takewhile(lambda number: number not in left, reversed(self.first_copies)))


class Taps:
    """A packet socket at each end of a lab's link, from the sender to the receiver."""

    def __init__(self, lab: Lab) -> None:
        self._source = lab.address("sender")
        self._sockets = []
        for host in ("sender", "receiver"):
            with entered(lab.namespace(host)):
                self._sockets.append(PacketSocket(_BUFFER_BYTES, lab.device(host)))

    def __enter__(self) -> "Taps":
        for opened in self._sockets:
            opened.open()
        return self

    def __exit__(self, *_: object) -> None:
        for opened in self._sockets:
            opened.close()

    def flow(self, parse: Parser) -> Flow:
        """Returns the captured packets. Raises Failed if the kernel had no room for one."""
        return Flow(*(self._packets(opened, parse) for opened in self._sockets))

    def _packets(self, opened: PacketSocket, parse: Parser) -> list[Packet]:
        found = []
        for frame, _ in opened.frames(_HEAD_BYTES):
            datagram = segment(frame)
            if datagram and (datagram.protocol, datagram.source) == (socket.IPPROTO_UDP, self._source):
                packet = parse(datagram.payload)
                if packet:
                    found.append(packet)
        if opened.missed():
            raise Failed("the tap's buffer was too small")
        return found
