"""Tests of what is read from the programs and of the arithmetic, against recorded output and numbers worked by hand."""

import json
import socket
import struct
import time
import unittest
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeVar

from lagbench_validation.peers import ditg, irtt, lagbench, mgen, netperf, nuttcp, observer, qperf, sockperf, tap
from lagbench_validation.peers.cells import CannotDo, Cell, Report, all_cells
from lagbench_validation.peers.iperf3 import Iperf3
from lagbench_validation.peers.lagbench import ENGINES, MODES, Lagbench
from lagbench_validation.peers.observer import Counters, Sample, begins_to_flow, counting, steady, until_next_sample_s
from lagbench_validation.peers.peer import Peer
from lagbench_validation.peers.round_trips import parse_latency
from lagbench_validation.peers.transfers import brackets, parse, window_range
from lagbench_validation.peers.trial import values_within
from lagbench_validation.processes import Failed

UDP_24 = Cell("udp", 24, False)
UDP_24_FLOOD = Cell("udp", 24, True)
TCP_396 = Cell("tcp", 396, False)

T = TypeVar("T")


def present(value: T | None) -> T:
    """Returns a value that must not be None."""
    assert value is not None
    return value


def ours(engine: str, mode: str) -> Lagbench:
    return Lagbench(Path("/home"), Path("/key"), engine, next(one for one in MODES if one.name == mode))


class CellsTest(unittest.TestCase):
    def test_covers_transports_sizes_and_floods(self) -> None:
        self.assertEqual(len({cell.name for cell in all_cells()}), 12)
        self.assertIn("udp/24/8000", [cell.name for cell in all_cells()])
        self.assertIn("tcp/992/flood", [cell.name for cell in all_cells()])


class CannotDoTest(unittest.TestCase):
    @staticmethod
    def why(peer: Peer, cell: Cell) -> str:
        try:
            peer.check(cell)
        except CannotDo as refusal:
            return str(refusal)
        raise AssertionError(f"{peer.name} takes {cell.name}")

    def test_explains_why_a_program_cannot_run_a_cell(self) -> None:
        self.assertIn("60 bytes", self.why(irtt.Irtt(), UDP_24))
        self.assertIn("only UDP", self.why(irtt.Irtt(), TCP_396))
        self.assertIn("28 bytes", self.why(mgen.Mgen(), UDP_24))
        self.assertIn("76 bytes", self.why(mgen.Mgen(), Cell("tcp", 24, True)))
        self.assertIn("no pace", self.why(qperf.Qperf(), UDP_24))
        mgen.Mgen().check(TCP_396)
        qperf.Qperf().check(UDP_24_FLOOD)


class Iperf3Test(unittest.TestCase):
    def test_reads_a_udp_report(self) -> None:
        output = '{"end": {"sum": {"jitter_ms": 0.10799, "lost_packets": 12, "packets": 7998, "lost_percent": 0}}}'
        report = Iperf3().report(UDP_24, Path(), "", output)
        self.assertEqual((report.received, report.lost), (7_986, 12))

    def test_reads_a_tcp_report(self) -> None:
        output = '{"end": {"sum_received": {"start": 0, "seconds": 1.003916, "bytes": 3168000, "sender": true}}}'
        report = Iperf3().report(TCP_396, Path(), "", output)
        self.assertEqual((report.received, report.lost), (8_000, None))

    def test_finds_an_error_despite_exit_code_0(self) -> None:
        with self.assertRaisesRegex(Failed, "unable to connect"):
            Iperf3().report(UDP_24, Path(), "", '{"end": {}, "error": "unable to connect to server"}')


class SockperfTest(unittest.TestCase):
    LOG = """\
------------------------------
test was performed using the following parameters: --mps=8000 --burst=1 --reply-every=1 --msg-size=24 --time=1
------------------------------
sockperf: [Total Run] RunTime=1.000 sec; Warm up time=400 msec; SentMessages=8004; ReceivedMessages=6560
------------------------------
packet, txTime(sec), rxTime(sec), rtt(usec)
0, 2.401762462, 2.401774851, 12.389
1, 2.401887448, 2.401899676, 12.228
------------------------------
"""

    def test_reads_round_trips(self) -> None:
        report = sockperf.parse_round_trips(self.LOG)
        self.assertEqual(report.round_trips_ns, [12_389, 12_228])
        self.assertEqual(report.sent_ns, [2_401_762_462, 2_401_887_448])
        self.assertTrue(report.own_clock)

    def test_finds_a_log_without_packets(self) -> None:
        with self.assertRaises(Failed):
            sockperf.parse_round_trips("sockperf: Test ended\n")

    def test_reads_throughput(self) -> None:
        report = sockperf.parse_throughput(
            "sockperf: Total 51253 messages received and handled\n",
            "sockperf: Total of 54916 messages sent in 1.029 sec\n",
        )
        self.assertEqual((report.received, report.lost), (51_253, 3_663))

    def test_finds_a_missing_server(self) -> None:
        with self.assertRaises(Failed):
            sockperf.parse_throughput("", "sockperf: Total of 54916 messages sent in 1.029 sec\n")


