"""Judges whether lagbench's metrics of a run are true."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lagbench_validation.truth.bench import Run
from lagbench_validation.truth.cases import Setting
from lagbench_validation.truth.clock_error import ClockError

# The metrics of a run by their ids.
Metrics = Mapping[str, float]

# Time of a packet beyond the relay's delay: the wake-ups of relay and receiver.
RELAY_ALLOWANCE_NS = 100_000

# Error of a lag for each ns of it, if the rate of its clock is off by 500 ppm.
RATE = 500 / (1e6 - 500)

# A bound that is wider than the clocks' true error by more than this is useless.
USEFUL_NS = 2_000_000

# Largest median difference between lagbench's kernel stamps and the tap's.
KERNEL_STAMP_NS = 5_000

# The largest error of chrony's measurements over a cable.
CHRONY_NS = 10_000

# The stage of the driver's transmit stamp.
SENT_BY_SOFTWARE = 0


class Seen(Protocol):
    """A tap's stamps and the sent stamps in the packets, by sequence number."""

    @property
    def at_ns(self) -> Mapping[int, int]: ...

    @property
    def sent_ns(self) -> Mapping[int, int]: ...


Clocks = Mapping[str, ClockError]  # by side
Tapped = Mapping[str, Seen]  # by side


@dataclass
class Verdict:
    """The metrics of one run and their errors."""

    true_median_ns: float
    measured_median_ns: float
    bound_ns: int | None
    basis: str
    worst_ns: int = 0  # the largest error of a lag
    wrong: list[str] = field(default_factory=list)


def judge(setting: Setting, sending: str, run: Run, clocks: Clocks, tapped: Tapped | None) -> Verdict:
    """
    Compares a run with the truth: the error of each side's clock is known, so every stamp has a true time.
    """
    receiving = "b" if sending == "a" else "a"
    measured, true, stamped = [], [], []
    for _, sent_ns, received_ns in run.stamps():
        stamped.append(received_ns - sent_ns)
        truly_sent_ns = clocks[sending].true_ns(sent_ns)
        truly_received_ns = clocks[receiving].true_ns(received_ns)
        if truly_sent_ns is not None and truly_received_ns is not None:
            measured.append(received_ns - sent_ns)
            true.append(truly_received_ns - truly_sent_ns)
    if not true:
        raise ValueError("every packet was under way during the clock step, so none can be judged")
    clock = run.record.get("clock") or {}
    verdict = Verdict(
        statistics.median(true), statistics.median(stamped), clock.get("boundNs"), str(clock.get("basis", ""))
    )
    wrong = verdict.wrong
    packets = run.record["run"]["point"]["packets"]
    if len(true) < packets * 0.9:
        wrong.append(f"only {len(true)} of {packets} packets can be judged")
    if min(true) < 0:
        wrong.append(f"a packet arrived {-min(true)} ns before it was sent by the true clock: the validation is wrong")
    if verdict.bound_ns is None:
        wrong.append("lagbench has no bound")
        return verdict
    _judge_bound(setting, sending, measured, true, verdict, verdict.bound_ns)
    _judge_marks(setting, sending, clock.get("marks", []), run, clocks, wrong)
    if tapped is not None:
        _judge_taps(sending, receiving, run, clocks, tapped, wrong)
    if setting.timestamping:
        _judge_kernel_stamps(sending, receiving, run, clocks, tapped or {}, wrong)
    return verdict


def judge_printed(setting: Setting, verdict: Verdict, metrics: Metrics | None) -> list[str]:
    """Returns the errors of a run's metrics in lagbench's table, one sentence each."""
    if metrics is None:
        return ["a run is not in the table"]
    measured_us, printed_us = verdict.measured_median_ns / 1e3, metrics["lag.median"]
    bound_ns = round(metrics["clock.bound"] * 1e3) if "clock.bound" in metrics else None
    wrong = []
    if abs(printed_us - measured_us) > 0.001:
        wrong.append(f"a median of {printed_us} µs is printed where it is {measured_us} µs")
    if not setting.noticed:
        # lagbench sees a step only in the stamps. Then the bound in the table is larger than in run.json: it must be
        # at least the largest error.
        if bound_ns is None or bound_ns < verdict.worst_ns:
            wrong.append(f"a lag is {verdict.worst_ns} ns off, with a bound of {bound_ns} ns")
    elif bound_ns != verdict.bound_ns:
        wrong.append(f"± {bound_ns} ns is printed where run.json has {verdict.bound_ns} ns")
    return wrong


def judge_corrected(
    setting: Setting, verdict: Verdict, metrics: Metrics | None, estimator: str
) -> tuple[float | None, str | None]:
    """
    Returns the error of a corrected median in ns, and a sentence if it is too large. The medians are of all packets:
    lagbench leaves out those that were under way at a step.
    """
    median_us = (metrics or {}).get(f"corrected.{estimator}.lag.median")
    if metrics is None or median_us is None:
        return None, "no corrected lag"
    uncertainty_ns = _uncertainty_ns(metrics, estimator)
    if estimator == "chrony" and setting.has_exact_chrony and (vague := vague_chrony(metrics)):
        return None, vague
    error_ns = abs(median_us * 1e3 - verdict.true_median_ns)
    if uncertainty_ns is None or error_ns > uncertainty_ns:
        return error_ns, f"{error_ns:.0f} ns off, with an uncertainty of ± {uncertainty_ns} ns"
    return error_ns, None


def vague_chrony(metrics: Metrics) -> str | None:
    """Returns a sentence if chrony's measurements of a run over a cable are too uncertain to judge it."""
    uncertainty_ns = _uncertainty_ns(metrics, "chrony") or 0
    return f"chrony's measurement is only known to ± {uncertainty_ns} ns" if uncertainty_ns > CHRONY_NS else None


