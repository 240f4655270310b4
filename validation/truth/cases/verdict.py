"""Whether what the bench said of a run is true."""

import statistics
from dataclasses import dataclass, field

# What a packet takes beyond a relay's delay: the relay's wake-up and the receiver's.
RELAY_ALLOWANCE_NS = 100_000

# A bound that is wider than the clocks' true error by more than this says nothing, true as it may be.
USEFUL_NS = 2_000_000

# How far the kernel's stamp of a packet on its way out or in, as the bench recorded it, may be off the tap's in the median.
KERNEL_STAMP_NS = 5_000

# What the bench calls the stamp that the driver takes of a packet on its way out.
SENT_BY_SOFTWARE = 0


@dataclass
class Verdict:
    """The figures of one run and what is wrong with them."""

    true_median_ns: float
    measured_median_ns: float
    bound_ns: int
    basis: str
    wrong: list = field(default_factory=list)


def judge(setting, sending, run, clocks, tapped):
    """
    Holds a run against the truth: the error of each side's clock is known, so every stamp can be turned into true time.
    """
    receiving = "b" if sending == "a" else "a"
    measured, true = [], []
    for _, sent_ns, received_ns in run.stamps():
        truly_sent_ns = clocks[sending].true_ns(sent_ns)
        truly_received_ns = clocks[receiving].true_ns(received_ns)
        if truly_sent_ns is not None and truly_received_ns is not None:
            measured.append(received_ns - sent_ns)
            true.append(truly_received_ns - truly_sent_ns)
    if not true:
        raise ValueError("no packet can be judged")
    clock = run.record.get("clock") or {}
    verdict = Verdict(
        statistics.median(true), statistics.median(measured), clock.get("boundNs"), str(clock.get("basis", ""))
    )
    wrong = verdict.wrong
    if len(true) < run.record["packets"] * 0.9:
        wrong.append(f"only {len(true)} of {run.record['packets']} packets can be judged")
    if min(true) < 0:
        wrong.append(f"a packet truly came {-min(true)} ns before it was sent: the truth is not true")
    if verdict.bound_ns is None:
        wrong.append("the bench knows no bound")
        return verdict
    _judge_bound(setting, sending, measured, true, verdict)
    _judge_marks(setting, sending, clock.get("marks", []), run, clocks, wrong)
    if tapped is not None:
        _judge_taps(sending, receiving, run, clocks, tapped, wrong)
    if setting.stages:
        _judge_kernel_stamps(sending, receiving, run, clocks, tapped, wrong)
    return verdict


def judge_printed(verdict, figures):
    """What is wrong with a run's figures in the bench's table, sentences."""
    if figures is None:
        return ["a run is not in the table"]
    measured_us, printed_us = verdict.measured_median_ns / 1e3, figures["series"]["lag"]["medianUs"]
    wrong = []
    if abs(printed_us - measured_us) > 0.001:
        wrong.append(f"a median of {printed_us} µs is printed where it is {measured_us} µs")
    if figures["clockBoundNs"] != verdict.bound_ns:
        wrong.append(f"± {figures['clockBoundNs']} ns is printed where run.json has {verdict.bound_ns} ns")
    return wrong


def judge_corrected(setting, verdict, figures, estimator):
    """
    How far a corrected median is off the true one in ns, and what is wrong with it, a sentence or None. Across a step
    there is no one offset to correct by: no figure, and the bench must say that it does not know how far it is off.
    """
    found = [corrected for corrected in (figures or {}).get("corrected") or [] if corrected["estimator"] == estimator]
    if len(found) != 1:
        return None, "no corrected lag"
    uncertainty_ns = found[0]["uncertaintyNs"]
    if setting.step_us != 0:
        return None, None if uncertainty_ns is None else "an uncertainty is given across a step"
    error_ns = abs(found[0]["lag"]["medianUs"] * 1e3 - verdict.true_median_ns)
    if uncertainty_ns is None or error_ns > uncertainty_ns:
        return error_ns, f"{error_ns:.0f} ns off, ± {uncertainty_ns} ns said"
    return error_ns, None


