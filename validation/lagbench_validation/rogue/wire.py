"""The control connection as a peer sees it: a JSON message per line, with an HMAC before it once a key is agreed."""

import hashlib
import hmac
import json
import select
import socket
import struct
import time
from collections.abc import Mapping
from typing import Any

Message = dict[str, Any]

_MAC_CHARACTERS = 64
_READ_BYTES = 1 << 16
RESET = struct.pack("ii", 1, 0)  # SO_LINGER with a time of 0: close sends RST


class Ended(Exception):
    """The other side closed the connection, or sent nothing for too long."""


class SilentPeer(Ended):
    """The other side sent nothing for too long."""


def mac(key: bytes, *parts: bytes) -> bytes:
    """Returns the HMAC-SHA-256 of the parts, each preceded by its length."""
    return hmac.new(key, b"".join(struct.pack(">i", len(part)) + part for part in parts), hashlib.sha256).digest()


def session_key(key: bytes, receiver_nonce: str, sender_nonce: str) -> bytes:
    return mac(key, b"conversation", receiver_nonce.encode(), sender_nonce.encode())


def proof(key: bytes, role: str, receiver_nonce: str, sender_nonce: str) -> str:
    """Returns the proof that a side has the key."""
    return mac(key, f"lagbench {role}".encode(), receiver_nonce.encode(), sender_nonce.encode()).hex()


def run_tag(key: bytes | None, nonce: str) -> int:
    """Returns the tag of the packets of a run."""
    return int.from_bytes(mac(key or nonce.encode(), b"run tag", nonce.encode())[:8])


class Channel:
    """One side of a control connection; `own` and `peer` are the names of the two sides in HMACs."""

    def __init__(self, connected: socket.socket, own: str, peer: str, patience_s: float) -> None:
        self.socket = connected
        self.patience_s = patience_s
        self.key: bytes | None = None
        self.sent = 0
        self._own, self._peer = own.encode(), peer.encode()
        self._received = 0
        self._buffer = b""
        if connected.family != socket.AF_UNIX:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, message: Mapping[str, Any]) -> None:
        self.send_line(json.dumps(message).encode())

    def send_line(self, text: bytes) -> None:
        """Sends a line with a correct HMAC if there is a key."""
        self.send_raw(self.line(text))

    def line(self, text: bytes) -> bytes:
        """Returns the bytes of the next line, which counts as sent."""
        before = b"" if self.key is None else self.mac_of(text, self.sent)
        self.sent += 1
        return before + text + b"\n"

    def mac_of(self, text: bytes, number: int) -> bytes:
        """Returns the HMAC of a line of this side."""
        return mac(self.key or b"", self._own, struct.pack(">q", number), text).hex().encode()

    def send_raw(self, raw: bytes) -> None:
        """Sends bytes, as far as the other side reads them in time."""
        try:
            self.socket.settimeout(self.patience_s)
            self.socket.sendall(raw)
        except OSError as e:
            raise Ended(f"sending failed: {e}") from e

    def read(self) -> Message:
        """Returns the next message, whose HMAC must be right."""
        line = self._line()
        if self.key is not None:
            right = mac(self.key, self._peer, struct.pack(">q", self._received), line[_MAC_CHARACTERS:]).hex()
            if line[:_MAC_CHARACTERS] != right.encode():
                raise ValueError(f"lagbench sent a line with a wrong HMAC: {line[:200]!r}")
            line = line[_MAC_CHARACTERS:]
        self._received += 1
        message = json.loads(line)
        if not isinstance(message, dict):
            raise ValueError(f"lagbench sent a line that is not a message: {line[:200]!r}")
        return message

    def read_bytes(self, count: int) -> bytes:
        while len(self._buffer) < count:
            self._fill(time.monotonic() + self.patience_s)
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def await_close(self, seconds: float) -> bool:
        """Reads and ignores everything until the other side closes; returns whether it did in time."""
        deadline = time.monotonic() + seconds
        try:
            while True:
                self._fill(deadline)
                self._buffer = b""
        except SilentPeer:
            return False
        except Ended:
            return True

    def close(self) -> None:
        self.socket.close()

    def reset(self) -> None:
        """Closes with RST instead of FIN."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.socket.close()

    def _line(self) -> bytes:
        deadline = time.monotonic() + self.patience_s
        while b"\n" not in self._buffer:
            self._fill(deadline)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _fill(self, deadline: float) -> None:
        try:
            if not select.select([self.socket], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise SilentPeer("the other side is silent")
            found = self.socket.recv(_READ_BYTES)
        except (OSError, ValueError) as e:
            raise Ended(f"reading failed: {e}") from e
        if not found:
            raise Ended("the other side has closed the connection")
        self._buffer += found
