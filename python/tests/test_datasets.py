"""Tests of datasets against `lagbench table`, NumPy and the integers of Python."""

import json
import math
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

import duckdb
import lagbench
import numpy as np
import spark_dialect
from lagbench.engines import DuckDb, Engine, Spark
from lagbench.lags import STATISTICS, from_metrics

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HOME = Path(__file__).resolve().parents[2]
COMMAND = HOME / "scripts" / "lagbench"
FAST_JVMS = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
EXPERIMENT = """\
transports: [udp, tcp]
packet-bytes: 24
packets: 300
warm-up-packets: 10
repeats: 2
pace: {mode: sleep, interval: 250us}
"""
COUNTS = {"n", "withoutQ95.dropped", "withoutQ99.dropped"}


def run(*arguments: object) -> str:
    return subprocess.run(
        [COMMAND, *map(str, arguments)], check=True, capture_output=True, text=True, env=os.environ | FAST_JVMS
    ).stdout


def reference(values: list[int]) -> dict[str, Any]:
    """Computes the statistics by sorting, and by fractions of integers."""
    ordered = sorted(values)
    result: dict[str, Any] = {"n": len(ordered), "minimum": ordered[0], "maximum": ordered[-1]}
    result |= dict(zip(("mean", "standardDeviation"), moments(ordered), strict=True))
    for percent, name in ((50, "median"), (95, "q95"), (99, "q99")):
        rank, rest = divmod((len(ordered) - 1) * percent, 100)
        above = ordered[min(rank + 1, len(ordered) - 1)]
        result[name] = ordered[rank] + rest / 100 * (above - ordered[rank])
        kept = [value for value in ordered if value <= ordered[rank]]
        if percent > 50:
            result[f"withoutQ{percent}.mean"], result[f"withoutQ{percent}.standardDeviation"] = moments(kept)
            result[f"withoutQ{percent}.dropped"] = len(ordered) - len(kept)
    return result


def moments(values: list[int]) -> tuple[float, float | None]:
    n, total, squares = len(values), sum(values), sum(value * value for value in values)
    variance = (n * squares - total * total) / (n * (n - 1)) if n > 1 else None
    return total / n, None if variance is None else math.sqrt(variance)


