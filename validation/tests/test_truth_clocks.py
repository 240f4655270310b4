"""Tests of injected clock errors and of the verdict on reported clock steps, with numbers computed by hand."""

import unittest
from typing import ClassVar

from lagbench_validation.truth.cases import Setting
from lagbench_validation.truth.clock_error import ClockError
from lagbench_validation.truth.found_steps import judge_steps

NOON_NS = 1_700_000_000_000_000_000
MS = 1_000_000
PLAIN = Setting("test")


class ClockErrorTest(unittest.TestCase):
    def test_shows_the_time_of_the_preloaded_clock(self) -> None:
        # The same times as in validation/truth/clock/test_clock_error.c.
        fast = ClockError(zero_ns=NOON_NS, rate_ppb=100_000)
        self.assertEqual(fast.shown_ns(NOON_NS + 1_000_000_000), NOON_NS + 1_000_100_000)
        self.assertEqual(fast.shown_ns(NOON_NS + 9_999), NOON_NS + 9_999)
        self.assertEqual(fast.shown_ns(NOON_NS + 10_000), NOON_NS + 10_001)
        self.assertEqual(fast.shown_ns(NOON_NS - 1), NOON_NS - 2)
        slow = ClockError(zero_ns=NOON_NS, rate_ppb=-100_000)
        self.assertEqual(slow.shown_ns(NOON_NS + 1), NOON_NS)
        self.assertEqual(slow.shown_ns(NOON_NS - 10_000), NOON_NS - 9_999)
        stepped = ClockError(zero_ns=NOON_NS, step_ns=MS, step_after_ns=5_000 * MS)
        self.assertEqual(stepped.shown_ns(NOON_NS + 5_000 * MS - 1), NOON_NS + 5_000 * MS - 1)
        self.assertEqual(stepped.shown_ns(NOON_NS + 5_000 * MS), NOON_NS + 5_001 * MS)

    def test_formats_the_variable_of_the_preloaded_clock(self) -> None:
        error = ClockError(1, -2, 3, -4, 5)
        self.assertEqual(error.text, "zero=1,offset=-2,rate=3,step=-4@5")

    def test_converts_readings_to_true_time(self) -> None:
        for rate_ppb in (0, 1, 100_000, 99_999_999, -1, -100_000, -99_999_999):
            error = ClockError(NOON_NS, -50 * MS, rate_ppb)
            for since_ns in (*range(-50, 50), *range(9_950, 10_050), 123_456_789_012, -123_456_789_012):
                true_ns = error.true_ns(error.shown_ns(NOON_NS + since_ns))
                # A slow clock has some readings twice, in two consecutive ns; the later time counts.
                self.assertIn(true_ns - (NOON_NS + since_ns), (0, 1) if rate_ppb < 0 else (0,))

    def test_converts_readings_on_both_sides_of_a_step(self) -> None:
        for step_ns in (MS, -MS):
            error = ClockError(NOON_NS, 7, 0, step_ns, 5_000 * MS)
            self.assertEqual(error.true_ns(NOON_NS + 4_000 * MS + 7), NOON_NS + 4_000 * MS)
            self.assertEqual(error.true_ns(NOON_NS + 6_000 * MS + 7 + step_ns), NOON_NS + 6_000 * MS)

    def test_has_no_true_time_of_skipped_or_repeated_readings(self) -> None:
        self.assertIsNone(ClockError(NOON_NS, 0, 0, MS, 5_000 * MS).true_ns(NOON_NS + 5_000 * MS + MS // 2))
        self.assertIsNone(ClockError(NOON_NS, 0, 0, -MS, 5_000 * MS).true_ns(NOON_NS + 5_000 * MS - MS // 2))


class JudgeStepsTest(unittest.TestCase):
    """The clock of b, which receives, is set by −200 µs, 5 s after noon."""

    STEPPED = Setting("test", step_us=-200)
    CLOCKS: ClassVar = {"a": ClockError(), "b": ClockError(NOON_NS, 0, 0, -MS // 5, 5_000 * MS)}

    def _wrong(self, *steps: tuple[int | None, int, int, int, int], setting: Setting = STEPPED) -> list[str]:
        names = ("sizeNs", "leastNs", "greatestNs", "afterNs", "beforeNs")
        found = [{"step": dict(zip(names, step, strict=True)), "noticedBy": None} for step in steps]
        return judge_steps(setting, "a", self.CLOCKS, {"clock": {"steps": found}})

    def test_accepts_the_injected_step(self) -> None:
        at_ns = NOON_NS + 5_000 * MS
        self.assertEqual(self._wrong((-201_000, -205_000, -199_000, at_ns - MS, at_ns + MS)), [])
        self.assertEqual(self._wrong(setting=PLAIN), [])

    def test_detects_a_wrong_step_count_size_or_time(self) -> None:
        at_ns = NOON_NS + 5_000 * MS
        right = (-200_000, -205_000, -195_000, at_ns - MS, at_ns + MS)
        self.assertIn("0 steps", self._wrong()[0])
        self.assertIn("2 steps", self._wrong(right, right)[0])
        self.assertIn("the clock was not stepped", self._wrong(right, setting=PLAIN)[0])
        self.assertIn("without its size", self._wrong((None, *right[1:]))[0])
        self.assertIn("outside", self._wrong((-200_000, -205_000, -200_001, *right[3:]))[0])
        self.assertIn("only known: the step's size", self._wrong((-200_000, -250_000, -180_000, *right[3:]))[0])
        self.assertIn("after the interval", self._wrong((*right[:3], at_ns + 1, at_ns + MS))[0])
        self.assertIn("only known: the moment", self._wrong((*right[:3], at_ns - 50 * MS, at_ns + MS))[0])


if __name__ == "__main__":
    unittest.main()
