"""The slope of a quantity over time, with a confidence interval that holds for correlated values."""

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

# Fewer blocks give no useful interval.
BLOCKS_MIN = 6
# Blocks are joined until the residuals of neighbors are correlated less than this.
CORRELATION_MAX = 0.2

# Student's t for 95 %, by degrees of freedom; beyond, the normal distribution's.
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
      2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)  # fmt: skip
_T_NORMAL = 1.96


@dataclass(frozen=True)
class Slope:
    """A slope and the half-width of its 95 % interval; infinite if the values are too few."""

    value: float
    half_width: float
    blocks: int

    @property
    def low(self) -> float:
        return self.value - self.half_width

    @property
    def high(self) -> float:
        return self.value + self.half_width


def fit(times: Sequence[float], values: Sequence[float]) -> Slope:
    """
    Fits a line by least squares to the means of blocks of neighbors. A block has one value; as long as the residuals of
    neighboring blocks are correlated, two blocks become one. If that leaves too few, there is no interval.
    """
    points = list(zip(times, values, strict=True))
    while True:
        slope, correlation = _fit_blocks(points)
        if correlation < CORRELATION_MAX or len(points) < BLOCKS_MIN:
            return slope
        points = [_mean(points[i : i + 2]) for i in range(0, len(points) - 1, 2)]


def _mean(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return statistics.fmean(t for t, _ in points), statistics.fmean(v for _, v in points)


def _fit_blocks(points: Sequence[tuple[float, float]]) -> tuple[Slope, float]:
    """Returns the slope and the correlation of neighboring residuals."""
    if len(points) < 2:
        return Slope(0.0, math.inf, len(points)), 0.0
    mean_time, mean_value = _mean(points)
    spread = sum((t - mean_time) ** 2 for t, _ in points)
    value = sum((t - mean_time) * (v - mean_value) for t, v in points) / spread
    residuals = [v - mean_value - value * (t - mean_time) for t, v in points]
    squares = sum(r * r for r in residuals)
    products = sum(a * b for a, b in itertools.pairwise(residuals))
    correlation = products / squares if squares > 0 else 0.0
    freedom = len(points) - 2
    if len(points) < BLOCKS_MIN:
        return Slope(value, math.inf, len(points)), correlation
    quantile = _T[freedom - 1] if freedom <= len(_T) else _T_NORMAL
    return Slope(value, quantile * math.sqrt(squares / freedom / spread), len(points)), correlation
