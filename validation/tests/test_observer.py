"""The comparison of the observer's waits with perf's, and of its arrivals with dumpcap's."""

import socket
import struct
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

from lagbench_validation.observer import arrivals, dumpcap
from lagbench_validation.observer.agreement import agree
from lagbench_validation.observer.perf import Wait, waits_of
from lagbench_validation.packet_header import PacketHeader
from lagbench_validation.packet_socket import Segment, segment
from lagbench_validation.processes import Failed

LINES = """
10.000000100: sched:sched_switch: prev_comm=engine prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
10.000010100: sched:sched_waking: comm=engine pid=7 prio=120 target_cpu=001
10.000010200: sched:sched_waking: comm=engine pid=7 prio=120 target_cpu=001
10.000040100: sched:sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=engine next_pid=7 next_prio=120
10.000041000: sched:sched_waking: comm=hog pid=70 prio=120 target_cpu=001
10.000050100: sched:sched_switch: prev_comm=engine prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=my hog next_pid=70 next_prio=120
10.000090100: sched:sched_switch: prev_comm=my hog prev_pid=70 prev_prio=120 prev_state=S ==> next_comm=engine next_pid=7 next_prio=120
""".splitlines()  # noqa: E501 perf's lines


class ObserverTest(unittest.TestCase):
    def test_finds_waits_in_perf_s_lines(self) -> None:
        waits = list(waits_of(LINES, 7, offset_ns=5))
        self.assertEqual(
            waits,
            [
                Wait(10_000_010_105, 10_000_040_105, "swapper/1"),
                Wait(10_000_050_105, 10_000_090_105, "my hog"),
            ],
        )
        self.assertEqual([wait.is_idle for wait in waits], [True, False])

    def test_counts_waits_that_both_have(self) -> None:
        waits = [Wait(1_000_000 * number, 1_000_000 * number + 50_000) for number in range(1, 9)]
        later = [Wait(wait.start_ns + 7_000, wait.end_ns + 7_500) for wait in waits]
        later[2] = Wait(later[2].start_ns + 6_000, later[2].end_ns)
        del later[5]
        found = agree(waits, later)
        self.assertEqual((found.waits, found.same), (8, 6))
        self.assertEqual((found.start_shift_ns, found.end_shift_ns, found.longer), (7_000, 7_500, 1))

    def test_finds_longer_waits(self) -> None:
        waits = [Wait(1_000_000 * number, 1_000_000 * number + 50_000) for number in range(9)]
        longer = [Wait(wait.start_ns, wait.end_ns + 3_000 * (number < 3)) for number, wait in enumerate(waits)]
        found = agree(waits, longer)
        self.assertEqual((found.same, found.end_shift_ns, found.longer), (9, 0, 1.02))


SENT_NS = {0: 7_000, 1: 8_000, 2: 9_000}
SIZE = 40
BEGIN = (1 << 32) - 30  # so that sequence numbers wrap in packet 0


def packet(number: int) -> bytes:
    return PacketHeader(99, number, SENT_NS.get(number, 1)).packed().ljust(SIZE, b"x")


STREAM = packet(-1) + b"".join(map(packet, SENT_NS))  # with a packet of the warm-up


def streamed(first: int, end: int) -> Segment:
    """Returns the segment with these bytes of the stream after the warm-up, which begins at -SIZE."""
    payload = STREAM[SIZE + first : SIZE + end]
    return Segment(socket.IPPROTO_TCP, "10.0.0.1", 5394, (BEGIN + first) % (1 << 32), len(payload), payload)


def datagram(payload: bytes) -> Segment:
    return Segment(socket.IPPROTO_UDP, "10.0.0.1", 5394, 0, len(payload), payload)


def read_capture(resolution: int, captured: list[bytes]) -> Iterator[tuple[int, bytes]]:
    """Reads a pcapng file with these frames, a ns apart from a second on."""

    def block(kind: int, body: bytes) -> bytes:
        padded = body + bytes(-len(body) % 4)
        size = struct.pack("=I", 12 + len(padded))
        return struct.pack("=I", kind) + size + padded + size

    written = block(0x0A0D0D0A, struct.pack("=IHHq", 0x1A2B3C4D, 1, 0, -1))
    written += block(1, struct.pack("=HHIHHB3xHH", 1, 0, 65_535, 9, 1, resolution, 0, 0))
    for ns, frame in enumerate(captured, 1_000_000_000):
        written += block(6, struct.pack("=IIIII", 0, ns >> 32, ns & 0xFFFFFFFF, len(frame), len(frame)) + frame)
    written += block(5, bytes(16))  # counters of the interface
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory, "a.pcapng")
        file.write_bytes(written)
        yield from dumpcap.frames(file)


