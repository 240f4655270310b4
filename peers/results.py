"""What came of all rounds: medians with the least and the greatest, ratios, and what was met of what is demanded."""

from dataclasses import dataclass, field

from cells import METRICS, PACED_PER_SECOND
from quantiles import median

# A program that sends at another pace than it was told is not compared in what depends on it.
_PACE_TOLERANCE = 0.02

# metric -> the worst ratio of Java to C that is called as good
JAVA_TO_C = {"rate": 0.98, "lag50": 1.05, "lag99": 1.10, "gap99": 1.05, "cpu": 1.10}
AGAINST_PEERS = ("rate", "lag99", "gap99", "cpu")


def is_of(metric, cell):
    """Whether a metric is compared in a cell: rates of floods, lags and gaps of paced cells, CPU of all."""
    return metric == "cpu" or (metric == "rate") == cell.flood


@dataclass
class Row:
    """One program in one cell."""

    kind: str  # see Peer.kind
    implementation: str  # of lagbench: java or c; None of a peer
    rivals: str  # the kind of the peers that it may be compared with
    values: dict = field(default_factory=dict)  # metric -> round -> value
    whys: list = field(default_factory=list)  # of runs without values

    def add(self, round_number, figures):
        for metric, value in figures.items():
            self.values.setdefault(metric, {})[round_number] = value

    def all(self, metric):
        """Of all rounds."""
        return list(self.values.get(metric, {}).values())

    def median(self, metric):
        return median(self.all(metric)) if self.values.get(metric) else None

    def keeps_pace(self):
        rate = self.median("rate")
        return rate is not None and abs(rate / PACED_PER_SECOND - 1) <= _PACE_TOLERANCE


@dataclass(frozen=True)
class Ratio:
    """Of two rows' medians, with the least and the greatest of the ratios within a round."""

    of_medians: float
    least: float
    greatest: float


@dataclass(frozen=True)
class Judged:
    """A row beside another in one metric."""

    cell: object
    name: str
    metric: str
    other: str
    ratio: Ratio
    limit: float

    @property
    def met(self):
        return self.ratio.of_medians >= self.limit if METRICS[self.metric][2] else self.ratio.of_medians <= self.limit


class Results:
    """Rows by cell, in the order in which they came."""

    def __init__(self):
        self.cells = {}

    def row(self, cell, peer):
        return self.cells.setdefault(cell, {}).setdefault(
            peer.name, Row(peer.kind(cell), peer.implementation, peer.rivals(cell))
        )

    def ratio(self, cell, name, other, metric):
        """None where one of them has no figures, or never in the same round."""
        rows = self.cells[cell]
        if name not in rows or other not in rows:
            return None
        mine, others = rows[name].values.get(metric, {}), rows[other].values.get(metric, {})
        paired = [value / others[at] for at, value in mine.items() if others.get(at)]
        if not paired:
            return None
        return Ratio(rows[name].median(metric) / rows[other].median(metric), min(paired), max(paired))

    def floor(self, cell, name):
        """The row of the C twin that waits in the same way; None if there is none."""
        rows = self.cells[cell]
        same = (twin for twin, row in rows.items() if row.implementation == "c" and row.kind == rows[name].kind)
        return next(same, None)

    def java_to_c(self):
        """Where both have figures."""
        for cell, rows in self.cells.items():
            for name, row in rows.items():
                if row.implementation != "java":
                    continue
                floor = self.floor(cell, name)
                for metric, limit in JAVA_TO_C.items():
                    ratio = self.ratio(cell, name, floor, metric) if is_of(metric, cell) else None
                    if ratio is not None:
                        yield Judged(cell, name, metric, floor, ratio, limit)

    def against_peers(self):
        """Each of our rows beside each peer that it may be compared with, the best peer first."""
        for cell, rows in self.cells.items():
            peers = [name for name, row in rows.items() if row.implementation is None]
            for mine, row in rows.items():
                if row.implementation != "java":
                    continue
                for metric in AGAINST_PEERS:
                    judged = [
                        Judged(cell, mine, metric, name, ratio, 1.0)
                        for name in peers
                        if is_of(metric, cell) and self._is_fair(cell, row, rows[name])
                        and (ratio := self.ratio(cell, mine, name, metric)) is not None
                    ]  # fmt: skip
                    if judged:
                        yield sorted(judged, key=lambda one: one.ratio.of_medians, reverse=not METRICS[metric][2])

    @staticmethod
    def _is_fair(cell, mine, peer):
        return peer.kind == mine.rivals and (cell.flood or peer.keeps_pace())
