"""Checks that the cause, the ledger, the stamps and the captures of one packet name the same place."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lagbench.ledger import Ledger

from lagbench_validation.captures import Columns
from lagbench_validation.truth.injection import EXCESS_MIN_NS

PLACES = ("sender", "path", "receiver")

# A place is the main place if it exceeds the others by this margin, as captured stamps are some µs from lagbench's, and
# has this part of what all places exceed: a place with many causes need not have the largest of them.
MARGIN_NS = 200_000
MAIN_PART_MIN = 0.75

_USUAL = 101  # packets next to the median

Times = Mapping[int, Sequence[int]]  # the ns of a packet at each of PLACES, by its number


class Contradiction(NamedTuple):
    """A packet whose cause is of another place than the one where a division of its lag has it late."""

    packet: int
    cause: str
    division: str
    place: str


def late_places(times: Times, usual_ns: Sequence[float], held: bool = False) -> dict[int, str]:
    """
    Returns the main place of each late packet of which that does not depend on what its times are compared with.

    Where packets usually wait, such as on a busy machine, the usual times do not add up to a usual lag. So they are
    compared with the fastest too. A library that delivers packets after a fixed latency makes up for what they lost
    since it stamped them, which the captures cannot separate from what they lost before.

    :param held: whether the receiver delivers packets after a fixed latency
    """
    other = main_places(without_made_up(times, usual_ns), usual_ns) if held else main_places(times, _fastest_of(times))
    return {number: at for number, at in main_places(times, usual_ns).items() if other.get(number) == at}


def main_places(times: Times, usual_ns: Sequence[float]) -> dict[int, str]:
    """Returns the place where each late packet lost most time, if one place is the main place."""
    places = {}
    for number, parts in times.items():
        if sum(parts) - sum(usual_ns) < EXCESS_MIN_NS:
            continue
        excess = sorted(zip((p - u for p, u in zip(parts, usual_ns, strict=True)), PLACES, strict=True), reverse=True)
        if excess[0][0] - excess[1][0] >= MARGIN_NS and excess[0][0] >= MAIN_PART_MIN * _positive(
            ns for ns, _ in excess
        ):
            places[number] = excess[0][1]
    return places


def _fastest_of(times: Times) -> list[float]:
    return [min(part[at] for part in times.values()) for at in range(len(PLACES))] if times else []


def _positive(values: Iterable[float]) -> float:
    return sum(max(value, 0) for value in values)


def without_made_up(times: Times, usual_ns: Sequence[float]) -> Times:
    """
    Returns times at the places without what the receiver made up for, where it delivers packets after a fixed latency.

    A packet that comes later waits less. So what it lost before delays it only beyond the usual wait. How much less it
    waited is not known: what the receiver lost afterwards is in the same time.
    """
    result: dict[int, Sequence[int]] = {}
    for number, parts in times.items():
        before = [max(part - usual, 0) for part, usual in zip(parts[:-1], usual_ns[:-1], strict=True)]
        made_up = min(sum(before), max(usual_ns[-1], 0))
        share = made_up / sum(before) if made_up else 0
        kept = [round(part - excess * share) for part, excess in zip(parts[:-1], before, strict=True)]
        result[number] = [*kept, sum(parts) - sum(kept)]
    return result


def usual_of(times: Times) -> list[float]:
    """Returns the median time at each place."""
    return [statistics.median(part[at] for part in times.values()) for at in range(len(PLACES))]


def usual_of_usual_lags(times: Times) -> list[float]:
    """Returns the median time at each place of the packets whose lags are next to the median lag."""
    median_ns = statistics.median(map(sum, times.values()))
    nearest = sorted(times, key=lambda number: abs(sum(times[number]) - median_ns))[:_USUAL]
    return usual_of({number: times[number] for number in nearest})


def place_of(side: str, cause: str) -> str:
    """Returns where a part was; empty if that is not known. What is retransmitted was lost on the path."""
    if cause in ("not-explained", "before-receiver", "network-or-receiver", ""):
        return ""
    return "path" if cause == "retransmission" else side


def ledger_times(ledgers: Iterable[Ledger]) -> Times:
    """Returns the times of the packets whose ledgers know the place of each part, but for the margin."""
    times = {}
    for ledger in ledgers:
        placed = [(place_of(part.side, part.part), part.ns) for part in ledger.parts]
        if sum(ns for place, ns in placed if not place) < MARGIN_NS:
            times[ledger.packet] = [sum(ns for at, ns in placed if at == place) for place in PLACES]
    return times


def ledger_places(ledgers: Sequence[Ledger], held: bool = False) -> dict[int, str]:
    """
    Returns the main places by ledgers.

    :param ledgers: those of all packets above the median
    :param held: whether the receiver delivers packets after a fixed latency
    """
    nearest = ledger_times(sorted(ledgers, key=lambda ledger: ledger.lag_ns)[:_USUAL])
    if not nearest:
        return {}
    times, usual_ns = ledger_times(ledgers), usual_of(nearest)
    return late_places(times, usual_ns, held)


def stage_places(
    kernel: Columns, first_key: int, key_step: int, sent_ns: Mapping[int, int], received: Columns
) -> dict[int, str]:
    """
    Returns the main places by the stamps of the sockets, of the packets that have their own.

    :param kernel: the stamps of the sender's kernel
    :param first_key: the key of packet 0
    :param key_step: the difference of the keys of consecutive packets; over TCP more than 1
    """
    left_ns: dict[int, int] = {}
    for stage, key, at_ns in zip(kernel["stage"], kernel["key"], kernel["kernel_ns"], strict=True):
        if stage == 0 and (key - first_key) % key_step == 0:
            left_ns.setdefault((key - first_key) // key_step, at_ns)
    times: dict[int, list[int]] = {}
    arrived_ns = 0
    for number, at_ns, received_ns in zip(received["seq"], received["kernel_ns"], received["received_ns"], strict=True):
        if at_ns == 0:
            continue
        arrived_ns = max(at_ns, arrived_ns) if key_step > 1 else at_ns
        if number in left_ns and number not in times:
            sent, left = sent_ns[number], min(left_ns[number], arrived_ns)
            times[number] = [left - sent, arrived_ns - left, received_ns - arrived_ns]
    if not times:
        return {}
    # of all packets, like the causes: the stamped ones of a queue wait less than the others
    median_ns = statistics.median(
        at_ns - sent_ns[number] for number, at_ns in zip(received["seq"], received["received_ns"], strict=True)
    )
    nearest = sorted(times, key=lambda number: abs(sum(times[number]) - median_ns))[:_USUAL]
    return late_places(times, usual_of({number: times[number] for number in nearest}))


def contradictions(
    rows: Iterable[Mapping[str, Any]], divisions: Mapping[str, Mapping[int, str]]
) -> list[Contradiction]:
    """
    Returns the packets of an export whose cause is of another place than a division of their lag.

    :param divisions: the main place of packets, by the name of the division
    """
    found = []
    for row in rows:
        number, place = int(row["seq"]), place_of(str(row["cause_side"]), str(row["cause"]))
        if row["copy"] != "0" or not place:
            continue
        found += [
            Contradiction(number, f"{row['cause_side']}.{row['cause']}", name, places[number])
            for name, places in divisions.items()
            if places.get(number, place) != place
        ]
    return found
