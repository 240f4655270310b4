"""What was planted, by the clock of its planter."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class Span:
    """
    A time in which one cause delayed what it met, CLOCK_REALTIME in ns.

    :ivar parts: how a ledger may name it: side and part, such as receiver.stall
    :ivar programs: those that ran instead, of which a ledger has the one that ran longest; none if it has no program
    :ivar begin_ns: the two stamps between which it began
    :ivar end_ns: the two stamps between which it ended
    """

    parts: tuple[str, ...]
    programs: Sequence[str]
    begin_ns: tuple[int, int]
    end_ns: tuple[int, int]

    def bounds_ns(self, from_ns: int, to_ns: int) -> tuple[int, int]:
        """Returns the shortest and the longest time that it can have had between two times."""
        shortest = min(to_ns, self.end_ns[0]) - max(from_ns, self.begin_ns[1])
        longest = min(to_ns, self.end_ns[1]) - max(from_ns, self.begin_ns[0])
        return max(0, shortest), max(0, longest)

    def covers(self, from_ns: int, to_ns: int) -> bool:
        """Returns whether half of it is certainly between two times."""
        return 2 * self.bounds_ns(from_ns, to_ns)[0] > self.end_ns[0] - self.begin_ns[1]


Plant = Sequence[Span]


@dataclass(frozen=True)
class Slot:
    """When to plant: a time since the begin of the schedule, and for how long."""

    begin_ns: int
    duration_ns: int


def schedule(plants: int, seed: int, longest_ms: int, gap_ms: int) -> Iterator[Slot]:
    """Yields random slots: durations from a tenth of the longest on, with gaps from half to one and a half of a gap."""
    chosen = random.Random(seed)
    at_ns = 0
    for _ in range(plants):
        at_ns += round(chosen.uniform(0.5, 1.5) * gap_ms * NS_PER_MS)
        duration_ns = round(chosen.uniform(0.1, 1) * longest_ms * NS_PER_MS)
        yield Slot(at_ns, duration_ns)
        at_ns += duration_ns
