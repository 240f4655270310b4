"""Tests of what is read from the programs and of the arithmetic, against recorded output and numbers worked by hand."""

import json
import time
import unittest
from pathlib import Path
from typing import TypeVar

from lagbench_validation.peers import ditg, irtt, lagbench, mgen, netperf, nuttcp, qperf, sockperf
from lagbench_validation.peers.cells import CannotDo, Cell, all_cells
from lagbench_validation.peers.iperf3 import Iperf3
from lagbench_validation.peers.lagbench import ENGINES, MODES, Lagbench
from lagbench_validation.peers.peer import Peer
from lagbench_validation.peers.round_trips import parse_latency
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
        self.assertIn("cannot pace", self.why(qperf.Qperf(), UDP_24))
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

    def test_fails_on_an_error_message(self) -> None:
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

    def test_fails_on_an_error_message(self) -> None:
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
        begun_ns = present(sender.begun_ns(lambda: "the recorded packets begin in 125ms\n", 1))
        self.assertTrue(earliest_ns <= begun_ns <= time.time_ns() + 125_000_000)
        self.assertEqual(sender.begun_ns(lambda: "the recorded packets begin in 125ms\n", 1), begun_ns)

    def test_passes_engine_and_pace_of_the_row(self) -> None:
        command = list(map(str, ours("c", "spin").client(UDP_24, "10.0.0.2", 2)))
        self.assertEqual(command[command.index("--packets") + 1], "12800")
        self.assertIn(" ".join(ENGINES["c"]), " ".join(command))
        self.assertIn("--mode spin --interval 125us", " ".join(command))

    def test_passes_the_settings_of_a_flood(self) -> None:
        flood = Cell("udp", 24, True)
        command = " ".join(map(str, ours("java", "flood batch").client(flood, "10.0.0.2", 1)))
        for part in ("--mode flood", "--receive-buffer 4MiB", "--batch 32", "--busy-poll 1ms"):
            self.assertIn(part, command)
        self.assertIn("is for other cells", CannotDoTest.why(ours("java", "flood nagle"), flood))
        command = " ".join(map(str, ours("c", "flood batch").client(Cell("tcp", 24, True), "10.0.0.2", 1)))
        self.assertIn("--batch 64", command)
        self.assertNotIn("busy-poll", command)
        self.assertIn("is for other cells", CannotDoTest.why(ours("java", "sleep"), flood))

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


if __name__ == "__main__":
    unittest.main()
