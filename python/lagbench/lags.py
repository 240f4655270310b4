"""Exact statistics of integers of which only sums and the values at some ranks are known."""

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Context, Decimal
from typing import Any, NamedTuple

PERCENTS = (50, 95, 99)

# those, the minimum and the maximum
RANKED_PERCENTS = (0, *PERCENTS, 100)

STATISTICS = (
    "n",
    "minimum",
    "median",
    "q95",
    "q99",
    "maximum",
    "mean",
    "standardDeviation",
    "withoutQ95.mean",
    "withoutQ95.standardDeviation",
    "withoutQ95.dropped",
    "withoutQ99.mean",
    "withoutQ99.standardDeviation",
    "withoutQ99.dropped",
)

_DECIMAL128 = Context(prec=34)


class Totals(NamedTuple):
    """The number of all values, their sum, and the sum of their squares."""

    n: int
    s: int
    ss: int


class Bin(NamedTuple):
    """Where a bin starts, and the number and the sums of the values below it."""

    start: int
    below_n: int
    below_s: int
    below_ss: int


def statistics(
    all_: Totals | None, bins: Sequence[Bin], values: Iterable[tuple[int, int]]
) -> dict[str, float | int | None]:
    """
    Returns n, the quantiles by estimator R-7, the mean and the sample standard deviation.

    The mean and the deviation are also computed for the values up to Q95 and up to Q99.

    :param bins: the bins with the value at a rank of a quantile, with the lowest and with the highest value, in order
    :param values: the values in these bins with how often each occurs, in order
    """
    if all_ is None:
        return dict.fromkeys(STATISTICS) | {"n": 0}
    waiting = sorted({rank for percent in RANKED_PERCENTS for rank in _ranks(all_.n, percent)}, reverse=True)
    starts = [bin_.start for bin_ in bins[1:]] + [None]
    upto: dict[int, tuple[int, int, int, int]] = {}  # by rank: its value, and the sums of the values up to that value
    at, (_, n, s, ss) = 0, bins[0]
    for value, count in values:
        while (following := starts[at]) is not None and value >= following:
            at += 1
            _, n, s, ss = bins[at]
        n, s, ss = n + count, s + count * value, ss + count * value * value
        while waiting and waiting[-1] < n:
            upto[waiting.pop()] = (value, n, s, ss)
    result: dict[str, float | int | None] = {"n": all_.n, "minimum": float(upto[0][0])}
    for percent in PERCENTS:
        low, high = _ranks(all_.n, percent)
        below, above = float(upto[low][0]), float(upto[high][0])
        result[_quantile(percent)] = below + (all_.n - 1) * percent % 100 / 100 * (above - below)
    result["maximum"] = float(upto[all_.n - 1][0])
    result["mean"], result["standardDeviation"] = _moments(all_.n, all_.s, all_.ss)
    for percent in PERCENTS[1:]:
        _, *kept = upto[_ranks(all_.n, percent)[0]]
        name = f"withoutQ{percent}"
        result[f"{name}.mean"], result[f"{name}.standardDeviation"] = _moments(*kept)
        result[f"{name}.dropped"] = all_.n - kept[0]
    return result


def from_metrics(metrics: Mapping[str, Any], series: str) -> dict[str, float | int | None]:
    """Returns the statistics of a series from the metrics of `lagbench table --format json`, with times in µs."""
    return {name: metrics.get(f"{series}.{'count' if name == 'n' else name}") for name in STATISTICS}


def _ranks(n: int, percent: int) -> tuple[int, int]:
    """Returns the indices of the sorted values between which a quantile is."""
    rank = (n - 1) * percent // 100
    return rank, min(n - 1, rank + 1)


def _quantile(percent: int) -> str:
    return "median" if percent == 50 else f"q{percent}"


def _moments(n: int, s: int, ss: int) -> tuple[float, float | None]:
    deviation = math.sqrt(_quotient(n * ss - s * s, n * (n - 1))) if n > 1 else None
    return _quotient(s, n), deviation


def _quotient(numerator: int, denominator: int) -> float:
    return float(_DECIMAL128.divide(Decimal(numerator), Decimal(denominator)))