class AdversarialGroupsTest(unittest.TestCase):
    """Groups of ties, single values, negative values and ends of bins, in files that DuckDB writes."""

    def _dataset(self, groups: list[list[int]]) -> lagbench.Dataset:
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (directory / "dataset.json").write_text('{"format": "lagbench-dataset-3"}')
        lags = [(i, lag) for i, group in enumerate(groups) for lag in group]
        random.Random(1).shuffle(lags)
        connection = duckdb.connect()
        connection.execute(
            "CREATE TABLE lags AS SELECT unnest(?::BIGINT[]) AS run_id, unnest(?::BIGINT[]) AS lag",
            [[run for run, _ in lags], [lag for _, lag in lags]],
        )
        connection.execute("CREATE TABLE names AS SELECT range AS run_id FROM range(?)", [len(groups)])
        # A session with an equal run whose lags are 1 ns longer is in the first of the files.
        for file, session, engine, more in (("s-id", "id", "c", 0), ("a-another", "another", "java", 1)):
            ids = f"'{session}' AS session_id, run_id"
            lag = f"(lag + {more})"
            low = f"({lag} & 4095)"
            tables = {
                "packets": f"SELECT {ids}, 3 AS seq, 0 AS sent_ns, {lag} AS received_ns, {lag} AS lag_ns, 0 AS copy"
                f" FROM lags UNION ALL SELECT {ids}, 3, 0, 5, 1::BIGINT << 40, 1 FROM names"
                f" UNION ALL SELECT {ids}, 3, 0, NULL, NULL, NULL FROM names",
                # in two parts, as a run with many bins has
                "lags": f"SELECT {ids}, {lag} >> 12 AS bin, count(*) AS lags, CAST(sum({low}) AS BIGINT) AS offsets,"
                f" CAST(sum({low} * {low}) AS BIGINT) AS offsets_squared"
                f" FROM lags GROUP BY run_id, {lag} >> 12, lag % 2",
                "runs": f"SELECT {ids}, 'run' || run_id AS run, '{engine}' AS engine, count(lag) + 1 AS sent,"
                " count(lag) + 1 AS received, 1 AS lost FROM names LEFT JOIN lags USING (run_id) GROUP BY run_id",
                "metrics": f"SELECT '{session}' AS session_id",
                "series": f"SELECT '{session}' AS session_id",
            }
            for name, query in tables.items():
                folder = directory / name / "date=2026-01-01"
                folder.mkdir(parents=True, exist_ok=True)
                connection.execute(f"COPY ({query}) TO '{folder}/{file}.parquet' (FORMAT parquet)")
        return lagbench.dataset(directory, self._engine())

    def _engine(self) -> Engine:
        return DuckDb()

    def test_statistics_equal_those_of_python_integers(self) -> None:
        generator = random.Random(7)
        groups = [[generator.choice((-4096, -1, 0, 4095, 4096))] for _ in range(40)]
        for size in (2, 3, 20, 21, 100, 101):
            groups += [[generator.choice((-5, 7))] * size for _ in range(40)]
            groups += [[generator.randrange(-3, 3) for _ in range(size)] for _ in range(40)]
            groups += [
                [4096 * generator.randrange(-2, 3) - generator.randrange(2) for _ in range(size)] for _ in range(40)
            ]
            groups += [[generator.randrange(-(1 << 40), 1 << 40) for _ in range(size)] for _ in range(40)]
        data = self._dataset(groups)
        for by, where in (
            (["run", "engine", "date"], "engine = 'c'"),
            (["run_id", "run", "session_id"], "session_id = 'id'"),
        ):
            table = data.lag_table(by, where)
            self.assertEqual(len(table), len(groups))
            for row in table:
                group = groups[int(row["run"].removeprefix("run"))]
                self.assertEqual(row["lost"], 1)
                self.assertEqual({name: row[name] for name in STATISTICS}, reference(group), row["run"])

    def test_reports_group_without_arrivals(self) -> None:
        data = self._dataset([[1, 2], []])
        some, none, *others = data.lag_table(["engine", "run"])
        self.assertEqual([some[name] for name in ("sent", "received", "lost", "n")], [3, 3, 1, 2])
        self.assertEqual([none[name] for name in ("sent", "received", "lost", "n")], [1, 1, 1, 0])
        self.assertIsNone(none["median"])
        self.assertEqual(list(some), list(none))
        self.assertEqual([row["n"] for row in others], [2, 0])
        engines = data.lag_table(["engine"])
        self.assertEqual([(row["median"], row["mean"]) for row in engines], [(1.5, 1.5), (2.5, 2.5)])
        (both,) = data.lag_table(["date"])
        self.assertEqual((both["median"], both["received"], both["lost"]), (2.0, 8, 4))

    def test_prints_times_in_ms_and_dashes(self) -> None:
        table = self._dataset([[1_500_000], []]).lag_table(["run"], "engine = 'c'")
        lines = str(table).splitlines()
        self.assertEqual(lines[0].split()[:5], ["run", "n", "lost", "min", "ms"])
        self.assertEqual(lines[1].split(), ["run0", "1", "1", *["1.5000"] * 6])
        self.assertEqual(lines[2].split()[:4], ["run1", "0", "1", "–"])
        self.assertEqual(len(table.to_polars()), 2)
        self.assertEqual(len(table.to_pandas()), 2)

    def test_names_unknown_column_and_directory(self) -> None:
        with self.assertRaisesRegex(ValueError, "runs has no column size"):
            self._dataset([[1]]).lag_table(["size"])
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        with self.assertRaisesRegex(lagbench.SessionError, "is not a dataset"):
            lagbench.dataset(directory)
        (directory / "dataset.json").write_text('{"format": "lagbench-dataset-1"}\n')
        with self.assertRaisesRegex(lagbench.SessionError, "is of format lagbench-dataset-1, not lagbench-dataset-3"):
            lagbench.dataset(directory)


class SparkDialectTest(AdversarialGroupsTest):
    """The same groups by the queries for Spark."""

    def _engine(self) -> Engine:
        return Spark(cast("SparkSession", spark_dialect.Session()))

    def test_refuses_words_of_other_dialects(self) -> None:
        for query in (
            "SELECT CAST(lag_ns AS HUGEINT) FROM packets",
            "SELECT CAST(lag_ns AS INT8) FROM packets",
            "SELECT list_sort(lag_ns) FROM packets",
            "SELECT * EXCLUDE (copy) FROM packets",
            "SELECT lag_ns FROM packets QUALIFY row_number() OVER (ORDER BY lag_ns) = 1",
            "SELECT lag_ns FROM packets WHERE",
        ):
            with self.assertRaises(spark_dialect.DialectError, msg=query):
                spark_dialect.translate(query)