class ArrivalsTest(unittest.TestCase):
    def test_stamps_packets_when_their_last_byte_arrives(self) -> None:
        seen = [
            (10, streamed(-SIZE, 0)),
            (20, streamed(0, 60)),
            (30, streamed(100, 120)),  # after a gap
            (40, streamed(0, 60)),  # again
            (50, streamed(50, 90)),
            (60, streamed(80, 100)),
        ]
        self.assertEqual(arrivals.streamed_ns(seen, SIZE, SENT_NS), {0: 20, 1: 50, 2: 60})

    def test_leaves_out_packets_that_did_not_arrive(self) -> None:
        self.assertEqual(arrivals.streamed_ns([(20, streamed(0, 60)), (30, streamed(70, 120))], SIZE, SENT_NS),
                         {0: 20, 2: 30})  # fmt: skip

    def test_finds_packets_between_other_bytes(self) -> None:
        framed = b"".join(b"header" + packet(number) + b"other" * number for number in SENT_NS)
        cuts = [(0, 46), (46, 70), (70, 100), (100, len(framed))]
        seen = [
            (1 + first, Segment(socket.IPPROTO_TCP, "10.0.0.1", 5394, BEGIN + first, 0, framed[first:end]))
            for first, end in cuts
        ]
        strange = Segment(socket.IPPROTO_TCP, "10.0.0.2", 5394, 0, SIZE, packet(1))
        self.assertEqual(arrivals.streamed_ns([*seen, (7, strange)], SIZE, SENT_NS), {0: 1, 1: 71, 2: 101})

    def test_stamps_first_copies_of_datagrams(self) -> None:
        seen = [(10, datagram(packet(-1))), (20, datagram(packet(1))), (30, datagram(packet(0))),
                (40, datagram(packet(1))), (50, datagram(b""))]  # fmt: skip
        self.assertEqual(arrivals.datagrams_ns(seen, 0, SENT_NS), {1: 20, 0: 30})

    def test_stamps_several_packets_of_a_datagram(self) -> None:
        frames = b"".join(bytes(32) + packet(number).ljust(64, b"\0") for number in (0, 2))
        self.assertEqual(arrivals.datagrams_ns([(20, datagram(frames))], 32, SENT_NS), {0: 20, 2: 20})

    def test_counts_encrypted_datagrams_after_the_warm_up(self) -> None:
        handshake, packet, answer = (
            datagram(begin + b"x" * size) for begin, size in ((b"\xc0", 90), (b"\x40", 70), (b"\x40", 30))
        )
        seen = list(enumerate([handshake, packet, *[packet, answer] * 200, packet, packet, packet]))
        self.assertEqual(arrivals.encrypted_ns(seen, 60, 200, 2), {0: 400, 1: 402})
        with self.assertRaisesRegex(Failed, "203 datagrams were captured of 4 packets after 200"):
            arrivals.encrypted_ns(seen[:-1], 60, 200, 4)

    def test_compares_stamps_with_a_capture(self) -> None:
        sent_ns = {number: 500_000 * number for number in range(200)}
        captured_ns = {number: ns + 12_000 for number, ns in sent_ns.items()}
        stamps_ns = {number: ns - 1_500 for number, ns in captured_ns.items()}
        captured_ns[4] += 300_000  # the kernel was slow
        self.assertEqual(arrivals.agree(stamps_ns, captured_ns, sent_ns), (200, 200, -1_500, 1_500, 0))
        for neighbor in (6, 8):
            wrong_ns = stamps_ns | {7: stamps_ns[neighbor]}
            del wrong_ns[9]
            found = arrivals.agree(wrong_ns, captured_ns, sent_ns)
            self.assertEqual((found.matched, found.violations, found.holds()), (198, 0, False))
        wrong_ns = stamps_ns | {7: stamps_ns[9]}
        self.assertEqual(arrivals.agree(wrong_ns, captured_ns, sent_ns).violations, 1)

    def test_does_not_hold_without_stamps(self) -> None:
        self.assertEqual(arrivals.agree({}, {1: 5}, {1: 4}), (1, 0, 0, 0, 0))
        self.assertFalse(arrivals.agree({}, {}, {}).holds())

    def test_reads_frames_of_both_versions_of_ip(self) -> None:
        udp = struct.pack(">HHHH", 1_000, 5_394, 8 + 3, 0) + b"abc"
        v4 = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, bytes(4), bytes(4))
        v6 = struct.pack(">IHBB16s16s", 6 << 28, len(udp), 17, 64, bytes(15) + b"\1", bytes(16))
        frames = [bytes(12) + b"\x08\x00" + v4 + udp, bytes(12) + b"\x86\xdd" + v6 + udp + b"padding",
                  bytes(12) + b"\x08\x06" + bytes(28)]  # fmt: skip
        read = list(read_capture(9, frames))
        self.assertEqual([ns for ns, _ in read], [1_000_000_000, 1_000_000_001, 1_000_000_002])
        found = [segment(frame) for _, frame in read]
        expected = [Segment(17, source, 5_394, 0, 3, b"abc") for source in ("0.0.0.0", "::1")]
        self.assertEqual(found, [*expected, None])

    def test_refuses_stamps_in_microseconds(self) -> None:
        with self.assertRaisesRegex(Failed, "stamps in ns"):
            list(read_capture(6, []))


if __name__ == "__main__":
    unittest.main()
