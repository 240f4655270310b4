"""Lines and connections that break the protocol: invalid lines, unexpected messages, and what never ends."""

import json
import socket
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise

from lagbench_validation.rogue.session import Act, ControlSession, Left, Pace
from lagbench_validation.rogue.wire import Ended, Message

LONGEST_LINE_BYTES = 1 << 16
FLOOD_BYTES = 8 << 20
FLOOD_LINES = 20_000
SLOW_BYTE_S = 0.25
SLOW_BYTES = 400

CLASS_NAMES = ("org.lagbench.control.ControlMessage$Ping", "java.util.HashMap", "java.lang.ProcessBuilder")
"""Names of Java classes that the rogue itself sends."""

Kind = tuple[str, Act, Pace]

_PING = b'{"type":"ping","sentNs":1}'


_TEXTS: dict[str, bytes] = {
    "empty": b"",
    "spaces": b"   ",
    "null": b"null",
    "list": b"[]",
    "list-of-messages": b"[" + _PING + b"]",
    "text": b'"x"',
    "number": b"1",
    "true": b"true",
    "object": b"{}",
    "type-null": b'{"type":null}',
    "type-number": b'{"type":1}',
    "type-list": b'{"type":["ping"]}',
    "type-empty": b'{"type":""}',
    "type-unknown": b'{"type":"rogue"}',
    "type-upper": b'{"type":"PING","sentNs":1}',
    "type-class": f'{{"type":"{CLASS_NAMES[0]}","sentNs":1}}'.encode(),
    "type-gadget": f'{{"type":"{CLASS_NAMES[1]}","@class":"{CLASS_NAMES[2]}"}}'.encode(),
    "type-escape": b'{"type":"\\u001b[31mFORGED\\nFORGED"}',
    "type-huge": b'{"type":"' + b"t" * 60_000 + b'"}',
    "bracket": b"{",
    "closed-twice": b'{"type":"ping","sentNs":1}}',
    "random-text": b"lagbench",
    "raw-escape": b"\x1b[31mFORGED\x1b[0m",
    "nul-bytes": b"\0" * 100,
    "bad-utf8": b'{"type":"\xff\xc3\x28"}',
    "utf-16": _PING.decode().encode("utf-16"),
    "deep": b"[" * 30_000 + b"]" * 30_000,
    "deep-objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "many-keys": b"{" + b",".join(b'"k%d":1' % i for i in range(5_000)) + b"}",
    "longest": b"x" * (LONGEST_LINE_BYTES - 64),
}


