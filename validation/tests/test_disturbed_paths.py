"""Tests of the judgment of disturbed paths."""

import socket
import unittest

from lagbench_validation.disturbed_paths import Late, judge
from lagbench_validation.packet_header import PacketHeader
from lagbench_validation.packet_socket import Segment
from lagbench_validation.path_captures import datagrams_ns, encrypted_ns, stream_begin, streamed_ns
from lagbench_validation.processes import Failed

MS = 1_000_000
SIZE = 100


def _packet(sequence: int) -> bytes:
    return PacketHeader(7, sequence, 1_000 + sequence).packed().ljust(SIZE, b"\0")


def _tcp(sequence: int, payload: bytes) -> Segment:
    return Segment(socket.IPPROTO_TCP, "10.139.0.1", 5001, sequence % (1 << 32), len(payload), payload)


class DisturbedPathsTest(unittest.TestCase):
    def test_finds_packets_of_a_stream_whose_numbers_wrap(self) -> None:
        begin = (1 << 32) - 150
        stream = b"".join(_packet(number) for number in range(4))
        pieces = [(0, 100), (200, 300), (300, 400), (100, 200)]  # the second was lost and retransmitted
        seen = [(at, _tcp(begin + start, stream[start:end])) for at, (start, end) in enumerate(pieces, 1)]
        seen.insert(0, (0, _tcp(77, b"another connection" * 3)))
        sent_ns = {number: 1_000 + number for number in range(4)}
        found = stream_begin(seen, SIZE, sent_ns)
        self.assertEqual(found, begin)
        self.assertEqual(streamed_ns(seen[1:], found, SIZE, in_order=True), {0: 1, 1: 4, 2: 4, 3: 4})
        self.assertEqual(streamed_ns(seen[1:], found, SIZE, in_order=False), {0: 1, 2: 2, 3: 3, 1: 4})

    def test_takes_the_first_copy_of_a_datagram(self) -> None:
        packets = [Segment(socket.IPPROTO_UDP, "10.139.0.1", 5001, 0, SIZE, _packet(number)) for number in (5, 6, 5)]
        self.assertEqual(datagrams_ns(enumerate(packets), SIZE), {5: 0, 6: 1})

    def test_numbers_datagrams_of_quic_between_others(self) -> None:
        def udp(port: int, first: int, number: int) -> Segment:
            payload = bytes([first, number]).ljust(SIZE + 1, b"\0")
            return Segment(socket.IPPROTO_UDP, "10.139.0.1", port, 0, len(payload), payload)

        handshake, rival = udp(5001, 0xC0, 0), udp(9, 0, 0)
        sent = [udp(5001, 0x40, number) for number in range(6)]
        left = list(enumerate([handshake, sent[0], rival, *sent[1:]]))
        arrived = [(at + 10, one) for at, one in left if one is not sent[2]]
        self.assertEqual(encrypted_ns(left, arrived, SIZE, 1, {0: 0, 1: 0, 2: 0}),
                         ({0: 3, 1: 4, 2: 5}, {0: 13, 2: 15}))  # fmt: skip
        with self.assertRaisesRegex(Failed, "6 datagrams left of 6 packets after 1"):
            encrypted_ns(left, arrived, SIZE, 1, dict.fromkeys(range(6), 0))

    def test_judges_late_packets_by_their_largest_part(self) -> None:
        late = {10: ("path", "path", "network"), 20: ("receiver", "receiver", "stall"), 30: ("sender", "", "")}
        rows, left_ns, arrived_ns = [], {}, {}
        for seq in range(100):
            where, side, cause = late.get(seq, ("", "", ""))
            sent = seq * 10 * MS
            left_ns[seq] = sent + MS // 10 + (5 * MS if where == "sender" else 0)
            arrived_ns[seq] = left_ns[seq] + MS + (5 * MS if where == "path" else 0)
            received = arrived_ns[seq] + MS // 10 + (5 * MS if where == "receiver" else 0)
            rows.append({"seq": seq, "copy": "0", "sent_ns": sent, "received_ns": received, "cause_side": side,
                         "cause": cause})  # fmt: skip
        self.assertEqual(judge(rows, left_ns, arrived_ns), [Late(*late[10]), Late(*late[20]), Late("sender", "", "")])

    def test_leaves_out_late_packets_placed_by_the_usual_packet(self) -> None:
        times_ms = [*[(10, 1)] * 120, *[(16, 1)] * 101, *[(10, 9)] * 120, (17, 3)]  # on the path, at the receiver
        rows, left_ns, arrived_ns = [], {}, {}
        for seq, (path, receiver) in enumerate(times_ms):
            sent = seq * 100 * MS
            left_ns[seq], arrived_ns[seq] = sent, sent + path * MS
            rows.append({"seq": seq, "copy": "0", "sent_ns": sent, "received_ns": arrived_ns[seq] + receiver * MS,
                         "cause_side": "receiver", "cause": "run-queue"})  # fmt: skip
        self.assertEqual(judge(rows, left_ns, arrived_ns), [Late("receiver", "receiver", "run-queue")] * 120)

    def test_finds_causes_that_captures_refute(self) -> None:
        self.assertTrue(Late("path", "path", "before-receiver").right)
        self.assertTrue(Late("path", "path", "head-of-line-blocking").right)
        self.assertTrue(Late("path", "receiver", "run-queue").blames_idle_host)
        self.assertTrue(Late("receiver", "sender", "stall").blames_idle_host)
        self.assertFalse(Late("sender", "path", "network").right)
        self.assertFalse(Late("path", "path", "network-or-receiver").known)
        self.assertFalse(Late("path", "path", "network-or-receiver").blames_idle_host)
        self.assertFalse(Late("path", "sender", "retransmission").blames_idle_host)


if __name__ == "__main__":
    unittest.main()
