"""The two hosts of an emulated network, and when packets leave one and reach the other by captures at both ends."""

import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from lagbench_validation.namespaces import SIDES, Namespaces
from lagbench_validation.packet_header import BYTES, PacketHeader, number_and_stamp
from lagbench_validation.packet_socket import PacketSocket, Segment, polled
from lagbench_validation.processes import Failed, run

_PLACES = {"a": "sender", "b": "receiver"}
LAB_ADDRESSES = {"a": "10.139.0.1", "b": "10.139.0.2"}  # of every lab
LAB_DEVICE = "path1"
LAB_SECONDS_MAX = 60
_FRAME_BYTES = 2048
_BUFFER_BYTES = 256 * 1024 * 1024
_SEQUENCES = 1 << 32
_LIBRARY_HEADERS_MAX = 64  # bytes

Seen = list[tuple[int, Segment]]  # with the kernel's stamps


class Lab:
    """The hosts of one of lagbench's emulated networks, by the sides of Bench."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._namespaces = Namespaces(f"lagbench-lab-{name}")

    def command(self, side: str, *arguments: object, environment: Mapping[str, str] | None = None) -> list[str]:
        return self._namespaces.command(_PLACES[side], *arguments, environment=environment)

    def tap(self, side: str) -> PacketSocket:
        with self._namespaces.entered(_PLACES[side]):
            return PacketSocket(_BUFFER_BYTES, LAB_DEVICE)

    def relay(self) -> int:
        """Returns the process that is the path."""
        wanted = f"lagbench-lab-{self._name}-".encode()
        for directory in Path("/proc").glob("[0-9]*"):
            try:
                command = (directory / "cmdline").read_bytes()
            except FileNotFoundError:
                continue  # the process has ended
            if b"lagbench-relay\0" in command and wanted in command:
                return int(directory.name)
        raise Failed(f"the network {self._name} has no relay")


@contextmanager
def made_lab(home: Path, work: Path, name: str, network: str) -> Iterator[Lab]:
    file = work / f"{name}.yaml"
    file.write_text("backend: relay\n" + network)
    lagbench = home / "scripts" / "lagbench"
    run([lagbench, "lab", "up", file, "--name", name], directory=work, timeout_s=LAB_SECONDS_MAX)
    try:
        yield Lab(name)
    finally:
        run([lagbench, "lab", "down", name], directory=work, timeout_s=LAB_SECONDS_MAX)


@contextmanager
def tapped(lab: Lab) -> Iterator[Mapping[str, Seen]]:
    """Yields the segments with data that both ends see. They are complete after the context has ended."""
    seen: dict[str, Seen] = {side: [] for side in SIDES}

    def take(side: str, at_ns: int, found: Segment) -> None:
        if found.source == LAB_ADDRESSES["a"] and found.payload_bytes > 0:
            seen[side].append((at_ns, found))

    with polled({side: lab.tap(side) for side in SIDES}, _FRAME_BYTES, take):
        yield seen


def datagrams_ns(seen: Iterable[tuple[int, Segment]], size: int) -> dict[int, int]:
    """Returns the first stamp of each packet over UDP, by sequence number."""
    at_ns: dict[int, int] = {}
    for ns, one in seen:
        if one.protocol == socket.IPPROTO_UDP and one.payload_bytes == size:
            _, sequence, _ = PacketHeader.read(one.payload)
            at_ns.setdefault(sequence, ns)
    return at_ns


def stream_begin(seen: Iterable[tuple[int, Segment]], size: int, sent_ns: Mapping[int, int]) -> int:
    """Returns TCP's number of the first byte of packet 0, by the number and the stamp in any packet's header."""
    for _, one in seen:
        if one.protocol != socket.IPPROTO_TCP:
            continue
        for sequence in range(2_000):
            at = one.payload.find(number_and_stamp(sequence, sent_ns.get(sequence, 0)))
            if at >= 0:
                return (one.sequence + at - 8 - sequence * size) % _SEQUENCES
    raise Failed("no segment has a packet's header")


def streamed_ns(seen: Iterable[tuple[int, Segment]], begin: int, size: int, in_order: bool) -> dict[int, int]:
    """
    Returns when each packet over TCP was complete, by sequence number.

    :param in_order: with all bytes before it, as a receiver can read it; otherwise its last byte alone
    """
    at_ns: dict[int, int] = {}
    waiting: dict[int, int] = {}  # ends of later pieces by their beginnings
    complete = 0
    for ns, one in seen:
        if one.protocol != socket.IPPROTO_TCP:
            continue
        start = (one.sequence - begin + _SEQUENCES // 2) % _SEQUENCES - _SEQUENCES // 2
        if abs(start) > 100_000_000:
            continue  # another connection
        end = start + one.payload_bytes
        if in_order:
            waiting[start] = max(end, waiting.get(start, end))
            before = complete
            while ready := [first for first in waiting if first <= complete]:
                complete = max(complete, *(waiting.pop(first) for first in ready))
            numbers = range(before // size, complete // size)
        else:
            numbers = range(max(start, 0) // size, max(end, 0) // size)
        for number in numbers:
            at_ns.setdefault(number, ns)
    return at_ns


def messages_ns(seen: Iterable[tuple[int, Segment]], sent_ns: Mapping[int, int]) -> dict[int, int]:
    """
    Returns the first stamp of each packet behind the headers of a library, by sequence number.

    :param sent_ns: the stamp that each packet carries, by which it is recognized
    """
    at_ns: dict[int, int] = {}
    for ns, one in seen:
        if one.protocol != socket.IPPROTO_UDP:
            continue
        for at in range(min(_LIBRARY_HEADERS_MAX, len(one.payload) - BYTES) + 1):
            _, sequence, stamp_ns = PacketHeader.read(one.payload, at)
            if sent_ns.get(sequence) == stamp_ns:
                at_ns.setdefault(sequence, ns)
                break
    return at_ns


def is_encrypted_packet(one: Segment, size: int) -> bool:
    """Returns whether a datagram has an encrypted packet, and is not of QUIC's handshake (RFC 9000, section 17.3)."""
    return one.protocol == socket.IPPROTO_UDP and len(one.payload) > size and one.payload[0] & 0x80 == 0


def encrypted_ns(
    left: Sequence[tuple[int, Segment]],
    arrived: Iterable[tuple[int, Segment]],
    size: int,
    first: int,
    sent_ns: Mapping[int, int],
) -> tuple[dict[int, int], dict[int, int]]:
    """
    Returns when each datagram of QUIC left and arrived, by sequence number. It is sent once, in its order.

    :param size: of each packet, too large for two in one datagram
    :param first: how many packets were sent before the first of the stamps; others may follow the last
    """
    port = next((one.port for _, one in left if _begins_handshake(one)), None)
    packets = [(ns, one.payload) for ns, one in left if one.port == port and is_encrypted_packet(one, size)]
    if len(packets) < first + len(sent_ns):
        raise Failed(f"{len(packets)} datagrams left of {len(sent_ns)} packets after {first}")
    numbered = dict(zip(sent_ns, packets[first:], strict=False))
    number_of = {payload: number for number, (_, payload) in numbered.items()}
    arrived_ns: dict[int, int] = {}
    for ns, one in arrived:
        if (number := number_of.get(one.payload)) is not None:
            arrived_ns.setdefault(number, ns)
    return {number: ns for number, (ns, _) in numbered.items()}, arrived_ns


def _begins_handshake(one: Segment) -> bool:
    """Returns whether a datagram has a long header of QUIC (RFC 9000, section 17.2)."""
    return one.protocol == socket.IPPROTO_UDP and one.payload[0] & 0x80 != 0