class IrttTest(unittest.TestCase):
    RESULT = """{"round_trips": [
        {"seqno": 0, "lost": "false", "timestamps": {
          "client": {"receive": {"wall": 1795170284768777292}, "send": {"wall": 1795170284767096043}},
          "server": {"receive": {"wall": 1795170284768685675}, "send": {}}},
         "delay": {"receive": 31297, "rtt": 133279, "send": 101982}, "ipdv": {}},
        {"seqno": 1, "lost": "false", "timestamps": {
          "client": {"receive": {"wall": 1795170284858254174}, "send": {"wall": 1795170284855110534}},
          "server": {"receive": {"wall": 1795170284856709510}, "send": {}}},
         "delay": {"receive": 9084, "rtt": 28102, "send": 19018}, "ipdv": {}},
        {"seqno": 2, "lost": "true", "delay": {}, "ipdv": {}}]}"""

    def test_reads_one_way_delays_and_round_trips(self) -> None:
        report = irtt.parse(json.loads(self.RESULT))
        self.assertEqual(report.sent_ns, [1_795_170_284_767_096_043, 1_795_170_284_855_110_534])
        self.assertEqual(report.lags_ns, [101_982, 19_018])
        self.assertEqual(report.round_trips_ns, [133_279, 28_102])
        self.assertEqual((report.received, report.lost), (2, 1))


class DitgTest(unittest.TestCase):
    TEXT = (
        "Flow>0001 Seq>      1 Src>     10.139.5.1/51468 Dest>     10.139.5.2/8999 txTime>8:23:1.778449"
        " rxTime>8:23:1.778495 Size>   24\n"
        "Flow>0001 Seq>      2 Src>     10.139.5.1/51468 Dest>     10.139.5.2/8999 txTime>23:59:59.999999"
        " rxTime>0:0:0.000010 Size>   24\n"
    )

    def test_reads_one_way_delays_across_midnight(self) -> None:
        report = ditg.parse(self.TEXT)
        self.assertEqual(report.lags_ns, [46_000, 11_000])
        self.assertEqual(report.sent_ns, [30_181_778_449_000, 86_399_999_999_000])

    def test_finds_an_empty_log(self) -> None:
        with self.assertRaises(Failed):
            ditg.parse("")


class MgenTest(unittest.TestCase):
    LOG = """\
08:23:04.112926 START Mgen Version 5.02b
08:23:04.112980 LISTEN proto>UDP port>5000
08:23:04.424726 RECV proto>UDP flow>1 seq>0 src>10.139.5.1/59625 dst>10.139.5.2/5000 sent>08:23:04.424648 size>28 gps>INVALID,0.000000,0.000000,0 
08:35:05.462109 RECV proto>TCP flow>1 seq>7999 src>10.139.5.1/45739 dst>10.139.5.2/5000 sent>08:35:05.462088 size>396 gps>INVALID,999.000000,999.000000,4294966297 
08:35:05.464741 STOP
"""  # noqa: E501, W291

    def test_reads_one_way_delays(self) -> None:
        report = mgen.parse(self.LOG)
        self.assertEqual(report.lags_ns, [78_000, 21_000])
        self.assertEqual(report.sent_ns, [30_184_424_648_000, 30_905_462_088_000])


class NuttcpTest(unittest.TestCase):
    def test_reads_a_udp_report(self) -> None:
        output = (
            "megabytes=0.1727 real_seconds=1.00 rate_Mbps=1.4477 tx_cpu=37 rx_cpu=0 drop=450 pkt=7995 data_loss=5.6\n"
        )
        report = nuttcp.parse(UDP_24, output)
        self.assertEqual(report.lost, 450)
        self.assertAlmostEqual(present(report.received), 7_545, delta=2)  # it prints four figures

    def test_reads_a_tcp_report(self) -> None:
        output = "megabytes=3.0178 real_seconds=1.00 rate_Mbps=25.4134 tx_cpu=35 rx_cpu=3 retrans=0 rtt_ms=0.10\n"
        self.assertAlmostEqual(present(nuttcp.parse(TCP_396, output).received), 7_991, delta=2)

    def test_finds_an_error(self) -> None:
        with self.assertRaisesRegex(Failed, "Unable"):
            nuttcp.parse(TCP_396, "Unable to print retransmission information if TCP buflen < 32\n")


class QperfTest(unittest.TestCase):
    def test_reads_counts(self) -> None:
        output = "    send_msgs         =          92,937 \n    recv_cpu_time = 1 ns\n    recv_msgs  =      64,423 \n"
        report = qperf.parse("udp_bw:\n" + output)
        self.assertEqual((report.received, report.lost), (64_423, 28_514))

    def test_doubles_latency_to_round_trip(self) -> None:
        self.assertAlmostEqual(parse_latency("udp_lat:\n    latency          =  5.81304 us\n"), 11.62608)
        self.assertAlmostEqual(parse_latency("tcp_lat:\n    latency          =  1.5 ms\n"), 3_000)
        with self.assertRaises(Failed):
            parse_latency("failed to connect")


