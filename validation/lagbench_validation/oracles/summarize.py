"""Computes the metrics of runs from their captures, with nothing but Python's standard library.

usage: python3 -m lagbench_validation.oracles.summarize [--scheduled] RUN_DIRECTORY...

Prints the metrics of all these runs pooled as JSON, by their ids, in their units: durations in µs. It shares neither
code nor method with what it checks: everything is in memory, sorted, and summed in exact fractions.
"""

import json
import statistics
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from lagbench_validation.captures import rows
from lagbench_validation.quantiles import quantile

Metrics = dict[str, float | int | None]


def us(ns: float | Fraction) -> float:
    return float(Fraction(ns) / 1000)


def moments(beginning: str, values: Sequence[int]) -> Metrics:
    return {
        f"{beginning}.mean": us(statistics.mean(map(Fraction, values))) if values else None,
        f"{beginning}.standardDeviation": us(statistics.stdev(values)) if len(values) > 1 else None,
    }


def describe(series: str, values: Sequence[int]) -> Metrics:
    ordered = sorted(values)
    described: Metrics = {f"{series}.count": len(ordered)}
    if not ordered:
        return described
    described |= {
        f"{series}.median": us(statistics.median(ordered)),
        f"{series}.minimum": us(ordered[0]),
        f"{series}.maximum": us(ordered[-1]),
        **moments(series, ordered),
    }
    for percent in (95, 99):
        limit = quantile(ordered, Fraction(percent, 100))
        kept = [value for value in ordered if value <= limit]
        described |= {
            f"{series}.q{percent}": us(limit),
            f"{series}.withoutQ{percent}.dropped": len(ordered) - len(kept),
            **moments(f"{series}.withoutQ{percent}", kept),
        }
    return described


def rate(delays: Sequence[int]) -> float | None:
    return float(Fraction(len(delays) * 10**9, sum(delays))) if sum(delays) > 0 else None


def q99(values: Sequence[int]) -> float | None:
    return us(quantile(sorted(values), Fraction(99, 100))) if values else None


def main(arguments: Sequence[str]) -> None:
    scheduled = arguments[0] == "--scheduled"
    series: dict[str, list[int]] = {"lag": [], "sendDelay": [], "receiveDelay": []}
    if scheduled:
        series.update({"lateness": [], "lagFromSchedule": []})
    counts = dict.fromkeys(("sent", "received", "lost", "duplicated", "reordered", "unmatched", "negativeLags"), 0)
    first: list[int] = []
    rest: list[int] = []
    for directory in map(Path, arguments[scheduled:]):
        sender = rows(directory / "sender.npy")
        receiver = rows(directory / "receiver.npy")
        by_sequence = {row["seq"]: row for row in sender}
        arrived = set()
        highest = -1
        counts["sent"] += len(sender)
        counts["received"] += len(receiver)
        for row in receiver:
            packet = row["seq"]
            if packet not in by_sequence:
                counts["unmatched"] += 1
                continue
            if packet in arrived:
                counts["duplicated"] += 1
                continue
            arrived.add(packet)
            counts["reordered"] += packet < highest
            highest = max(highest, packet)
            lag = row["received_ns"] - by_sequence[packet]["sent_ns"]
            counts["negativeLags"] += lag < 0
            series["lag"].append(lag)
            (first if packet < 1000 else rest).append(lag)
            if scheduled:
                series["lagFromSchedule"].append(row["received_ns"] - by_sequence[packet]["scheduled_ns"])
        counts["lost"] += len(set(by_sequence) - arrived)
        series["sendDelay"] += [b - a for a, b in pairwise(row["sent_ns"] for row in sender)]
        series["receiveDelay"] += [b - a for a, b in pairwise(row["received_ns"] for row in receiver)]
        if scheduled:
            series["lateness"] += [row["sent_ns"] - row["scheduled_ns"] for row in sender]
    metrics: Metrics = {f"packets.{name}": count for name, count in counts.items()}
    metrics["rates.sent.packetsPerS"] = rate(series["sendDelay"])
    metrics["rates.received.packetsPerS"] = rate(series["receiveDelay"])
    metrics["warmUp.firstQ99"] = q99(first)
    metrics["warmUp.restQ99"] = q99(rest)
    for name, values in series.items():
        metrics |= describe(name, values)
    json.dump(metrics, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
