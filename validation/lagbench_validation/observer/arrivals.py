"""The observer's stamps of departures and arrivals, compared with captures by dumpcap at both ends of a link."""

import shutil
import socket
import statistics
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lagbench_validation import captures, packet_header
from lagbench_validation.namespaces import (
    ADDRESSES,
    CABLE,
    DEVICE,
    SIDES,
    Link,
    Namespaces,
    remove_leftovers,
    two_namespaces,
)
from lagbench_validation.observer import dumpcap
from lagbench_validation.packet_header import PacketHeader, number_and_stamp
from lagbench_validation.packet_socket import Segment
from lagbench_validation.path_captures import is_encrypted_packet
from lagbench_validation.processes import Failed, run
from lagbench_validation.truth.bench import Bench, Run

_MAKER = "observer"  # in the command line, by which a later run knows that this one still runs
_ADDRESSES_6 = {"a": "fd13:9::1", "b": "fd13:9::2"}
_PACKETS = 5_000
_WARM_UP_PACKETS = 200
_INTERVAL_US = 500
_LOSS_PPM = 5_000
_LOSS = (
    "add table inet loss; add chain inet loss input {{ type filter hook input priority 0; }};"
    " add rule inet loss input meta l4proto udp numgen random mod 1000000 < {} drop"
)
_FIRST_PACKETS = 100  # the header of one of these is in one segment
_STREAM_BYTES_MAX = 100_000_000
_SEQUENCES = 1 << 32
_DATAGRAM_BYTES_MAX = 1 << 16
_OBSERVED = 22  # code of the cause of an observed window

# A packet arrives after it was sent and, if the kernel is slow, long before it is captured: usually 1 to 2 µs. It
# leaves as long after it is captured. So a stamp of the previous packet is too early, and one of the next packet is too
# late by most of the interval.
LATER_MAX_NS = _INTERVAL_US * 1_000 // 2
MATCHED_MIN = 0.999
MEDIAN_MAX_NS = 10_000


@dataclass(frozen=True)
class Case:
    """
    A way to send packets.

    :ivar are_joined: whether the sender's device divides, and the receiver's joins, the segments of each packet
    :ivar loss_ppm: of frames on a link that is a relay; of encrypted datagrams, by the receiver's firewall
    :ivar header_bytes: what precedes each packet in a datagram
    :ivar observe: windows if it is auto
    :ivar matched_min: the share of packets to be matched
    :ivar are_encrypted: whether only the order of the datagrams, one for each packet, says which packets they are
    """

    transport: str
    engine: str
    packet_bytes: int = 992
    is_ipv6: bool = False
    are_joined: bool = False
    loss_ppm: int = 0
    header_bytes: int = 0
    observe: str = "events"
    packets: int = _PACKETS
    interval_us: int = _INTERVAL_US
    matched_min: float = MATCHED_MIN
    are_encrypted: bool = False

    @property
    def title(self) -> str:
        words = [self.transport, self.engine, "IPv6" if self.is_ipv6 else "IPv4"]
        words += ["GRO"] * self.are_joined + [f"loss {self.loss_ppm / 1e4} %"] * bool(self.loss_ppm)
        return ", ".join(words + ["windows"] * (self.observe == "auto"))

    @property
    def sides(self) -> Sequence[str]:
        """The ends of the link with captures. Where packets are lost, only the sender's has all in their order."""
        if self.observe == "auto":
            return "b"
        return "a" if self.are_encrypted and self.loss_ppm else SIDES

    @property
    def addresses(self) -> Mapping[str, str]:
        return {side: f"[{address}]" for side, address in _ADDRESSES_6.items()} if self.is_ipv6 else ADDRESSES


_LARGE = 4_000  # bytes of a packet of three segments
_QUEUED_MATCHED_MIN = 0.99  # where several frames share a segment
_WINDOWS = 16_000  # packets of a run that is long enough for windows

