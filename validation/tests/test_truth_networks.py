"""Tests of the verdicts on emulated networks, wires and tuned buffers, with numbers computed by hand."""

import unittest
from collections.abc import Mapping
from typing import Any, ClassVar

from lagbench_validation.truth.emulated import EmulatedNetwork, Measured, expected_lags_ns, judge_emulation
from lagbench_validation.truth.tuned import describe, judge_tuned, known_values
from lagbench_validation.truth.wired import Wire, compare, judge_wire

NOON_NS = 1_700_000_000_000_000_000
MS = 1_000_000


class EmulatedNetworkTest(unittest.TestCase):
    LEAD_OUT = 1
    RELAY: ClassVar = {
        "received": 4_001,
        "lost": 80,
        "duplicated": 40,
        "reordered": 40,
        "queueFull": 0,
        "refused": 0,
        "missed": 0,
    }
    NO_DROPS: ClassVar = {"kernelDrops": 0}
    REQUESTED = EmulatedNetwork("some", 5, 2, 1, 1)

    def _wrong(
        self,
        requested: EmulatedNetwork = REQUESTED,
        excess_ns: float = 0,
        excess_min_ns: int = 0,
        packets: Mapping[str, int] | None = None,
        relay: Mapping[str, int] | None = None,
    ) -> list[str]:
        counts = {**self.RELAY, **self.NO_DROPS, **(packets or {})}
        measured = Measured(
            5 * MS, 5 * MS, excess_ns, excess_min_ns, 50, counts, {**self.RELAY, **(relay or {})}, self.LEAD_OUT
        )
        return judge_emulation(requested, measured)

    def test_accepts_the_requested_network(self) -> None:
        self.assertEqual(self._wrong(), [])
        self.assertEqual(self._wrong(excess_ns=100_050), [])

    def test_finds_a_median_off_the_requested_delay(self) -> None:
        self.assertRegex(self._wrong(excess_ns=100_051)[0], "median error of the delay is 100051 ns")
        self.assertRegex(self._wrong(excess_min_ns=-1)[0], "a packet arrived 1 ns before its requested delay")

    def test_computes_the_requested_delay_of_each_packet(self) -> None:
        self.assertEqual(
            expected_lags_ns(EmulatedNetwork("some", 5, 2, 1, 1), [NOON_NS, NOON_NS + 1]), [5 * MS, 5 * MS]
        )
        # The relay's random numbers for its first four frames.
        drawn_ns = [1_598_267, 601_107, 150_640, 1_010_067]
        requested = EmulatedNetwork("some", 5, jitter_ms=2)
        self.assertEqual(
            expected_lags_ns(requested, [NOON_NS + at * 10 * MS for at in range(4)]), [5 * MS + ns for ns in drawn_ns]
        )
        # Of four packets sent at once, none is due before the first.
        self.assertEqual(expected_lags_ns(requested, [NOON_NS] * 4), [5 * MS + drawn_ns[0]] * 4)
        self.assertRaises(ValueError, expected_lags_ns, EmulatedNetwork("some", 5, loss=1, jitter_ms=2), [NOON_NS])

    def test_finds_each_count_that_differs_from_the_relays(self) -> None:
        for count in ("lost", "duplicated", "reordered"):
            self.assertRegex(self._wrong(packets={count: 38})[0], f"38 {count} counted by lagbench")
            self.assertRegex(self._wrong(packets={count: 82})[0], f"82 {count} counted by lagbench")
            self.assertEqual(self._wrong(packets={count: self.RELAY[count] - self.LEAD_OUT}), [])
        self.assertRegex(self._wrong(relay={"received": 4_000})[0], "received 4000 packets of 4001")
        self.assertRegex(self._wrong(relay={"refused": 1})[0], "lost frames")

    def test_does_not_attribute_kernel_drops_to_the_network(self) -> None:
        self.assertEqual(self._wrong(packets={"lost": 87, "kernelDrops": 7, "duplicated": 39, "reordered": 44}), [])
        self.assertRegex(
            self._wrong(packets={"lost": 80, "kernelDrops": 7})[0], "80 lost counted by lagbench, 80 by the relay"
        )

    def test_finds_a_relay_off_the_requested_share(self) -> None:
        # 2 % of 4000 packets are 80; six standard deviations are 53.
        self.assertEqual(self._wrong(packets={"lost": 133}, relay={"lost": 133}), [])
        self.assertRegex(self._wrong(packets={"lost": 134}, relay={"lost": 134})[0], "134 lost where 80 were requested")

    def test_ignores_counts_of_tcp(self) -> None:
        self.assertEqual(self._wrong(EmulatedNetwork("some", 5, transport="tcp"), packets={"lost": 9}), [])


