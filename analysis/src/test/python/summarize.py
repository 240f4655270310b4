"""Reckons the figures of runs from their captures, with nothing but Python's standard library.

usage: summarize.py [--scheduled] RUN_DIRECTORY...

Prints the figures of all these runs pooled as JSON: durations in ns, by the names of summary.json. It shares neither code
nor method with what it checks: everything is in memory, sorted, and summed in exact fractions.
"""

import json
import statistics
import sys

from captures import load, quantile


def moments(values):
    return {
        "mean": float(statistics.mean(values)) if values else None,
        "standardDeviation": float(statistics.stdev(values)) if len(values) > 1 else None,
    }


def describe(values):
    ordered = sorted(values)
    if not ordered:
        return {"n": 0}
    described = {
        "n": len(ordered),
        "median": float(statistics.median(ordered)),
        "minimum": float(ordered[0]),
        "maximum": float(ordered[-1]),
        **moments(ordered),
    }
    for percent in (95, 99):
        limit = quantile(ordered, percent)
        kept = [value for value in ordered if value <= limit]
        described["withoutQ%d" % percent] = {
            "quantile": float(limit),
            "dropped": len(ordered) - len(kept),
            **moments(kept),
        }
    return described


def main(arguments):
    scheduled = arguments[0] == "--scheduled"
    series = {"lag": [], "sendDelay": [], "receiveDelay": []}
    if scheduled:
        series.update({"lateness": [], "lagFromSchedule": []})
    counts = dict.fromkeys(
        ("sent", "received", "lost", "duplicated", "reordered", "unmatched", "negativeLags"), 0
    )
    first, rest = [], []
    for directory in arguments[scheduled:]:
        sender = load(directory + "/sender.npy")
        receiver = load(directory + "/receiver.npy")
        by_sequence = {row["seq"]: row for row in sender}
        arrived = set()
        greatest = -1
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
            counts["reordered"] += packet < greatest
            greatest = max(greatest, packet)
            lag = row["received_ns"] - by_sequence[packet]["sent_ns"]
            counts["negativeLags"] += lag < 0
            series["lag"].append(lag)
            (first if packet < 1000 else rest).append(lag)
            if scheduled:
                series["lagFromSchedule"].append(row["received_ns"] - by_sequence[packet]["scheduled_ns"])
        counts["lost"] += len(set(by_sequence) - arrived)
        sent = [row["sent_ns"] for row in sender]
        received = [row["received_ns"] for row in receiver]
        series["sendDelay"] += [b - a for a, b in zip(sent, sent[1:])]
        series["receiveDelay"] += [b - a for a, b in zip(received, received[1:])]
        if scheduled:
            series["lateness"] += [row["sent_ns"] - row["scheduled_ns"] for row in sender]
    json.dump(
        {
            "packets": counts,
            "series": {name: describe(values) for name, values in series.items()},
            "warmUp": {
                "first": float(quantile(sorted(first), 99)) if first else None,
                "rest": float(quantile(sorted(rest), 99)) if rest else None,
            },
        },
        sys.stdout,
    )


main(sys.argv[1:])