SMOKE = (Case("tcp", "c", packets=2_000),)
CASES = (
    Case("tcp", "c"),
    Case("tcp", "c", observe="auto", packets=_WINDOWS),
    Case("tcp", "java-nio"),
    Case("tcp", "java-nio", packet_bytes=_LARGE, are_joined=True),
    Case("tcp", "java-nio", packet_bytes=_LARGE, is_ipv6=True, are_joined=True),
    Case("tcp", "netty"),
    Case("tcp", "netty", loss_ppm=_LOSS_PPM),
    Case("tcp", "grpc", matched_min=_QUEUED_MATCHED_MIN),
    Case("tcp", "grpc", observe="auto", packets=_WINDOWS, matched_min=_QUEUED_MATCHED_MIN),
    Case("tcp", "grpc", is_ipv6=True, matched_min=_QUEUED_MATCHED_MIN),
    Case("tcp", "grpc", loss_ppm=_LOSS_PPM, matched_min=_QUEUED_MATCHED_MIN),
    Case("tcp", "rmi"),
    Case("tcp", "onc-rpc", is_ipv6=True),
    Case("udp", "java"),
    Case("udp", "c"),
    Case("udp", "c", observe="auto", packets=_WINDOWS),
    Case("udp", "netty"),
    Case("udp", "netty", is_ipv6=True),
    Case("udp", "aeron", packet_bytes=200, header_bytes=32),
    Case("udp", "quic", packets=2_000, interval_us=2_000, are_encrypted=True),
    Case("udp", "quic", packets=2_000, interval_us=2_000, are_encrypted=True, is_ipv6=True),
    Case("udp", "quic", packets=2_000, interval_us=2_000, are_encrypted=True, loss_ppm=_LOSS_PPM),
)


def datagrams_ns(seen: Iterable[tuple[int, Segment]], header_bytes: int, sent_ns: Mapping[int, int]) -> dict[int, int]:
    """
    Returns the first stamp of each packet over UDP, by sequence number.

    :param header_bytes: what precedes the first packet of a datagram, and a multiple of which each takes with its own
    :param sent_ns: the stamp that each packet carries, by which it is recognized
    """
    at_ns: dict[int, int] = {}
    for ns, one in seen:
        if one.protocol != socket.IPPROTO_UDP:
            continue
        for at in range(header_bytes, len(one.payload) - packet_header.BYTES + 1, header_bytes or _DATAGRAM_BYTES_MAX):
            _, sequence, stamp_ns = PacketHeader.read(one.payload, at)
            if sent_ns.get(sequence) == stamp_ns:
                at_ns.setdefault(sequence, ns)
    return at_ns


def encrypted_ns(seen: Iterable[tuple[int, Segment]], size: int, warm_up: int, packets: int) -> dict[int, int]:
    """
    Returns the stamp of each packet in a datagram of QUIC, by sequence number: all are sent in their order.

    :param size: of each packet, too large for two in one datagram
    :param warm_up: the number of packets before the first of these
    :param packets: the number of these, none of which was lost before the capture
    :raises Failed: if there are fewer datagrams
    """
    stamps = [ns for ns, one in seen if is_encrypted_packet(one, size)]
    if len(stamps) < warm_up + packets:
        raise Failed(f"{len(stamps)} datagrams were captured of {packets} packets after {warm_up}")
    return dict(enumerate(stamps[warm_up : warm_up + packets]))


