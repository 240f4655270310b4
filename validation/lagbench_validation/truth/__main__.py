"""Runs the cases and prints their results; scripts/validate truth starts it."""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from lagbench_validation.namespaces import SIDES, Namespaces, remove_leftovers, two_namespaces
from lagbench_validation.processes import Failed
from lagbench_validation.program import make_parser, run_main
from lagbench_validation.truth.available import shared_links
from lagbench_validation.truth.bench import Bench, Environments, Run
from lagbench_validation.truth.bottleneck import bottlenecks
from lagbench_validation.truth.cases import Setting, settings
from lagbench_validation.truth.chrony_pair import ChronyPair, chrony_pair
from lagbench_validation.truth.clock_error import ClockError
from lagbench_validation.truth.clock_step import NEVER_NS, ClockStep
from lagbench_validation.truth.counters import counted_flows
from lagbench_validation.truth.emulated import EmulatedNetwork, emulated_networks, judge_emulation, measure
from lagbench_validation.truth.forecast import forecast_paths
from lagbench_validation.truth.found_steps import VAGUE, describe_step, judge_steps
from lagbench_validation.truth.injection import (
    RUN_OPTIONS,
    TAIL_PERCENT,
    Collections,
    Delays,
    Injection,
    PeriodicDelays,
    injections,
    judge_causes,
)
from lagbench_validation.truth.intervals import interval_cases
from lagbench_validation.truth.matrix import matrices
from lagbench_validation.truth.probed import paths
from lagbench_validation.truth.taps import taps
from lagbench_validation.truth.tuned import known_values
from lagbench_validation.truth.verdict import Clocks, Verdict, judge, judge_corrected, judge_printed, vague_chrony
from lagbench_validation.truth.wired import Wire, carry, describe_wire, judge_wire, wires

MAKER = "truth"

PACKETS = 1_000
PACKET_INTERVAL = "1ms"
SMALLEST_PACKET_BYTES = 200

# The clock steps when a quarter of these packets is recorded.
STEPPED_RUN_PACKETS = 8_000

# A run is repeated if chrony's measurements, or a step, are too uncertain, as when the machine pauses.
ATTEMPTS_MAX = 3

TITLE_COLUMNS = 46

# The maximum estimated error of the clocks in Norris and Miller (2001), and the time limit to reach it.
PAPER_BOUND_US = 6
PAPER_PATIENCE_S = 10


@dataclass(frozen=True)
class JudgedRun:
    """A run, by the name of its directory, and its verdict."""

    name: str
    setting: Setting
    sending: str
    clocks: Clocks
    verdict: Verdict


class CheckedCase(Protocol):
    """A case that judges its own result."""

    @property
    def title(self) -> str: ...

    def check(self, home: Path, work: Path, /) -> tuple[str, list[str]]:
        """Returns the result as text, and the failed requirements."""
        ...


