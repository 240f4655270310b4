"""Tests of which rows are compared, of the order of the runs, and of the recorded results."""

import contextlib
import io
import itertools
import json
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar
from unittest import mock

from lagbench_validation.peers.cells import Cell, Length
from lagbench_validation.peers.comparison import Comparison, Extent, in_order
from lagbench_validation.peers.lagbench import JAVA_ENGINES, every_row
from lagbench_validation.peers.peer import Peer
from lagbench_validation.peers.printing import print_results
from lagbench_validation.peers.reasons import UNKNOWN, Reasons
from lagbench_validation.peers.results import Judged, Ratio, Results
from lagbench_validation.peers.sides import processors_of_sides
from lagbench_validation.quantiles import VALUES_MIN, coverage, median_interval, quantile

NOWHERE = Path("/nonexistent")
UDP_24 = Cell("udp", 24, False)
UDP_24_FLOOD = Cell("udp", 24, True)


class FakePeer(Peer):
    def __init__(self, name: str, kind: str) -> None:
        self.name, self._kind = name, kind

    def kind(self, cell: Cell) -> str:
        return self._kind


class ResultsTest(unittest.TestCase):
    OURS: ClassVar = {peer.name: peer for row in every_row(NOWHERE, NOWHERE) for peer in (row, row.control())}

    def setUp(self) -> None:
        self.results = Results()

    def _add(self, cell: Cell, name: str, waits: str, round_number: int = 1, **metrics: float) -> None:
        peer: Peer = self.OURS.get(name) or FakePeer(name, waits)
        self.results.row(cell, peer).add(round_number, metrics)

    def _against_peers(self) -> list[list[tuple[str, str, str, float, bool]]]:
        return [
            [(one.name, one.metric, one.other, one.ratio.median, one.met) for one in of_peers]
            for of_peers in self.results.against_peers()
        ]

    def test_quantiles_use_estimator_r7(self) -> None:
        self.assertEqual(quantile([1, 2, 3, 4], 0.5), 2.5)
        self.assertEqual(quantile([10, 20], 0.95), 19.5)
        self.assertEqual(quantile([7], 0.99), 7)

    def test_computes_medians_of_rounds(self) -> None:
        for round_number, value in enumerate((30, 10, 11)):
            self._add(UDP_24, "java sleep", "sleep", round_number, lag50=value)
        self.assertEqual(self.results.cells[UDP_24]["java sleep"].median("lag50"), 11)

    def _add_rounds(self, *java_and_c: tuple[float, float]) -> None:
        for round_number, (java, c) in enumerate(java_and_c):
            self._add(UDP_24, "java sleep", "sleep", round_number, lag50=java, lag95=java)
            self._add(UDP_24, "c sleep", "sleep", round_number, lag50=c, lag95=c)

    def test_computes_ratios_within_rounds(self) -> None:
        # The ratio of the medians would be 12 to 20; what slows down a round slows down both of its programs.
        self._add_rounds((30, 25), (12, 10), (11, 20), (3, 2), (200, 50))
        self._add(UDP_24, "c sleep", "sleep", 7, lag50=1)  # a round that is missing in the other
        ratio = self.results.ratio(UDP_24, "java sleep", "c sleep", "lag50")
        self.assertEqual(ratio, Ratio(1.2, (0.55, 4.0)))

    def test_ratios_of_few_rounds_have_no_interval(self) -> None:
        self._add_rounds((30, 10), (12, 10), (11, 20), (10, 10))
        self.assertEqual(self.results.ratio(UDP_24, "java sleep", "c sleep", "lag50"), Ratio(1.1, None))

    def test_prints_the_certainty_of_each_verdict(self) -> None:
        self._add_rounds((20, 20), (21, 20), (22, 20), (20, 20), (20.5, 20))
        for round_number in range(5):
            self._add(UDP_24, "java sleep", "sleep", round_number, rate=8_000, gap99=12)
            self._add(UDP_24, "c sleep", "sleep", round_number, rate=8_000, gap99=10)
            self._add(UDP_24, "one", "sleep", round_number, rate=8_000, gap99=15)
            self._add(UDP_24, "two", "sleep", round_number, rate=8_000, gap99=8)
        self._add(UDP_24_FLOOD, "java flood", "flood", rate=97, cpu=2)
        self._add(UDP_24_FLOOD, "c flood", "flood", rate=100, cpu=1)
        self._add(UDP_24_FLOOD, "one", "flood", rate=194)
        printed = self._printed()
        for line in (
            "  met?    1.025 [1.000–1.100]    udp/24/8000    lag50  java sleep to c sleep",
            "  MISSED  1.200 [1.200–1.200]    udp/24/8000    gap99  java sleep to c sleep",
            "  MISSED? 0.970                  udp/24/flood   rate   java flood to c flood",
            "  of 4: met 0, perhaps met 1, perhaps missed 2, missed 1",  # lag Q95 is shown, and no goal
            "  of 2: met 0, perhaps met 0, perhaps missed 1, missed 1",
            "  1.500 [1.500–1.500]    udp/24/8000    gap99  java sleep to two; C to it: 1.250 [1.250–1.250]",
            "? 0.500                  udp/24/flood   rate   java flood to one; C to it: 0.515",
            "  better 1, perhaps better 1",
        ):
            self.assertIn(line, printed)
        self.assertEqual(sum("lag Q95" in line and line.startswith("  ÷C") for line in printed), 1)

    def _printed(self) -> list[str]:
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            print_results(self.results, {}, Reasons(""))
        return text.getvalue().splitlines()

    def test_compares_java_with_the_c_engine_of_the_same_wait(self) -> None:
        self._add(UDP_24, "java sleep", "sleep", lag50=10.5, lag99=24.0, cpu=11)
        self._add(UDP_24, "c sleep", "sleep", lag50=10.0, lag99=20.0, cpu=10)
        self._add(UDP_24, "java spin", "spin", lag50=1.0)
        self._add(UDP_24_FLOOD, "java flood", "flood", rate=98, cpu=1)
        self._add(UDP_24_FLOOD, "c flood", "flood", rate=100, cpu=2)
        judged = {(one.name, one.metric): (one.ratio.median, one.met) for one in self.results.to_floor(JAVA_ENGINES)}
        self.assertEqual(judged, {
            ("java sleep", "lag50"): (1.05, True),
            ("java sleep", "lag99"): (1.2, False),
            ("java sleep", "cpu"): (1.1, True),
            ("java flood", "rate"): (0.98, True),
            ("java flood", "cpu"): (0.5, True),
        })  # fmt: skip

    def test_compares_the_c_engine_with_itself(self) -> None:
        self._add(UDP_24, "java sleep", "sleep", rate=8_000, lag50=10.5)
        self._add(UDP_24, "c sleep", "sleep", rate=8_000, lag50=10.0)
        self.assertNotIn("Control", "".join(self._printed()))
        self._add(UDP_24, "control sleep", "sleep", rate=8_000, lag50=12.0)
        judged = [(one.name, one.metric, one.ratio.median, one.met) for one in self.results.to_floor(["control"])]
        self.assertEqual(judged, [("control sleep", "lag50", 1.2, False)])
        self.assertEqual([one.name for one in self.results.to_floor(JAVA_ENGINES)], ["java sleep"])
        self.assertEqual(self._against_peers(), [])
        printed = self._printed()
        self.assertIn("  MISSED? 1.200                  udp/24/8000    lag50  control sleep to c sleep", printed)
        self.assertTrue(any(line.startswith("Control, C to C") for line in printed))

    def test_compares_with_the_best_comparable_peer_first(self) -> None:
        self._add(UDP_24, "java sleep", "sleep", rate=8_000, lag99=20)
        self._add(UDP_24, "slow", "sleep", rate=4_831, lag99=1)
        self._add(UDP_24, "spinning", "spin", rate=8_000, lag99=2)
        self._add(UDP_24, "good", "sleep", rate=7_990, lag99=25)
        self._add(UDP_24, "better", "sleep", rate=8_010, lag99=16)
        self._add(UDP_24, "silent", "sleep", rate=8_000)
        self.assertEqual(self._against_peers(), [[
            ("java sleep", "lag99", "better", 1.25, False),
            ("java sleep", "lag99", "good", 0.8, True),
        ]])  # fmt: skip

    def test_compares_rates_of_floods_where_more_is_better(self) -> None:
        self._add(UDP_24_FLOOD, "java flood", "flood", rate=300)
        self._add(UDP_24_FLOOD, "one", "flood", rate=200)
        self._add(UDP_24_FLOOD, "other", "flood", rate=240)
        self._add(UDP_24_FLOOD, "gathering", "flood nagle", rate=1_000)
        self.assertEqual(self._against_peers(), [[
            ("java flood", "rate", "other", 1.25, True),
            ("java flood", "rate", "one", 1.5, True),
        ]])  # fmt: skip

    def test_compares_floods_in_batches_with_peers_as_well(self) -> None:
        self._add(UDP_24_FLOOD, "java flood", "flood", rate=300)
        self._add(UDP_24_FLOOD, "java flood batch", "flood batch", rate=400)
        self._add(UDP_24_FLOOD, "one", "flood", rate=320)
        self.assertEqual(self._against_peers(), [
            [("java flood", "rate", "one", 0.9375, False)],
            [("java flood batch", "rate", "one", 1.25, True)],
        ])  # fmt: skip


