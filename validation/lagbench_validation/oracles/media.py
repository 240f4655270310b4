"""Computes the multimedia metrics and playout delays of runs from their captures, by the definitions of the RFCs.

usage: python3 -m lagbench_validation.oracles.media PACE_INTERVAL_NS RUN_DIRECTORY...

Prints the metrics of all these runs together as JSON, by their ids: durations in µs, shares in %. It follows each
definition literally, pair by pair, with all packets in memory. It shares neither code nor method with the analysis.
"""

import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from lagbench_validation.captures import rows
from lagbench_validation.quantiles import quantile

SECOND = 1_000_000_000

Members = dict[str, Any]


def us(ns: float | Fraction) -> float:
    return float(Fraction(ns) / 1000)


def tail(values: Sequence[int]) -> Members:
    ordered = sorted(values)
    if not ordered:
        return {"count": 0}
    return {
        "count": len(ordered),
        "minimum": us(ordered[0]),
        "maximum": us(ordered[-1]),
        "mean": us(statistics.mean(map(Fraction, ordered))),
        "standardDeviation": us(statistics.stdev(ordered)) if len(ordered) > 1 else None,
        "median": us(quantile(ordered, Fraction(1, 2))),
        "q95": us(quantile(ordered, Fraction(95, 100))),
        "q99": us(quantile(ordered, Fraction(99, 100))),
        "q999": us(quantile(ordered, Fraction(999, 1000))),
    }


def counts(values: Sequence[int]) -> Members:
    ordered = sorted(values)
    return {
        "count": len(ordered),
        "mean": float(statistics.mean(ordered)) if ordered else None,
        "median": float(quantile(ordered, Fraction(1, 2))) if ordered else None,
        "maximum": float(ordered[-1]) if ordered else None,
    }


def flat(members: Members, beginning: str = "") -> Iterator[tuple[str, float | int | None]]:
    """Yields the metrics by their ids: the names of the members with dots between."""
    for name, value in members.items():
        if isinstance(value, dict):
            yield from flat(value, f"{beginning}{name}.")
        else:
            yield beginning + name, value


