"""Compares the ledgers of a run with what was planted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from lagbench.ledger import Ledger

from lagbench_validation.causes.plant import Plant, Span

# A planted part is found if it is this exact.
RELATIVE_MAX = 0.05
ABSOLUTE_MAX_NS = 5_000

# The goals: of the plants within these bounds, and of the excess that is not explained.
WITHIN_MIN = 0.99
NOT_EXPLAINED_MAX = 0.02

NOT_EXPLAINED = "not-explained"


@dataclass(frozen=True)
class Found:
    """
    What the ledger of the slowest packet of a plant says.

    :ivar error_ns: how far a planted part is from what it can have been, the worst of the plant's spans
    :ivar planted_ns: the shortest time that this part can have had
    :ivar excess_ns: the lag above the median
    """

    packet: int
    error_ns: int
    planted_ns: int
    excess_ns: int
    not_explained_ns: int
    is_named: bool
    text: str

    @property
    def is_within(self) -> bool:
        return self.is_named and abs(self.error_ns) <= max(ABSOLUTE_MAX_NS, RELATIVE_MAX * self.planted_ns)


def _named_ns(ledger: Ledger, span: Span) -> int:
    return sum(
        part.ns
        for part in ledger.parts
        if f"{part.side}.{part.part}" in span.parts and (not span.programs or part.program in span.programs)
    )


def _error_ns(ledger: Ledger, sent_ns: int, span: Span, spans: Iterable[Span]) -> tuple[int, int, int]:
    """
    Returns the error of a span's part, the part, and the shortest time that it can have had: on a busy machine, a
    packet can meet several spans with the same names.
    """
    same = [other for other in spans if (other.parts, other.programs) == (span.parts, span.programs)]
    bounds_ns = [other.bounds_ns(sent_ns, sent_ns + ledger.lag_ns) for other in same]
    shortest_ns, longest_ns = (sum(bound) for bound in zip(*bounds_ns, strict=True))
    named_ns = _named_ns(ledger, span)
    return named_ns - min(max(named_ns, shortest_ns), longest_ns), named_ns, shortest_ns


def text_of(ledger: Ledger) -> str:
    """Returns the parts of a ledger in one line."""
    parts = (
        f"{part.side}.{part.part}{f':{part.program}' if part.program else ''} {part.ns / 1e3:.1f}"
        for part in ledger.parts
    )
    return f"packet {ledger.packet}, {ledger.lag_ns / 1e3:.1f} µs: {', '.join(parts)}"


def judge(
    plants: Iterable[Plant], ledgers: Sequence[Ledger], sent_ns: Mapping[int, int], median_ns: float
) -> list[Found]:
    """
    Judges the slowest packet of each plant. A plant is omitted if no packet was on its way for half of each span.

    :param ledgers: those of all packets above the median
    :param sent_ns: when each packet was sent, by its number
    """
    found = []
    all_plants = list(plants)
    spans = list(chain.from_iterable(all_plants))
    for plant in all_plants:
        met = [
            ledger
            for ledger in ledgers
            if all(span.covers(sent_ns[ledger.packet], sent_ns[ledger.packet] + ledger.lag_ns) for span in plant)
        ]
        if met:
            slowest = max(met, key=lambda ledger: ledger.lag_ns)
            found.append(_judge(plant, spans, slowest, sent_ns[slowest.packet], median_ns))
    return found


def judge_packets(
    plants: Mapping[int, Plant], ledgers: Sequence[Ledger], sent_ns: Mapping[int, int], median_ns: float
) -> list[Found]:
    """The same for plants of one packet each, by its number."""
    return [
        _judge(plants[ledger.packet], plants[ledger.packet], ledger, sent_ns[ledger.packet], median_ns)
        for ledger in ledgers
        if ledger.packet in plants
    ]


def _judge(plant: Plant, spans: Sequence[Span], ledger: Ledger, sent_ns: int, median_ns: float) -> Found:
    errors = [_error_ns(ledger, sent_ns, span, spans) for span in plant]
    error_ns, _, planted_ns = max(errors, key=lambda error: abs(error[0]) / max(error[2], 1))
    return Found(
        packet=ledger.packet,
        error_ns=error_ns,
        planted_ns=planted_ns,
        excess_ns=round(ledger.lag_ns - median_ns),
        not_explained_ns=sum(part.ns for part in ledger.parts if part.part == NOT_EXPLAINED),
        is_named=all(named_ns > 0 for _, named_ns, _ in errors),
        text=text_of(ledger),
    )
