"""Reckons offset and skew of the clocks from two-way stamps, with nothing but Python's standard library.

usage: two_way.py RUN_DIRECTORY

Of each of 20 windows of time the exchange with the shortest round trip, of these the half with the shortest, through them
the line of least squares. Prints as JSON the offset in the middle of the span in ns, and the skew. It shares no code with
what it checks: the normal equations are solved in exact fractions.
"""

import ast
import json
import struct
import sys
from fractions import Fraction


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    (length,) = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10 : 10 + length].decode("ascii"))
    names = [name for name, kind in header["descr"] if kind == "<i8"]
    rows = [dict(zip(names, row)) for row in struct.iter_unpack("<%dq" % len(names), data[10 + length :])]
    return [(row["sent_ns"], row["received_ns"], row["replied_ns"], row["returned_ns"]) for row in rows]



def main(directory):
    exchanges = load(directory + "/two-way.npy")
    first, last = exchanges[0][0], exchanges[-1][3]
    width = (last - first) // 20 + 1
    windows = {}
    for t1, t2, t3, t4 in exchanges:
        trip = (t4 - t1) - (t3 - t2)
        at = Fraction(t1 + t4, 2)
        offset = Fraction((t2 - t1) + (t3 - t4), 2)
        window = (t1 - first) // width
        if window not in windows or trip < windows[window][0]:
            windows[window] = (trip, at, offset)
    kept = sorted(windows.values())[: max(3, (len(windows) + 1) // 2)]
    n = len(kept)
    sum_x = sum(x for _, x, _ in kept)
    sum_y = sum(y for _, _, y in kept)
    sum_xx = sum(x * x for _, x, _ in kept)
    sum_xy = sum(x * y for _, x, y in kept)
    skew = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x)
    middle = first + (last - first) // 2
    offset = (sum_y - skew * sum_x) / n + skew * middle
    whole = offset.numerator // offset.denominator
    json.dump({"offset": whole, "fraction": float(offset - whole), "skew": float(skew)}, sys.stdout)


main(sys.argv[1])