def _judge_bound(setting, sending, measured, true, verdict):
    wrong, bound_ns = verdict.wrong, verdict.bound_ns
    errors_ns = [abs(lag_ns - true_ns) for lag_ns, true_ns in zip(measured, true)]
    outside = sum(error_ns > bound_ns for error_ns in errors_ns)
    if outside > 0:
        wrong.append(f"{outside} packets outside the bound, the worst by {max(errors_ns) - bound_ns} ns")
    expected_basis = "chrony" if setting.chrony else "two-way"
    # After a step chronyd tells the old offset until it has measured again; the bench then trusts the exchanges instead.
    if setting.step_us == 0 and verdict.basis != expected_basis:
        wrong.append(f"the bound's basis is {verdict.basis}, not {expected_basis}")
    if setting.path.relayed:
        amiss_ns = abs(verdict.measured_median_ns - setting.path.delay_ns(sending))
        if amiss_ns > RELAY_ALLOWANCE_NS + bound_ns:
            wrong.append(f"the median is off the relay's delay by {amiss_ns:.0f} ns, more than 100 µs and the bound")
    # The error of the lag is that of the clocks; chrony and the exchanges themselves cannot see the path's asymmetry.
    path_ns = setting.path.delay_ns("a") + setting.path.delay_ns("b")
    sensible_ns = max(errors_ns) + path_ns + 2 * abs(setting.step_us) * 1000 + USEFUL_NS
    if bound_ns > sensible_ns:
        wrong.append(f"the bound is {bound_ns} ns where the clocks' error was {max(errors_ns)} ns")


def _judge_marks(setting, sending, marks, run, clocks, wrong):
    told = [mark for mark in marks if "stepped by" in mark]
    if setting.step_us == 0:
        if told:
            wrong.append(f"a step that was none: {told[0]}")
        return
    begin_ns, end_ns = (clocks[sending].true_ns(run.sent["sent_ns"][i]) for i in (0, -1))
    if begin_ns is None or end_ns is None or not begin_ns < clocks[setting.faked].step_at_ns < end_ns:
        wrong.append("the clock did not step within the run")
    elif not told:
        wrong.append("the step was not told")


def _judge_taps(sending, receiving, run, clocks, tapped, wrong):
    """Each packet was sent, then left, then arrived at the other end, then was received; the kernel stamps true time."""
    left, arrived = tapped[sending], tapped[receiving]
    if left.sent_ns != dict(zip(run.sent["seq"], run.sent["sent_ns"])):
        wrong.append("the stamps that left in the packets are not those of the sender's capture")
    disorder = 0
    for seq, sent_ns, received_ns in run.stamps():
        times_ns = (
            clocks[sending].true_ns(sent_ns),
            left.at_ns.get(seq),
            arrived.at_ns.get(seq),
            clocks[receiving].true_ns(received_ns),
        )
        if None in times_ns or list(times_ns) != sorted(times_ns):
            disorder += 1
    if disorder > 0:
        wrong.append(f"{disorder} packets were not sent, seen, seen and received in this order")


def _judge_kernel_stamps(sending, receiving, run, clocks, tapped, wrong):
    """The kernel told the bench, whose socket it was, the same of each packet as it told the taps."""
    if run.kernel is None or "kernel_ns" not in run.received:
        wrong.append("the kernel's stamps were not recorded")
        return
    first = run.record["sender"]["facts"]["firstRecordedKey"]
    stamps = zip(run.kernel["stage"], run.kernel["key"], run.kernel["kernel_ns"])
    sent = {key - first: clocks[sending].true_ns(at) for stage, key, at in stamps if stage == SENT_BY_SOFTWARE}
    stamps = zip(run.received["seq"], run.received["kernel_ns"])
    received = {seq: clocks[receiving].true_ns(at) for seq, at in stamps if at != 0}
    for what, found, tap in (("sent", sent, tapped[sending]), ("received", received, tapped[receiving])):
        off_ns = [abs(found[seq] - at) for seq, at in tap.at_ns.items() if found.get(seq) is not None]
        if len(off_ns) < 0.9 * len(tap.at_ns) or not off_ns:
            wrong.append(f"of {len(tap.at_ns)} packets only {len(off_ns)} have the kernel's stamp when {what}")
        elif statistics.median(off_ns) > KERNEL_STAMP_NS:
            wrong.append(f"the kernel's stamps when {what} are {statistics.median(off_ns):.0f} ns off the tap's")
