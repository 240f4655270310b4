"""What came of all rounds: medians, ratios and how far they are known, and what was met of what is demanded."""

from dataclasses import dataclass, field

from cells import METRICS, PACED_PER_SECOND
from intervals import median_interval
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
    implementation: str  # of lagbench: java, c or control, which is c once more; None of a peer
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
    """Of two rows: what the machine does meanwhile falls on both of a round, so that it is of the ratios within rounds."""

    median: float
    interval: tuple  # the confidence interval of the median as (least, greatest); None of too few rounds

    @staticmethod
    def of(within_rounds):
        return Ratio(median(within_rounds), median_interval(within_rounds))


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
        """Whether the ratio meets the limit; it may do so by chance, see sure."""
        return self._meets(self.ratio.median)

    @property
    def sure(self):
        """Whether all of the interval says the same of the limit as the ratio does."""
        interval = self.ratio.interval
        return interval is not None and all(self._meets(end) == self.met for end in interval)

    def _meets(self, ratio):
        return ratio >= self.limit if METRICS[self.metric][2] else ratio <= self.limit


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
        return Ratio.of(paired) if paired else None

    def floor(self, cell, name):
        """The row of the C twin that waits in the same way; None if there is none."""
        rows = self.cells[cell]
        same = (twin for twin, row in rows.items() if row.implementation == "c" and row.kind == rows[name].kind)
        return next(same, None)

    def to_floor(self, implementation):
        """Its rows beside those of the C twin that wait in the same way, where both have figures."""
        for cell, rows in self.cells.items():
            for name, row in rows.items():
                if row.implementation != implementation:
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
                        yield sorted(judged, key=lambda one: one.ratio.median, reverse=not METRICS[metric][2])

    @staticmethod
    def _is_fair(cell, mine, peer):
        return peer.kind == mine.rivals and (cell.flood or peer.keeps_pace())
