"""Tests of what is read from the programs and of the arithmetic, against output recorded here and numbers worked by hand."""

import json
import socket
import struct
import unittest

import ditg
import irtt
import lagbench
import mgen
import netperf
import nuttcp
import observer
import qperf
import sockperf
import tap
from cells import CannotDo, Cell, Failed, all_cells
from iperf3 import Iperf3
from observer import Look, steady
from quantiles import quantile
from results import Results

UDP_24 = Cell("udp", 24, False)
UDP_24_FLOOD = Cell("udp", 24, True)
TCP_396 = Cell("tcp", 396, False)


class CellsTest(unittest.TestCase):
    def test_are_two_transports_three_sizes_paced_and_flood(self):
        self.assertEqual(len({cell.name for cell in all_cells()}), 12)
        self.assertIn("udp/24/8000", [cell.name for cell in all_cells()])
        self.assertIn("tcp/992/flood", [cell.name for cell in all_cells()])


class CannotDoTest(unittest.TestCase):
    def _why(self, peer, cell):
        with self.assertRaises(CannotDo) as refused:
            peer.check(cell)
        return str(refused.exception)

    def test_says_why(self):
        self.assertIn("60 bytes", self._why(irtt.Irtt(), UDP_24))
        self.assertIn("UDP alone", self._why(irtt.Irtt(), TCP_396))
        self.assertIn("28 bytes", self._why(mgen.Mgen(), UDP_24))
        self.assertIn("76 bytes", self._why(mgen.Mgen(), Cell("tcp", 24, True)))
        self.assertIn("no pace", self._why(qperf.Qperf(), UDP_24))
        mgen.Mgen().check(TCP_396)
        qperf.Qperf().check(UDP_24_FLOOD)


class Iperf3Test(unittest.TestCase):
    def test_reads_udp(self):
        said = '{"end": {"sum": {"jitter_ms": 0.10799, "lost_packets": 12, "packets": 7998, "lost_percent": 0}}}'
        report = Iperf3().report(UDP_24, "", "", said)
        self.assertEqual((report.received, report.lost), (7_986, 12))

    def test_reads_tcp(self):
        said = '{"end": {"sum_received": {"start": 0, "seconds": 1.003916, "bytes": 3168000, "sender": true}}}'
        report = Iperf3().report(TCP_396, "", "", said)
        self.assertEqual((report.received, report.lost), (8_000, None))

    def test_finds_an_error_that_its_exit_code_hides(self):
        with self.assertRaisesRegex(Failed, "unable to connect"):
            Iperf3().report(UDP_24, "", "", '{"end": {}, "error": "unable to connect to server"}')


class SockperfTest(unittest.TestCase):
    LOG = """\
------------------------------
test was performed using the following parameters: --mps=8000 --burst=1 --reply-every=1 --msg-size=24 --time=1 --full-rtt
------------------------------
sockperf: [Total Run] RunTime=1.000 sec; Warm up time=400 msec; SentMessages=8004; ReceivedMessages=6560
------------------------------
packet, txTime(sec), rxTime(sec), rtt(usec)
0, 2.401762462, 2.401774851, 12.389
1, 2.401887448, 2.401899676, 12.228
------------------------------
"""

    def test_reads_round_trips(self):
        self.assertEqual(sockperf.parse_round_trips(self.LOG).round_trips_ns, [12_389, 12_228])

    def test_finds_a_log_without_packets(self):
        with self.assertRaises(Failed):
            sockperf.parse_round_trips("sockperf: Test ended\n")

    def test_reads_throughput(self):
        report = sockperf.parse_throughput(
            "sockperf: Total 51253 messages received and handled\n",
            "sockperf: Total of 54916 messages sent in 1.029 sec\n",
        )
        self.assertEqual((report.received, report.lost), (51_253, 3_663))

    def test_finds_that_there_was_no_server(self):
        with self.assertRaises(Failed):
            sockperf.parse_throughput("", "sockperf: Total of 54916 messages sent in 1.029 sec\n")


