"""Computes the metrics of runs from their captures, with nothing but Python's standard library.

usage: python3 -m lagbench_validation.oracles.summarize [--scheduled] RUN_DIRECTORY...

Prints the metrics of all these runs pooled as JSON: durations in ns, by the names of summary.json. It shares neither
code nor method with what it checks: everything is in memory, sorted, and summed in exact fractions.
"""

import json
import statistics
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from lagbench_validation.captures import rows
from lagbench_validation.quantiles import quantile


def moments(values: Sequence[int]) -> dict[str, float | None]:
    return {
        "mean": float(statistics.mean(values)) if values else None,
        "standardDeviation": float(statistics.stdev(values)) if len(values) > 1 else None,
    }


def describe(values: Sequence[int]) -> dict[str, Any]:
    ordered = sorted(values)
    if not ordered:
        return {"n": 0}
    described: dict[str, Any] = {
        "n": len(ordered),
        "median": float(statistics.median(ordered)),
        "minimum": float(ordered[0]),
        "maximum": float(ordered[-1]),
        **moments(ordered),
    }
    for percent in (95, 99):
        limit = quantile(ordered, Fraction(percent, 100))
        kept = [value for value in ordered if value <= limit]
        described[f"withoutQ{percent}"] = {
            "quantile": float(limit),
            "dropped": len(ordered) - len(kept),
            **moments(kept),
        }
    return described


def rate(delays: Sequence[int]) -> dict[str, float | None]:
    return {"packetsPerS": float(Fraction(len(delays) * 10**9, sum(delays))) if sum(delays) > 0 else None}


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
    json.dump(
        {
            "packets": counts,
            "rates": {"sent": rate(series["sendDelay"]), "received": rate(series["receiveDelay"])},
            "series": {name: describe(values) for name, values in series.items()},
            "warmUp": {
                "first": float(quantile(sorted(first), Fraction(99, 100))) if first else None,
                "rest": float(quantile(sorted(rest), Fraction(99, 100))) if rest else None,
            },
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
