"""Tests what judges media transports, on packets whose bytes are written out."""

import math
import unittest

from lagbench_validation.media.identities import Sum
from lagbench_validation.media.link import Flow, Packet, parse_rist, parse_srt
from lagbench_validation.media.study import PATHS, Figures, Key, markdown

# An SRT header: sequence number, position, flags and message number, time, socket.
_SRT_FIRST = bytes.fromhex("12345678e0000007000000010000abcd") + b"payload"
_SRT_AGAIN = bytes.fromhex("12345678e4000007000000020000abcd") + b"payload"
_SRT_FILTER = bytes.fromhex("12345678e0000000000000030000abcd") + b"parity"
_SRT_CONTROL = bytes.fromhex("8002000000000001000000040000abcd")

# An RTP header: version, type, sequence number, time, source, whose lowest bit marks a retransmission.
_RTP_FIRST = bytes.fromhex("802101020000000100001234") + bytes(24)
_RTP_AGAIN = bytes.fromhex("802101020000000100001235") + bytes(24)
_RTP_OPENING = bytes.fromhex("802101020000000100001234") + b"\0"
_RTCP = bytes.fromhex("80c8000600001234") + bytes(20)


class MediaTest(unittest.TestCase):
    def test_parses_srt_packets(self) -> None:
        self.assertEqual(parse_srt(_SRT_FIRST), Packet(0x12345678, False))
        self.assertEqual(parse_srt(_SRT_AGAIN), Packet(0x12345678, True))
        self.assertIsNone(parse_srt(_SRT_FILTER))
        self.assertIsNone(parse_srt(_SRT_CONTROL))

    def test_parses_rist_packets(self) -> None:
        self.assertEqual(parse_rist(_RTP_FIRST), Packet(0x0102, False))
        self.assertEqual(parse_rist(_RTP_AGAIN), Packet(0x0102, True))
        self.assertEqual(parse_rist(_RTP_OPENING), Packet(0x0102, False, is_ours=False))
        self.assertIsNone(parse_rist(_RTCP))

    def test_counts_what_a_link_lost(self) -> None:
        first = [Packet(number, False) for number in (65_535, 0, 1)]
        again = Packet(0, True)
        flow = Flow([first[0], first[1], first[2], again], [first[0], first[2], again])
        self.assertEqual(flow.first_copies, [65_535, 0, 1])
        self.assertEqual(flow.first_copies_lost, {0})
        self.assertEqual(flow.retransmitted, 1)
        self.assertEqual(flow.lost_at_end, 0)
        self.assertEqual(Flow(flow.entered, [first[0]]).lost_at_end, 2)

    def test_accepts_sum_within_tolerance(self) -> None:
        self.assertTrue(Sum("", 3, 3).holds)
        self.assertFalse(Sum("", 4, 3).holds)
        self.assertTrue(Sum("", 4, 3, 1).holds)
        self.assertFalse(Sum("", 2, 3, 1).holds)

    def test_marks_points_that_lose_packets_on_a_lossless_link(self) -> None:
        key = Key("TCP", "bbr", 20.0)
        whole = Figures(3, 3, 12_000, 0, 0.01, 0.09, 30.4)
        table = {(20, name): {key: whole} for name in PATHS}
        table[20, "0"] = {key: Figures(3, 3, 12_000, 1, 0.0, 0.0, 30.4)}
        table[20, "3 %"] = {key: Figures(2, 3, 8_000, 20, 0.01, 0.09, 30.4)}
        table[20, "1 % in bursts"] = {key: Figures(0, 3, 0, 0, math.nan, math.nan, math.nan)}
        self.assertEqual(
            list(markdown(table, 20))[-1],
            "| TCP, bbr * | 20 ms | 30.4 ms | 0 | 0.25 % (2 of 3 runs) | none | 1.00 % | 9.0 % |",
        )


if __name__ == "__main__":
    unittest.main()
