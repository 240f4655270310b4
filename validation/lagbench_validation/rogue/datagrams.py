"""Datagrams from any source: random ones, and real ones that are changed."""

import socket
import struct
from collections.abc import Sequence
from random import Random

BYTES_MAX = 1_472  # what a frame of Ethernet carries

_IP = struct.Struct(">BBHHHBBH4s4s")
_UDP = struct.Struct(">HHHH")
_KNOWN_SHARE = 0.2
_EDGES = (b"\x00", b"\x7f", b"\x80", b"\xff")

KNOWN = (
    # RIST's main profile: a key is announced, and nothing follows its header.
    bytes.fromhex("300888b601020304"),
    # RIST's simple profile: a sender report with a name, as a new sender has it, and a packet without content.
    bytes.fromhex("80c8000600000002000000000000000000000000000000000000000081ca0003000000020101610000000000"),
    bytes.fromhex("802100010000000100000002"),
    # The same behind the header of the main profile; there a request of 4 bytes, and a length of 0 modulo 2^16.
    bytes.fromhex("000088b607b007b1802100010000000100000002"),
    bytes.fromhex("000088b607b007b180cd0000"),
    bytes.fromhex("000088b607b007b180c83fff") + bytes(24),
    # SRT: a handshake of version 4, and a shutdown.
    bytes.fromhex("800000000000000000000000000000000000000400000002") + bytes(40),
    bytes.fromhex("80050000000000000000000000000000"),
    # Aeron: a set-up frame of a stream that there is not.
    struct.pack("<iBBH", 40, 0, 0, 5) + bytes(32),
)
"""Which have ended a library once, or begin a conversation with it."""


def changed(real: Sequence[bytes], random: Random) -> bytes:
    """Returns random bytes, or one of the known or real datagrams, whole or with a change."""
    kind = random.randrange(7)
    if kind == 0:
        return random.randbytes(random.randrange(BYTES_MAX + 1))
    one = bytearray(random.choice(KNOWN if random.random() < _KNOWN_SHARE or not real else real)[:BYTES_MAX])
    if kind == 2:
        return bytes(one[: random.randrange(len(one) + 1)])
    if kind == 3:
        return (bytes(one) + random.randbytes(random.randrange(64)))[:BYTES_MAX]
    if kind == 4:
        other = random.choice(real or KNOWN)
        return (bytes(one[: random.randrange(len(one) + 1)]) + other[random.randrange(len(other) + 1) :])[:BYTES_MAX]
    if kind == 5 and one:
        size = random.choice((1, 2, 4, 8))
        at = random.randrange(min(len(one), 48))
        one[at : at + size] = random.choice(_EDGES) * size
    for _ in range(random.randrange(1, 9) if kind == 6 and one else 0):
        one[random.randrange(len(one))] = random.randrange(256)
    return bytes(one[:BYTES_MAX])


class RawSender:
    """Sends UDP datagrams over IPv4 from the namespace of its creation, with any source."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)

    def send(self, source: tuple[str, int], target: tuple[str, int], content: bytes) -> None:
        total = _IP.size + _UDP.size + len(content)
        addresses = (socket.inet_aton(host) for host, _ in (source, target))
        head = _IP.pack(0x45, 0, total, 0, 0, 64, socket.IPPROTO_UDP, 0, *addresses)
        udp = _UDP.pack(source[1], target[1], _UDP.size + len(content), 0)  # IPv4 requires no checksum
        self._socket.sendto(head + udp + content, (target[0], 0))

    def close(self) -> None:
        self._socket.close()