def _uncertainty_ns(metrics: Metrics, estimator: str) -> int | None:
    uncertainty_us = metrics.get(f"corrected.{estimator}.uncertainty")
    return None if uncertainty_us is None else round(uncertainty_us * 1e3)


def _judge_bound(
    setting: Setting, sending: str, measured: Sequence[int], true: Sequence[int], verdict: Verdict, bound_ns: int
) -> None:
    wrong = verdict.wrong
    errors_ns = [abs(lag_ns - true_ns) for lag_ns, true_ns in zip(measured, true, strict=True)]
    verdict.worst_ns = max(errors_ns)
    # The bound is printed with 0.05 % of the lag, because the rate of a clock may be off by 500 ppm.
    beyond_ns = [error_ns - bound_ns - abs(lag_ns) * RATE for error_ns, lag_ns in zip(errors_ns, measured, strict=True)]
    outside = sum(each_ns > 0 for each_ns in beyond_ns)
    if outside > 0 and setting.noticed:
        wrong.append(f"{outside} packets outside the bound, the worst by {max(beyond_ns):.0f} ns")
    expected_basis = "chrony" if setting.chrony else "two-way"
    # After a step chronyd reports the old offset until it has measured again; lagbench then uses the exchanges.
    if setting.step_us == 0 and verdict.basis != expected_basis:
        wrong.append(f"the bound's basis is {verdict.basis}, not {expected_basis}")
    if setting.link.relayed:
        error_ns = abs(verdict.measured_median_ns - setting.link.delay_ns(sending))
        if error_ns > RELAY_ALLOWANCE_NS + bound_ns:
            wrong.append(f"the median is off the relay's delay by {error_ns:.0f} ns, more than 100 µs and the bound")
    # The error of a lag is the error of the clocks. Neither chrony nor the exchanges can detect path asymmetry.
    path_ns = setting.link.delay_ns("a") + setting.link.delay_ns("b")
    sensible_ns = max(errors_ns) + path_ns + 2 * abs(setting.step_us) * 1000 + USEFUL_NS
    if bound_ns > sensible_ns:
        wrong.append(f"the bound is {bound_ns} ns where the clocks' error was {max(errors_ns)} ns")


def _judge_marks(
    setting: Setting, sending: str, marks: Sequence[str], run: Run, clocks: Clocks, wrong: list[str]
) -> None:
    reported = [mark for mark in marks if "stepped by" in mark]
    if setting.step_us == 0:
        if reported:
            wrong.append(f"reports a step, but the clock was not stepped: {reported[0]}")
        return
    begin_ns, end_ns = (clocks[sending].true_ns(run.sent["sent_ns"][i]) for i in (0, -1))
    if begin_ns is None or end_ns is None or not begin_ns < clocks[setting.faked].step_at_ns < end_ns:
        wrong.append("the clock did not step within the run")
    elif setting.noticed != bool(reported):
        wrong.append("the step was not reported" if setting.noticed else "the step was noticed")


def _judge_taps(sending: str, receiving: str, run: Run, clocks: Clocks, tapped: Tapped, wrong: list[str]) -> None:
    """Checks that each packet was sent, left, arrived and was received in this order; the kernel stamps true time."""
    left, arrived = tapped[sending], tapped[receiving]
    if left.sent_ns != dict(zip(run.sent["seq"], run.sent["sent_ns"], strict=True)):
        wrong.append("the stamps in the packets are not those of the sender's capture")
    disorder = 0
    for seq, sent_ns, received_ns in run.stamps():
        times_ns = (
            clocks[sending].true_ns(sent_ns),
            left.at_ns.get(seq),
            arrived.at_ns.get(seq),
            clocks[receiving].true_ns(received_ns),
        )
        known_ns = [at for at in times_ns if at is not None]
        disorder += len(known_ns) < len(times_ns) or known_ns != sorted(known_ns)
    if disorder > 0:
        wrong.append(f"{disorder} packets were not sent, tapped, tapped and received in this order")


def _judge_kernel_stamps(
    sending: str, receiving: str, run: Run, clocks: Clocks, tapped: Tapped, wrong: list[str]
) -> None:
    """Checks that the kernel's stamps that lagbench recorded equal the stamps of the taps."""
    if run.kernel is None or "kernel_ns" not in run.received:
        wrong.append("the kernel's stamps were not recorded")
        return
    first = run.record["sender"]["metadata"]["firstRecordedKey"]
    leaving = zip(run.kernel["stage"], run.kernel["key"], run.kernel["kernel_ns"], strict=True)
    coming = zip(run.received["seq"], run.received["kernel_ns"], strict=True)
    sent = _true_ns(clocks[sending], ((key - first, at) for stage, key, at in leaving if stage == SENT_BY_SOFTWARE))
    received = _true_ns(clocks[receiving], ((seq, at) for seq, at in coming if at != 0))
    for what, found, tap in (("sent", sent, tapped[sending]), ("received", received, tapped[receiving])):
        off_ns = [abs(found[seq] - at) for seq, at in tap.at_ns.items() if seq in found]
        if len(off_ns) < 0.9 * len(tap.at_ns) or not off_ns:
            wrong.append(f"of {len(tap.at_ns)} packets only {len(off_ns)} have the kernel's stamp when {what}")
        elif statistics.median(off_ns) > KERNEL_STAMP_NS:
            wrong.append(f"the kernel's stamps when {what} are {statistics.median(off_ns):.0f} ns off the tap's")


def _true_ns(clock: ClockError, stamps: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Returns the true time of stamps by sequence number, if the clock's step did not skip or repeat it."""
    return {seq: true_ns for seq, at in stamps if (true_ns := clock.true_ns(at)) is not None}
