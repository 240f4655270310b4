"""Tests of the slopes and verdicts of a soak, with values whose slope is known."""

import math
import random
import unittest

from lagbench_validation import slopes
from lagbench_validation.accounting import Account


def _noise(count: int, memory: float) -> list[float]:
    """Returns values around 0, each of which keeps a part of the one before it."""
    of, values = random.Random(1), [0.0]
    while len(values) < count:
        values.append(memory * values[-1] + of.gauss(0, 1))
    return values


class SlopeTest(unittest.TestCase):
    def test_interval_has_the_slope_of_independent_values(self) -> None:
        times = [i / 60 for i in range(120)]
        slope = slopes.fit(times, [5 + 3 * t + e for t, e in zip(times, _noise(120, 0), strict=True)])
        self.assertTrue(slope.low < 3 < slope.high)
        self.assertEqual(slope.blocks, 120)
        self.assertLess(slope.half_width, 0.5)

    def test_joins_correlated_values_into_blocks(self) -> None:
        times = [i / 60 for i in range(240)]
        values = _noise(240, 0.95)
        slope = slopes.fit(times, values)
        self.assertLess(slope.blocks, 120)
        self.assertTrue(slope.low < 0 < slope.high)

    def test_has_no_interval_of_few_values(self) -> None:
        self.assertEqual(slopes.fit([0, 1, 2], [1, 2, 3]).half_width, math.inf)
        self.assertEqual(slopes.fit([0, 1, 2], [1, 2, 3]).value, 1)
        self.assertEqual(slopes.fit([], []).blocks, 0)


class VerdictTest(unittest.TestCase):
    def _judge(self, values: list[float]) -> str:
        hours = [i / 30 for i in range(len(values))]
        return Account(hours, {"serve: threads": values}).judge()["serve: threads"][1]

    def test_constant_series_is_flat(self) -> None:
        self.assertEqual(self._judge([16.0] * 60), "flat")

    def test_leak_of_one_thread_a_round_grows(self) -> None:
        self.assertEqual(self._judge([16.0 + i for i in range(60)]), "grows")

    def test_ignores_the_warm_up(self) -> None:
        self.assertEqual(self._judge([float(min(i, 12)) for i in range(60)]), "flat")

    def test_few_or_scattered_values_are_undecided(self) -> None:
        self.assertEqual(self._judge([16.0] * 5), "undecided")
        self.assertEqual(self._judge([16 + 40 * e for e in _noise(60, 0)]), "undecided")


if __name__ == "__main__":
    unittest.main()
