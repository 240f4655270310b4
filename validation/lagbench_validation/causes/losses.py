"""Packets that the receiving kernel drops because a buffer is full; a capture shows when they arrived."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from lagbench import Drop

from lagbench_validation.causes.judge import Found
from lagbench_validation.causes.plant import Span
from lagbench_validation.packet_socket import PacketSocket, Segment, polled
from lagbench_validation.path_captures import datagrams_ns

_DEVICE = "lo"
_FRAME_BYTES = 256
_BUFFER_BYTES = 256 * 1024 * 1024
_REASON = "SOCKET_RCVBUFF"  # the kernel's name
_DROPPED_WITHIN_NS = 1_000_000  # of its arrival: usually 1 to 13 µs, except if the machine pauses


@dataclass(frozen=True)
class LossKind:
    """A kind of loss: the receiver is stopped until its buffer is full."""

    title: str = "full receive buffer"
    engine: str = "c"
    transport: str = "udp"
    observe: str = "events"
    plant_ms: int = 80
    options: tuple[object, ...] = ("--receive-buffer", "4KiB")


@contextmanager
def arrivals_at_loopback() -> Iterator[list[tuple[int, Segment]]]:
    """Captures what arrives at the loopback device. The list is complete after the context has ended."""
    seen: list[tuple[int, Segment]] = []
    tap = {_DEVICE: PacketSocket(_BUFFER_BYTES, _DEVICE)}
    with polled(tap, _FRAME_BYTES, lambda _, at_ns, found: seen.append((at_ns, found))):
        yield seen


@dataclass(frozen=True)
class Dropped:
    """When packets arrived that were not received, by a capture, and the drops that lagbench recorded."""

    arrived_ns: Mapping[int, int]
    recorded: Mapping[int, Drop]

    def is_named(self, packet: int) -> bool:
        """Returns whether lagbench's record has the drop of a packet for the right reason, just after it arrived."""
        drop = self.recorded.get(packet)
        return (
            drop is not None
            and drop.reason == _REASON
            and 0 <= drop.dropped_ns - self.arrived_ns[packet] <= _DROPPED_WITHIN_NS
        )


def dropped(
    seen: Sequence[tuple[int, Segment]],
    packet_bytes: int,
    sent: Sequence[int],
    received: Sequence[int],
    recorded: Mapping[int, Drop],
) -> Dropped:
    """
    Finds the lost packets.

    :param sent: the numbers of the recorded packets
    :param received: those that were received
    :param recorded: the receiver's record of drops
    """
    arrived_ns = datagrams_ns(seen, packet_bytes)
    lost = (set(sent) & arrived_ns.keys()) - set(received)
    return Dropped({packet: arrived_ns[packet] for packet in sorted(lost)}, recorded)


def judge_losses(stops: Sequence[Span], lost: Dropped, counted: int) -> list[Found]:
    """
    Judges the losses of each stop. Lengths are numbers of packets: lost, and lost without a name.

    :param counted: how many losses lagbench attributes to drops of the kernel
    """
    found = []
    for stop in stops:
        packets = [
            packet for packet, ns in lost.arrived_ns.items() if stop.begin_ns[0] <= ns <= stop.end_ns[1]
        ]  # fmt: skip
        if packets:
            unnamed = sum(not lost.is_named(packet) for packet in packets)
            text = f"{len(packets)} lost from packet {packets[0]} on, {unnamed} of them without a name"
            found.append(Found(packets[0], -unnamed, len(packets), len(packets), unnamed, unnamed == 0, text))
    others = len(lost.arrived_ns) - sum(one.planted_ns for one in found)
    if counted != len(lost.arrived_ns):
        text = f"{len(lost.arrived_ns)} lost, {others} of them without a stop; lagbench attributes {counted} to drops"
        missing = abs(len(lost.arrived_ns) - counted)
        found.append(Found(0, -missing, len(lost.arrived_ns), len(lost.arrived_ns), missing, False, text))
    return found
