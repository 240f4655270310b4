"""Tests of the verdicts on lags and their causes, with numbers computed by hand."""

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
from lagbench_validation.truth.clock_error import ClockError
from lagbench_validation.truth.injection import Attributed, Injection, injections, judge_causes
from lagbench_validation.truth.verdict import Clocks, Tapped, Verdict, judge, judge_corrected, judge_printed

NOON_NS = 1_700_000_000_000_000_000
MS = 1_000_000
PLAIN = Setting("test")


class FakeTap:
    def __init__(self, at_ns: Mapping[int, int], sent_ns: Mapping[int, int]) -> None:
        self.at_ns, self.sent_ns = at_ns, sent_ns


class JudgeTest(unittest.TestCase):
    """100 packets, 1 ms apart, each truly 20 µs on its way, from the true clock of a to b's, which is 50 ms ahead."""

    LAG_NS = 20_000
    CLOCKS: ClassVar = {"a": ClockError(), "b": ClockError(offset_ns=50 * MS)}

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
        record = {
            "run": {"point": {"packets": 100}},
            "clock": {"boundNs": bound_ns, "basis": basis, "marks": list(marks)},
        }
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
        # The rate of a clock that is fast by 500 ppm adds 500 / 999,500 of the measured lag.
        rate_ns = (self.LAG_NS + 50 * MS) * 500 // 999_500
        self.assertEqual(self._wrong(self._run(50 * MS - rate_ns)), "")
        self.assertIn("100 packets outside the bound", self._wrong(self._run(50 * MS - rate_ns - 2)))

    def test_finds_a_bound_too_wide_to_be_useful(self) -> None:
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
        same = {"a": ClockError(), "b": ClockError()}
        late = self._run(1_000, lag_ns=10 * MS + 102_000, clocks=same)
        self.assertIn("relay", self._wrong(late, delayed, same))
        self.assertEqual(self._wrong(self._run(1_000, lag_ns=10 * MS + 100_000, clocks=same), delayed, same), "")

    def test_requires_exactly_the_step_to_be_reported(self) -> None:
        mark = "The receiver's clock was stepped by +1 ms at noon"
        self.assertIn("the clock was not stepped", self._wrong(self._run(50 * MS, marks=[mark])))
        clocks = {"a": ClockError(), "b": ClockError(NOON_NS, 50 * MS, 0, MS, 50 * MS)}
        stepped = Setting("test", step_us=1_000)
        self.assertEqual(self._wrong(self._run(51 * MS, marks=[mark], clocks=clocks), stepped, clocks), "")
        self.assertIn("not reported", self._wrong(self._run(51 * MS, clocks=clocks), stepped, clocks))
        doubted = self._run(51 * MS, basis="two-way", marks=[mark], clocks=clocks)
        self.assertEqual(self._wrong(doubted, stepped, clocks), "")
        late = {"a": ClockError(), "b": ClockError(NOON_NS, 50 * MS, 0, MS, 500 * MS)}
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
    def _metrics(
        median_us: float = 50_020.0,
        bound_ns: int = 50_000_005,
        corrected_us: float = 25.0,
        uncertainty_ns: int | None = 6_000,
    ) -> dict[str, float]:
        metrics = {
            "lag.median": median_us,
            "clock.bound": bound_ns / 1e3,
            "corrected.hull.lag.median": corrected_us,
            "corrected.two-way.uncertainty": 0.001,
            "corrected.two-way.lag.median": 0.0,
        }
        if uncertainty_ns is not None:
            metrics["corrected.hull.uncertainty"] = uncertainty_ns / 1e3
        return metrics

    def test_requires_printed_medians_and_bounds(self) -> None:
        self.assertEqual(judge_printed(PLAIN, self.VERDICT, self._metrics()), [])
        self.assertEqual(len(judge_printed(PLAIN, self.VERDICT, self._metrics(median_us=50_020.01))), 1)
        self.assertEqual(len(judge_printed(PLAIN, self.VERDICT, self._metrics(bound_ns=50_000_004))), 1)
        self.assertEqual(len(judge_printed(PLAIN, self.VERDICT, None)), 1)

    def test_requires_that_the_bound_contains_an_unnoticed_step(self) -> None:
        unnoticed = Setting("test", step_us=200, noticed=False)
        verdict = Verdict(20_000, 50_020_000, 50_000_005, "two-way", worst_ns=50_200_005)
        self.assertEqual(judge_printed(unnoticed, verdict, self._metrics(bound_ns=50_200_005)), [])
        self.assertEqual(len(judge_printed(unnoticed, verdict, self._metrics(bound_ns=50_200_004))), 1)

    def _corrected(self, setting: Setting = PLAIN, **metrics: Any) -> tuple[float | None, str | None]:
        return judge_corrected(setting, self.VERDICT, self._metrics(**metrics), "hull")

    def test_requires_a_corrected_lag_within_its_uncertainty(self) -> None:
        self.assertEqual(self._corrected(), (5_000, None))
        self.assertEqual(self._corrected(uncertainty_ns=5_000), (5_000, None))
        self.assertIn("5000 ns off", str(self._corrected(uncertainty_ns=4_999)[1]))
        self.assertIn("5000 ns off", str(self._corrected(uncertainty_ns=None)[1]))
        self.assertIn("no corrected", str(judge_corrected(PLAIN, self.VERDICT, self._metrics(), "other")[1]))
        self.assertIn("no corrected", str(judge_corrected(PLAIN, self.VERDICT, None, "hull")[1]))

    def test_requires_a_corrected_lag_across_a_step(self) -> None:
        stepped = Setting("test", step_us=1_000)
        self.assertEqual(self._corrected(stepped), (5_000, None))
        self.assertIn("5000 ns off", str(self._corrected(stepped, uncertainty_ns=None)[1]))


def named_where(condition: Callable[[int, bool], bool], otherwise: str = ",") -> Callable[[int, bool], str]:
    """Returns a function that names the receiver's stall as the cause of some packets, and no cause of the others."""
    return lambda seq, delayed: "stall,receiver" if condition(seq, delayed) else otherwise


class CausesTest(unittest.TestCase):
    """3,000 packets, one per ms, with lags of 20 µs; every 250 ms from 100.5 ms on, none is received for 20 ms."""

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
        # The last of each 20 packets is late by half a ms only.
        self.assertEqual((found.delayed, found.delayed_given), (12 * 19, 12 * 19))
        self.assertEqual(found.others_given, 0)
        self.assertTrue(2_500 < found.others < 3_000 - 12 * 20)

    def test_requires_the_cause_for_most_delayed_packets(self) -> None:
        self.assertEqual(self._judge(named_where(lambda seq, delayed: delayed and seq % 30 != 0)).wrong, [])
        for named in ("stall,sender", "run-queue,receiver", "not-explained,", ","):
            found = self._judge(named_where(lambda seq, delayed: delayed and seq % 10 != 0, named))
            self.assertEqual(len(found.wrong), 1)

    def test_limits_the_cause_among_other_packets(self) -> None:
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

    def test_has_a_smoke_case_of_each_kind(self) -> None:
        smoke = [setting for setting in settings() if setting.smoke]
        self.assertTrue(any(setting.chrony and not setting.link.relayed for setting in smoke))
        self.assertTrue(any(setting.chrony and setting.link.relayed for setting in smoke))
        self.assertTrue(any(not setting.chrony for setting in smoke))
        self.assertTrue(any(setting.step_us for setting in smoke))


if __name__ == "__main__":
    unittest.main()
