"""The header of lagbench's packets: the run's tag, the inverse of the sequence number, the number, the sent stamp."""

import struct
from typing import NamedTuple

_LAYOUT = struct.Struct(">QIiq")
TAG_BYTES = 8
BYTES = _LAYOUT.size


class PacketHeader(NamedTuple):
    """What a packet says of itself."""

    tag: int
    sequence: int
    sent_ns: int

    @classmethod
    def read(cls, packet: bytes, at: int = 0) -> "PacketHeader":
        tag, _, sequence, sent_ns = _LAYOUT.unpack_from(packet, at)
        return cls(tag, sequence, sent_ns)

    def packed(self) -> bytes:
        return _LAYOUT.pack(self.tag, ~self.sequence & 0xFFFF_FFFF, self.sequence, self.sent_ns)


def number_and_stamp(sequence: int, sent_ns: int) -> bytes:
    """Returns the bytes of a header behind the tag."""
    return PacketHeader(0, sequence, sent_ns).packed()[TAG_BYTES:]
