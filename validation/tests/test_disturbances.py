"""Tests of the judgment of disturbances."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from lagbench_validation.disturbances import _HOG, _STOPS, Named, print_shares, slowest_packets
from lagbench_validation.quantiles import wilson

MS = 1_000_000
NAMES = "seq,scheduled_ns,sent_ns,received_ns,copy,cause,cause_side,schedule_cause,schedule_cause_side"


class DisturbancesTest(unittest.TestCase):
    def test_wilson_interval_of_known_shares(self) -> None:
        for successes, trials, expected in ((8, 10, (0.4902, 0.9433)), (0, 5, (0, 0.4345)), (5, 5, (0.5655, 1))):
            for end, known in zip(wilson(successes, trials), expected, strict=True):
                self.assertAlmostEqual(end, known, places=4)
        self.assertEqual(wilson(0, 0), (0, 1))

    def test_takes_the_slowest_packet_of_each_disturbance(self) -> None:
        rows = [NAMES]
        for seq in range(100):
            at_ns = seq * MS
            lag_ns = {20: 9 * MS, 21: 8 * MS, 60: 5 * MS}.get(seq, 30_000)
            cause = {20: "stall,receiver,stall,sender", 60: "not-explained,,,"}.get(seq, ",,,")
            rows.append(f"{seq},{at_ns},{at_ns},{at_ns + lag_ns},0,{cause}")
        rows.append(f"20,{20 * MS},{20 * MS},{99 * MS},1,,,,")  # a copy
        rows.append(f"100,{60 * MS},{60 * MS},,,,,,")  # a lost packet
        with tempfile.TemporaryDirectory() as directory:
            exported = Path(directory, "run.csv")
            exported.write_text("\n".join(rows))
            intervals_ns = [(19 * MS, 25 * MS), (40 * MS, 45 * MS), (59 * MS, 65 * MS)]
            found = list(slowest_packets(exported, intervals_ns, "receiver"))
            self.assertEqual(found, [(20, "receiver.stall"), (60, "not-explained")])
            self.assertEqual(next(slowest_packets(exported, intervals_ns, "sender")), (20, "sender.stall"))

    def _shares(self, *found: Named) -> tuple[bool, str]:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            return print_shares(found), printed.getvalue()

    def test_fails_only_if_a_share_is_certainly_too_low(self) -> None:
        right, other = Named(_HOG, "c", "receiver.run-queue:fifo-hog"), Named(_HOG, "c", "receiver.stall")
        self.assertFalse(self._shares()[0])
        self.assertTrue(self._shares(*[right] * 8, other, other)[0])
        holds, printed = self._shares(*[right] * 20, *[other] * 20, Named(_STOPS[0], "c", "receiver.stall"))
        self.assertFalse(holds)
        self.assertRegex(printed, r"SCHED_FIFO hog +c +40 +50\.0% .* 100\.0%")
        self.assertRegex(printed, r"receiver stopped +c +1 +100\.0% .* 4\.8%")
        self.assertIn("attributed to another cause: SCHED_FIFO hog, c: receiver.stall", printed)


if __name__ == "__main__":
    unittest.main()
