"""What executes the SQL of a dataset, and how the dialects differ."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import duckdb
    from pyspark.sql import SparkSession

_FETCHED = 10_000

SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""A variable that spark-submit sets."""


class Engine(Protocol):
    """Executes SQL."""

    wide: str
    """An integer type for sums of squares. A sum that does not fit is an error."""

    def shifted(self, column: str, bits: int) -> str:
        """Returns the expression of a column without its low bits, for negative values too."""

    def view(self, name: str, files: Sequence[Path], root: Path, numbered: bool = False) -> None:
        """
        Defines a table of the rows of files, with a column for each name=value of their folders below the root.

        :param numbered: whether to add a column "file", which identifies the file, and the file at the same index of
            another table
        """

    def query(self, sql: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """Returns the names of the columns, and the rows."""

    def define(self, name: str, sql: str) -> None:
        """Defines a table that has the rows of a query whenever the table is used."""

    def store(self, name: str, sql: str, number: str | None = None) -> None:
        """
        Defines a table that has the rows, which are few, that a query has now.

        :param number: the name of a last column that numbers the rows; null for none
        """


class DuckDb:
    """DuckDB in this process."""

    wide = "HUGEINT"

    def __init__(self, connection: duckdb.DuckDBPyConnection | None = None) -> None:
        if connection is None:
            import duckdb

            connection = duckdb.connect()
            connection.execute("SET preserve_insertion_order = false")  # which would need memory for all rows
        self._connection = connection

    def shifted(self, column: str, bits: int) -> str:
        return f"({column} >> {bits})"

    def view(self, name: str, files: Sequence[Path], root: Path, numbered: bool = False) -> None:
        columns = "*, file_index AS file" if numbered else "*"
        texts = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
        self._connection.execute(
            f"CREATE OR REPLACE TEMP VIEW {name} AS"
            f" SELECT {columns} FROM read_parquet([{texts}], hive_partitioning = true)"
        )

    def query(self, sql: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        result = self._connection.execute(sql)
        return [column[0] for column in result.description or []], _rows(result)

    def define(self, name: str, sql: str) -> None:
        self._connection.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {sql}")

    def store(self, name: str, sql: str, number: str | None = None) -> None:
        columns = f"*, CAST(row_number() OVER () AS INT) AS {number}" if number else "*"
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT {columns} FROM ({sql})")


class Spark:
    """Spark: the session of spark-submit, or this machine."""

    wide = "DECIMAL(38, 0)"

    def __init__(self, session: SparkSession | None = None) -> None:
        if session is None:
            from pyspark.sql import SparkSession

            builder = SparkSession.builder.appName("lagbench")
            if SUBMITTED not in os.environ:
                for name in ("spark.driver.host", "spark.driver.bindAddress"):
                    builder = builder.config(name, "127.0.0.1")
                builder = builder.master("local[*]").config("spark.ui.enabled", "false")
            session = builder.getOrCreate()
        self._session = session

    def shifted(self, column: str, bits: int) -> str:
        return f"shiftright({column}, {bits})"

    def view(self, name: str, files: Sequence[Path], root: Path, numbered: bool = False) -> None:
        rows = self._session.read.option("basePath", str(root)).parquet(*map(str, files))
        if numbered:
            rows = rows.selectExpr("*", "session_id AS file")  # a file has one session
        rows.createOrReplaceTempView(name)

    def query(self, sql: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        frame = self._session.sql(sql)
        return frame.columns, (tuple(row) for row in frame.toLocalIterator())

    def define(self, name: str, sql: str) -> None:
        self._session.sql(sql).createOrReplaceTempView(name)

    def store(self, name: str, sql: str, number: str | None = None) -> None:
        columns = f"*, CAST(0 AS INT) AS {number}" if number else "*"
        frame = self._session.sql(f"SELECT {columns} FROM ({sql})")
        rows = [tuple(row) for row in frame.collect()]
        if number:  # not by a window, which Spark warns of if it has no partitions
            rows = [(*row[:-1], at) for at, row in enumerate(rows)]
        self._session.createDataFrame(rows, frame.schema).createOrReplaceTempView(name)


def named(name: str) -> Engine:
    """Returns a new engine: "duckdb" or "spark"."""
    engines: dict[str, type[DuckDb] | type[Spark]] = {"duckdb": DuckDb, "spark": Spark}
    if name not in engines:
        raise ValueError(f'engine "{name}" is neither {" nor ".join(engines)}')
    return engines[name]()


def _rows(result: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := result.fetchmany(_FETCHED):
        yield from rows
