"""Reads captures, and finds quantiles by estimator R-7, with nothing but Python's standard library."""

import ast
import struct
from fractions import Fraction


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    (length,) = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10 : 10 + length].decode("ascii"))
    names = [name for name, kind in header["descr"] if kind == "<i8"]
    assert len(names) == len(header["descr"])
    (count,) = header["shape"]
    rows = struct.iter_unpack("<%dq" % len(names), data[10 + length :])
    return [dict(zip(names, row)) for _, row in zip(range(count), rows)]


def quantile(ordered, percent):
    h = Fraction((len(ordered) - 1) * percent, 100)
    below = int(h)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (h - below) * (ordered[above] - ordered[below])
