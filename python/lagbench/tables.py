"""Results of queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars

_LAGS = {
    "minimum": "min",
    "median": "median",
    "q95": "Q95",
    "q99": "Q99",
    "maximum": "max",
    "mean": "mean",
    "standardDeviation": "SD",
}


class Table:
    """
    Rows with names of columns.

    :param by: the first columns of statistics of lags, which are in ns
    :param units: units of further columns
    """

    def __init__(
        self, rows: Sequence[dict[str, Any]], by: Sequence[str] = (), units: Mapping[str, str] | None = None
    ) -> None:
        self.rows = rows
        self._by = by
        self._units = units or {}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a frame of pandas."""
        import pandas

        return pandas.DataFrame(self.rows)

    def to_polars(self) -> polars.DataFrame:
        """Returns a frame of Polars."""
        import polars

        return polars.DataFrame(self.rows, infer_schema_length=None)

    def __str__(self) -> str:
        """Returns the rows as text, without empty columns; of statistics of lags the columns of a paper, in ms."""
        names = list(self.rows[0]) if self.rows else []
        if "median" in names:
            names = [*self._by, "n", "lost", *_LAGS]
        names = [name for name in names if any(row[name] is not None for row in self.rows)]
        lines = [[_title(name, self._units) for name in names]]
        lines += [[_text(row[name], name) for name in names] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        is_number = [all(isinstance(row[name], int | float | None) for row in self.rows) for name in names]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, is_number, strict=True)
            ).rstrip()
            for line in lines
        )


def _title(name: str, units: Mapping[str, str]) -> str:
    if name in _LAGS:
        return f"{_LAGS[name]} ms"
    return f"{name} {units[name]}" if name in units else name


def _text(value: Any, name: str) -> str:
    if value is None:
        return "–"
    if name in _LAGS:
        return f"{value / 1e6:.4f}"
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
