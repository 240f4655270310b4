"""Quantiles by estimator R-7, as everywhere in lagbench."""


def quantile(ascending, p):
    at = (len(ascending) - 1) * p
    below = int(at)
    above = min(below + 1, len(ascending) - 1)
    return ascending[below] + (ascending[above] - ascending[below]) * (at - below)


def median(values):
    return quantile(sorted(values), 0.5)
