"""The results of all rounds: medians, ratios with confidence intervals, and which goals are met."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from lagbench_validation.peers.cells import METRICS, PACED_PER_SECOND, Cell
from lagbench_validation.peers.lagbench import C_ENGINE, JAVA_ENGINES
from lagbench_validation.peers.peer import Peer
from lagbench_validation.quantiles import median_interval

# A program that misses its pace by more is not compared in metrics that depend on the pace.
_PACE_TOLERANCE = 0.02

# metric -> the worst ratio of Java to C that meets the goal
JAVA_TO_C = {"rate": 0.98, "lag50": 1.05, "lag99": 1.10, "gap99": 1.05, "cpu": 1.10}
AGAINST_PEERS = ("rate", "lag99", "gap99", "cpu")


def is_of(metric: str, cell: Cell) -> bool:
    """Returns whether a metric is compared in a cell: rates of floods, lags and gaps of paced cells, CPU of all."""
    return metric == "cpu" or (metric == "rate") == cell.flood


@dataclass
class Row:
    """One program in one cell."""

    kind: str  # see Peer.kind
    engine: str | None  # of lagbench: java, java-nio, c, or control, which is c again; None for a peer
    rivals: str | None  # the kind of peers to compare with
    values: dict[str, dict[int, float]] = field(default_factory=dict)  # metric -> round -> value
    failures: list[str] = field(default_factory=list)  # the reasons of runs without values

    def add(self, round_number: int, metrics: Mapping[str, float]) -> None:
        for metric, value in metrics.items():
            self.values.setdefault(metric, {})[round_number] = value

    def all(self, metric: str) -> list[float]:
        """Returns the values of all rounds."""
        return list(self.values.get(metric, {}).values())

    def median(self, metric: str) -> float | None:
        return median(self.all(metric)) if self.values.get(metric) else None

    def keeps_pace(self) -> bool:
        rate = self.median("rate")
        return rate is not None and abs(rate / PACED_PER_SECOND - 1) <= _PACE_TOLERANCE


@dataclass(frozen=True)
class Ratio:
    """The ratio of two rows: the median of the ratios within rounds, where other load of the machine affects both."""

    median: float
    interval: (
        tuple[float, float] | None
    )  # the confidence interval of the median as (low, high); None with too few rounds

    @staticmethod
    def of(within_rounds: Sequence[float]) -> "Ratio":
        return Ratio(median(within_rounds), median_interval(within_rounds))


@dataclass(frozen=True)
class Judged:
    """The ratio of one row to another row in one metric, and its limit."""

    cell: Cell
    name: str
    metric: str
    other: str
    ratio: Ratio
    limit: float

    @property
    def met(self) -> bool:
        """Returns whether the ratio meets the limit, perhaps by chance: see sure."""
        return self._meets(self.ratio.median)

    @property
    def sure(self) -> bool:
        """Returns whether the whole interval is on the same side of the limit as the ratio."""
        interval = self.ratio.interval
        return interval is not None and all(self._meets(end) == self.met for end in interval)

    def _meets(self, ratio: float) -> bool:
        return ratio >= self.limit if METRICS[self.metric][2] else ratio <= self.limit


class Results:
    """Rows by cell, in the order of their runs."""

    def __init__(self) -> None:
        self.cells: dict[Cell, dict[str, Row]] = {}

    def row(self, cell: Cell, peer: Peer) -> Row:
        return self.cells.setdefault(cell, {}).setdefault(
            peer.name, Row(peer.kind(cell), peer.engine, peer.rivals(cell))
        )

    def ratio(self, cell: Cell, name: str, other: str | None, metric: str) -> Ratio | None:
        """Returns the ratio of two rows; None if they have no round in common."""
        rows = self.cells[cell]
        if name not in rows or other is None or other not in rows:
            return None
        mine, others = rows[name].values.get(metric, {}), rows[other].values.get(metric, {})
        paired = [value / others[at] for at, value in mine.items() if others.get(at)]
        return Ratio.of(paired) if paired else None

    def floor(self, cell: Cell, name: str) -> str | None:
        """Returns the row of the C engine that waits in the same way; None if there is none."""
        rows = self.cells[cell]
        same = (of_c for of_c, row in rows.items() if row.engine == C_ENGINE and row.kind == rows[name].kind)
        return next(same, None)

    def to_floor(self, engines: Collection[str]) -> Iterator[Judged]:
        """Yields each row of the given engines, and with it the row of the C engine that waits in the same way."""
        for cell, rows in self.cells.items():
            for name, row in rows.items():
                if row.engine not in engines:
                    continue
                floor = self.floor(cell, name)
                for metric, limit in JAVA_TO_C.items():
                    ratio = self.ratio(cell, name, floor, metric) if is_of(metric, cell) else None
                    if ratio is not None and floor is not None:
                        yield Judged(cell, name, metric, floor, ratio, limit)

    def against_peers(self) -> Iterator[list[Judged]]:
        """Yields each row of lagbench with each comparable peer, the best peer first."""
        for cell, rows in self.cells.items():
            peers = [name for name, row in rows.items() if row.engine is None]
            for mine, row in rows.items():
                if row.engine not in JAVA_ENGINES:
                    continue
                for metric in AGAINST_PEERS:
                    judged = [
                        Judged(cell, mine, metric, name, ratio, 1.0)
                        for name in peers
                        if is_of(metric, cell) and self._is_fair(cell, row, rows[name])
                        and (ratio := self.ratio(cell, mine, name, metric)) is not None
                    ]  # fmt: skip
                    if judged:
                        yield sorted(judged, key=lambda one: one.ratio.median, reverse=not METRICS[metric][2])

    @staticmethod
    def _is_fair(cell: Cell, mine: Row, peer: Row) -> bool:
        return peer.kind == mine.rivals and (cell.flood or peer.keeps_pace())