class Truth:
    """Executes the runs and counts passed and failed cases."""

    def __init__(self, home: Path, native: Path, work: Path) -> None:
        self._clock_pair = home / "validation" / "commands" / "clock-pair"
        self._relay = native / "lagbench-relay"
        self._shim = native / "liblagbench_clock_shim.so"
        self._home = home
        self._work = work
        self._bench = Bench(home, work)
        self._judged: list[JudgedRun] = []
        self._runs = 0
        self.right = 0
        self.wrong: list[str] = []

    def make(self, setting: Setting, senders: Sequence[str], attempts: int = ATTEMPTS_MAX) -> None:
        """Executes the runs of a setting. A clock steps once: a run with a vague step is repeated with new
        clocks."""
        left = list(senders)
        vague: list[str] = []
        zero_ns = time.time_ns()
        step = ClockStep(self._work / "step", zero_ns) if setting.step_us else None
        clocks = dict.fromkeys(SIDES, ClockError(zero_ns, rate_ppb=setting.other_rate_ppm * 1_000))
        clocks[setting.faked] = ClockError(
            zero_ns, setting.offset_us * 1_000, setting.rate_ppm * 1_000, setting.step_us * 1_000, NEVER_NS
        )  # fmt: skip
        environments = self._environments(setting, clocks, step)
        try:
            with ExitStack() as stack:
                namespaces = stack.enter_context(two_namespaces(MAKER, setting.link, self._relay))
                if setting.chrony:
                    pair = stack.enter_context(chrony_pair(namespaces, self._clock_pair, environments))
                    if setting.paper_bound:
                        self._print_paper_bound(pair)
                    pair.await_convergence(setting.link)
                while left:
                    sending = left.pop(0)
                    run = self._make_run(setting, sending, namespaces, clocks, environments, step)
                    if run is not None and attempts > 1 and self._has_vague_step(run):
                        vague.append(sending)
                    elif run is not None:
                        self._keep(run)
        except (Failed, OSError) as e:
            for sending in left or senders[-1:]:
                self._print_case(setting.case(sending), [str(e)])
        if vague:
            self.make(setting, vague, attempts - 1)

    def inject(self, injection: Injection, senders: Sequence[str]) -> None:
        """Executes the runs in which one side is delayed at known times."""
        for sending in senders:
            name = f"inject-{self._runs:03}"
            self._runs += 1
            try:
                delays: Delays = Collections(self._work)
                if injection.cause == "stall":
                    delays = PeriodicDelays(self._bench.sender_capture(name), injection.where)
                with two_namespaces(MAKER) as namespaces:
                    environments = {side: delays.environment() if side == injection.side else {} for side in SIDES}
                    options = ["--packet-bytes", 100, *RUN_OPTIONS]
                    try:
                        self._bench.run(
                            namespaces, sending, environments, name, injection.transport, options, delays.started
                        )
                    finally:
                        intervals_ns = delays.intervals_ns()
                found = judge_causes(injection, self._bench.exported(name, TAIL_PERCENT), intervals_ns)
            except (Failed, OSError) as e:
                self._print_case(injection.case(sending), [str(e)])
            else:
                self._print_case(f"{injection.case(sending)}: {found.text}", found.wrong)

    def emulate(self, network: EmulatedNetwork) -> None:
        """Runs lagbench over an emulated network, and compares its metrics with the requested ones."""
        self._runs += 1
        try:
            measured = measure(network, self._home, self._work, self._runs)
        except (Failed, OSError, ValueError, KeyError) as e:
            self._print_case(network.title, [str(e)])
            return
        verdict = Verdict(measured.expected_ns, measured.median_ns, measured.bound_ns, "emulated")
        self._print_case(network.title, judge_emulation(network, measured), verdict)

    def wire(self, wire: Wire) -> None:
        """Sends datagrams over an emulated link, and compares it with a perfect wire."""
        try:
            carried = carry(wire, self._home, self._work)
        except (Failed, OSError, ValueError, KeyError) as e:
            self._print_case(wire.title, [str(e)])
            return
        verdict = Verdict(carried.expected_ns, carried.median_ns, None, "taps")
        self._print_case(describe_wire(wire, carried), judge_wire(wire, carried), verdict)

    def check(self, case: CheckedCase) -> None:
        """Runs a case that judges its own result."""
        try:
            text, wrong = case.check(self._home, self._work)
        except (Failed, OSError, ValueError, KeyError) as e:
            self._print_case(case.title, [str(e)])
            return
        self._print_case(text, wrong)

    def judge_table(self) -> None:
        """Compares lagbench's table of all runs with their verdicts."""
        if not self._judged:
            return
        printed = {run["name"]: run for point in self._bench.table()["points"] for run in point["runs"]}
        metrics = {name: run["metrics"] for name, run in printed.items()}
        wrong = [why for run in self._judged for why in judge_printed(run.setting, run.verdict, metrics.get(run.name))]
        self._print_case("medians and bounds in lagbench's table", wrong)
        for run in self._judged:
            wrong = judge_steps(run.setting, run.sending, run.clocks, printed.get(run.name))
            if run.setting.step_us or wrong:
                self._print_case(describe_step(run.setting, printed.get(run.name)), wrong)
        stepless = sum(run.setting.step_us == 0 for run in self._judged)
        self._print_case(f"runs without a step: {stepless}", [])
        for estimator in ("chrony", "two-way", "hull"):
            errors_ns: list[float] = []
            wrong = []
            # after a step chronyd reports the old offset for some time
            runs = [
                run for run in self._judged
                if estimator != "chrony" or (run.setting.chrony and run.setting.step_us == 0)
            ]  # fmt: skip
            for run in runs:
                error_ns, why = judge_corrected(run.setting, run.verdict, metrics.get(run.name), estimator)
                errors_ns += [] if error_ns is None else [error_ns]
                wrong += [f"{run.name}: {why}"] if why else []
            off = f", {statistics.median(errors_ns) / 1e3:.1f} µs off" if errors_ns else ""
            self._print_case(f"medians corrected by {estimator}{off}", wrong)

    def _environments(self, setting: Setting, clocks: Clocks, step: ClockStep | None) -> Environments:
        """Returns the variables that give each side's programs its clock, and one side another boot identifier."""
        faked = {"LD_PRELOAD": str(self._shim), "LAGBENCH_CLOCK": clocks[setting.faked].text}
        if not setting.one_boot_id:
            faked["LAGBENCH_BOOT_ID"] = "of-another-kernel"
        if step is not None:
            faked["LAGBENCH_CLOCK_STEP"] = str(step.path)
        if not setting.noticed:
            faked["LAGBENCH_CLOCK_UNNOTICED"] = "1"
        others = {}
        if setting.other_rate_ppm:
            (other,) = (side for side in SIDES if side != setting.faked)
            others = {"LD_PRELOAD": str(self._shim), "LAGBENCH_CLOCK": clocks[other].text}
        return {side: faked if side == setting.faked else others for side in SIDES}

    def _make_run(
        self,
        setting: Setting,
        sending: str,
        namespaces: Namespaces,
        clocks: Clocks,
        environments: Environments,
        step: ClockStep | None,
    ) -> JudgedRun | None:
        try:
            for _ in range(ATTEMPTS_MAX):
                # Each run has a different packet size, so that it is a separate point in lagbench's table.
                packet_bytes = SMALLEST_PACKET_BYTES + self._runs
                name = f"truth-{self._runs:03}"
                self._runs += 1
                options = [
                    "--packet-bytes", packet_bytes, "--warm-up-packets", 200,
                    "--packets", STEPPED_RUN_PACKETS if setting.step_us else PACKETS,
                    "--mode", "hybrid", "--interval", PACKET_INTERVAL, "--clock.max-error", "10s",
                    "--observe", "timestamping" if setting.timestamping else "none",
                ]  # fmt: skip
                with taps(namespaces, packet_bytes) if setting.tapped else nullcontext() as tapped:
                    run = self._stepped(
                        step,
                        name,
                        partial(self._bench.run, namespaces, sending, environments, name, setting.transport, options),
                    )
                if not self._was_disturbed(setting, name):
                    break
            if step is not None:
                clocks = {**clocks, setting.faked: replace(clocks[setting.faked], step_after_ns=step.after_ns)}
            verdict = judge(setting, sending, run, clocks, tapped)
        except (Failed, ValueError) as e:
            self._print_case(setting.case(sending), [str(e)])
            return None
        return JudgedRun(name, setting, sending, clocks, verdict)

    def _keep(self, run: JudgedRun) -> None:
        self._judged.append(run)
        self._print_case(run.setting.case(run.sending), run.verdict.wrong, run.verdict)

    def _has_vague_step(self, run: JudgedRun) -> bool:
        """Returns whether only the interval of a step is too wide, as when many packets were late."""
        if not run.setting.step_us or run.verdict.wrong:
            return False
        printed = self._bench.table(run.name)["points"][0]["runs"][0]
        wrong = judge_steps(run.setting, run.sending, run.clocks, printed)
        return bool(wrong) and all(why.startswith(VAGUE) for why in wrong)

    def _was_disturbed(self, setting: Setting, name: str) -> bool:
        """Returns whether chrony's measurements of a run were too uncertain, as when the machine paused during them."""
        if not setting.has_exact_chrony:
            return False
        points = self._bench.table(name)["points"]
        return any(vague_chrony(run["metrics"]) is not None for point in points for run in point["runs"])

    def _stepped(self, step: ClockStep | None, name: str, make: Callable[[], Run]) -> Run:
        """Executes a run; steps the clock during it if a step is given."""
        if step is None:
            return make()
        step.begin_after(self._bench.sender_capture(name), STEPPED_RUN_PACKETS // 4)
        try:
            return make()
        finally:
            step.end()

    def _print_paper_bound(self, pair: ChronyPair) -> None:
        case = f"chrony's bound is below {PAPER_BOUND_US} µs in {PAPER_PATIENCE_S} s"
        seconds = pair.seconds_until_bound(PAPER_BOUND_US / 1e6, PAPER_PATIENCE_S)
        if seconds is None:
            self._print_case(case, ["the bound was not reached"])
        else:
            self._print_case(f"{case}: {seconds:.1f} s", [])

    def _print_case(self, case: str, wrong: Sequence[str], verdict: Verdict | None = None) -> None:
        if wrong:
            self.wrong.append(case)
        else:
            self.right += 1
        result = "FAILED: " + "; ".join(wrong) if wrong else "yes"
        if verdict is None:
            print(_row(case, "", "", "", "", result), flush=True)
        else:
            figures_ns = (verdict.true_median_ns, verdict.measured_median_ns, verdict.bound_ns)
            true, measured, bound = map(_us, figures_ns)
            print(_row(case, true, measured, bound, verdict.basis, result), flush=True)


def _us(duration_ns: float | None) -> str:
    return "unknown" if duration_ns is None else f"{duration_ns / 1e3:,.1f}"


def _row(case: str, true: str, measured: str, bound: str, basis: str, result: str) -> str:
    return f"{case:{TITLE_COLUMNS}} {true:>13} {measured:>13} {bound:>13}  {basis:9} {result}"


def _options() -> argparse.Namespace:
    parser = make_parser(
        "truth",
        "Checks lagbench against clocks and paths with known error and delay: two network namespaces of"
        " this machine with a chronyd in each, one of the clocks faked. Prints the true lag of each run, the measured"
        " lag with its bound, and whether the true one is within it. Exit code 0 only if all cases pass.",
        "one case of each kind",
    )
    parser.add_argument("--case", metavar="TEXT", help="only the cases with TEXT in their names")
    parser.add_argument("--list", action="store_true", help="print the names of the cases and exit")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="keep the runs in DIR, which must not exist")
    parser.add_argument("--native", required=True, type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _chosen(options: argparse.Namespace) -> Iterator[tuple[Setting | Injection, Sequence[str]]]:
    """Yields the selected settings with the sides that send."""
    every: list[Setting | Injection] = [*settings(), *injections()]
    for setting in every:
        senders = [
            sending for sending in setting.senders if options.case is None or options.case in setting.case(sending)
        ]
        if senders and (setting.smoke or not options.smoke):
            yield setting, senders


def main() -> int:
    options = _options()
    chosen = list(_chosen(options))
    slow = not options.smoke
    emulated = [network for network in emulated_networks() if slow and (options.case or "") in network.title]
    wired = [wire for wire in wires() if slow and (options.case or "") in wire.title]
    every: list[CheckedCase] = [
        *paths(), *shared_links(), *counted_flows(), *forecast_paths(), *matrices(), bottlenecks(), *known_values()
    ]  # fmt: skip
    every = [*interval_cases(options.smoke), *(every if slow else [])]
    checked = [case for case in every if (options.case or "") in case.title]
    if options.list:
        for setting, senders in chosen:
            print("\n".join(setting.case(sending) for sending in senders))
        titles = [network.title for network in emulated] + [wire.title for wire in wired]
        for title in [*titles, *(case.title for case in checked)]:
            print(title)
        return 0
    if not (chosen or emulated or wired or checked):
        print(f"truth: no case has '{options.case}' in its name; see scripts/validate truth --list", file=sys.stderr)
        return 2
    remove_leftovers(MAKER)
    if options.keep:
        options.keep.mkdir(parents=True)
    work = options.keep or Path(tempfile.mkdtemp(prefix="lagbench-truth-"))
    truth = Truth(options.home, options.native, work)
    try:
        print(_row("case", "true lag µs", "median µs", "± bound µs", "basis", "inside"), flush=True)
        for setting, senders in chosen:
            if isinstance(setting, Injection):
                truth.inject(setting, senders)
            else:
                truth.make(setting, senders)
        truth.judge_table()
        for network in emulated:
            truth.emulate(network)
        for wire in wired:
            truth.wire(wire)
        for case in checked:
            truth.check(case)
    finally:
        if options.keep is None:
            shutil.rmtree(work)
        print(f"{truth.right} passed, {len(truth.wrong)} failed, 0 skipped")
    return 1 if truth.wrong else 0


if __name__ == "__main__":
    run_main("truth", main)