class IntervalsTest(unittest.TestCase):
    # Number of values: which of them, from the smallest, bound the narrowest interval, and its coverage in %.
    TABLE: ClassVar = {
        5: (1, 5, 93.8), 6: (1, 6, 96.9), 8: (2, 7, 93.0), 9: (2, 8, 96.1), 10: (2, 9, 97.9), 11: (3, 9, 93.5),
        12: (3, 10, 96.1), 13: (4, 10, 90.8), 15: (4, 12, 96.5), 18: (6, 13, 90.4), 19: (6, 14, 93.6),
        20: (6, 15, 95.9),
    }  # fmt: skip

    def test_intervals_equal_published_tables(self) -> None:
        for n, (low, high, percent) in self.TABLE.items():
            descending = list(range(n, 0, -1))
            self.assertEqual(median_interval(descending), (low, high), n)
            self.assertEqual(round(100 * coverage(n, low), 1), percent, n)

    def test_the_next_narrower_interval_covers_too_little(self) -> None:
        self.assertEqual(coverage(5, 2), 0.625)  # 1 - 2 (1 + 5) / 32
        self.assertEqual(coverage(9, 3), 1 - 2 * (1 + 9 + 36) / 512)
        self.assertEqual(round(coverage(20, 7), 3), 0.885)

    def test_fewer_than_five_values_have_no_interval(self) -> None:
        self.assertEqual(VALUES_MIN, 5)
        for n in range(5):
            self.assertIsNone(median_interval([1.0] * n))


