"""The comparison of windows with and without the observer."""

import unittest

from lagbench_validation.price.toggled import Estimate, Lags, Window
from lagbench_validation.truth.bench import Run


def window(is_observed: bool, begin_ns: int) -> Window:
    return Window(is_observed, begin_ns, begin_ns + 1_000, 10, 0)


class LagsTest(unittest.TestCase):
    def test_compares_packets_sent_and_received_in_windows(self) -> None:
        sent = {"seq": range(200), "sent_ns": [10 * packet for packet in range(200)]}
        received = {"seq": range(200), "received_ns": [10 * n + (5 if n < 100 else 7) for n in range(200)]}
        lags = Lags(Run({}, sent, received))
        without, with_it = window(False, 0), window(True, 1_000)
        ((short, long),) = lags.by_block([(without, with_it)])
        self.assertEqual({*short}, {5})
        self.assertEqual({*long}, {7})
        self.assertEqual(lags.arrivals(without), 0.1)
        self.assertEqual(lags.by_block([(without, window(True, 1_900))]), [])

    def test_has_no_interval_of_few_blocks(self) -> None:
        self.assertEqual(Estimate.of([3.0, 1.0, 2.0]).low, float("-inf"))
        self.assertEqual(Estimate.of([float(value) for value in range(9)]).value, 4)


if __name__ == "__main__":
    unittest.main()
