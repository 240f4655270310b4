"""How far a median is known: its confidence interval by order statistics, which holds whatever the distribution.

The k-th least and the k-th greatest of n independent values have the median between them unless fewer than k of the values
fall on one side of it. As each falls there with probability 1/2, they cover it with 1 − 2 P(Bin(n, 1/2) ≤ k − 1)
(Hahn & Meeker, Statistical Intervals, chapter 5; Conover, Practical Nonparametric Statistics, section 3.2).
"""

from itertools import count
from math import comb

CONFIDENCE = 0.90


def coverage(n, k):
    """How probably the median is between the k-th least and the k-th greatest of n values; k is at most half of n."""
    return 1 - 2 * sum(comb(n, below) for below in range(k)) / 2**n


def median_interval(values):
    """The narrowest such interval of CONFIDENCE or more, as (least, greatest); None of too few values to have one."""
    n = len(values)
    k = max((k for k in range(1, n // 2 + 1) if coverage(n, k) >= CONFIDENCE), default=None)
    if k is None:
        return None
    ascending = sorted(values)
    return ascending[k - 1], ascending[-k]


# Of how many values there is an interval: 5, since the least and the greatest of four cover the median with 0.875 only.
FEWEST = next(n for n in count(2) if coverage(n, 1) >= CONFIDENCE)
