"""The metrics of one run by NumPy.

usage: python3 -m lagbench_validation.analysis.numpy_metrics RUN_DIRECTORY
"""

import json
import sys
from typing import Any

import numpy as np


def metrics(values: np.ndarray) -> list[float]:
    q50, q95, q99 = np.percentile(values, [50, 95, 99])
    result = [q50, values.mean(), values.std(ddof=1)]
    for quantile in (q95, q99):
        kept = values[values <= quantile]
        result += [quantile, kept.mean(), kept.std(ddof=1)]
    return [float(value) for value in result]


def main(run: str) -> None:
    sender = np.load(f"{run}/sender.npy", mmap_mode="r")
    receiver = np.load(f"{run}/receiver.npy", mmap_mode="r")
    sent = np.ascontiguousarray(sender["sent_ns"])
    received = np.ascontiguousarray(receiver["received_ns"])
    # The record of packet n is the n-th: the fastest possible join. The first copy of each packet counts.
    first: Any = slice(None)
    seq = receiver["seq"]
    if not np.all(seq[1:] > seq[:-1]):
        seq, first = np.unique(seq, return_index=True)
    print(
        json.dumps(
            {
                "lag": metrics(received[first] - sent[seq]),
                "sendDelay": metrics(np.diff(sent)),
                "receiveDelay": metrics(np.diff(received)),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
