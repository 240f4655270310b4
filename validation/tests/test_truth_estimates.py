"""Tests the checks of the available bandwidth and of forecasts of transfer times."""

import unittest
from typing import Any

from lagbench_validation.processes import Failed
from lagbench_validation.truth.available import SharedLink
from lagbench_validation.truth.counters import CountedFlow
from lagbench_validation.truth.forecast import Compared, ForecastPath, judge

_TABLE = """
Estimate          Truth  Estimate  Error  Truth  Estimate  Error  Right after
kernel average   10.000     9.999    0.0  3.604     3.610    0.2         4.01
kernel forecast  10.000    10.000    0.0  3.604     9.000  150.0            -
snmp average     10.000    10.000    0.0  3.604     {snmp}    0.2         8.86
"""


def _found(value: float | None, low: float | None, high: float | None) -> Any:
    return {"bitsPerS": {"value": value, "low": low, "high": high}, "bytes": 1_000_000}


class TruthEstimatesTest(unittest.TestCase):
    def test_computes_rate_left_by_competing_flow(self) -> None:
        link = SharedLink(100, 40)
        # 60 Mbit/s on the wire, where 1228 of 1266 bytes belong to the IP packet
        self.assertAlmostEqual(link.truth_bits_per_s / 1e6, 58.199, places=3)
        self.assertIn("rate: 37523kbit", link.lab)  # 40 Mbit/s on the wire, 1000 bytes of 1066

    def test_accepts_error_of_a_tenth_of_the_link(self) -> None:
        link = SharedLink(100, 40)
        self.assertEqual(link.judge(_found(49e6, 48e6, 50e6))[1], [])
        self.assertEqual(len(link.judge(_found(47e6, 46e6, 48e6))[1]), 1)
        self.assertEqual(len(link.judge(_found(None, 58e6, None))[1]), 1)

    def test_accepts_counters_right_within_a_twentieth(self) -> None:
        flow = CountedFlow(6)
        self.assertAlmostEqual(flow.truth_mbit, 3.604)  # 6 Mbit/s of 1000 bytes, each 1066 bytes on the wire
        self.assertEqual(flow.judge(_TABLE.format(snmp="3.780"))[1], [])
        for wrong in ("3.790", "3.420", "nan"):
            self.assertEqual(flow.judge(_TABLE.format(snmp=wrong))[1], [f"snmp {wrong} of 3.604 Mbit/s"])
        with self.assertRaises(Failed):
            flow.judge("")

    def test_transfers_largest_size_once(self) -> None:
        sizes = [1 << 10, 1 << 16, 100 << 20, 1 << 30, 10 << 30]
        self.assertEqual(ForecastPath(20, 100, "reno", []).transfers(sizes), {3: [1 << 16, 100 << 20], 1: [1 << 30]})
        self.assertEqual(ForecastPath(20, 10, "reno", []).transfers(sizes), {3: [1 << 16], 1: []})

    def test_judges_median_error(self) -> None:
        right, wrong = Compared(1, 100, 109, 90, 120), Compared(1, 100, 120, 105, 130)
        self.assertTrue(right.is_inside)
        self.assertFalse(wrong.is_inside)
        self.assertEqual(judge([right, right, wrong]), [])
        self.assertEqual(len(judge([right, wrong, wrong])), 1)
        self.assertTrue(judge([]))


if __name__ == "__main__":
    unittest.main()
