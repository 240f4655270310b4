"""Tests how the coverage of intervals is judged."""

import unittest

from lagbench_validation.truth.intervals import Covered, judge


def _covered(given: int, right: int, stated: str = "95", draws: int = 1_000) -> list[Covered]:
    return [Covered("x", draws, given, right, stated)]


class JudgeTest(unittest.TestCase):
    def test_accepts_coverage_of_93_to_97_percent(self) -> None:
        self.assertEqual(judge(_covered(1_000, 950)), [])
        self.assertEqual(judge(_covered(1_000, 910)), ["x: 91.0% of the intervals contain the truth"])
        self.assertEqual(judge(_covered(1_000, 990)), ["x: 99.0% of the intervals contain the truth"])

    def test_accepts_too_few_values_in_place_of_an_interval(self) -> None:
        self.assertEqual(judge(_covered(0, 0)), [])
        self.assertEqual(judge(_covered(100, 60)), [])
        self.assertEqual(judge(_covered(400, 300)), ["x: 10.0% of all draws have a wrong interval"])

    def test_compares_with_the_stated_confidence(self) -> None:
        self.assertEqual(judge(_covered(1_000, 938, "93.75")), [])
        self.assertEqual(judge(_covered(1_000, 995, "93.75")), ["x: 99.5% are right, not 93.8%"])
        self.assertEqual(judge(_covered(1_000, 1_000, "at least 95")), [])
        self.assertEqual(judge(_covered(1_000, 930, "at least 95")), ["x: 93.0% of the verdicts are right"])
        self.assertEqual(judge(_covered(1_000, 100, "nothing")), [])

    def test_rejects_empty_output(self) -> None:
        self.assertEqual(judge([]), ["nothing was drawn"])


if __name__ == "__main__":
    unittest.main()
