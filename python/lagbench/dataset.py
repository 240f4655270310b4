"""
Datasets of `lagbench dataset`, by DuckDB or Spark.

Quantiles and moments are exact, as those of `lagbench table`, in two passes and bounded memory. The first adds up the
table lags, in which the export has counted the lags of each run by their high bits. The second counts the values of the
few bins that have a rank of a quantile, the lowest or the highest value; only it reads packets. Sums are integers, and
only the last division of each is rounded.

Both passes join rows and groups by two integers: the number of the file and the run. A join by the text of session_id,
and groups of several columns, would need twice the CPU time.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lagbench.captures import SessionError, read_json
from lagbench.lags import RANKED_PERCENTS, Bin, Totals, statistics
from lagbench.tables import Table

if TYPE_CHECKING:
    from lagbench.engines import Engine

FORMAT = "lagbench-dataset-3"
TABLES = ("runs", "packets", "lags", "metrics", "series")
# Bins of the table lags.
BIN_BITS = 12

_GROUPS = """
SELECT {by}, CAST(sum(sent) AS BIGINT) AS all_sent, CAST(sum(received) AS BIGINT) AS all_received,
    CAST(sum(lost) AS BIGINT) AS all_lost
FROM file_runs {where} GROUP BY {by} HAVING sum(sent + received) > 0
"""

_CHOSEN = """
SELECT all_runs.file, all_runs.run_id, grp FROM (SELECT * FROM file_runs {where}) AS all_runs JOIN lag_groups ON {same}
"""

# a bin's sums are of the low bits of its values; a bin begins at bin << 12
_MARKED = """
WITH bins AS (
    SELECT grp, bin, sum(lags) AS n, CAST(bin AS {wide}) * {width} AS start,
        CAST(sum(offsets) AS {wide}) AS s, CAST(sum(offsets_squared) AS {wide}) AS ss
    FROM file_lags JOIN chosen USING (file, run_id) GROUP BY grp, bin
), sums AS (
    SELECT grp, bin, n, start * n + s AS s, start * start * n + CAST(2 AS {wide}) * start * s + ss AS ss FROM bins
), running AS (
    SELECT *, sum(n) OVER so_far AS upto_n, sum(s) OVER so_far AS upto_s, sum(ss) OVER so_far AS upto_ss,
        sum(n) OVER whole AS all_n, sum(s) OVER whole AS all_s, sum(ss) OVER whole AS all_ss
    FROM sums
    WINDOW so_far AS (PARTITION BY grp ORDER BY bin ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        whole AS (PARTITION BY grp)
)
SELECT grp, bin, CAST(upto_n - n AS BIGINT) AS below_n, upto_s - s AS below_s, upto_ss - ss AS below_ss,
    CAST(all_n AS BIGINT) AS all_n, all_s, all_ss
FROM running WHERE {holds}
"""

# Stored, so that an engine knows how few there are, and keeps these in memory in the next join, not the packets.
_MARKED_RUNS = "SELECT file, run_id, grp, bin FROM chosen JOIN marked USING (grp)"

_VALUES = """
SELECT grp, lag_ns, count(*) AS n
FROM file_packets JOIN marked_runs USING (file, run_id)
WHERE copy = 0 AND {bin} = marked_runs.bin
GROUP BY grp, lag_ns ORDER BY grp, lag_ns
"""

_HISTORY = """
SELECT metrics.date, metrics.session_id, labels.network, labels.packet_bytes, labels.engine, metrics.from_site,
    metrics.to_site, metrics.point, metrics.value, metrics.unit
FROM metrics LEFT JOIN (SELECT DISTINCT session_id, point, network, packet_bytes, engine FROM runs) AS labels
    ON metrics.session_id = labels.session_id AND metrics.point = labels.point
WHERE metrics.metric = '{metric}' AND metrics.run IS NULL
ORDER BY metrics.date, metrics.session_id, metrics.from_site, metrics.to_site, metrics.point
"""

_MATRIX = """
SELECT from_site, to_site, metric, value, unit FROM metrics
WHERE from_site IS NOT NULL AND point IS NULL AND session_id = '{session_id}' ORDER BY from_site, to_site, metric
"""

_MATRICES = """
SELECT session_id FROM runs WHERE from_site IS NOT NULL GROUP BY session_id ORDER BY max(started_ns) DESC LIMIT 1
"""


class Dataset:
    """The tables of the sessions that were complete when the dataset was opened: those of TABLES."""

    def __init__(self, path: str | os.PathLike[str], engine: Engine) -> None:
        self.path = Path(path)
        self._engine = engine
        try:
            stored = read_json(self.path / "dataset.json").get("format")
        except SessionError as error:
            raise SessionError(f"{self.path} is not a dataset: {error}") from error
        if stored != FORMAT:
            raise SessionError(f"{self.path / 'dataset.json'} is of format {stored}, not {FORMAT}.")
        # The file of runs is renamed into place last: a session without that file is not complete yet.
        self._files = sorted(file.relative_to(self.path / "runs") for file in self.path.glob("runs/date=*/*.parquet"))
        if not self._files:
            raise SessionError(f"{self.path} has no session.")
        for table in TABLES:
            engine.view(table, [self.path / table / file for file in self._files], self.path / table)
        self._runs = engine.query("SELECT * FROM runs LIMIT 0")[0]

    def sql(self, query: str) -> Table:
        """Executes a query on the tables."""
        columns, rows = self._engine.query(query)
        return Table([dict(zip(columns, row, strict=True)) for row in rows])

    def lag_table(self, by: Sequence[str] = ("network", "packet_bytes", "engine", "point"), where: str = "") -> Table:
        """
        Returns the statistics of the lags in ns for each group of packets, with estimator R-7.

        :param by: columns of runs
        :param where: a condition on columns of runs, in SQL
        """
        unknown = sorted(set(by) - set(self._runs))
        if unknown or not by:
            raise ValueError(
                f"runs has no column {', '.join(unknown)}" if unknown else "by must name at least one column"
            )
        engine = self._engine
        condition = f"WHERE {where}" if where else ""
        self._select(condition)
        parts = {
            "by": ", ".join(by),
            "where": condition,
            "wide": engine.wide,
            "width": f"CAST({1 << BIN_BITS} AS {engine.wide})",
            "bin": engine.shifted("lag_ns", BIN_BITS),
            # The index floor((all_n - 1) * percent / 100), or the next one, is one of those of the bin.
            "holds": " OR ".join(
                f"((upto_n - n - {after}) * 100 <= (all_n - 1) * {percent}"
                f" AND (all_n - 1) * {percent} < (upto_n - {after}) * 100)"
                for percent in RANKED_PERCENTS
                for after in (0, 1)
            ),
            "same": " AND ".join(f"all_runs.{name} IS NOT DISTINCT FROM lag_groups.{name}" for name in by),
        }
        engine.store("lag_groups", _GROUPS.format(**parts), number="grp")
        engine.define("chosen", _CHOSEN.format(**parts))
        engine.store("marked", _MARKED.format(**parts))
        engine.store("marked_runs", _MARKED_RUNS)
        marked: dict[int, tuple[Totals, list[Bin]]] = {}
        for row in engine.query("SELECT * FROM marked ORDER BY bin")[1]:
            group, start, *below, n, s, ss = map(int, row)
            marked.setdefault(group, (Totals(n, s, ss), []))[1].append(Bin(start << BIN_BITS, *below))
        found = {}
        for group, values in groupby(engine.query(_VALUES.format(**parts))[1], lambda row: int(row[0])):
            found[group] = statistics(*marked[group], ((int(value), int(n)) for _, value, n in values))
        table = []
        for *key, sent, received, lost, group in engine.query("SELECT * FROM lag_groups")[1]:
            counts = {"sent": sent, "received": received, "lost": lost}
            table.append(dict(zip(by, key, strict=True)) | counts | (found.get(group) or statistics(None, [], ())))
        return Table(sorted(table, key=lambda row: [(row[name] is None, row[name]) for name in by]), by)

    def matrix(self, session_id: str | None = None) -> Table:
        """Returns the metrics of each pair of sites, as in matrix.json; of the newest matrix by default."""
        if session_id is None:
            matrices = [row[0] for row in self._engine.query(_MATRICES)[1]]
            if not matrices:
                raise SessionError(f"{self.path} has no matrix.")
            session_id = str(matrices[0])
        pairs: dict[tuple[str, str], dict[str, Any]] = {}
        units = {}
        for start, end, metric, value, unit in self._engine.query(_MATRIX.format(session_id=_quoted(session_id)))[1]:
            pairs.setdefault((start, end), {"from_site": start, "to_site": end})[metric] = value
            units[metric] = unit
        rows = [dict.fromkeys(units) | pair for pair in pairs.values()]
        return Table([{name: row[name] for name in ("from_site", "to_site", *units)} for row in rows], units=units)

    def history(self, metric: str) -> Table:
        """Returns a metric of each point, or pair of sites, by date."""
        return self.sql(_HISTORY.format(metric=_quoted(metric)))

    def _select(self, condition: str) -> None:
        """Defines file_runs, file_lags and file_packets: rows of the sessions that have a run for the condition."""
        files = self._files
        if condition:
            ids = {row[0] for row in self._engine.query(f"SELECT DISTINCT session_id FROM runs {condition}")[1]}
            files = [file for file in files if file.stem.endswith(tuple(f"-{session_id}" for session_id in ids))]
        for table in ("runs", "lags", "packets"):
            folder = self.path / table
            self._engine.view(f"file_{table}", [folder / file for file in files], folder, numbered=True)


def dataset(path: str | os.PathLike[str], engine: str | Engine = "duckdb") -> Dataset:
    """
    Opens a dataset.

    :param engine: "duckdb", "spark", or one of lagbench.engines with a connection of the caller
    """
    from lagbench.engines import named

    return Dataset(path, named(engine) if isinstance(engine, str) else engine)


def _quoted(text: str) -> str:
    return text.replace("'", "''")
