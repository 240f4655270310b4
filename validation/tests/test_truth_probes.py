"""Tests the check of verdicts on TCP probes."""

import unittest
from typing import Any

from lagbench_validation.truth.probed import ProbedPath, is_starved, judge_probes, wrong_probes

# A link of 100 Mbit/s carries 94.1 Mbit/s of payload: 406 segments in 50 ms.
_PATH = ProbedPath(50, 100, 10)
_BUFFER = 4 << 20


def _summary(size: int, verdict: str, rate: float) -> Any:
    beginning = f"transfers.connection.verdicts.{verdict}"
    ends = {f"{beginning}.rate.{end}": rate / 1e6 for end in ("minimum", "maximum")}
    point = {"transfer": {"bytes": size}, "settings": {"congestion-control": "reno"}}
    return {"points": [{"point": point, "metrics": {f"{beginning}.transfers": 2, **ends}}]}


class TruthProbesTest(unittest.TestCase):
    def test_computes_right_verdict_of_each_size(self) -> None:
        self.assertEqual(_PATH.right(1 << 16, _BUFFER), {"slow-start"})
        self.assertIsNone(_PATH.right(1 << 20, _BUFFER))
        self.assertEqual(_PATH.right(1 << 24, _BUFFER), {"network"})
        self.assertEqual(_PATH.right(1 << 24, 400_000), {"window"})

    def test_counts_right_and_uncertain_verdicts(self) -> None:
        right = judge_probes(_PATH, _summary(1 << 24, "network", 93e6), {}, _BUFFER)
        self.assertEqual((right.right, right.wrong), (2, []))
        self.assertEqual(judge_probes(_PATH, _summary(1 << 24, "uncertain", 50e6), {}, _BUFFER).uncertain, 2)

    def test_finds_wrong_verdicts_and_rates(self) -> None:
        for size, verdict, rate in [
            (1 << 16, "network", 94e6),
            (1 << 24, "slow-start", 90e6),
            (1 << 20, "network", 80e6),
        ]:
            judged = judge_probes(_PATH, _summary(size, verdict, rate), {}, _BUFFER)
            self.assertEqual(len(judged.wrong), 2, (size, verdict))
            self.assertTrue(wrong_probes(judged))

    def test_accepts_application_only_for_starved_transfers(self) -> None:
        summary = _summary(1 << 24, "application", 40e6)
        self.assertEqual(len(judge_probes(_PATH, summary, {}, _BUFFER).wrong), 2)
        self.assertEqual(len(judge_probes(_PATH, summary, {(1 << 24, "reno"): 1}, _BUFFER).wrong), 2)
        self.assertEqual(judge_probes(_PATH, summary, {(1 << 24, "reno"): 2}, _BUFFER).right, 2)
        self.assertEqual(len(judge_probes(_PATH, summary, {(1 << 24, "reno"): 2}, 400_000).wrong), 2)

    def test_recognizes_starved_sender(self) -> None:
        calls = [(ms * 1_000_000, ms * 5_000) for ms in range(100)]  # 40 Mbit/s
        limited = [(ms * 1_000_000, int(ms > 40)) for ms in range(100)]
        self.assertTrue(is_starved(calls, limited, 94e6))
        self.assertTrue(is_starved(calls, limited, 45e6))
        self.assertFalse(is_starved(calls, limited, 44e6))
        self.assertFalse(is_starved(calls, [(at_ns, 0) for at_ns, _ in limited], 94e6))


if __name__ == "__main__":
    unittest.main()
