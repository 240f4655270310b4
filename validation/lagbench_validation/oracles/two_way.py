"""Computes offset and skew of the clocks from two-way stamps, with nothing but Python's standard library.

usage: python3 -m lagbench_validation.oracles.two_way RUN_DIRECTORY

It divides the run into 20 windows of time and takes the exchange with the shortest round trip of each. Through the
half of these with the shortest round trips it fits the line of least squares. Prints as JSON the offset in the middle
of the span in ns, and the skew. It shares no code with what it checks: the normal equations are solved in exact
fractions.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

from lagbench_validation import captures

WINDOWS = 20


def main(directory: str) -> None:
    columns = captures.read(Path(directory) / "two-way.npy")
    stamps = (columns[name] for name in ("sent_ns", "received_ns", "replied_ns", "returned_ns"))
    exchanges = list(zip(*stamps, strict=True))
    first, last = exchanges[0][0], exchanges[-1][3]
    width = (last - first) // WINDOWS + 1
    windows: dict[int, tuple[int, Fraction, Fraction]] = {}
    for t1, t2, t3, t4 in exchanges:
        trip = (t4 - t1) - (t3 - t2)
        at = Fraction(t1 + t4, 2)
        offset = Fraction((t2 - t1) + (t3 - t4), 2)
        window = (t1 - first) // width
        if window not in windows or trip < windows[window][0]:
            windows[window] = (trip, at, offset)
    kept = sorted(windows.values())[: max(3, (len(windows) + 1) // 2)]
    n = len(kept)
    sum_x = sum((x for _, x, _ in kept), Fraction())
    sum_y = sum((y for _, _, y in kept), Fraction())
    sum_xx = sum((x * x for _, x, _ in kept), Fraction())
    sum_xy = sum((x * y for _, x, y in kept), Fraction())
    skew = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x)
    middle = first + (last - first) // 2
    offset = (sum_y - skew * sum_x) / n + skew * middle
    whole = offset.numerator // offset.denominator
    json.dump({"offset": whole, "fraction": float(offset - whole), "skew": float(skew)}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