def periods(
    arrivals: Sequence[tuple[int, int]], interval: int, sent: int
) -> tuple[list[tuple[Fraction | None, int]], int, int]:
    """RFC 4445: pairs of delay factor (or None) and media loss of each whole second; silent and dropped seconds."""
    first = arrivals[0][1]
    by_second: dict[int, list[int]] = {}
    for position, (_, time) in enumerate(arrivals):
        by_second.setdefault((time - first) // SECOND, []).append(position)
    expected = 0
    found: list[tuple[Fraction | None, int]] = []
    length = max(arrivals[-1][1] - first, (sent - arrivals[0][0]) * interval)
    whole = length // SECOND
    last_packet = max(packet for packet, _ in arrivals)
    lost_at: dict[int, int] = {}
    for packet in range(last_packet + 1, sent):
        due = max(max(by_second), (packet - arrivals[0][0]) * interval // SECOND)
        lost_at[due] = lost_at.get(due, 0) + 1
    silent = 0
    for second in range(whole):
        if second not in by_second:
            silent += 1
            found.append((None, lost_at.get(second, 0)))
            continue
        positions = by_second[second]
        reference = arrivals[max(0, positions[0] - 1)][1]
        buffer = [Fraction(0)]
        held = 0
        missed = 0
        for position in positions:
            packet, time = arrivals[position]
            if position > 0:
                drained = Fraction(time - reference, interval)
                buffer += [held - drained, held + 1 - drained]
                held += 1
            if packet >= expected:
                missed += packet - expected
                expected = packet + 1
        missed += lost_at.get(second, 0)
        only_first = positions == [0]
        silent += only_first
        found.append((None if only_first else (max(buffer) - min(buffer)) * interval, missed))
    return found, silent, int(length % SECOND != 0)


def adaptive(arrivals: Sequence[tuple[int, int]], sent_ns: Sequence[int]) -> tuple[int, list[float]]:
    """Ramjee et al. 1994: packets in time, and the delay of each talkspurt."""
    alpha = 0.998002
    delay: float | None = None
    deviation = 0.0
    spurts: dict[int, float] = {}
    in_time = 0
    for packet, time in arrivals:
        lag = time - sent_ns[packet]
        if delay is None:
            delay, deviation = float(lag), 0.0
        else:
            delay = alpha * delay + (1 - alpha) * lag
            deviation = alpha * deviation + (1 - alpha) * abs(delay - lag)
        if packet >= 500:
            limit = spurts.setdefault(packet // 50, delay + 4 * deviation)
            in_time += lag <= limit
    return in_time, list(spurts.values())


def main(arguments: Sequence[str]) -> None:
    interval = int(arguments[0])
    jitters: list[float] = []
    finals: list[float] = []
    ipdv: list[int] = []
    pdv: list[int] = []
    extents: list[int] = []
    ns: list[int] = []
    distances: list[int] = []
    lengths: list[int] = []
    between: list[int] = []
    sent_packets = lost_packets = copies = replicated = reordered = 0
    delay_factors: list[Fraction] = []
    media_losses: list[int] = []
    silent = incomplete = 0
    judged = in_time = 0
    spurts: list[float] = []
    for directory in arguments[1:]:
        sent_ns = [row["sent_ns"] for row in rows(Path(directory, "sender.npy"))]
        arrivals = []
        came: dict[int, int] = {}
        for row in rows(Path(directory, "receiver.npy")):
            if row["seq"] < len(sent_ns):
                came[row["seq"]] = came.get(row["seq"], 0) + 1
                if came[row["seq"]] == 1:
                    arrivals.append((row["seq"], row["received_ns"]))
        lag = {packet: time - sent_ns[packet] for packet, time in arrivals}
        sent_packets += len(sent_ns)
        copies += sum(came.values()) - len(came)
        replicated += sum(count > 1 for count in came.values())
        jitter = 0.0
        for (p, a), (q, b) in pairwise(arrivals):
            jitters.append(jitter)
            jitter += (abs((b - a) - (sent_ns[q] - sent_ns[p])) - jitter) / 16
        if arrivals:
            jitters.append(jitter)
            finals.append(jitter)
        ipdv += [lag[p] - lag[p - 1] for p in lag if p - 1 in lag]
        pdv += [value - min(lag.values()) for value in lag.values()]
        order = [packet for packet, _ in arrivals]
        for i, packet in enumerate(order):
            overtaken_by = [j for j in range(i) if order[j] > packet]
            if overtaken_by:
                reordered += 1
                extents.append(i - overtaken_by[0])
                n = 0
                while n < i and order[i - n - 1] > packet:
                    n += 1
                ns.append(n)
        lost = [packet for packet in range(len(sent_ns)) if packet not in lag]
        lost_packets += len(lost)
        distances += [b - a for a, b in pairwise(lost)]
        between += [b - a for a, b in pairwise(lost) if b - a > 1]
        run = 0
        for packet in range(len(sent_ns) + 1):
            if packet < len(sent_ns) and packet not in lag:
                run += 1
            elif run:
                lengths.append(run)
                run = 0
        if interval and arrivals:
            found, quiet, dropped = periods(arrivals, interval, len(sent_ns))
            silent += quiet
            incomplete += dropped
            delay_factors += [factor for factor, _ in found if factor is not None]
            media_losses += [missed for _, missed in found]
        judged += max(0, len(sent_ns) - 500)
        least = min(lag.values(), default=0)
        good, delays = adaptive(arrivals, sent_ns)
        in_time += good
        spurts += [delay - least for delay in delays]
    came_packets = sent_packets - lost_packets
    media: Members = {
        "jitter": {
            "last": us(statistics.mean(finals)),
            "mean": us(statistics.mean(jitters)),
            "maximum": us(max(jitters)),
        },
        "ipdv": {"signed": tail(ipdv), "size": tail([abs(value) for value in ipdv])},
        "pdv": tail(pdv),
        "loss": {
            "lost": lost_packets,
            "noticeable": sum(distance <= 99 for distance in distances),
            "distances": counts(distances),
            "periodLengths": counts(lengths),
            "interPeriodLengths": counts(between),
        },
        "reordering": {
            "reordered": reordered,
            "ratio": 100 * reordered / came_packets,
            "extents": counts(extents),
            "threeReordered": sum(n >= 3 for n in ns),
            "greatestN": max(ns, default=0),
        },
        "duplication": {
            "copies": copies,
            "fraction": 100 * copies / came_packets,
            "replicated": replicated,
            "replicatedRate": 100 * replicated / came_packets,
        },
    }
    if interval:
        media["deliveryIndex"] = {
            "periods": len(delay_factors),
            "silentPeriods": silent,
            "incompletePeriods": incomplete,
            "delayFactorMean": us(statistics.mean(delay_factors)),
            "delayFactorMaximum": us(max(delay_factors)),
            "mediaLossRateMean": sum(media_losses) / (len(delay_factors) + silent),
            "mediaLossRateMaximum": max(media_losses),
        }
    playout: Members = {
        "packets": sent_packets,
        "lost": lost_packets,
        "adaptive": {
            "packets": judged,
            "late": judged - in_time,
            "meanDelay": us(statistics.mean(spurts)) if spurts else None,
            "maximumDelay": us(max(spurts)) if spurts else None,
        },
    }
    infinite: list[int | None] = [*sorted(pdv), *[None] * lost_packets]
    for name in ("0.05", "0.01", "0.001", "0.0001"):
        share = Fraction(name)
        too_few = (1 - float(share)) ** sent_packets > 0.025
        delay = None if too_few else infinite[sent_packets - 1 - int(share * sent_packets)]
        playout["delay" if name == "0.01" else f"budgets.{name}.delay"] = None if delay is None else us(delay)
        playout[f"budgets.{name}.lateShare"] = float(100 * share)
    json.dump(dict(flat({"media": media, "playout": playout})), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