class NetperfTest(unittest.TestCase):
    def test_reads_a_udp_report(self) -> None:
        output = "8388608      24   1.00   86431   0      16.54\n8388608           1.00     86420       16.54\n\n"
        report = netperf.parse(UDP_24_FLOOD, output)
        self.assertEqual((report.received, report.lost), (86_420, 11))

    def test_reads_a_tcp_report(self) -> None:
        report = netperf.parse(TCP_396, "131072  16384    396    1.00     1329.85   \n")
        self.assertEqual((report.received, report.lost), (419_776, None))

    def test_finds_an_error(self) -> None:
        with self.assertRaises(Failed):
            netperf.parse(TCP_396, "resolve_host: could not resolve host\n")


class LagbenchTest(unittest.TestCase):
    def test_joins_captures_by_sequence_number(self) -> None:
        record = {
            "sender": {"metadata": {"packetThreadCpuNs": 600}},
            "receiver": {"metadata": {"packetThreadCpuNs": 300}},
        }
        sent = {"seq": [0, 1, 2, 3], "sent_ns": [1_000, 2_000, 3_000, 4_000]}
        received = {"seq": [1, 0, 3], "received_ns": [2_010, 2_020, 4_030]}
        report = lagbench.read(record, sent, received, with_lags=True)
        self.assertEqual(report.sent_ns, [2_000, 1_000, 4_000])
        self.assertEqual(report.lags_ns, [10, 1_020, 30])
        self.assertEqual((report.received, report.lost), (3, 1))
        self.assertEqual(report.packet_threads_ns, 300)
        self.assertEqual((report.begin_ns, report.end_ns), (1_000, 4_000))

    def test_reports_no_thread_cpu_without_a_record(self) -> None:
        record = {"sender": {"metadata": {}}, "receiver": {"metadata": {"packetThreadCpuNs": 300}}}
        report = lagbench.read(record, {"seq": [0], "sent_ns": [1]}, {"seq": [0], "received_ns": [2]}, with_lags=False)
        self.assertIsNone(report.packet_threads_ns)
        self.assertIsNone(report.lags_ns)

    def test_begins_when_the_sender_reports_it(self) -> None:
        sender = ours("java", "sleep")
        self.assertIsNone(sender.begun_ns(lambda: "", 1))
        earliest_ns = time.time_ns() + 125_000_000
        begun_ns = present(sender.begun_ns(lambda: "recording in 125000000ns\n", 1))
        self.assertTrue(earliest_ns <= begun_ns <= time.time_ns() + 125_000_000)
        self.assertEqual(sender.begun_ns(lambda: "recording in 125000000ns\n", 1), begun_ns)

    def test_uses_the_engine_and_pace_of_the_cell(self) -> None:
        command = list(map(str, ours("c", "spin").client(UDP_24, "10.0.0.2", 2)))
        self.assertEqual(command[command.index("--packets") + 1], "12800")
        self.assertIn(" ".join(ENGINES["c"]), " ".join(command))
        self.assertEqual(command[command.index("--pace") + 1], "spin:125us")

    def test_passes_the_settings_of_a_flood(self) -> None:
        flood = Cell("udp", 24, True)
        command = " ".join(map(str, ours("java", "flood batch").client(flood, "10.0.0.2", 1)))
        for part in ("--pace flood", "--set receive-buffer=4MiB", "--set batch=32", "--set busy-poll=1ms"):
            self.assertIn(part, command)
        self.assertIn("belongs to other cells", CannotDoTest.why(ours("java", "flood nagle"), flood))
        command = " ".join(map(str, ours("c", "flood batch").client(Cell("tcp", 24, True), "10.0.0.2", 1)))
        self.assertIn("--set batch=64", command)
        self.assertNotIn("busy-poll", command)
        self.assertIn("belongs to other cells", CannotDoTest.why(ours("java", "sleep"), flood))

    def test_has_a_row_per_engine_in_a_plain_flood(self) -> None:
        rows = [row.name for row in lagbench.every_row(Path(), Path()) if row.waits == "flood"]
        self.assertEqual(rows, ["java flood", "java-nio flood", "c flood"])

    def test_has_a_separate_control_row_of_the_c_engine(self) -> None:
        engine = ours("c", "spin apart")
        control = engine.control()
        self.assertEqual((control.name, control.engine), ("control spin apart", "control"))
        self.assertEqual(control.client(UDP_24, "10.0.0.2", 2), engine.client(UDP_24, "10.0.0.2", 2))
        self.assertEqual(control.kind(UDP_24), engine.kind(UDP_24))
        self.assertTrue(control.apart)


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

    def test_has_no_figures_without_traffic(self) -> None:
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
