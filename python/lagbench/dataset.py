"""
Datasets of `lagbench export --dataset`, by DuckDB or Spark.

Quantiles and moments are exact, as those of `lagbench table`, in two passes and bounded memory. The first counts the
lags by their high bits; the second counts the values of the few bins that have a rank of a quantile. Sums are integers,
and only the last division of each is rounded.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lagbench.captures import SessionError
from lagbench.lags import PERCENTS, Bin, Totals, statistics
from lagbench.tables import Table

if TYPE_CHECKING:
    from lagbench.engines import Engine

FORMAT = "lagbench-dataset-2"
TABLES = ("runs", "packets", "metrics", "series")
BIN_BITS = 12

_COUNTS = """
SELECT {by}, count(CASE WHEN sent_ns IS NOT NULL AND coalesce(copy, 0) = 0 THEN 1 END) AS sent,
    count(CASE WHEN copy = 0 THEN 1 END) AS first, count(received_ns) AS received
FROM ({rows}) AS all_rows GROUP BY {by}
"""

# a bin's sums are of the low bits of its values; a bin begins at bin << 12
_BINS = """
SELECT {by}, bin, count(*) AS n, CAST(sum(low) AS {wide}) AS s, CAST(sum(low * low) AS {wide}) AS ss,
    min(lag_ns) AS low_end, max(lag_ns) AS high_end
FROM (SELECT {by}, lag_ns, {bin} AS bin, lag_ns & {mask} AS low FROM ({rows}) AS all_rows
    WHERE copy = 0 AND lag_ns IS NOT NULL) AS lags
GROUP BY {by}, bin
"""

_MARKED = """
WITH sums AS (
    SELECT {by}, bin, n, low_end, high_end,
        CAST(bin AS {wide}) * {width} * n + s AS s,
        CAST(bin AS {wide}) * bin * {width} * {width} * n + CAST(2 AS {wide}) * bin * {width} * s + ss AS ss
    FROM ({bins}) AS bins
), running AS (
    SELECT *, sum(n) OVER so_far AS upto_n, sum(s) OVER so_far AS upto_s, sum(ss) OVER so_far AS upto_ss,
        sum(n) OVER whole AS all_n, sum(s) OVER whole AS all_s, sum(ss) OVER whole AS all_ss,
        min(low_end) OVER whole AS lowest, max(high_end) OVER whole AS highest
    FROM sums
    WINDOW so_far AS (PARTITION BY {by} ORDER BY bin ROWS UNBOUNDED PRECEDING), whole AS (PARTITION BY {by})
)
SELECT {by}, bin, CAST(upto_n - n AS BIGINT) AS below_n, upto_s - s AS below_s, upto_ss - ss AS below_ss,
    CAST(all_n AS BIGINT) AS all_n, all_s, all_ss, lowest, highest
FROM running WHERE {holds}
ORDER BY {by}, bin
"""

_VALUES = """
SELECT {by}, lag_ns, count(*) AS n
FROM (SELECT {named}, all_rows.lag_ns FROM ({rows}) AS all_rows JOIN marked ON {bin} = marked.bin AND {same}
    WHERE all_rows.copy = 0 AND all_rows.lag_ns IS NOT NULL) AS lags
GROUP BY {by}, lag_ns ORDER BY {by}, lag_ns
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
    """The tables runs, packets, metrics and series of the sessions that were complete when the dataset was opened."""

    def __init__(self, path: str | os.PathLike[str], engine: Engine) -> None:
        self.path = Path(path)
        self._engine = engine
        try:
            stored = json.loads((self.path / "dataset.json").read_text())["format"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SessionError(f"{self.path} is not a dataset: {error}.") from error
        if stored != FORMAT:
            raise SessionError(f"{self.path / 'dataset.json'} is of format {stored}, not {FORMAT}.")
        # The file of runs is renamed into place last: a session without that file is not complete yet.
        whole = sorted(file.relative_to(self.path / "runs") for file in self.path.glob("runs/date=*/*.parquet"))
        if not whole:
            raise SessionError(f"{self.path} has no session.")
        for table in TABLES:
            engine.view(table, [self.path / table / file for file in whole], self.path / table)
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
        parts = {
            "by": ", ".join(by),
            "rows": self._rows(by, where),
            "wide": engine.wide,
            "width": f"CAST({1 << BIN_BITS} AS {engine.wide})",
            "mask": (1 << BIN_BITS) - 1,
        }
        bins = _BINS.format(bin=engine.shifted("lag_ns", BIN_BITS), **parts)
        # The index floor((all_n - 1) * percent / 100), or the next one, is one of those of the bin.
        holds = " OR ".join(
            f"((upto_n - n - {after}) * 100 <= (all_n - 1) * {percent}"
            f" AND (all_n - 1) * {percent} < (upto_n - {after}) * 100)"
            for percent in PERCENTS
            for after in (0, 1)
        )
        engine.store("marked", _MARKED.format(bins=bins, holds=holds, **parts))
        width = len(by)
        marked: dict[tuple[Any, ...], tuple[Totals, list[Bin]]] = {}
        for row in engine.query("SELECT * FROM marked ORDER BY bin")[1]:
            key, (start, n, s, ss, *totals) = row[:width], map(int, row[width:])
            marked.setdefault(key, (Totals(*totals), []))[1].append(Bin(start << BIN_BITS, n, s, ss))
        values = _VALUES.format(
            named=", ".join(f"all_rows.{name}" for name in by),
            same=" AND ".join(f"all_rows.{name} IS NOT DISTINCT FROM marked.{name}" for name in by),
            bin=engine.shifted("all_rows.lag_ns", BIN_BITS),
            **parts,
        )
        found = {}
        for key, group in groupby(engine.query(values)[1], lambda row: row[:width]):
            found[key] = statistics(*marked[key], ((int(value), int(n)) for *_, value, n in group))
        table = []
        for *key_columns, sent, first, received in engine.query(_COUNTS.format(**parts))[1]:
            counts = {"sent": sent, "received": received, "lost": sent - first}
            key = tuple(key_columns)
            table.append(dict(zip(by, key, strict=True)) | counts | (found.get(key) or statistics(None, [], ())))
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

    def _rows(self, by: Sequence[str], where: str) -> str:
        # The date is also a column of packets.
        others = [name for name in self._runs if name not in ("session_id", "run_id", "date")]
        used = [name for name in others if name in by or re.search(rf"\b{name}\b", where)]
        columns = ", ".join(("session_id", "run_id", *used))
        return (
            f"SELECT {', '.join(by)}, sent_ns, received_ns, lag_ns, copy FROM packets"
            f" JOIN (SELECT {columns} FROM runs) AS of_run USING (session_id, run_id)"
            + (f" WHERE {where}" if where else "")
        )


def dataset(path: str | os.PathLike[str], engine: str | Engine = "duckdb") -> Dataset:
    """
    Opens a dataset.

    :param engine: "duckdb", "spark", or one of lagbench.engines with a connection of the caller
    """
    from lagbench.engines import named

    return Dataset(path, named(engine) if isinstance(engine, str) else engine)


def _quoted(text: str) -> str:
    return text.replace("'", "''")
