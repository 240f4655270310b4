"""
The SQL of lagbench.engines.Spark without Spark, which is too slow to start for a test: each query must be in Spark's
dialect, and DuckDB executes its translation.

A query is in the dialect if sqlglot parses it as Spark's, knows all its functions, and writes it with the same words: a
type, a function or a clause of another dialect, such as HUGEINT, INT8, EXCLUDE or QUALIFY, gets another word. Only the
words of NOT change their order. Types are stated in SQL alone: schemas of this stand-in cannot be changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

ENGINE, DIALECT = "duckdb", "spark"


class DialectError(Exception):
    """A query that is not in Spark's dialect."""


def translate(query: str) -> str:
    """Returns a query of Spark's dialect in DuckDB's."""
    try:
        parsed = sqlglot.parse_one(query, read=DIALECT)
    except sqlglot.errors.SqlglotError as error:
        raise DialectError(f"{error}: {query}") from error
    unknown = [function.name for function in parsed.find_all(exp.Anonymous)]
    others = _words(query) - _words(parsed.sql(DIALECT))
    if unknown or others or _words(query) != _words(parsed.sql(DIALECT)):
        raise DialectError(f"not Spark's: functions {unknown}, words {sorted(others)}: {query}")
    translated: str = parsed.sql(ENGINE)
    return translated


def _words(query: str) -> Counter[str]:
    return Counter(token.text.upper() for token in sqlglot.tokenize(query, read=DIALECT))


class Session:
    """The methods of a Spark session that lagbench.engines.Spark calls."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.queries: list[str] = []
        self._tables = 0

    @property
    def read(self) -> Session:
        return self

    def option(self, name: str, value: str) -> Session:
        return self

    def parquet(self, *files: str) -> Frame:
        return Frame(self, f"SELECT * FROM read_parquet({list(files)}, hive_partitioning = true)")

    def sql(self, query: str) -> Frame:
        self.queries.append(query)
        return Frame(self, translate(query))

    def createDataFrame(self, rows: Sequence[tuple[Any, ...]], schema: Schema) -> Frame:
        self._tables += 1
        table = f"frame_{self._tables}"
        columns = ", ".join(f"unnest(?::{type_}[]) AS {name}" for name, type_ in schema.types)
        values = [[row[i] for row in rows] for i in range(len(schema.types))]
        self.connection.execute(f"CREATE TEMP TABLE {table} AS SELECT {columns}", values)
        return Frame(self, f"SELECT * FROM {table}")


class Schema:
    """Names and types of columns."""

    def __init__(self, types: Sequence[tuple[str, str]]) -> None:
        self.types = types


class Frame:
    """The methods of a Spark data frame that lagbench.engines.Spark calls."""

    def __init__(self, session: Session, query: str) -> None:
        self._session = session
        self._query = query

    def _execute(self, query: str) -> duckdb.DuckDBPyConnection:
        return self._session.connection.execute(query)

    @property
    def columns(self) -> list[str]:
        return [row[0] for row in self._execute(f"DESCRIBE {self._query}").fetchall()]

    @property
    def schema(self) -> Schema:
        return Schema([(row[0], row[1]) for row in self._execute(f"DESCRIBE {self._query}").fetchall()])

    def collect(self) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._execute(self._query).fetchall()
        return rows

    def toLocalIterator(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.collect())

    def selectExpr(self, *columns: str) -> Frame:
        translated = translate(f"SELECT {', '.join(columns)}").removeprefix("SELECT ")
        return Frame(self._session, f"SELECT {translated} FROM ({self._query})")

    def createOrReplaceTempView(self, name: str) -> None:
        self._execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {self._query}")
