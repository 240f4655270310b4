"""Tests of the validation's verdicts with numbers computed by hand."""

import os
import tempfile
import unittest
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from lagbench_validation.namespaces import relay
from lagbench_validation.truth.bench import Run
from lagbench_validation.truth.cases import Setting, settings
from lagbench_validation.truth.clock_error import TRUE_CLOCK, ClockError
from lagbench_validation.truth.emulated import EmulatedNetwork, Measured, expected_lags_ns, judge_emulation
from lagbench_validation.truth.injection import Attributed, Injection, injections, judge_causes
from lagbench_validation.truth.tuned import describe, judge_tuned, known_answers
from lagbench_validation.truth.verdict import Clocks, Tapped, Verdict, judge, judge_corrected, judge_printed

NOON_NS = 1_700_000_000_000_000_000
MS = 1_000_000
PLAIN = Setting("test")


class ClockErrorTest(unittest.TestCase):
    def test_equals_the_preloaded_clock(self) -> None:
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
                # A slow clock shows some times for two ns; the later is taken.
                self.assertIn(true_ns - (NOON_NS + since_ns), (0, 1) if rate_ppb < 0 else (0,))

    def test_converts_readings_on_both_sides_of_a_step(self) -> None:
        for step_ns in (MS, -MS):
            error = ClockError(NOON_NS, 7, 0, step_ns, 5_000 * MS)
            self.assertEqual(error.true_ns(NOON_NS + 4_000 * MS + 7), NOON_NS + 4_000 * MS)
            self.assertEqual(error.true_ns(NOON_NS + 6_000 * MS + 7 + step_ns), NOON_NS + 6_000 * MS)

    def test_has_no_true_time_for_skipped_or_repeated_readings(self) -> None:
        self.assertIsNone(ClockError(NOON_NS, 0, 0, MS, 5_000 * MS).true_ns(NOON_NS + 5_000 * MS + MS // 2))
        self.assertIsNone(ClockError(NOON_NS, 0, 0, -MS, 5_000 * MS).true_ns(NOON_NS + 5_000 * MS - MS // 2))


class EmulatedNetworkTest(unittest.TestCase):
    RELAY: ClassVar = {"received": 4_000, "lost": 80, "duplicated": 40, "reordered": 40, "queueFull": 0, "refused": 0}
    NO_DROPS: ClassVar = {"kernelDrops": 0}
    REQUESTED = EmulatedNetwork("some", 5, 2, 1, 1)

    def _wrong(
        self,
        requested: EmulatedNetwork = REQUESTED,
        excess_ns: float = 0,
        least_excess_ns: int = 0,
        packets: Mapping[str, int] | None = None,
        relay: Mapping[str, int] | None = None,
    ) -> list[str]:
        counts = {**self.RELAY, **self.NO_DROPS, **(packets or {})}
        measured = Measured(5 * MS, 5 * MS, excess_ns, least_excess_ns, 50, counts, {**self.RELAY, **(relay or {})})
        return judge_emulation(requested, measured)

    def test_accepts_the_requested_network(self) -> None:
        self.assertEqual(self._wrong(), [])
        self.assertEqual(self._wrong(excess_ns=100_050), [])

    def test_finds_a_median_off_the_requested_delay(self) -> None:
        self.assertRegex(self._wrong(excess_ns=100_051)[0], "median error of the delay is 100051 ns")
        self.assertRegex(self._wrong(least_excess_ns=-1)[0], "a packet arrived 1 ns before its requested delay")

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
        # Of four sent at once, none is due before the first.
        self.assertEqual(expected_lags_ns(requested, [NOON_NS] * 4), [5 * MS + drawn_ns[0]] * 4)
        self.assertRaises(ValueError, expected_lags_ns, EmulatedNetwork("some", 5, loss=1, jitter_ms=2), [NOON_NS])

    def test_finds_each_count_that_differs_from_the_relays(self) -> None:
        for count in ("lost", "duplicated", "reordered"):
            self.assertRegex(self._wrong(packets={count: 42})[0], f"42 {count} counted by lagbench")
        self.assertRegex(self._wrong(relay={"received": 4_001})[0], "received 4001 packets of 4000")
        self.assertRegex(self._wrong(relay={"refused": 1})[0], "lost frames")

    def test_does_not_attribute_kernel_drops_to_the_network(self) -> None:
        self.assertEqual(self._wrong(packets={"lost": 87, "kernelDrops": 7, "duplicated": 39, "reordered": 44}), [])
        self.assertRegex(
            self._wrong(packets={"lost": 80, "kernelDrops": 7})[0], "80 lost counted by lagbench, 80 by the relay"
        )

    def test_finds_a_relay_off_the_requested_share(self) -> None:
        # 80 of 4000 is what 2 % are; six standard deviations are 53.
        self.assertEqual(self._wrong(packets={"lost": 133}, relay={"lost": 133}), [])
        self.assertRegex(self._wrong(packets={"lost": 134}, relay={"lost": 134})[0], "134 lost where 80 were requested")

    def test_ignores_counts_of_tcp(self) -> None:
        self.assertEqual(self._wrong(EmulatedNetwork("some", 5, transport="tcp"), packets={"lost": 9}), [])


class TunedTest(unittest.TestCase):
    KNOWN, ANY = known_answers()  # 40,000 to 46,000 bytes are enough; any number of them is

    def _found(self, recommended: Mapping[str, int] | None, **verdicts: str) -> dict[str, Any]:
        candidates = [{"knobs": {"receive-buffer": int(size[1:])}, "verdict": verdicts[size]} for size in verdicts]
        default = {"knobs": {}, "verdict": "unclear"}
        return {"recommended": recommended, "decided": True, "runs": 70, "candidates": [*candidates, default]}

    def test_accepts_results_within_the_factor(self) -> None:
        for size in (20_000, 92_000):
            found = self._found({"receive-buffer": size}, _4096="infeasible", _65536="tied", _1048576="tied")
            self.assertEqual(judge_tuned(self.KNOWN, found), [])
            self.assertIn(f": {size}, decided, 70 runs", describe(self.KNOWN, found))

    def test_finds_results_beyond_the_factor(self) -> None:
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


class FakeTap:
    def __init__(self, at_ns: Mapping[int, int], sent_ns: Mapping[int, int]) -> None:
        self.at_ns, self.sent_ns = at_ns, sent_ns


class JudgeTest(unittest.TestCase):
    """100 packets, 1 ms apart, each truly 20 µs on its way, from the true clock of a to b's, which is 50 ms ahead."""

    LAG_NS = 20_000
    CLOCKS: ClassVar = {"a": TRUE_CLOCK, "b": ClockError(offset_ns=50 * MS)}

    def _run(
        self,
        bound_ns: int | None,
        basis: str = "chrony",
        marks: Sequence[str] = (),
        lag_ns: int = LAG_NS,
        packets: int = 100,
        clocks: Clocks | None = None,
    ) -> Run:
        clocks = clocks or self.CLOCKS
        sent = [NOON_NS + i * MS for i in range(packets)]
        received = [clocks["b"].shown_ns(at + lag_ns) for at in sent]
        record = {"packets": 100, "clock": {"boundNs": bound_ns, "basis": basis, "marks": list(marks)}}
        return Run(
            record,
            {"seq": list(range(packets)), "sent_ns": sent},
            {"seq": list(range(packets)), "received_ns": received},
        )

    def _wrong(
        self, run: Run, setting: Setting = PLAIN, clocks: Clocks | None = None, tapped: Tapped | None = None
    ) -> str:
        return " ".join(judge(setting, "a", run, clocks or self.CLOCKS, tapped).wrong)

    def test_computes_true_and_measured_lag(self) -> None:
        verdict = judge(Setting("test"), "a", self._run(50 * MS), self.CLOCKS, None)
        self.assertEqual(verdict.true_median_ns, self.LAG_NS)
        self.assertEqual(verdict.measured_median_ns, self.LAG_NS + 50 * MS)
        self.assertEqual(verdict.wrong, [])

    def test_finds_a_true_lag_outside_the_bound(self) -> None:
        self.assertEqual(self._wrong(self._run(50 * MS)), "")
        self.assertIn("100 packets outside the bound, the worst by 1 ns", self._wrong(self._run(50 * MS - 1)))

    def test_finds_a_useless_bound(self) -> None:
        self.assertIn("where the clocks' error was", self._wrong(self._run(53 * MS)))

    def test_finds_a_missing_bound_or_a_wrong_basis(self) -> None:
        self.assertIn("has no bound", self._wrong(self._run(None)))
        self.assertIn("basis", self._wrong(self._run(50 * MS, basis="two-way")))
        self.assertIn("basis", self._wrong(self._run(50 * MS), Setting("test", chrony=False)))

    def test_finds_missing_packets(self) -> None:
        self.assertIn("only 80 of 100", self._wrong(self._run(50 * MS, packets=80)))

    def test_finds_an_impossible_true_lag(self) -> None:
        self.assertIn("the validation is wrong", self._wrong(self._run(50 * MS, lag_ns=-1)))

    def test_requires_the_relays_delay_in_the_median(self) -> None:
        delayed = Setting("test", link=relay(10, 0))
        right = self._run(50 * MS, lag_ns=10 * MS + 20_000)
        self.assertEqual(self._wrong(right, delayed), "")
        # Without an error of the clocks the delay must be met to 100 µs.
        same = {"a": TRUE_CLOCK, "b": TRUE_CLOCK}
        late = self._run(1_000, lag_ns=10 * MS + 102_000, clocks=same)
        self.assertIn("relay", self._wrong(late, delayed, same))
        self.assertEqual(self._wrong(self._run(1_000, lag_ns=10 * MS + 100_000, clocks=same), delayed, same), "")

    def test_requires_exactly_the_step_to_be_reported(self) -> None:
        mark = "The receiver's clock was stepped by +1 ms at noon"
        self.assertIn("without one", self._wrong(self._run(50 * MS, marks=[mark])))
        clocks = {"a": TRUE_CLOCK, "b": ClockError(NOON_NS, 50 * MS, 0, MS, 50 * MS)}
        stepped = Setting("test", step_us=1_000)
        self.assertEqual(self._wrong(self._run(51 * MS, marks=[mark], clocks=clocks), stepped, clocks), "")
        self.assertIn("not reported", self._wrong(self._run(51 * MS, clocks=clocks), stepped, clocks))
        doubted = self._run(51 * MS, basis="two-way", marks=[mark], clocks=clocks)
        self.assertEqual(self._wrong(doubted, stepped, clocks), "")
        late = {"a": TRUE_CLOCK, "b": ClockError(NOON_NS, 50 * MS, 0, MS, 500 * MS)}
        self.assertIn("not step within", self._wrong(self._run(51 * MS, clocks=late), stepped, late))

    def test_requires_taps_between_sent_and_received(self) -> None:
        run = self._run(50 * MS)
        sent_ns = dict(zip(run.sent["seq"], run.sent["sent_ns"], strict=True))

        def tapped(left_ns: int, arrived_ns: int, carried: Mapping[int, int] = sent_ns) -> Tapped:
            return {
                side: FakeTap({seq: at + after_ns for seq, at in sent_ns.items()}, carried)
                for side, after_ns in (("a", left_ns), ("b", arrived_ns))
            }

        self.assertEqual(self._wrong(run, tapped=tapped(5_000, 6_000)), "")
        self.assertIn("100 packets", self._wrong(run, tapped=tapped(-1, 6_000)))
        self.assertIn("100 packets", self._wrong(run, tapped=tapped(6_000, 5_000)))
        self.assertIn("100 packets", self._wrong(run, tapped=tapped(5_000, self.LAG_NS + 1)))
        self.assertIn("not those of", self._wrong(run, tapped=tapped(5_000, 6_000, {**sent_ns, 3: NOON_NS})))


class JudgeTableTest(unittest.TestCase):
    VERDICT = Verdict(20_000, 50_020_000, 50_000_005, "chrony")

    @staticmethod
    def _figures(
        median_us: float = 50_020.0,
        bound_ns: int = 50_000_005,
        corrected_us: float = 25.0,
        uncertainty_ns: int | None = 6_000,
    ) -> dict[str, Any]:
        return {
            "series": {"lag": {"medianUs": median_us}},
            "clock": {"boundNs": bound_ns},
            "corrected": [
                {"estimator": "hull", "uncertaintyNs": uncertainty_ns, "lag": {"medianUs": corrected_us}},
                {"estimator": "two-way", "uncertaintyNs": 1, "lag": {"medianUs": 0.0}},
            ],
        }

    def test_requires_printed_medians_and_bounds(self) -> None:
        self.assertEqual(judge_printed(self.VERDICT, self._figures()), [])
        self.assertEqual(len(judge_printed(self.VERDICT, self._figures(median_us=50_020.01))), 1)
        self.assertEqual(len(judge_printed(self.VERDICT, self._figures(bound_ns=50_000_004))), 1)
        self.assertEqual(len(judge_printed(self.VERDICT, None)), 1)

    def _corrected(self, setting: Setting = PLAIN, **figures: Any) -> tuple[float | None, str | None]:
        return judge_corrected(setting, self.VERDICT, self._figures(**figures), "hull")

    def test_requires_a_corrected_lag_within_its_uncertainty(self) -> None:
        self.assertEqual(self._corrected(), (5_000, None))
        self.assertEqual(self._corrected(uncertainty_ns=5_000), (5_000, None))
        self.assertIn("5000 ns off", str(self._corrected(uncertainty_ns=4_999)[1]))
        self.assertIn("5000 ns off", str(self._corrected(uncertainty_ns=None)[1]))
        self.assertIn("no corrected", str(judge_corrected(PLAIN, self.VERDICT, self._figures(), "other")[1]))
        self.assertIn("no corrected", str(judge_corrected(PLAIN, self.VERDICT, None, "hull")[1]))

    def test_requires_no_uncertainty_across_a_step(self) -> None:
        stepped = Setting("test", step_us=1_000)
        self.assertEqual(self._corrected(stepped, uncertainty_ns=None), (None, None))
        self.assertIn("across a step", str(self._corrected(stepped)[1]))


def named_where(condition: Callable[[int, bool], bool], otherwise: str = ",") -> Callable[[int, bool], str]:
    """Returns what names the receiver's stall as the cause of some packets, and something else of the others."""
    return lambda seq, delayed: "stall,receiver" if condition(seq, delayed) else otherwise


class CausesTest(unittest.TestCase):
    """3,000 packets, one a ms, that take 20 µs; from 100.5 ms on each 250 ms nobody receives for 20 ms."""

    STOPS: ClassVar = [(at * MS + MS // 2, (at + 20) * MS + MS // 2) for at in range(100, 3_000, 250)]
    HEADER = "seq,scheduled_ns,sent_ns,received_ns,copy,cause,cause_side,schedule_cause,schedule_cause_side\n"

    def _judge(self, named: Callable[[int, bool], str], where: str = "receiver") -> Attributed:
        injection = Injection("test", where, "stall")
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            self.addCleanup(os.unlink, file.name)
            file.write(self.HEADER)
            for seq in range(3_000):
                sent_ns = seq * MS
                stop = next((stop for stop in self.STOPS if stop[0] <= sent_ns + 20_000 < stop[1]), None)
                cause = named(seq, stop is not None)
                received_ns = (stop[1] if stop else sent_ns) + 20_000
                file.write(f"{seq},{sent_ns},{sent_ns},{received_ns},0,{cause},{cause}\n")
        return judge_causes(injection, Path(file.name), self.STOPS)

    def test_counts_delayed_packets_and_those_with_the_cause(self) -> None:
        found = self._judge(named_where(lambda _, delayed: delayed))
        self.assertEqual((found.injections, found.wrong), (12, []))
        # The last of each 20 is late by half a ms only.
        self.assertEqual((found.delayed, found.delayed_given), (12 * 19, 12 * 19))
        self.assertEqual(found.others_given, 0)
        self.assertTrue(2_500 < found.others < 3_000 - 12 * 20)

    def test_requires_the_cause_for_most_delayed_packets(self) -> None:
        self.assertEqual(self._judge(named_where(lambda seq, delayed: delayed and seq % 30 != 0)).wrong, [])
        for named in ("stall,sender", "run-queue,receiver", "unexplained,", ","):
            found = self._judge(named_where(lambda seq, delayed: delayed and seq % 10 != 0, named))
            self.assertEqual(len(found.wrong), 1)

    def test_requires_the_cause_for_few_other_packets(self) -> None:
        found = self._judge(named_where(lambda seq, delayed: delayed or seq % 200 == 0))
        self.assertEqual(len(found.wrong), 0)
        found = self._judge(named_where(lambda seq, delayed: delayed or seq % 50 == 0))
        self.assertEqual(len(found.wrong), 1)

    def test_requires_delayed_packets(self) -> None:
        with mock.patch.object(CausesTest, "STOPS", self.STOPS[:1]):
            found = self._judge(named_where(lambda _, delayed: delayed))
        self.assertIn("only 19 packets", found.wrong[0])


class CasesTest(unittest.TestCase):
    def test_has_fifty_cases_with_unique_names(self) -> None:
        every: list[Setting | Injection] = [*settings(), *injections()]
        cases = [setting.case(sending) for setting in every for sending in setting.senders]
        self.assertEqual(len(cases), len(set(cases)))
        self.assertGreaterEqual(len(cases), 50)

    def test_has_a_quick_case_of_each_kind(self) -> None:
        quick = [setting for setting in settings() if setting.quick]
        self.assertTrue(any(setting.chrony and not setting.link.relayed for setting in quick))
        self.assertTrue(any(setting.chrony and setting.link.relayed for setting in quick))
        self.assertTrue(any(not setting.chrony for setting in quick))
        self.assertTrue(any(setting.step_us for setting in quick))


if __name__ == "__main__":
    unittest.main()
