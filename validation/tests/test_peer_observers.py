"""Tests of the observers of the programs: counters, taps, delays and the state of TCP."""

import socket
import struct
import unittest
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from tempfile import TemporaryFile
from typing import TypeVar

from lagbench_validation.peers import observer, tap
from lagbench_validation.peers.cells import Cell, Report
from lagbench_validation.peers.observer import Counters, Sample, begins_to_flow, counting, steady, until_next_sample_s
from lagbench_validation.peers.transfers import brackets, parse, window_range
from lagbench_validation.peers.trial import values_within

UDP_24 = Cell("udp", 24, False)
TCP_396 = Cell("tcp", 396, False)

T = TypeVar("T")


def present(value: T | None) -> T:
    """Returns a value that must not be None."""
    assert value is not None
    return value


class ObserverTest(unittest.TestCase):
    SNMP = (
        "Ip: Forwarding DefaultTTL\nIp: 2 64\n"
        "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors\n"
        "Udp: 91981 0 4623 69965527 4623 0 0 0 0\nUdpLite: InDatagrams\nUdpLite: 0\n"
    )
    DEVICES = (
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls\n"
        "    lo:       0       0    0    0    0     0   0    0        0       0    0    0    0     0       0\n"
        "  path: 1066000    1000    0    0    0     0   0    0  2132000    2000    0    0    0     0       0\n"
    )

    def test_reads_the_kernels_counters(self) -> None:
        self.assertEqual(observer.udp_dropped(self.SNMP), 4_623)
        self.assertEqual(observer.payload_bytes(self.DEVICES, "receive", 66), (1_000_000, 1_000))
        self.assertEqual(observer.payload_bytes(self.DEVICES, "transmit", 66), (2_000_000, 2_000))

    def test_counts_joined_datagrams_by_their_bytes(self) -> None:
        with ExitStack() as stack:
            files = [stack.enter_context(TemporaryFile()) for _ in range(3)]
            texts = (self.DEVICES, self.DEVICES, self.SNMP.replace(" 4623 ", " 10 "))
            for file, text in zip(files, texts, strict=True):
                file.write(text.encode("ascii"))
                file.flush()
            sample = Counters(*(file.fileno() for file in files)).sample([])
        self.assertEqual(sample.sent, 2_132_000 - 2_000 * 42)
        # Of 1,000 frames of 1,024 bytes of payload ten were dropped.
        self.assertEqual(sample.received, 1_024_000 - 10 * 1_024)

    @staticmethod
    def _samples(per_interval: Sequence[int], unit: int = 24) -> list[Sample]:
        """Returns samples of a program every 50 ms, with 10 ms of CPU between them."""
        sent = 0
        samples = []
        for i, packets in enumerate(per_interval):
            sent += packets * unit
            samples.append(
                Sample(i * 50_000_000, sent, sent * 9 // 10, {1: i * 10_000_000, **({2: 0} if i > 5 else {})})
            )
        return samples

    def test_uses_the_measured_interval(self) -> None:
        window = present(
            steady(self._samples([0] * 10 + [100] * 10 + [400] * 11), UDP_24, 1_000_000_000, 1_500_000_000)
        )
        self.assertAlmostEqual(window.rate, 400 * 0.9 / 0.05)
        self.assertAlmostEqual(present(window.loss), 0.1)
        self.assertAlmostEqual(window.cpu_ns, 10_000_000 / 360)

    def test_uses_the_interval_that_a_program_reports(self) -> None:
        self.assertEqual(counting([], Report(begin_ns=1_000, end_ns=9_000)), (1_000, 9_000))
        self.assertEqual(counting([], Report(begin_ns=1_000, end_ns=9_000), 5_000), (1_000, 5_000))

    def test_finds_the_traffic_of_a_program_without_a_warm_up(self) -> None:
        samples = self._samples([0] * 20 + [3] + [400] * 40 + [0] * 20)
        self.assertEqual(counting(samples, Report()), (1_400_000_000, 2_950_000_000))
        self.assertEqual(counting(samples, Report(), 2_000_000_000), (1_400_000_000, 2_000_000_000))
        self.assertAlmostEqual(present(steady(samples, UDP_24, *counting(samples, Report()))).rate, 400 * 0.9 / 0.05)

    def test_detects_the_beginning_of_traffic(self) -> None:
        samples = self._samples([0, 3, 400], unit=396)
        flows = [begins_to_flow(before, after, TCP_396) for before, after in pairwise(samples)]
        self.assertEqual(flows, [False, True])

    def test_counts_tcp_bytes_as_packets_without_loss(self) -> None:
        window = present(steady(self._samples([400] * 40, unit=396), TCP_396, 0, 2_000_000_000))
        self.assertAlmostEqual(window.rate, 400 * 0.9 / 0.05)
        self.assertIsNone(window.loss)

    def test_has_no_metrics_without_traffic(self) -> None:
        samples = self._samples([0] * 30)
        self.assertIsNone(steady(samples, UDP_24, *counting(samples, Report())))
        self.assertIsNone(steady([], UDP_24, 0, 1))

    def test_samples_only_outside_the_measured_interval(self) -> None:
        waits = [
            until_next_sample_s(now * 1_000_000, 1_000_000_000, 2_000_000_000)
            for now in (900, 1_020, 1_080, 1_100, 1_999, 2_001)
        ]
        self.assertEqual(waits, [0.05, 0.05, 0.02, 0.9, 0.001, 0])


class DelaysTest(unittest.TestCase):
    """Delays are those of the measured packets alone."""

    def test_selects_by_times_since_the_epoch(self) -> None:
        at_ns = 1_795_170_284_767_096_043
        report = Report(sent_ns=[at_ns - 1, at_ns, at_ns + 9, at_ns + 10], lags_ns=[1, 2, 3, 4])
        self.assertEqual(values_within(report, [1, 2, 3, 4], at_ns, at_ns + 10), [2, 3])

    def test_selects_by_times_of_day_in_any_zone(self) -> None:
        at_ns = (20_000 * 24 * 3600 + 30_181) * 1_000_000_000  # 08:23:01
        for zone_s in (0, 3600, -12_600):
            of_day_ns = (30_181 + zone_s) * 1_000_000_000
            report = Report(sent_ns=[of_day_ns - 1, of_day_ns, of_day_ns + 9, of_day_ns + 10], lags_ns=[1, 2, 3, 4])
            self.assertEqual(values_within(report, [1, 2, 3, 4], at_ns, at_ns + 10), [2, 3])

    def test_selects_by_times_since_the_first_packet(self) -> None:
        report = Report(sent_ns=[2_400, 2_409, 2_410], own_clock=True, round_trips_ns=[1, 2, 3])
        self.assertEqual(values_within(report, [1, 2, 3], 70_000, 70_010), [1, 2])


class TapTest(unittest.TestCase):
    @staticmethod
    def _frame(protocol: int, header: bytes, payload: int, source: str = "10.139.5.1") -> bytes:
        ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(header) + payload, 0, 0, 64, protocol, 0)
        return bytes(12) + b"\x08\x00" + ip + socket.inet_aton(source) + socket.inet_aton("10.139.5.2") + header

    def test_returns_the_payload_of_a_frame(self) -> None:
        udp = self._frame(socket.IPPROTO_UDP, bytes(8), 24)
        tcp = self._frame(socket.IPPROTO_TCP, bytes(12) + b"\x80" + bytes(19), 396)
        self.assertEqual(tap.payload_bytes(udp, socket.IPPROTO_UDP), 24)
        self.assertEqual(tap.payload_bytes(tcp, socket.IPPROTO_TCP), 396)
        self.assertEqual(tap.payload_bytes(tcp, socket.IPPROTO_UDP), 0)
        self.assertEqual(tap.payload_bytes(b"\0" * 60, socket.IPPROTO_UDP), 0)

    def test_ignores_frames_of_the_other_direction(self) -> None:
        frame = self._frame(socket.IPPROTO_UDP, bytes(8), 24, source="10.139.5.2")
        self.assertEqual(tap.payload_bytes(frame, socket.IPPROTO_UDP), 0)