class VerdictsTest(unittest.TestCase):
    @staticmethod
    def _verdict(metric: str, limit: float, median: float, interval: tuple[float, float] | None) -> tuple[bool, bool]:
        judged = Judged(UDP_24, "java", metric, "c", Ratio(median, interval), limit)
        return judged.met, judged.sure

    def test_judges_metrics_where_less_is_better(self) -> None:
        for median, interval, verdict in (
            (0.9, (0.8, 1.09), (True, True)),
            (0.9, (0.8, 1.1), (True, True)),  # the goal itself is good enough
            (1.1, (1.1, 1.1), (True, True)),
            (0.9, (0.3, 1.11), (True, False)),
            (1.2, (1.1, 1.3), (False, False)),
            (1.2, (1.11, 4.0), (False, True)),
        ):
            self.assertEqual(self._verdict("lag99", 1.1, median, interval), verdict, (median, interval))

    def test_judges_metrics_where_more_is_better(self) -> None:
        for median, interval, verdict in (
            (1.01, (0.99, 1.02), (True, True)),
            (1.01, (0.98, 1.02), (True, True)),
            (1.01, (0.97, 1.02), (True, False)),
            (0.97, (0.9, 0.98), (False, False)),
            (0.9, (0.8, 0.97), (False, True)),
        ):
            self.assertEqual(self._verdict("rate", 0.98, median, interval), verdict, (median, interval))

    def test_is_uncertain_without_an_interval(self) -> None:
        self.assertEqual(self._verdict("rate", 0.98, 5.0, None), (True, False))
        self.assertEqual(self._verdict("rate", 0.98, 0.1, None), (False, False))


class OrderTest(unittest.TestCase):
    def test_keeps_rows_of_the_same_mode_adjacent(self) -> None:
        peers = in_order([*every_row(NOWHERE, NOWHERE), FakePeer("one", "sleep"), FakePeer("two", "spin")])
        self.assertIn("one", [peer.name for peer in peers])
        ways = [peer.waits for peer in peers if peer.engine]
        self.assertEqual(len(ways), 19)
        self.assertEqual(len(list(itertools.groupby(ways))), len(set(ways)))


