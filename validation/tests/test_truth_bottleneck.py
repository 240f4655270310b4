"""Tests the topologies with known bottlenecks, and how verdicts on them are judged."""

import unittest
from dataclasses import replace

from lagbench_validation.truth.bottleneck import Tested, bottlenecks, judge, topology, wilson
from lagbench_validation.truth.load import Bursts, Load


def _tested(shared: bool, verdict: str) -> Tested:
    return Tested(replace(topology("Y", 1), shared=shared), {"delays": verdict})


class TruthBottleneckTest(unittest.TestCase):
    def test_has_sixty_different_topologies(self) -> None:
        topologies = bottlenecks().topologies
        self.assertEqual(len(topologies), 60)
        self.assertEqual(len({(one.link, *one.sites) for one in topologies}), 60)
        self.assertGreaterEqual(sum(one.shared for one in topologies), 20)

    def test_middle_link_is_the_bottleneck_only_if_shared(self) -> None:
        for one in bottlenecks().topologies:
            middle = int(one.link.split("kbit")[0].removeprefix("rate: "))
            a, c, b, d = (site.rate_kbit for site in one.sites)
            if one.shared:
                self.assertLess(1.4 * middle, min(a, b, c, d), one.name)
            else:
                self.assertLess(1.4 * (min(a, c) + min(b, d)), middle, one.name)
                self.assertGreater(max(a, c), 1.4 * min(a, c), one.name)

    def test_bursts_have_the_mean_rate(self) -> None:
        for load in (Load("a", "b", 900, "seed", 100), Load("a", "b", 900, "seed")):
            bursts = Bursts(load)
            rates = [bursts.rate_kbit(tick / 100) for tick in range(40_000)]
            self.assertAlmostEqual(sum(rates) / len(rates), 900, delta=45)
        varying = Bursts(Load("a", "b", 900, "seed", varying=True))
        levels = {varying.rate_kbit(tick / 10) for tick in range(1_000)}
        self.assertGreater(len(levels), 15)
        self.assertLessEqual(max(levels), 900)

    def test_excludes_uncertain_verdicts_from_recall_and_precision(self) -> None:
        right = [_tested(True, "shared")] * 19 + [_tested(False, "apart")] * 9 + [_tested(True, "uncertain")] * 4
        row, failed = judge("delays", right)
        self.assertEqual(failed, [])
        self.assertRegex(row, r"delays +28 +0 +4 \( 12%\) +1\.000 \(0\.832 to 1\.000\) +1\.000 ")
        self.assertEqual(judge("delays", [*right, _tested(True, "apart")])[1], [])
        self.assertEqual(judge("delays", [*right, *[_tested(True, "apart")] * 2])[1], ["recall of delays: 19 of 21"])
        self.assertEqual(
            judge("delays", [*right, *[_tested(False, "shared")] * 2])[1], ["precision of delays: 19 of 21"]
        )
        self.assertEqual(len(judge("delays", [_tested(True, "uncertain")])[1]), 2)

    def test_computes_the_wilson_interval(self) -> None:
        # Newcombe, Two-sided confidence intervals for the single proportion (1998), table I
        self.assertEqual([round(end, 4) for end in wilson(81, 263)], [0.2553, 0.3662])
        self.assertEqual([round(end, 4) for end in wilson(15, 148)], [0.0624, 0.1605])
        self.assertEqual([round(end, 4) for end in wilson(0, 20)], [0.0, 0.1611])


if __name__ == "__main__":
    unittest.main()
