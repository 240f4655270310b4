"""A receiver's capture, and captures that break the format."""

import hashlib
import struct
import time
from collections.abc import Callable, Iterator

from lagbench_validation.rogue.lines import Kind
from lagbench_validation.rogue.session import Act, ControlSession, Left, Pace
from lagbench_validation.rogue.wire import Ended, Message

HEADER_BYTES = 256
FLOOD_BYTES = 32 << 20
SLOW_S = 0.3

_STAMPED = struct.Struct("<qq")
_SHAPE = "'shape': ("


def capture(stamps: list[tuple[int, int]]) -> bytes:
    """Returns a receiver's capture of sequence numbers and stamps."""
    text = f"{{'descr': [('seq', '<i8'), ('received_ns', '<i8')], 'fortran_order': False, {_SHAPE}{len(stamps)},), }}"
    magic = b"\x93NUMPY\x01\x00" + struct.pack("<H", HEADER_BYTES - 10)
    header = (magic + text.encode()).ljust(HEADER_BYTES - 1) + b"\n"
    return header + b"".join(_STAMPED.pack(*stamp) for stamp in stamps)


def announcement(content: bytes) -> Message:
    return {"type": "capture", "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def file_kinds() -> Iterator[Kind]:
    """Yields announcements of a file that is no capture of the run, with its size and its checksum."""
    for name, changed in _changed.items():
        yield name, _announced(changed), Pace.NORMAL


def byte_kinds() -> Iterator[Kind]:
    """Yields the mutations in the bytes of a file."""
    yield "none", lambda c, m: None, Pace.MUTE
    yield "half-then-close", _half_then_close, Pace.NORMAL
    yield "one-changed", lambda c, m: c.channel.send_raw(c.content[:-1] + bytes([c.content[-1] ^ 1])), Pace.NORMAL
    yield "one-more", lambda c, m: c.channel.send_raw(c.content + b"x"), Pace.NORMAL
    yield "twice", lambda c, m: c.channel.send_raw(c.content * 2), Pace.NORMAL
    yield "flood", lambda c, m: c.channel.send_raw(bytes(FLOOD_BYTES)), Pace.NORMAL
    yield "message", lambda c, m: c.channel.send(m), Pace.NORMAL
    yield "silence", lambda c, m: c.channel.send_raw(c.content[:100]), Pace.SLOW
    yield "slow-bytes", _slow_bytes, Pace.SLOW


def size_kinds() -> Iterator[Kind]:
    """Yields announcements of other sizes, with as many bytes as the other side accepts."""
    for name, size in {"zero": 0, "negative": -1, "a-gigabyte": 1 << 30, "max-long": (1 << 63) - 1}.items():
        yield name, _sized(size), Pace.NORMAL


def _records(changed: Callable[[int, int], tuple[int, int]]) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        stamps = [_STAMPED.unpack_from(content, at) for at in range(HEADER_BYTES, len(content), _STAMPED.size)]
        return capture([changed(*stamp) for stamp in stamps])

    return change


def _shape(records: str) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        start = content.index(_SHAPE.encode()) + len(_SHAPE)
        end = content.index(b",)", start)
        header = content[:start] + records.encode() + content[end:HEADER_BYTES].rstrip()
        return header.ljust(HEADER_BYTES - 1) + b"\n" + content[HEADER_BYTES:]

    return change


_changed: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "header-alone": lambda content: content[:HEADER_BYTES],
    "no-records": lambda content: capture([]),
    "half-a-record": lambda content: content[:-8],
    "one-record-less": lambda content: content[:-16],
    "half-a-header": lambda content: content[:100],
    "more-records": lambda content: content + content[HEADER_BYTES:] * 3,
    "many-records": lambda content: capture([(1, 1)] * 100_000),
    "zeros": lambda content: bytes(len(content)),
    "text": lambda content: b"{}".ljust(len(content)),
    "other-version": lambda content: content.replace(b"\x01\x00", b"\x03\x00", 1),
    "other-field": lambda content: content.replace(b"'seq'", b"'sec'", 1),
    "other-type": lambda content: content.replace(b"<i8", b"<f8", 1),
    "pickle": lambda content: content.replace(b"<i8", b"|O8", 1),
    "shape-zero": _shape("0"),
    "shape-more": _shape("1000"),
    "shape-huge": _shape("999999999999999999"),
    "shape-negative": _shape("-1"),
    "numbers-negative": _records(lambda seq, ns: (-seq - 1, ns)),
    "numbers-huge": _records(lambda seq, ns: (seq + (1 << 62), ns)),
    "numbers-beyond": _records(lambda seq, ns: (seq + 1_000, ns)),
    "numbers-equal": _records(lambda seq, ns: (0, ns)),
    "stamps-zero": _records(lambda seq, ns: (seq, 0)),
    "stamps-negative": _records(lambda seq, ns: (seq, -ns)),
    "stamps-last": _records(lambda seq, ns: (seq, (1 << 63) - 1)),
    "stamps-first": _records(lambda seq, ns: (seq, -(1 << 63))),
}


def _announced(changed: Callable[[bytes], bytes]) -> Act:
    def act(session: ControlSession, _: Message) -> None:
        session.content = changed(session.content)
        session.channel.send(announcement(session.content))

    return act


def _sized(size: int) -> Act:
    def act(session: ControlSession, message: Message) -> None:
        session.channel.send({**message, "bytes": size})
        session.content = bytes(FLOOD_BYTES)

    return act


def _half_then_close(session: ControlSession, _: Message) -> None:
    session.channel.send_raw(session.content[: len(session.content) // 2])
    session.channel.close()
    raise Left


def _slow_bytes(session: ControlSession, _: Message) -> None:
    deadline = time.monotonic() + session.slow_s
    for byte in session.content:
        session.channel.send_raw(bytes([byte]))
        if session.channel.await_close(SLOW_S):
            raise Ended("closed")
        if time.monotonic() > deadline:
            return
