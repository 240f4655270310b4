"""Both sides' captures of a run, joined by sequence number."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lagbench.captures import Capture

Packets = dict[str, np.ma.MaskedArray[Any, np.dtype[np.int64]]]
"""Columns of equal length by name; values that do not exist are masked."""

_Integers = NDArray[np.int64]


def join(sent: Capture, received: Capture, replies: Capture | None) -> Packets:
    """
    Joins the captures of a run: one row for each arrival, in the order of arrival, and one for each lost packet, before
    the first packet that arrived and was sent after it.

    :param replies: those to the packets of a round-trip run
    """
    seq: _Integers = np.ascontiguousarray(received["seq"])
    known = seq < len(sent)
    first = np.zeros(len(seq), bool)
    first[np.unique(seq, return_index=True)[1]] = True
    first &= known

    lost = np.setdiff1d(np.arange(len(sent)), seq)
    highest = np.maximum.accumulate(np.where(first, seq, -1))
    before = np.searchsorted(highest, lost, "right")
    packet = np.insert(seq, before, lost)
    arrival = np.insert(np.arange(len(seq)), before, -1)
    has_arrived, is_sent = arrival >= 0, packet < len(sent)

    columns: Packets = {"seq": np.ma.masked_array(packet, mask=np.zeros(len(packet), bool))}
    for name in ("scheduled_ns", "sent_ns", "returned_ns"):
        columns[name] = _take(sent[name], packet, is_sent)
    columns["received_ns"] = _take(received["received_ns"], arrival, has_arrived)
    columns["lag_ns"] = columns["received_ns"] - columns["sent_ns"]
    columns["copy"] = _take((~first).astype(np.int64), arrival, has_arrived & is_sent)
    for name in received.dtype.names or ():
        if name not in columns:
            column = _take(received[name], arrival, has_arrived)
            # without a stamp of the kernel the field is 0
            columns[name] = np.ma.masked_equal(column, 0) if name.endswith("_ns") else column
    if replies is not None:
        packets, index = np.unique(replies["seq"], return_index=True)
        index = index[packets < len(sent)]
        answered = np.zeros(len(sent), np.int64)
        answered[packets[packets < len(sent)]] = replies["answered_ns"][index]
        columns["answered_ns"] = np.ma.masked_equal(_take(answered, packet, is_sent & has_arrived), 0)
        columns["round_trip_ns"] = columns["answered_ns"] - columns["sent_ns"]
    return columns


def _take(values: _Integers, index: _Integers, exists: NDArray[np.bool_]) -> np.ma.MaskedArray[Any, Any]:
    """Returns the values at the indices that exist, and masks the others."""
    taken = np.zeros(len(index), np.int64)
    taken[exists] = values[index[exists]]
    return np.ma.masked_array(taken, mask=~exists)