class IrttTest(unittest.TestCase):
    RESULT = """{"round_trips": [
        {"seqno": 0, "lost": "false", "delay": {"receive": 31297, "rtt": 133279, "send": 101982}, "ipdv": {}},
        {"seqno": 1, "lost": "false", "delay": {"receive": 9084, "rtt": 28102, "send": 19018}, "ipdv": {}},
        {"seqno": 2, "lost": "true", "delay": {}, "ipdv": {}}]}"""

    def test_reads_one_way_delays_and_round_trips(self):
        report = irtt.parse(json.loads(self.RESULT))
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

    def test_reads_one_way_delays_over_midnight_too(self):
        self.assertEqual(ditg.parse(self.TEXT).lags_ns, [46_000, 11_000])

    def test_finds_an_empty_log(self):
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

    def test_reads_one_way_delays(self):
        self.assertEqual(mgen.parse(self.LOG).lags_ns, [78_000, 21_000])


class NuttcpTest(unittest.TestCase):
    def test_reads_udp(self):
        said = "megabytes=0.1727 real_seconds=1.00 rate_Mbps=1.4477 tx_cpu=37 rx_cpu=0 drop=450 pkt=7995 data_loss=5.6\n"
        report = nuttcp.parse(UDP_24, said)
        self.assertEqual(report.lost, 450)
        self.assertAlmostEqual(report.received, 7_545, delta=2)  # it prints four figures

    def test_reads_tcp(self):
        said = "megabytes=3.0178 real_seconds=1.00 rate_Mbps=25.4134 tx_cpu=35 rx_cpu=3 retrans=0 rtt_ms=0.10\n"
        self.assertAlmostEqual(nuttcp.parse(TCP_396, said).received, 7_991, delta=2)

    def test_finds_an_error(self):
        with self.assertRaisesRegex(Failed, "Unable"):
            nuttcp.parse(TCP_396, "Unable to print retransmission information if TCP buflen < 32\n")


class QperfTest(unittest.TestCase):
    def test_reads_counts(self):
        said = "    send_msgs         =          92,937 \n    recv_cpu_time = 1 ns\n    recv_msgs         =          64,423 \n"
        report = qperf.parse("udp_bw:\n" + said)
        self.assertEqual((report.received, report.lost), (64_423, 28_514))


class NetperfTest(unittest.TestCase):
    def test_reads_udp(self):
        said = (
            "8388608      24   1.00        86431      0      16.54\n8388608           1.00        86420             16.54\n\n"
        )
        report = netperf.parse(UDP_24_FLOOD, said)
        self.assertEqual((report.received, report.lost), (86_420, 11))

    def test_reads_tcp(self):
        report = netperf.parse(TCP_396, "131072  16384    396    1.00     1329.85   \n")
        self.assertEqual((report.received, report.lost), (419_776, None))

    def test_finds_an_error(self):
        with self.assertRaises(Failed):
            netperf.parse(TCP_396, "resolve_host: could not resolve host\n")


class LagbenchTest(unittest.TestCase):
    def test_joins_captures_by_sequence_number(self):
        record = {"sender": {"facts": {"packetThreadCpuNs": 600}}, "receiver": {"facts": {"packetThreadCpuNs": 300}}}
        sent = {"seq": [0, 1, 2, 3], "sent_ns": [1_000, 2_000, 3_000, 4_000]}
        received = {"seq": [1, 0, 3], "received_ns": [2_010, 2_020, 4_030]}
        report = lagbench.read(record, sent, received, with_lags=True)
        self.assertEqual(report.lags_ns, [10, 1_020, 30])
        self.assertEqual((report.received, report.lost), (3, 1))
        self.assertEqual(report.packet_threads_ns, 300)
        self.assertEqual((report.begin_ns, report.end_ns), (1_000, 4_000))

    def test_knows_no_cpu_of_threads_where_it_was_not_recorded(self):
        record = {"sender": {"facts": {}}, "receiver": {"facts": {"packetThreadCpuNs": 300}}}
        report = lagbench.read(record, {"seq": [0], "sent_ns": [1]}, {"seq": [0], "received_ns": [2]}, with_lags=False)
        self.assertIsNone(report.packet_threads_ns)
        self.assertIsNone(report.lags_ns)