def streamed_ns(seen: Iterable[tuple[int, Segment]], size: int, sent_ns: Mapping[int, int]) -> dict[int, int]:
    """
    Returns when all bytes of each packet over TCP had first arrived, whatever their order, by sequence number.

    Other bytes may be between the packets.

    :raises Failed: if no segment has a packet's header
    """
    segments = [(ns, one) for ns, one in seen if one.protocol == socket.IPPROTO_TCP and one.payload]
    heads = [number_and_stamp(*each) for each in sorted(sent_ns.items())]
    begin = next((one for _, one in segments if any(head in one.payload for head in heads[:_FIRST_PACKETS])), None)
    if begin is None:
        raise Failed("no segment has a packet's header")
    starts = [
        (ns, (one.sequence - begin.sequence + _SEQUENCES // 2) % _SEQUENCES - _SEQUENCES // 2, one.payload)
        for ns, one in segments
        if (one.source, one.port) == (begin.source, begin.port)
    ]
    starts = [(ns, start, payload) for ns, start, payload in starts if abs(start) < _STREAM_BYTES_MAX]
    first = min(start for _, start, _ in starts)
    stream = bytearray(max(start + len(payload) for _, start, payload in starts) - first)
    bytes_ns = np.zeros(len(stream), np.int64)
    for ns, start, payload in reversed(starts):  # so that the first copy counts
        stream[start - first : start - first + len(payload)] = payload
        bytes_ns[start - first : start - first + len(payload)] = ns
    at_ns: dict[int, int] = {}
    end = 0
    for number, head in zip(sorted(sent_ns), heads, strict=True):
        at = stream.find(head, end) - packet_header.TAG_BYTES
        if 0 <= at <= len(stream) - size and bytes_ns[at : at + size].all():
            end = at + size
            at_ns[number] = int(bytes_ns[at:end].max())
    return at_ns


class Agreement(NamedTuple):
    """
    How the stamps of packets agree with those of the capture.

    :ivar packets: that were captured
    :ivar matched: those of them with a stamp that cannot be of a neighbor
    :ivar median_ns: by which the stamps are later
    :ivar q99_ns: of the differences, whatever their sign
    :ivar violations: how often a packet has an earlier stamp than one that was captured before it
    """

    packets: int
    matched: int
    median_ns: float
    q99_ns: float
    violations: int

    def holds(self, matched_min: float = MATCHED_MIN) -> bool:
        return (
            self.matched >= matched_min * self.packets > 0
            and abs(self.median_ns) <= MEDIAN_MAX_NS
            and self.violations == 0
        )


def agree(stamps_ns: Mapping[int, int], captured_ns: Mapping[int, int], sent_ns: Mapping[int, int]) -> Agreement:
    """Compares the stamps of packets with those of a capture and of the sender; all by sequence number."""
    both = sorted((captured_ns[number], number) for number in captured_ns.keys() & stamps_ns.keys())
    matched = sum(sent_ns[number] <= stamps_ns[number] <= ns + LATER_MAX_NS for ns, number in both)
    later = [stamps_ns[number] - ns for ns, number in both]
    sizes = sorted(map(abs, later or [0]))
    violations = sum(
        before_ns < ns and stamps_ns[before] > stamps_ns[number] for (before_ns, before), (ns, number) in pairwise(both)
    )
    return Agreement(
        len(captured_ns),
        matched,
        statistics.median(later or [0]),
        sizes[(len(sizes) - 1) * 99 // 100],
        violations,
    )


@contextmanager
def _link(home: Path, case: Case) -> Iterator[Namespaces]:
    link = Link(relayed=True, loss_ppm=case.loss_ppm) if case.loss_ppm and not case.are_encrypted else CABLE
    with two_namespaces(_MAKER, link, home / "lab" / "target" / "native" / "lagbench-relay") as namespaces:
        for side in SIDES:
            in_side = ("ip", "-n", namespaces.name(side))
            if case.is_ipv6:
                enabled = f"echo 0 > /proc/sys/net/ipv6/conf/{DEVICE}/disable_ipv6"
                run(namespaces.command(side, "sh", "-c", enabled))
                run([*in_side, "address", "add", f"{_ADDRESSES_6[side]}/64", "dev", DEVICE, "nodad"])
            if case.are_joined:
                run(namespaces.command(side, "ethtool", "-K", DEVICE, "tso", "off", "gso", "off", "gro", "on"))
        if case.loss_ppm and case.are_encrypted:
            run(namespaces.command("b", "nft", _LOSS.format(case.loss_ppm)))
        yield namespaces


def _options(case: Case) -> Sequence[object]:
    return ("--engine", case.engine, "--packet-bytes", case.packet_bytes, "--packets", case.packets,
            "--warm-up-packets", _WARM_UP_PACKETS, "--mode", "sleep", "--interval", f"{case.interval_us}us",
            "--observe", case.observe, *(("--quic.delivery", "datagram") if case.are_encrypted else ()))  # fmt: skip


def _observed(made: Run, directory: Path, case: Case, program: str) -> set[int]:
    """Returns the packets that were sent and received while a side's program observed them."""
    received_ns = dict(zip(made.received["seq"], made.received["received_ns"], strict=True))
    if case.observe != "auto":
        return set(received_ns)
    sent_ns = dict(zip(made.sent["seq"], made.sent["sent_ns"], strict=True))
    windows = [row for row in captures.rows(directory / f"{program}-events.npy") if row["cause"] == _OBSERVED]
    return {
        number
        for number, at_ns in received_ns.items()
        if any(window["start_ns"] < sent_ns[number] and at_ns < window["end_ns"] for window in windows)
    }


# The programs by their side of the link, and the entry of run.json with the way of their stamps.
_PROGRAMS = {"a": "sender", "b": "receiver"}
_WAYS = {"a": "departureStamps", "b": "kernelStamps"}


def _stamps_ns(made: Run, directory: Path, side: str) -> dict[int, int]:
    """Returns the observer's stamps of a side, by sequence number; none if the run has none."""
    if side == "b":
        received = made.received
        stamps = zip(received["seq"], received.get("kernel_ns", [0] * len(received["seq"])), strict=True)
        return {number: at_ns for number, at_ns in stamps if at_ns > 0}
    file = directory / "sender-departures.npy"
    return {row["seq"]: row["left_ns"] for row in captures.rows(file)} if file.exists() else {}


def _captured_ns(
    case: Case, seen: Iterable[tuple[int, Segment]], made: Run, sent_ns: Mapping[int, int]
) -> dict[int, int]:
    if case.are_encrypted:
        lost = len(sent_ns) + _WARM_UP_PACKETS - len(made.received["seq"])
        lost -= made.record["receiver"]["metadata"]["warmUpReceived"]
        if lost > 0 and "b" in case.sides:
            raise Failed(f"{case.title}: {lost} packets were lost, so that the order does not identify the others")
        return encrypted_ns(seen, case.packet_bytes, _WARM_UP_PACKETS, len(sent_ns))
    if case.transport == "tcp":
        return streamed_ns(seen, case.packet_bytes, sent_ns)
    return datagrams_ns(seen, case.header_bytes, sent_ns)


def _compare(home: Path, case: Case) -> Iterator[tuple[str, Agreement, str]]:
    """Makes a run, and compares what left and arrived. Yields also the way of the stamps by the run's record."""
    with tempfile.TemporaryDirectory(prefix="lagbench-arrivals-") as directory:
        work = Path(directory)
        bench = Bench(home, work, case.addresses)
        taps = {}
        with _link(home, case) as namespaces, ExitStack() as ends:
            for side in case.sides:
                taps[side] = dumpcap.Capture(namespaces, side, work / f"{side}.pcapng")
                ends.callback(taps[side].end)
            made = bench.run(namespaces, "a", {side: {} for side in SIDES}, "run", case.transport, _options(case))
        sent_ns = dict(zip(made.sent["seq"], made.sent["sent_ns"], strict=True))
        for side, tap in taps.items():
            seen = tap.segments()
            captured = _captured_ns(case, seen, made, sent_ns)
            run_directory = work / "runs" / "run"
            observed = _observed(made, run_directory, case, _PROGRAMS[side])
            found = agree(
                _stamps_ns(made, run_directory, side),
                {number: ns for number, ns in captured.items() if number in observed},
                sent_ns,
            )
            way = made.record[_PROGRAMS[side]]["metadata"].get(_WAYS[side], "the socket")
            yield "left" if side == "a" else "arrived", found, str(way)


def compare(home: Path, cases: Sequence[Case] = CASES) -> bool:
    """Makes a run of each case, and prints how its stamps agree with captures. Returns whether all hold."""
    if shutil.which(dumpcap.NAME) is None:
        print(f"arrivals: not compared: {dumpcap.NAME} is not installed (Debian package wireshark-common)", flush=True)
        return cases == SMOKE
    remove_leftovers(_MAKER)
    held = True
    for case in cases:
        for what, found, way in _compare(home, case):
            holds = found.holds(case.matched_min)
            held &= holds
            print(f"{case.title:32} {found.matched:6} of {found.packets:6} packets that {what} matched"
                  f" ({found.matched / max(1, found.packets):7.2%}), {found.median_ns / 1e3:5.2f} µs later by the"
                  f" median, {found.q99_ns / 1e3:6.2f} µs apart by Q99, order violated {found.violations} times; stamps"
                  f" of {way}: {'holds' if holds else 'FAILED'}", flush=True)  # fmt: skip
    print(f"goals: {MATCHED_MIN:.1%} of the packets matched, {_QUEUED_MATCHED_MIN:.0%} where frames share segments; a"
          f" median difference of at most {MEDIAN_MAX_NS / 1e3:.0f} µs; no order violated", flush=True)  # fmt: skip
    return held
