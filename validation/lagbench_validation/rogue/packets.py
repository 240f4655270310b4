"""Mutations in data packets, over UDP and TCP."""

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from lagbench_validation.packet_header import PacketHeader
from lagbench_validation.rogue.lines import Kind
from lagbench_validation.rogue.session import Act, ControlSession, Pace
from lagbench_validation.rogue.wire import RESET, Message

FLOOD_PACKETS = 5_000
IDLE_CONNECTIONS = 70  # more than a receiver keeps

_BIT_63 = 1 << 63


def packet(message: Message, seq: int, sent_ns: int | None = None) -> bytes:
    """Returns a packet of a run: tag, sequence number and stamp, then bytes that are not zero."""
    stamp = time.time_ns() if sent_ns is None else sent_ns
    return PacketHeader(message["tag"], seq, stamp).packed().ljust(message["size"], b"\x5a")


def packets(message: Message, **others: int) -> list[bytes]:
    """Returns the packets of a run, the honest ones unless something is given instead of tag, size or packets."""
    run = {**message, **others}
    return [packet(run, seq) for seq in range(run["packets"])]


def send(data: socket.socket, all_packets: Sequence[bytes]) -> None:
    """Sends packets over a connected socket of either kind. The other side may have ended already."""
    with suppress(OSError):
        if data.type == socket.SOCK_STREAM:
            data.sendall(b"".join(all_packets))
        else:
            for one in all_packets:
                data.send(one)


def packet_kinds(transport: str) -> Iterator[Kind]:
    """Yields the mutations in the packets of a run."""
    every = [*_departing.items(), *(_datagrams if transport == "udp" else {}).items()]
    yield from ((name, _sent(made), Pace.NORMAL) for name, made in every)
    yield "random-bytes", _random_bytes, Pace.NORMAL
    if transport == "tcp":
        yield "byte-by-byte", _byte_by_byte, Pace.NORMAL
        yield "end-in-packet", _ended_in_packet(reset=False), Pace.NORMAL
        yield "reset-in-packet", _ended_in_packet(reset=True), Pace.NORMAL


def connect_kinds(transport: str) -> Iterator[Kind]:
    """Yields the mutations in the connection for packets."""
    if transport == "tcp":
        yield "none", lambda c, m: None, Pace.NORMAL
        yield "silent", lambda c, m: _connected(c, m, b""), Pace.NORMAL
        yield "other-tag", lambda c, m: _connected(c, m, b"\1" * 8), Pace.NORMAL
        yield "half-a-tag", lambda c, m: _connected(c, m, b"\1" * 4), Pace.NORMAL
        yield "http", lambda c, m: _connected(c, m, b"GET / HTTP/1.1\r\n\r\n"), Pace.NORMAL
        yield "idle-connections", lambda c, m: _among_others(c, m, IDLE_CONNECTIONS, b""), Pace.NORMAL
        yield "other-connections", lambda c, m: _among_others(c, m, IDLE_CONNECTIONS, b"\2" * 8), Pace.NORMAL
        yield "half-connections", lambda c, m: _among_others(c, m, IDLE_CONNECTIONS, b"\2"), Pace.NORMAL


_Made = Callable[[Message], list[bytes]]


def _added(seq: int) -> _Made:
    return lambda m: [packet(m, seq), *packets(m)]


def _stamped(sent_ns: int) -> _Made:
    return lambda m: [packet(m, seq, sent_ns) for seq in range(m["packets"])]


def _cut(size: int) -> _Made:
    return lambda m: [one[:size] for one in packets(m)]


def _damaged(whole: bytes) -> bytes:
    return whole[:15] + bytes([whole[15] ^ 1]) + whole[16:]


def _between_others(message: Message) -> list[bytes]:
    others = packets(message, tag=message["tag"] ^ _BIT_63)
    return [one for pair in zip(packets(message), others, strict=True) for one in pair]


_departing: dict[str, _Made] = {
    "number-min-int": _added(-(1 << 31)),
    "number-minus-one": _added(-1),
    "number-minus-thousand": _added(-1_000),
    "number-max-int": _added((1 << 31) - 1),
    "number-damaged": lambda m: [_damaged(one) for one in packets(m)] + packets(m),
    "number-of-packets": lambda m: [packet(m, m["packets"]), *packets(m)],
    "stamp-zero": _stamped(0),
    "stamp-minus-one": _stamped(-1),
    "stamp-min-long": _stamped(-_BIT_63),
    "stamp-max-long": _stamped(_BIT_63 - 1),
    "none": lambda m: [],
    "one": lambda m: packets(m)[:1],
    "last-alone": lambda m: packets(m)[-1:],
    "twice": lambda m: packets(m) * 2,
    "reversed": lambda m: packets(m)[::-1],
    "first-in-a-flood": lambda m: packets(m)[:1] * FLOOD_PACKETS + packets(m)[1:],
    "flood-beyond-the-run": lambda m: packets(m, packets=FLOOD_PACKETS),
    "other-tag": lambda m: packets(m, tag=m["tag"] ^ 1),
    "tag-zero": lambda m: packets(m, tag=0),
    "other-tag-between": _between_others,
    "longer": lambda m: packets(m, size=m["size"] + 1),
    **{f"cut-to-{size}": _cut(size) for size in (1, 7, 8, 9, 16, 23)},
}

_datagrams: dict[str, _Made] = {
    "cut-to-0": _cut(0),
    "longest": lambda m: packets(m, size=65_507),
    "flood-of-empty": lambda m: [b""] * FLOOD_PACKETS + packets(m),
    "flood-of-others": lambda m: packets(m, tag=1, packets=FLOOD_PACKETS) + packets(m),
}


def _sent(made: _Made) -> Act:
    def act(session: ControlSession, message: Message) -> None:
        if session.data:
            send(session.data, made(message))

    return act


def _random_bytes(session: ControlSession, message: Message) -> None:
    if session.data:
        send(session.data, [session.random.randbytes(message["size"]) for _ in range(200)])


def _byte_by_byte(session: ControlSession, message: Message) -> None:
    for byte in b"".join(packets(message)):
        if session.data:
            send(session.data, [bytes([byte])])


def _ended_in_packet(*, reset: bool) -> Act:
    def act(session: ControlSession, message: Message) -> None:
        if session.data:
            send(session.data, [*packets(message)[:-1], packets(message)[-1][:10]])
            if reset:
                session.data.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            session.data.close()
            session.data = None

    return act


def _connected(session: ControlSession, message: Message, first: bytes) -> None:
    """Connects, and sends other bytes than the run's tag."""
    session.data = socket.create_connection(message["address"], session.channel.patience_s)
    send(session.data, [first])


def _among_others(session: ControlSession, message: Message, count: int, first: bytes) -> None:
    """Connects after many others that never send a tag."""
    with suppress(OSError):  # the receiver may refuse so many
        for _ in range(count):
            other = socket.create_connection(message["address"], session.channel.patience_s)
            session.others.append(other)
            send(other, [first])
        session.data = socket.create_connection(message["address"], session.channel.patience_s)