class ComparisonTest(unittest.TestCase):
    PEERS = (FakePeer("one", "sleep"), FakePeer("two", "sleep"))

    def setUp(self) -> None:
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self._path = Path(work.name, "all.json")

    def _comparison(self, rounds: int, pairs: int = 1, peers: Sequence[Peer] = PEERS) -> Comparison:
        return Comparison(peers, [UDP_24], Extent(rounds, pairs, Length(2, 1)), NOWHERE, self._path)

    def test_runs_lagbench_as_often_as_requested(self) -> None:
        ours: list[Peer] = [peer for peer in every_row(NOWHERE, NOWHERE) if peer.waits == "spin"]
        runs = [
            (at, peer.name) for at, _, peer in self._comparison(1, 2, [*ours, FakePeer("one", "spin")])._outstanding()
        ]
        self.assertEqual(sorted(runs), [(1, "c spin"), (1, "java spin"), (1, "one"), (2, "c spin"), (2, "java spin")])

    def test_repeats_only_missing_and_failed_runs(self) -> None:
        comparison = self._comparison(2)
        comparison.count([
            {"round": 1, "cell": UDP_24.name, "program": "one", "metrics": {"rate": 7_999}},
            {"round": 1, "cell": UDP_24.name, "program": "two", "why": "it did not listen"},
            {"round": 1, "cell": UDP_24_FLOOD.name, "program": "two", "metrics": {"rate": 1}},
            {"round": 2, "cell": UDP_24.name, "program": "two", "metrics": {"rate": 8_001}},
        ])  # fmt: skip
        outstanding = {(round_number, peer.name) for round_number, _, peer in comparison._outstanding()}
        self.assertEqual(outstanding, {(1, "two"), (2, "one")})
        self.assertEqual(comparison.results.cells[UDP_24]["one"].median("rate"), 7_999)
        self.assertEqual(len(comparison.runs), 2)

    def test_reads_the_runs_that_it_wrote(self) -> None:
        comparison = self._comparison(1)
        comparison.count([{"round": 1, "cell": UDP_24.name, "program": "one", "metrics": {"rate": 7_999}}])
        comparison._write()
        written = json.loads(self._path.read_text("utf-8"))
        self.assertEqual(written["runs"], comparison.runs)
        self.assertEqual(written["medians"], [{"cell": UDP_24.name, "program": "one", "rate": 7_999}])


class ProcessorsTest(unittest.TestCase):
    def test_sides_share_all_processors_or_get_half_each(self) -> None:
        with mock.patch("os.sched_getaffinity", return_value={5, 1, 3}):
            self.assertEqual(processors_of_sides(apart=False), ([1, 3, 5], [1, 3, 5]))
            self.assertEqual(processors_of_sides(apart=True), ([1], [3, 5]))
        with mock.patch("os.sched_getaffinity", return_value={0}):
            self.assertEqual(processors_of_sides(apart=True), ([0], [0]))


class ReasonsTest(unittest.TestCase):
    TEXT = "[one cpu udp/24/*]\nwhy = It is\n    small.\n[one * udp/*/flood]\nwhy = It cheats: 100%.\n"

    def test_uses_the_first_matching_reason(self) -> None:
        reasons = Reasons(self.TEXT)
        self.assertEqual(reasons.why("one", "cpu", "udp/24/flood"), "It is small.")
        self.assertEqual(reasons.why("one", "rate", "udp/24/flood"), "It cheats: 100%.")
        self.assertEqual(reasons.why("one", "cpu", "tcp/24/8000"), UNKNOWN)
        self.assertEqual(reasons.why("two", "cpu", "udp/24/flood"), UNKNOWN)

    def test_matches_each_alternative_of_a_section(self) -> None:
        reasons = Reasons("[three lag99 *]\nwhy = It sleeps.\n[two|three lag*|cpu udp/*|tcp/*]\nwhy = It spins.\n")
        self.assertEqual(reasons.why("two", "lag99", "udp/24/8000"), "It spins.")
        self.assertEqual(reasons.why("three", "cpu", "tcp/24/8000"), "It spins.")
        self.assertEqual(reasons.why("three", "lag99", "udp/24/8000"), "It sleeps.")
        self.assertEqual(reasons.why("two|three", "cpu", "udp/24/8000"), UNKNOWN)
        self.assertEqual(reasons.why("one", "cpu", "udp/24/8000"), UNKNOWN)

    def test_rejects_an_incomplete_section_name(self) -> None:
        with self.assertRaises(ValueError):
            Reasons("[one cpu]\nwhy = x\n")

    def test_reads_the_reasons_of_the_repository(self) -> None:
        Reasons.read()


if __name__ == "__main__":
    unittest.main()
