"""A host on the path, which repeats, delays and forges frames, and one that sends by a forged source."""

import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from lagbench_validation.faults.row import Fault
from lagbench_validation.faults.stage import START_S, Stage
from lagbench_validation.processes import Failed

DEVICES = ("m0", "m1")  # the devices of this host and of the other host
HERE, THERE, THIRD = "192.0.2.8", "192.0.2.7", "192.0.2.99"

_ETH_P_ALL = 3
_FRAME_BYTES = 1 << 16
_ETHERNET_BYTES = 14
_IPV4 = b"\x08\x00"
_POLL_S = 0.001
_LATE_S = 0.02
_EACH = 10
_WATCHED_S = 1.0
_TAG_BYTES = 8

Act = Callable[["Frame"], Iterator[tuple[float, bytes]]]
"""Returns what is sent instead of a frame, and after how many seconds."""


@dataclass(frozen=True)
class Frame:
    """A frame of Ethernet."""

    raw: bytes
    device: str
    number: int

    @property
    def protocol(self) -> int:
        """Returns the protocol in the header of IPv4; 0 if there is none."""
        return self.raw[23] if self.raw[12:14] == _IPV4 else 0

    @property
    def transport_at(self) -> int:
        return _ETHERNET_BYTES + (self.raw[_ETHERNET_BYTES] & 15) * 4

    @property
    def payload_at(self) -> int:
        at = self.transport_at
        return at + (8 if self.protocol == socket.IPPROTO_UDP else (self.raw[at + 12] >> 4) * 4)

    @property
    def end(self) -> int:
        return _ETHERNET_BYTES + int.from_bytes(self.raw[16:18])

    def with_byte_changed(self, at: int) -> bytes:
        changed = bytearray(self.raw)
        changed[at] ^= 1
        return bytes(changed)

    def checked(self, raw: bytes) -> bytes:
        """Returns a frame of the same form with a correct checksum, which a virtual device leaves to hardware."""
        if self.protocol not in (socket.IPPROTO_UDP, socket.IPPROTO_TCP):
            return raw
        at = self.transport_at
        sum_at = at + (6 if self.protocol == socket.IPPROTO_UDP else 16)
        content = raw[at : self.end]
        content = content[: sum_at - at] + b"\0\0" + content[sum_at - at + 2 :]
        pseudo = raw[26:34] + struct.pack(">xBH", self.protocol, len(content))
        return raw[:sum_at] + struct.pack(">H", checksum(pseudo + content) or 0xFFFF) + raw[sum_at + 2 : self.end]


def checksum(content: bytes) -> int:
    """Returns the checksum of the Internet (RFC 1071)."""
    content += b"\0" * (len(content) % 2)
    total: int = sum(struct.unpack(f">{len(content) // 2}H", content))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


@dataclass
class _Forwarder:
    """Forwards the frames between two devices, and acts on those of packets or messages from this host."""

    act: Act
    acted: int = 0
    _later: list[tuple[float, socket.socket, bytes]] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    def run(self, sockets: dict[str, socket.socket]) -> None:
        with selectors.DefaultSelector() as selector, suppress(OSError):
            for device, one in sockets.items():
                selector.register(one, selectors.EVENT_READ, device)
            while True:
                for key, _ in selector.select(_POLL_S):
                    frame, (_, _, kind, _, _) = sockets[key.data].recvfrom(_FRAME_BYTES)
                    if kind != socket.PACKET_OUTGOING:
                        other = sockets[DEVICES[1 - DEVICES.index(key.data)]]
                        for after_s, raw in self._instead(frame, key.data):
                            self._later.append((time.monotonic() + after_s, other, raw))
                due = [one for one in self._later if one[0] <= time.monotonic()]
                self._later = [one for one in self._later if one not in due]
                for _, other, raw in due:
                    other.send(raw)

    def _instead(self, raw: bytes, device: str) -> Iterator[tuple[float, bytes]]:
        frame = Frame(raw, device, 0)
        if device != DEVICES[0] or frame.protocol == 0 or frame.end <= frame.payload_at:
            yield 0, frame.checked(raw)
            return
        number = self._numbers[frame.protocol] = self._numbers.get(frame.protocol, 0) + 1
        frame = Frame(raw, device, number)
        for after_s, sent in self.act(frame):
            self.acted += sent != raw or after_s > 0
            yield after_s, frame.checked(sent)


def repeat(frame: Frame) -> Iterator[tuple[float, bytes]]:
    """Repeats each datagram, at once and later."""
    yield 0, frame.raw
    if frame.protocol == socket.IPPROTO_UDP:
        yield 0, frame.raw
        yield _LATE_S, frame.raw


def delay(frame: Frame) -> Iterator[tuple[float, bytes]]:
    """Delays some datagrams, so that others overtake them."""
    yield _LATE_S if frame.protocol == socket.IPPROTO_UDP and frame.number % _EACH == 0 else 0, frame.raw


def forge_packets(frame: Frame) -> Iterator[tuple[float, bytes]]:
    """Sends a forged datagram with another tag before each."""
    if frame.protocol == socket.IPPROTO_UDP:
        yield 0, frame.with_byte_changed(frame.payload_at + _TAG_BYTES - 1)
    yield 0, frame.raw


def forge_messages(frame: Frame) -> Iterator[tuple[float, bytes]]:
    """Changes a byte of a message after the handshake."""
    is_changed = frame.protocol == socket.IPPROTO_TCP and frame.number > _EACH
    yield 0, frame.with_byte_changed(frame.end - 2) if is_changed else frame.raw


def forward(act: Act) -> Fault:
    """Begins to forward frames between the two hosts."""

    def fault(stage: Stage) -> None:
        sockets = {device: _packet_socket(device) for device in DEVICES}
        for one in sockets.values():
            stage.keep(one)
        threading.Thread(target=_Forwarder(act).run, args=(sockets,), daemon=True).start()

    return fault


def send_by_forged_source(stage: Stage) -> None:
    """Repeats a packet to the host there as if a third host had sent it; nothing may be sent to that one."""
    with _packet_socket("d0") as seen:
        seen.settimeout(START_S)
        frame = next(
            found
            for found in (Frame(seen.recv(_FRAME_BYTES), "d0", 0) for _ in iter(int, 1))
            if found.protocol == socket.IPPROTO_UDP and found.raw[30:34] == socket.inet_aton(THERE)
        )
        forged = frame.raw[:26] + socket.inet_aton(THIRD) + frame.raw[30 : frame.end]
        header = forged[:24] + b"\0\0" + forged[26:]
        forged = forged[:24] + struct.pack(">H", checksum(header[_ETHERNET_BYTES : frame.transport_at])) + forged[26:]
        for _ in range(_EACH):
            seen.send(frame.checked(forged))
        deadline = time.monotonic() + _WATCHED_S
        third = socket.inet_aton(THIRD)
        while (left := deadline - time.monotonic()) > 0:
            seen.settimeout(left)
            with suppress(TimeoutError):
                raw = seen.recv(_FRAME_BYTES)
                if Frame(raw, "d0", 0).protocol == socket.IPPROTO_UDP and raw[30:34] == third:
                    raise Failed("the other host replies to a third host")


def _packet_socket(device: str) -> socket.socket:
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
    opened.bind((device, _ETH_P_ALL))
    return opened