class WireTest(unittest.TestCase):
    """Datagrams of 992 bytes take 1,058 on the wire: 846,400 ns at 10 Mbit/s."""

    WIRE = Wire(10, 992, flood=True)
    LEFT_NS: ClassVar = {seq: NOON_NS + seq for seq in range(2_000)}  # at once

    def _wrong(self, arrived_ns: Mapping[int, int]) -> str:
        return " ".join(judge_wire(self.WIRE, compare(self.WIRE, self.LEFT_NS, arrived_ns)))

    @staticmethod
    def _perfect(late_ns: int = 0, each_ns: int = 846_400) -> dict[int, int]:
        return {seq: NOON_NS + (seq + 1) * each_ns + late_ns for seq in range(2_000)}

    def test_computes_time_on_the_wire(self) -> None:
        self.assertEqual([Wire(100, size).wire_ns for size in (1, 24, 396, 992)], [6_720, 7_200, 36_960, 84_640])

    def test_accepts_a_perfect_wire(self) -> None:
        self.assertEqual(self._wrong(self._perfect()), "")
        self.assertEqual(self._wrong(self._perfect(late_ns=20_000)), "")

    def test_finds_early_late_and_missing_packets(self) -> None:
        self.assertIn("2000 ns before", self._wrong({**self._perfect(), 7: NOON_NS + 8 * 846_400 - 2_000}))
        self.assertIn("late", self._wrong(self._perfect(late_ns=50_001)))
        self.assertIn("only 1999", self._wrong({seq: at_ns for seq, at_ns in self._perfect().items() if seq != 5}))

    def test_finds_an_idle_wire_in_a_flood(self) -> None:
        self.assertIn("99.800% of the rate", self._wrong(self._perfect(each_ns=848_096)))


class TunedTest(unittest.TestCase):
    KNOWN, ANY = known_values()  # the smallest buffer is 40,000 to 46,000 bytes; any buffer suffices

    def _found(self, recommended: Mapping[str, int] | None, **verdicts: str) -> dict[str, Any]:
        candidates = [{"knobs": {"receive-buffer": int(size[1:])}, "verdict": verdicts[size]} for size in verdicts]
        default = {"knobs": {}, "verdict": "undecided"}
        return {"recommended": recommended, "decided": True, "runs": 70, "candidates": [*candidates, default]}

    def test_accepts_results_within_the_stated_factor(self) -> None:
        for size in (20_000, 92_000):
            found = self._found({"receive-buffer": size}, _4096="infeasible", _65536="tied", _1048576="tied")
            self.assertEqual(judge_tuned(self.KNOWN, found), [])
            self.assertIn(f": {size}, decided, 70 runs", describe(self.KNOWN, found))

    def test_finds_results_beyond_the_stated_factor(self) -> None:
        for size in (19_999, 92_001):
            self.assertRegex(judge_tuned(self.KNOWN, self._found({"receive-buffer": size}))[0], f"{size} bytes are")
        nothings: tuple[Mapping[str, int] | None, ...] = (None, {})
        for nothing in nothings:
            self.assertEqual(judge_tuned(self.KNOWN, self._found(nothing)), ["no receive-buffer is recommended"])

    def test_finds_an_impossible_verdict(self) -> None:
        right = {"receive-buffer": 65_536}
        self.assertRegex(judge_tuned(self.KNOWN, self._found(right, _16384="tied"))[0], "16384 bytes, too few")
        self.assertRegex(judge_tuned(self.KNOWN, self._found(right, _262144="infeasible"))[0], "262144 bytes, more")

    def test_requires_no_difference_where_all_are_sufficient(self) -> None:
        self.assertEqual(judge_tuned(self.ANY, {"noDifference": True}), [])
        self.assertEqual(
            judge_tuned(self.ANY, {"noDifference": False}), ["receive-buffer is reported to make a difference"]
        )


if __name__ == "__main__":
    unittest.main()