def line_kinds() -> Iterator[Kind]:
    """Yields what replaces a message's line; its HMAC is right."""
    for name, text in _TEXTS.items():
        yield name, _line(text), Pace.NORMAL
    yield "two-types", lambda c, m: c.channel.send_line(b'{"type":"ping",' + _json(m)[1:]), Pace.NORMAL
    yield "type-last", lambda c, m: c.channel.send(dict(reversed(m.items()))), Pace.NORMAL
    yield "no-type", lambda c, m: c.channel.send({k: v for k, v in m.items() if k != "type"}), Pace.NORMAL
    yield "no-field", lambda c, m: c.channel.send({"type": m["type"], "x": 1}), Pace.NORMAL
    yield "unknown-field", lambda c, m: c.channel.send({**m, "rogue": {"x": [1, None]}}), Pace.NORMAL
    yield "hidden-fields", lambda c, m: c.channel.send({**m, "class": "x", "@type": "x", "__proto__": {}}), Pace.NORMAL
    yield "trailing-comma", lambda c, m: c.channel.send_line(_json(m)[:-1] + b",}"), Pace.NORMAL
    yield "comment", lambda c, m: c.channel.send_line(b"/* x */" + _json(m)), Pace.NORMAL
    yield "single-quotes", lambda c, m: c.channel.send_line(_json(m).replace(b'"', b"'")), Pace.NORMAL
    yield "mark", lambda c, m: c.channel.send_line(b"\xef\xbb\xbf" + _json(m)), Pace.NORMAL
    yield "carriage-return", lambda c, m: c.channel.send_line(_json(m) + b"\r"), Pace.NORMAL
    yield "padded", lambda c, m: c.channel.send_line(b"  " + _json(m) + b" \t "), Pace.NORMAL
    yield "padded-to-longest", lambda c, m: c.channel.send_line(_json(m).ljust(LONGEST_LINE_BYTES - 64)), Pace.NORMAL
    yield "padded-too-long", lambda c, m: c.channel.send_line(_json(m).ljust(LONGEST_LINE_BYTES + 1)), Pace.NORMAL
    yield "trailing-text", lambda c, m: c.channel.send_line(_json(m) + b"x"), Pace.NORMAL
    yield "two-in-a-line", lambda c, m: c.channel.send_line(_json(m) * 2), Pace.NORMAL
    yield "quarter", lambda c, m: c.channel.send_line(_json(m)[: len(_json(m)) // 4]), Pace.NORMAL
    yield "half", lambda c, m: c.channel.send_line(_json(m)[: len(_json(m)) // 2]), Pace.NORMAL
    yield "all-but-one-byte", lambda c, m: c.channel.send_line(_json(m)[:-1]), Pace.NORMAL
    yield "one-byte-changed", _one_byte_changed, Pace.NORMAL
    yield "upper-case", lambda c, m: c.channel.send_line(_json(m).upper()), Pace.NORMAL
    yield "escaped-type", lambda c, m: c.channel.send_line(_json(m).replace(b"type", b"\\u0074ype", 1)), Pace.NORMAL
    yield "two-segments", _two_segments, Pace.NORMAL


def connection_kinds() -> Iterator[Kind]:
    """Yields bytes that are no lines, and ends of the connection."""
    for name, raw in {
        "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "tls": bytes.fromhex("16030100c8010000c40303") + b"\0" * 200 + b"\n",
        "ssh": b"SSH-2.0-OpenSSH_9.2\r\n",
        "telnet": b"\xff\xfb\x01\xff\xfd\x03\n",
    }.items():
        yield name, _raw(raw), Pace.NORMAL
    for i in range(4):
        yield f"random-{i}", lambda c, _: c.channel.send_raw(c.random.randbytes(2_000) + b"\n"), Pace.NORMAL
    for name, raw, count in (
        ("flood-of-zeros", b"\0", FLOOD_BYTES),
        ("flood-without-end", b"x", FLOOD_BYTES),
        ("flood-of-empty-lines", b"\n", FLOOD_LINES),
        ("flood-of-lines", b"lagbench\n", FLOOD_LINES),
    ):
        yield name, _raw(raw, count), Pace.NORMAL
    yield "close", _close, Pace.NORMAL
    yield "reset", _reset, Pace.NORMAL
    yield "close-in-line", _close_in_line, Pace.NORMAL
    yield "reset-in-line", _reset_in_line, Pace.NORMAL
    yield "end-of-sending", _end_of_sending, Pace.MUTE
    yield "end-of-sending-in-line", _end_of_sending_in_line, Pace.MUTE
    yield "urgent-byte", lambda c, m: _urgent(c, m), Pace.NORMAL


def order_kinds(step: str, others: Iterable[str], in_place: bool = True) -> Iterator[Kind]:
    """Yields messages that nobody waits for: before the right one, or instead of it."""
    for other in others:
        yield f"before-{other}", _before(other), Pace.NORMAL
        if in_place:
            yield f"instead-{other}", _instead(other), Pace.MUTE
    yield "twice", _times(2), Pace.NORMAL
    yield "thrice", _times(3), Pace.NORMAL
    yield "a-hundred-times", _times(100), Pace.NORMAL
    yield f"flood-of-{step}", _times(FLOOD_LINES), Pace.NORMAL


def mac_kinds() -> Iterator[Kind]:
    """Yields lines with a wrong HMAC."""
    yield "without-mac", lambda c, m: c.channel.send_raw(_json(m) + b"\n"), Pace.NORMAL
    yield "mac-alone", lambda c, m: c.channel.send_raw(_mac(c, m) + b"\n"), Pace.NORMAL
    yield "short-mac", lambda c, m: c.channel.send_raw(_mac(c, m)[:40] + b"\n"), Pace.NORMAL
    yield "bit-of-mac", lambda c, m: c.channel.send_raw(_flipped(_mac(c, m)) + _json(m) + b"\n"), Pace.NORMAL
    yield "upper-mac", lambda c, m: c.channel.send_raw(b"A" + _mac(c, m).upper()[1:] + _json(m) + b"\n"), Pace.NORMAL
    yield "mac-of-other-text", lambda c, m: c.channel.send_raw(_mac(c, m) + _json({**m, "x": 1}) + b"\n"), Pace.NORMAL
    yield "mac-of-zeros", lambda c, m: c.channel.send_raw(b"0" * 64 + _json(m) + b"\n"), Pace.NORMAL
    yield "bytes-as-mac", lambda c, m: c.channel.send_raw(b"\xff\n" + b"\0" * 63 + _json(m) + b"\n"), Pace.NORMAL
    yield "replayed", _replayed, Pace.NORMAL
    for name, ahead in (("mac-of-next", 1), ("mac-of-last", -1), ("mac-of-first", -(10**6))):
        yield name, _numbered(ahead), Pace.NORMAL


def slow_kinds() -> Iterator[Kind]:
    """Yields what keeps a connection open until the other side ends it."""
    yield "silence", lambda c, m: None, Pace.SLOW
    yield "silence-in-line", lambda c, m: c.channel.send_raw(_json(m)[:10]), Pace.SLOW
    yield "slow-bytes", _slow_bytes, Pace.SLOW


def _json(message: Message) -> bytes:
    return json.dumps(message).encode()


def _mac(session: ControlSession, message: Message) -> bytes:
    return session.channel.mac_of(_json(message), session.channel.sent)


def _flipped(digits: bytes) -> bytes:
    return (b"0" if digits[:1] != b"0" else b"1") + digits[1:]


def _line(text: bytes) -> Act:
    return lambda c, _: c.channel.send_line(text)


def _raw(raw: bytes, count: int = 1) -> Act:
    return lambda c, _: c.channel.send_raw(raw * count)


def _before(other: str) -> Act:
    def act(session: ControlSession, message: Message) -> None:
        session.channel.send(session.examples[other])
        session.channel.send(message)

    return act


def _instead(other: str) -> Act:
    return lambda c, _: c.channel.send(c.examples[other])


def _times(count: int) -> Act:
    def act(session: ControlSession, message: Message) -> None:
        text = _json(message)
        session.channel.send_raw(b"".join(session.channel.line(text) for _ in range(count)))

    return act


def _numbered(ahead: int) -> Act:
    def act(session: ControlSession, message: Message) -> None:
        channel = session.channel
        channel.send_raw(channel.mac_of(_json(message), max(0, channel.sent + ahead)) + _json(message) + b"\n")

    return act


def _replayed(session: ControlSession, message: Message) -> None:
    line = session.channel.line(_json(message))
    session.channel.send_raw(line + line)


def _one_byte_changed(session: ControlSession, message: Message) -> None:
    text = bytearray(_json(message))
    text[session.random.randrange(len(text))] ^= 1 << session.random.randrange(7)
    session.channel.send_line(bytes(text))


def _two_segments(session: ControlSession, message: Message) -> None:
    line = session.channel.line(_json(message))
    session.channel.send_raw(line[:5])
    time.sleep(0.01)
    session.channel.send_raw(line[5:])


def _close(session: ControlSession, _: Message) -> None:
    session.channel.close()
    raise Left


def _reset(session: ControlSession, _: Message) -> None:
    session.channel.reset()
    raise Left


def _close_in_line(session: ControlSession, message: Message) -> None:
    session.channel.send_raw(_json(message)[:10])
    _close(session, message)


def _reset_in_line(session: ControlSession, message: Message) -> None:
    session.channel.send_raw(_json(message)[:10])
    _reset(session, message)


def _end_of_sending(session: ControlSession, _: Message) -> None:
    session.channel.socket.shutdown(socket.SHUT_WR)


def _end_of_sending_in_line(session: ControlSession, message: Message) -> None:
    session.channel.send_raw(_json(message)[:10])
    _end_of_sending(session, message)


def _urgent(session: ControlSession, message: Message) -> None:
    session.channel.socket.send(b"!", socket.MSG_OOB)
    session.channel.send(message)


def _slow_bytes(session: ControlSession, message: Message) -> None:
    text = _json(message)[:-1].ljust(SLOW_BYTES)
    for at, end in pairwise(range(SLOW_BYTES)):
        session.channel.send_raw(text[at:end])
        if session.channel.await_close(SLOW_BYTE_S):
            raise Ended("closed")