@unittest.skipUnless((HOME / "extensions" / "dataset").exists(), "this checkout has no extension dataset")
class ExportedSessionsTest(unittest.TestCase):
    """Real sessions, from captures to a table."""

    directory: ClassVar[Path]
    session: ClassVar[Path]
    data: ClassVar[lagbench.Dataset]
    summary: ClassVar[dict[str, Any]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (cls.directory / "tiny.yaml").write_text(EXPERIMENT)
        run("sweep", cls.directory / "tiny.yaml", "--quiet", "--no-report", "--output", cls.directory / "results")
        (cls.session,) = (cls.directory / "results").iterdir()
        for made in lagbench.open(cls.session).runs[::2]:
            (made.path / "checksums.json").unlink()
            records = np.load(made.path / "receiver.npy", mmap_mode="r+")
            records["seq"][[0, 5, 6, 20, 30, 40]] = [1, 6, 5, 19, 41, 40]  # losses, copies and reordering
            del records
        run("dataset", cls.directory / "data", cls.session)
        cls.data = lagbench.dataset(cls.directory / "data")
        cls.summary = json.loads(run("table", cls.session, "--format", "json"))

    def test_lag_table_equals_table_of_lagbench(self) -> None:
        expected = {}
        for point in self.summary["points"]:
            cells = from_metrics(point["metrics"], "lag")
            counts = {name: point["metrics"][f"packets.{name}"] for name in ("sent", "received", "lost")}
            expected[point["point"]["transport"], point["point"]["packetBytes"]] = cells | counts
        table = self.data.lag_table(["transport", "packet_bytes"])
        self.assertEqual(len(table), 2)
        for row in table:
            cells = {
                name: value if name in COUNTS else value / 1000 for name, value in row.items() if name in STATISTICS
            }
            counts = {name: row[name] for name in ("sent", "received", "lost")}
            self.assertEqual(cells | counts, expected[row["transport"], row["packet_bytes"]])

    def test_lag_table_equals_numpy(self) -> None:
        for row in self.data.lag_table(["run"]):
            packets = lagbench.Run(self.session / "runs" / row["run"]).packets()
            lags = packets["lag_ns"][(packets["copy"] == 0).filled(False)].compressed()
            quantiles = np.quantile(lags, [0.5, 0.95, 0.99])
            self.assertEqual(row["n"], len(lags))
            # NumPy's rank is a float: off by 1e-14 of a rank, it interpolates between neighbors that can be far apart.
            np.testing.assert_allclose([row["median"], row["q95"], row["q99"]], quantiles, rtol=1e-11)
            self.assertEqual(reference(lags.tolist()), {name: row[name] for name in STATISTICS})

    def test_metrics_equal_table_of_lagbench(self) -> None:
        median = {
            (point["point"]["transport"], point["point"]["packetBytes"]): point["metrics"]["lag.median"]
            for point in self.summary["points"]
        }
        history = self.data.history("lag.median")
        self.assertEqual(sorted(row["value"] for row in history), sorted(median.values()))
        self.assertEqual({str(row["date"]).replace("-", "") for row in history}, {self.session.name[-16:-8]})

    def test_queries_for_spark_have_same_results(self) -> None:
        session = spark_dialect.Session()
        spark = lagbench.dataset(self.directory / "data", Spark(cast("SparkSession", session)))
        for where in ("", "transport = 'udp'"):
            by = ["network", "packet_bytes", "engine", "point"]
            self.assertEqual(list(spark.lag_table(by, where)), list(self.data.lag_table(by, where)))
        self.assertEqual(list(spark.history("lag.median")), list(self.data.history("lag.median")))
        self.assertEqual(list(spark.matrix("none")), list(self.data.matrix("none")))
        with self.assertRaisesRegex(lagbench.SessionError, "has no matrix"):
            spark.matrix()
        self.assertGreater(len(session.queries), 12)

    def test_export_replaces_session_by_same_bytes(self) -> None:
        files = {file: file.read_bytes() for file in (self.directory / "data").rglob("*.parquet")}
        self.assertEqual(len(files), 5)
        run("dataset", self.directory / "data", self.session)
        self.assertEqual(files, {file: file.read_bytes() for file in (self.directory / "data").rglob("*.parquet")})

    def test_counts_are_those_of_packets(self) -> None:
        bins = "SELECT run_id, bin, CAST(sum(lags) AS BIGINT) AS n, CAST(sum(offsets) AS BIGINT) AS s,"
        bins += " CAST(sum(offsets_squared) AS BIGINT) AS ss FROM lags GROUP BY ALL ORDER BY ALL"
        low = "(lag_ns & 4095)"
        packets = f"SELECT run_id, lag_ns >> 12 AS bin, count(*) AS n, CAST(sum({low}) AS BIGINT) AS s,"
        packets += f" CAST(sum({low} * {low}) AS BIGINT) AS ss FROM packets WHERE copy = 0 GROUP BY ALL ORDER BY ALL"
        self.assertGreater(len(self.data.sql(bins)), 4)
        self.assertEqual(list(self.data.sql(bins)), list(self.data.sql(packets)))
        runs = "SELECT run_id, sent, received, lost FROM runs ORDER BY ALL"
        packets = "SELECT run_id, count(sent_ns) FILTER (coalesce(copy, 0) = 0) AS sent,"
        packets += " count(received_ns) AS received, count(*) FILTER (received_ns IS NULL) AS lost"
        packets += " FROM packets GROUP BY ALL ORDER BY ALL"
        self.assertEqual(list(self.data.sql(runs)), list(self.data.sql(packets)))

    def test_all_rows_are_those_of_export(self) -> None:
        (count,) = self.data.sql("SELECT count(*) AS n, count(DISTINCT run_id) AS runs FROM packets")
        rows = sum(made.packets()["seq"].size for made in lagbench.open(self.session).runs)
        self.assertEqual(count, {"n": rows, "runs": 4})


if __name__ == "__main__":
    unittest.main()