class ObserverTest(unittest.TestCase):
    SNMP = (
        "Ip: Forwarding DefaultTTL\nIp: 2 64\n"
        "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors\n"
        "Udp: 91981 0 4623 69965527 4623 0 0 0 0\nUdpLite: InDatagrams\nUdpLite: 0\n"
    )
    DEVICES = (
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier\n"
        "    lo:       0       0    0    0    0     0          0         0        0       0    0    0    0     0       0\n"
        "  path: 1066000    1000    0    0    0     0          0         0  2132000    2000    0    0    0     0       0\n"
    )

    def test_reads_the_kernels_counters(self):
        self.assertEqual(observer.udp_received(self.SNMP), 91_981)
        self.assertEqual(observer.udp_sent(self.SNMP), 69_965_527)
        self.assertEqual(observer.tcp_bytes(self.DEVICES, "receive"), 1_000_000)
        self.assertEqual(observer.tcp_bytes(self.DEVICES, "transmit"), 2_000_000)

    @staticmethod
    def _looks(per_look, unit=1):
        """Looks 50 ms apart at a program that uses 10 ms of CPU from one to the next."""
        sent = 0
        looks = []
        for i, packets in enumerate(per_look):
            sent += packets * unit
            looks.append(Look(i * 50_000_000, sent, sent * 9 // 10, {1: i * 10_000_000, **({2: 0} if i > 5 else {})}))
        return looks

    def test_takes_the_time_that_counts(self):
        window = steady(self._looks([0] * 10 + [100] * 10 + [400] * 11), UDP_24, 1_000_000_000, 1_500_000_000)
        self.assertAlmostEqual(window.rate, 400 * 0.9 / 0.05)
        self.assertAlmostEqual(window.loss, 0.1)
        self.assertAlmostEqual(window.cpu_ns, 10_000_000 / 360)

    def test_finds_the_traffic_of_a_program_without_a_warm_up(self):
        window = steady(self._looks([0] * 20 + [3] + [400] * 40 + [0] * 20), UDP_24)
        self.assertAlmostEqual(window.rate, 400 * 0.9 / 0.05)

    def test_counts_bytes_of_tcp_in_packets_and_knows_no_loss(self):
        window = steady(self._looks([400] * 40, unit=396), TCP_396, 0, 2_000_000_000)
        self.assertAlmostEqual(window.rate, 400 * 0.9 / 0.05)
        self.assertIsNone(window.loss)

    def test_has_no_figures_of_no_traffic(self):
        self.assertIsNone(steady(self._looks([0] * 30), UDP_24))
        self.assertIsNone(steady([], UDP_24, 0, 1))


class TapTest(unittest.TestCase):
    @staticmethod
    def _frame(protocol, header, payload, source="10.139.5.1"):
        ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(header) + payload, 0, 0, 64, protocol, 0)
        return bytes(12) + b"\x08\x00" + ip + socket.inet_aton(source) + socket.inet_aton("10.139.5.2") + header

    def test_knows_what_a_frame_carries(self):
        udp = self._frame(socket.IPPROTO_UDP, bytes(8), 24)
        tcp = self._frame(socket.IPPROTO_TCP, bytes(12) + b"\x80" + bytes(19), 396)
        self.assertEqual(tap.payload_bytes(udp, socket.IPPROTO_UDP), 24)
        self.assertEqual(tap.payload_bytes(tcp, socket.IPPROTO_TCP), 396)
        self.assertEqual(tap.payload_bytes(tcp, socket.IPPROTO_UDP), 0)
        self.assertEqual(tap.payload_bytes(b"\0" * 60, socket.IPPROTO_UDP), 0)

    def test_leaves_out_what_comes_back(self):
        frame = self._frame(socket.IPPROTO_UDP, bytes(8), 24, source="10.139.5.2")
        self.assertEqual(tap.payload_bytes(frame, socket.IPPROTO_UDP), 0)


class FakePeer:
    def __init__(self, name, kind):
        self.name, self._kind = name, kind

    def kind(self, cell):
        return self._kind


class ResultsTest(unittest.TestCase):
    OURS = {"java sleep", "java spin", "c sleep", "java flood", "c flood"}

    def setUp(self):
        self.results = Results()

    def _add(self, cell, name, waits, **figures):
        self.results.row(cell, FakePeer(name, waits)).add(figures)

    def test_quantiles_are_by_estimator_r7(self):
        self.assertEqual(quantile([1, 2, 3, 4], 0.5), 2.5)
        self.assertEqual(quantile([10, 20], 0.95), 19.5)
        self.assertEqual(quantile([7], 0.99), 7)

    def test_takes_medians_of_rounds(self):
        for value in (30, 10, 11):
            self._add(UDP_24, "java sleep", "sleep", lag50=value)
        self.assertEqual(self.results.row(UDP_24, FakePeer("java sleep", "sleep")).median("lag50"), 11)

    def test_compares_java_with_the_twin_that_waits_alike(self):
        self._add(UDP_24, "java sleep", "sleep", lag50=10.5, lag99=24.0, cpu=10, threads=11)
        self._add(UDP_24, "c sleep", "sleep", lag50=10.0, lag99=20.0, threads=10)
        self._add(UDP_24, "java spin", "spin", lag50=1.0)
        self._add(UDP_24_FLOOD, "java flood", "flood", rate=98, cpu=1)
        self._add(UDP_24_FLOOD, "c flood", "flood", rate=100, cpu=2)
        judged = {(name, metric): (ratio, good) for _, name, metric, ratio, good in self.results.java_to_c()}
        self.assertEqual(judged, {
            ("java sleep", "lag50"): (1.05, True),
            ("java sleep", "lag99"): (1.2, False),
            ("java sleep", "threads"): (1.1, True),
            ("java flood", "rate"): (0.98, True),
            ("java flood", "cpu"): (0.5, True),
        })  # fmt: skip

    def test_compares_with_the_best_peer_that_waits_alike_and_keeps_the_pace(self):
        self._add(UDP_24, "java sleep", "sleep", rate=8_000, lag99=20)
        self._add(UDP_24, "slow", "sleep", rate=4_831, lag99=1)
        self._add(UDP_24, "spinning", "spin", rate=8_000, lag99=2)
        self._add(UDP_24, "good", "sleep", rate=7_990, lag99=25)
        self._add(UDP_24, "better", "sleep", rate=8_010, lag99=16)
        self._add(UDP_24, "silent", "sleep", rate=8_000)
        self.assertEqual(list(self.results.against_peers(self.OURS)),
                         [(UDP_24, "java sleep", "lag99", "better", 1.25, False)])  # fmt: skip

    def test_compares_rates_of_floods_where_more_is_better(self):
        self._add(UDP_24_FLOOD, "java flood", "flood", rate=300)
        self._add(UDP_24_FLOOD, "one", "flood", rate=200)
        self._add(UDP_24_FLOOD, "other", "flood", rate=240)
        self._add(UDP_24_FLOOD, "gathering", "flood nagle", rate=1_000)
        self.assertEqual(list(self.results.against_peers(self.OURS)),
                         [(UDP_24_FLOOD, "java flood", "rate", "other", 1.25, True)])  # fmt: skip


if __name__ == "__main__":
    unittest.main()
