"""What came of all rounds: medians with the least and the greatest, ratios, and where a peer is better."""

from dataclasses import dataclass, field

from cells import METRICS, PACED_PER_SECOND
from quantiles import median

# A program that sends at another pace than it was told is not compared in what depends on it.
_PACE_TOLERANCE = 0.02

# metric -> the worst ratio of Java to C that is called as good
JAVA_TO_C = {"rate": 0.98, "lag50": 1.05, "lag99": 1.10, "gap99": 1.05, "cpu": 1.10, "threads": 1.10}
_OF_ALL_CELLS = ("cpu", "threads")
AGAINST_PEERS = ("rate", "lag99", "gap99", "cpu")


@dataclass
class Row:
    """One program in one cell."""

    kind: str  # see Peer.kind
    values: dict = field(default_factory=dict)  # metric -> a value a round
    whys: list = field(default_factory=list)  # of rounds without values

    def add(self, figures):
        for name, value in figures.items():
            self.values.setdefault(name, []).append(value)

    def median(self, metric):
        return median(self.values[metric]) if self.values.get(metric) else None

    def keeps_pace(self):
        rate = self.median("rate")
        return rate is not None and abs(rate / PACED_PER_SECOND - 1) <= _PACE_TOLERANCE


class Results:
    """Rows by cell, in the order in which they came."""

    def __init__(self):
        self.cells = {}

    def row(self, cell, peer):
        return self.cells.setdefault(cell, {}).setdefault(peer.name, Row(peer.kind(cell)))

    def ratio(self, cell, name, other, metric):
        mine, others = (self.cells[cell][row].median(metric) if row in self.cells[cell] else None
                        for row in (name, other))  # fmt: skip
        return mine / others if mine is not None and others else None

    def floor(self, cell, name):
        """The row of the C twin that waits in the same way."""
        return f"c {self.cells[cell][name].kind}"

    def java_to_c(self):
        """(cell, row, metric, ratio, whether it is within what is demanded), where both have it."""
        for cell, rows in self.cells.items():
            for name in rows:
                if not name.startswith("java ") or "+" in name:
                    continue
                for metric, limit in JAVA_TO_C.items():
                    if (metric == "rate") != cell.flood and metric not in _OF_ALL_CELLS:
                        continue
                    ratio = self.ratio(cell, name, self.floor(cell, name), metric)
                    if ratio is not None:
                        yield cell, name, metric, ratio, ratio >= limit if METRICS[metric][2] else ratio <= limit

    def against_peers(self, of_lagbench):
        """(cell, our row, metric, the best peer, ratio, whether we are as good), where both have it."""
        for cell, rows in self.cells.items():
            peers = {name: row for name, row in rows.items() if name not in of_lagbench}
            for mine in ("java sleep", "java spin", "java flood", "java flood nagle"):
                if mine not in rows:
                    continue
                for metric in AGAINST_PEERS:
                    if (metric == "rate") != cell.flood and metric not in _OF_ALL_CELLS:
                        continue
                    fair = [name for name, row in peers.items() if self._is_fair(cell, rows[mine], row, metric)]
                    if not fair or rows[mine].median(metric) is None:
                        continue
                    more_is_better = METRICS[metric][2]
                    best = (max if more_is_better else min)(fair, key=lambda name: peers[name].median(metric))
                    ratio = self.ratio(cell, mine, best, metric)
                    yield cell, mine, metric, best, ratio, ratio >= 1 if more_is_better else ratio <= 1

    @staticmethod
    def _is_fair(cell, mine, row, metric):
        return row.median(metric) is not None and row.kind == mine.kind and (cell.flood or row.keeps_pace())
