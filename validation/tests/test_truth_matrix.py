"""Tests the checks of matrices of sites."""

import unittest
from typing import Any

from lagbench_validation.truth.matrix import differences, judge_failing, judge_pair, judge_sharings
from lagbench_validation.truth.sites import Site

# A packet of 266 bytes on the wire takes 1,064 µs at 2 Mbit/s and 532 µs at 4 Mbit/s.
_SLOW, _FAST = Site("slow", 2_000, 1_000), Site("fast", 4_000, 2_000)


def _pair(lag_us: float | None = 4_600, rate: float = 1.88, **changed: Any) -> Any:
    values = {"lag.median": lag_us, "loss": 0.0, "roundTrip.median": 9_200.0, "rate": rate}
    metrics = {name: value for name, value in values.items() if value is not None}
    ends = {end: {name: value * by for name, value in metrics.items()} for end, by in (("low", 0.99), ("high", 1.01))}
    names = {"failure": None, "verdict": "network", "from": "slow", "to": "fast"}
    return names | {"metrics": metrics} | ends | changed


class TruthMatrixTest(unittest.TestCase):
    def test_compares_pair_with_its_links(self) -> None:
        self.assertEqual(judge_pair(_pair(), _SLOW, _FAST), [])
        self.assertEqual(len(judge_pair(_pair(lag_us=4_595), _SLOW, _FAST)), 1)
        self.assertEqual(len(judge_pair(_pair(rate=3.7), _SLOW, _FAST)), 1)
        self.assertEqual(len(judge_pair(_pair(verdict="window"), _SLOW, _FAST)), 1)
        self.assertEqual(judge_pair(_pair(failure="broken"), _SLOW, _FAST), ["broken"])

    def test_finds_disjoint_intervals(self) -> None:
        self.assertEqual(differences(_pair(), _pair(lag_us=4_750)), [])
        self.assertEqual(len(differences(_pair(), _pair(lag_us=4_800))), 1)
        self.assertEqual(len(differences(_pair(), _pair(rate=1.93))), 1)
        self.assertEqual(
            differences(_pair(), _pair() | {"low": {"lag.median": 4_554, "loss": 0.0, "roundTrip.median": 9_108}}),
            ["rate has no interval"],
        )

    def test_requires_reason_of_failing_site(self) -> None:
        def judge(failure: str | None, names: tuple[str, str], **figures: Any) -> list[str]:
            return judge_failing({names: _pair(failure=failure, **figures)}, f"{' → '.join(names)}: {failure}")

        self.assertEqual(judge(None, ("vienna", "graz")), [])
        self.assertEqual(len(judge("it broke", ("vienna", "graz"))), 1)
        self.assertEqual(judge("the disk has room for 0.", ("vienna", "full"), lag_us=None), [])
        self.assertEqual(len(judge("the disk has room for 0.", ("vienna", "down"), lag_us=None)), 1)
        self.assertEqual(len(judge(None, ("vienna", "full"))), 1)
        self.assertEqual(judge("No receiver answers at x", ("down", "full"), lag_us=None), [])
        unprinted = {("graz", "down"): _pair(failure="No receiver answers", lag_us=None)}
        self.assertEqual(len(judge_failing(unprinted, "")), 1)

    def test_finds_pairs_that_share_a_link(self) -> None:
        def judge(first: str, second: str, sharing: str) -> tuple[int, int]:
            tests = [{"first": first, "second": second, "sharing": sharing, "method": "rates"}] * 6
            wrong, uncertain = judge_sharings(tests)
            return len(wrong), uncertain

        self.assertEqual(judge("vienna/linz", "graz/wels", "SHARED"), (0, 0))
        self.assertEqual(judge("vienna/linz", "graz/wels", "APART"), (6, 0))
        self.assertEqual(judge("vienna/linz", "wels/graz", "SHARED"), (6, 0))
        self.assertEqual(judge("vienna/graz", "linz/wels", "APART"), (0, 0))
        self.assertEqual(judge("vienna/graz", "linz/wels", "UNCERTAIN"), (0, 6))
        self.assertEqual(len(judge_sharings([])[0]), 1)


if __name__ == "__main__":
    unittest.main()
