"""Causes that are planted between two hosts; the truth is in captures at both ends of the path."""

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.causes.plant import NS_PER_MS, Plant, Slot, Span
from lagbench_validation.causes.planters import Pids, stop
from lagbench_validation.path_captures import (
    LAB_DEVICE,
    Lab,
    Seen,
    datagrams_ns,
    made_lab,
    stream_begin,
    streamed_ns,
    tapped,
)
from lagbench_validation.processes import run

_LATE_NS = NS_PER_MS
_DATAGRAM_BYTES = 1000
_DATAGRAM_NS = 420_000  # at the rate of the queue, with headers

# Its socket is not connected: nobody receives the datagrams, and a refusal would end it.
_RIVAL = f"""
import socket, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as rival:
    for line in sys.stdin:
        for _ in range(int(line)):
            rival.sendto(bytes({_DATAGRAM_BYTES}), (sys.argv[1], 9))
"""

Act = Callable[[Pids, Slot], None]


@dataclass(frozen=True)
class Passed:
    """
    The times of a packet: sent by lagbench's stamp, the others by captures, the median that of all packets.

    :ivar is_repaired: whether it was retransmitted, or waited at the receiver for an earlier one that was
    """

    sent_ns: int
    left_ns: int
    arrived_ns: int
    median_path_ns: int
    is_repaired: bool


@dataclass(frozen=True)
class PathKind:
    """
    A kind of cause on a path.

    :ivar network: the emulated network
    :ivar acting: plants in each slot
    :ivar span: what was planted for a packet, by its times
    :ivar options: further ones of the sender
    :ivar apart: packets of different plants are this far from each other
    """

    title: str
    network: str
    acting: Callable[[Lab, str], Iterator[Act]]
    span: Callable[[Passed], Span]
    transport: str = "udp"
    observe: str = "events"
    engine: str = "c"
    plant_ms: int = 80
    options: tuple[object, ...] = ()
    apart: int = 10


def _none(_lab: Lab, _receiver: str) -> Iterator[Act]:
    yield lambda _pids, _slot: None


def _pauses(lab: Lab, _receiver: str) -> Iterator[Act]:
    relay = lab.relay()

    def act(_pids: Pids, slot: Slot) -> None:
        stop(relay, "path", slot.duration_ns)

    yield act


def _queues(lab: Lab, receiver: str) -> Iterator[Act]:
    """Limits the rate of the sender's device, for whose queue another program sends."""
    run(lab.command("a", "tc", "qdisc", "replace", "dev", LAB_DEVICE, "root", "tbf", "rate", "20mbit", "burst", "3000",
                    "limit", "1000000"))  # fmt: skip
    command = lab.command("a", sys.executable, "-c", _RIVAL, receiver)
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as rival:
        assert rival.stdin
        sending = rival.stdin

        def act(_pids: Pids, slot: Slot) -> None:
            sending.write(f"{slot.duration_ns // _DATAGRAM_NS}\n")
            sending.flush()

        yield act
        sending.close()


def _on_the_path(passed: Passed) -> Span:
    sent_or_left = (passed.sent_ns, passed.left_ns)
    arrived = (passed.arrived_ns, passed.arrived_ns)
    return Span(("path.before-receiver", "path.network"), (), sent_or_left, arrived)


def _in_the_queue(passed: Passed) -> Span:
    sent, left = (passed.sent_ns, passed.sent_ns), (passed.left_ns, passed.left_ns)
    return Span(("sender.sender-queue", "sender.send-call"), (), sent, left)


def _retransmitted(passed: Passed) -> Span:
    left = (passed.left_ns, passed.left_ns)
    repaired_ns = passed.arrived_ns - passed.median_path_ns if passed.is_repaired else passed.left_ns
    return Span(("sender.retransmission",), (), left, (repaired_ns, repaired_ns))


def path_kinds() -> list[PathKind]:
    """Returns all kinds."""
    return [
        PathKind("delay on the wire", "delay: 1ms\nrate: 100mbit\n", _pauses, _on_the_path),
        PathKind("queue of the sender's device", "rate: 100mbit\n", _queues, _in_the_queue,
                 observe="[events, timestamping]", engine="java"),
        PathKind("joined segments", "delay: 2ms\nrate: 100mbit\n", _none, _in_the_queue, transport="tcp",
                 observe="[events, timestamping]", engine="java", options=("--no-delay", "false"), apart=2),
        PathKind("lost segment", "delay: 5ms\nrate: 50mbit\nforward: {loss: 1%}\n", _none, _retransmitted,
                 transport="tcp"),
    ]  # fmt: skip


@contextmanager
def path(home: Path, work: Path, kind: PathKind, receiver: str) -> Iterator[tuple[Lab, Mapping[str, Seen], Act]]:
    """Makes the network of a kind, with captures at both of its ends."""
    with made_lab(home, work, f"causes-{os.getpid()}", kind.network) as lab, tapped(lab) as seen:
        for act in kind.acting(lab, receiver):
            yield lab, seen, act


def late_packets(
    kind: PathKind, seen: Mapping[str, Seen], sent_ns: Mapping[int, int], packet_bytes: int
) -> dict[int, Plant]:
    """Returns what was planted for the slowest packet of each group of late ones, by its number."""
    left, arrived = seen["a"], seen["b"]
    repaired: set[int] = set()
    if kind.transport == "udp":
        left_ns, arrived_ns = datagrams_ns(left, packet_bytes), datagrams_ns(arrived, packet_bytes)
    else:
        begin = stream_begin(left, packet_bytes, sent_ns)
        left_ns = streamed_ns(left, begin, packet_bytes, in_order=False)
        arrived_ns = streamed_ns(arrived, begin, packet_bytes, in_order=True)
        left_last_ns = streamed_ns(left[::-1], begin, packet_bytes, in_order=False)
        alone_ns = streamed_ns(arrived, begin, packet_bytes, in_order=False)
        repaired = {
            number
            for number, ns in arrived_ns.items()
            if alone_ns[number] < ns or left_ns.get(number, ns) < left_last_ns.get(number, ns) < ns
        }
    numbers = sorted(sent_ns.keys() & left_ns.keys() & arrived_ns.keys())
    median_ns = round(statistics.median(arrived_ns[number] - left_ns[number] for number in numbers))
    passed = {
        number: Passed(sent_ns[number], left_ns[number], arrived_ns[number], median_ns, number in repaired)
        for number in numbers
    }
    spans = {number: kind.span(one) for number, one in passed.items()}
    lengths_ns = {number: span.end_ns[0] - span.begin_ns[1] for number, span in spans.items()}
    usual_ns = statistics.median(lengths_ns.values())
    late = [number for number in numbers if lengths_ns[number] - usual_ns >= _LATE_NS]
    return {number: [spans[number]] for number in _slowest(late, lengths_ns, kind.apart)}


def _slowest(late: Sequence[int], lengths_ns: Mapping[int, int], apart: int) -> Iterator[int]:
    group: list[int] = []
    for number in late:
        if group and number - group[-1] >= apart:
            yield max(group, key=lambda one: lengths_ns[one])
            group = []
        group.append(number)
    if group:
        yield max(group, key=lambda one: lengths_ns[one])
