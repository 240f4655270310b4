"""Quantiles by estimator R-7, as everywhere in lagbench, and confidence intervals of medians.

The intervals are by order statistics, which hold whatever the distribution. The k-th smallest and the k-th largest of n
independent values have the median between them unless fewer than k of the values fall on one side of it. As each falls
there with probability 1/2, they cover it with 1 − 2 P(Bin(n, 1/2) ≤ k − 1) (Hahn & Meeker, Statistical Intervals,
chapter 5; Conover, Practical Nonparametric Statistics, section 3.2).
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from math import comb, sqrt
from statistics import NormalDist
from typing import Any, overload

CONFIDENCE = 0.90


@overload
def quantile(ascending: Sequence[int], p: Fraction) -> Fraction: ...
@overload
def quantile(ascending: Sequence[float], p: float) -> float: ...
def quantile(ascending: Sequence[float], p: float | Fraction) -> Any:
    """Returns the quantile p of sorted values; exact where p is a fraction and the values are integers."""
    at = (len(ascending) - 1) * p
    below = int(at)
    above = min(below + 1, len(ascending) - 1)
    return ascending[below] + (ascending[above] - ascending[below]) * (at - below)


def coverage(n: int, k: int) -> float:
    """Returns the probability that the median is between the k-th smallest and largest of n values, for 2k ≤ n."""
    outside = 2 * sum(comb(n, below) for below in range(k))
    return 1 - outside / int(2**n)


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Returns the narrowest interval of the median with CONFIDENCE or more; None where there are too few values."""
    n = len(values)
    k = max((k for k in range(1, n // 2 + 1) if coverage(n, k) >= CONFIDENCE), default=None)
    if k is None:
        return None
    ascending = sorted(values)
    return ascending[k - 1], ascending[-k]


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Returns the 95 % interval of a probability (Wilson, JASA 1927); 0 to 1 without trials."""
    if trials == 0:
        return 0.0, 1.0
    share, z2 = successes / trials, NormalDist().inv_cdf(0.975) ** 2
    half = sqrt(z2 * (share * (1 - share) + z2 / (4 * trials)) / trials)
    middle = share + z2 / (2 * trials)
    return tuple(min(max((middle + sign * half) / (1 + z2 / trials), 0.0), 1.0) for sign in (-1, 1))  # type: ignore[return-value]


# The minimum number of values that have an interval: 5, since the smallest and the largest of four cover the median
# with 0.875 only.
VALUES_MIN = next(n for n in count(2) if coverage(n, 1) >= CONFIDENCE)