class TransfersTest(unittest.TestCase):
    LINE = (
        "ESTAB 0 0 127.0.0.1:42000 127.0.0.1:41553 bbr wscale:10,10 rto:204 rtt:0.033/0.015 mss:47616 cwnd:13"
        " ssthresh:9 bytes_sent:100000 bytes_retrans:4344 bytes_acked:95657 segs_out:5 segs_in:3 retrans:1/3"
        " send 150062545455bps delivered:4 minrtt:0.015"
    )

    def test_parses_a_line_of_ss(self) -> None:
        sample = parse(self.LINE, 5, 7)
        self.assertEqual((5, 7), (sample.before_ns, sample.after_ns))
        self.assertEqual(95656, sample.acked_bytes)
        self.assertEqual(3, sample.retransmitted_segments)
        self.assertEqual(13, sample.cwnd_segments)

    def test_reads_zeros_that_ss_omits(self) -> None:
        sample = parse("ESTAB 0 0 10.0.0.1:1 10.0.0.2:2 cubic cwnd:10", 0, 0)
        self.assertEqual((0, 0), (sample.acked_bytes, sample.retransmitted_segments))

    def test_finds_the_polls_around_a_sample(self) -> None:
        states = {"at_ns": [1, 4, 6, 9], "acked_bytes": [0, 10, 20, 30], "cwnd_segments": [10, 12, 20, 8]}
        self.assertEqual((10, 30), brackets(states, "acked_bytes", parse(self.LINE, 5, 7)))
        self.assertEqual((8, 20), window_range(states, parse(self.LINE, 5, 7)))
        self.assertEqual((10, 20), brackets(states, "acked_bytes", parse(self.LINE, 4, 6)))
        self.assertIsNone(brackets(states, "acked_bytes", parse(self.LINE, 0, 2)))
        self.assertIsNone(window_range(states, parse(self.LINE, 8, 10)))


if __name__ == "__main__":
    unittest.main()
