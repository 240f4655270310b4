"""Judges the steps of the clocks that lagbench's table reports."""

from typing import Any

from lagbench_validation.truth.cases import Setting
from lagbench_validation.truth.verdict import Clocks

# Beyond these the interval of a size or a moment is useless.
SIZE_NS = 60_000
MOMENT_NS = 50_000_000

# The beginning of a sentence about a metric that is right, but too uncertain.
VAGUE = "only known"


def judge_steps(setting: Setting, sending: str, clocks: Clocks, printed: Any) -> list[str]:
    """Compares the reported steps with the injected one; returns a sentence for each error."""
    found = printed["clock"]["steps"] if printed else []
    if setting.step_us == 0:
        return [f"a step of {step['step']['sizeNs']} ns is reported, but the clock was not stepped" for step in found]
    if len(found) != 1:
        return [f"{len(found)} steps are reported instead of one"]
    step = found[0]["step"]
    # The receiver's clock gains what the sender's loses.
    true_ns = setting.step_us * 1_000 * (-1 if setting.faked == sending else 1)
    if step["sizeNs"] is None:
        return [f"the step of {true_ns} ns is reported without its size"]
    wrong = []
    if not step["leastNs"] <= true_ns <= step["greatestNs"]:
        wrong.append(f"the step of {true_ns} ns is outside {step['leastNs']} to {step['greatestNs']} ns")
    if step["greatestNs"] - step["leastNs"] > SIZE_NS:
        wrong.append(f"{VAGUE}: the step's size, {step['leastNs']} to {step['greatestNs']} ns")
    # A reading of a clock that was set back can occur at two times.
    began_ns, ended_ns = (clocks[sending].true_ns(step[end]) for end in ("afterNs", "beforeNs"))
    at_ns = clocks[setting.faked].step_at_ns
    if began_ns is not None and ended_ns is not None:
        if not began_ns <= at_ns <= ended_ns:
            wrong.append(f"the step was {at_ns - began_ns} ns after the interval of {ended_ns - began_ns} ns began")
        if ended_ns - began_ns > MOMENT_NS:
            wrong.append(f"{VAGUE}: the moment, to {ended_ns - began_ns} ns")
    return wrong


def describe_step(setting: Setting, printed: Any) -> str:
    """Returns the reported size for the line of a case."""
    sizes = [step["step"]["sizeNs"] for step in printed["clock"]["steps"]] if printed else []
    found = ", ".join("?" if size is None else f"{size / 1e3:+,.1f} µs" for size in sizes)
    return f"{setting.title}: found {found or 'nothing'}"
