"""Captures: NumPy files of records that a program writes while it sends or receives."""

import os
from pathlib import Path
from typing import Any

import numpy as np

Capture = np.ndarray[tuple[int], np.dtype[np.void]]
"""A memory-mapped array of records with named fields."""

# The first of these that a capture has is 0 in a record that was never written.
_STAMPS = ("sent_ns", "received_ns", "answered_ns", "at_ns", "kernel_ns", "start_ns", "send_end_ns")


class SessionError(Exception):
    """A file of a session is missing, or is not what its name says. The message has the path."""


def read_capture(path: Path) -> Capture:
    """
    Maps the written records of a capture, which may be unfinished or truncated.

    :raises SessionError: if there is no such file, or it is not a capture
    """
    records = map_records(path)
    names = records.dtype.names or ()
    stamp = next((name for name in _STAMPS if name in names), None)
    if stamp is None:
        raise SessionError(f"{path} is not a capture: its fields are {', '.join(names)}.")
    written, unknown = 0, len(records)
    while written < unknown:  # unwritten records are at the end
        middle = (written + unknown) // 2
        if records[stamp][middle] != 0 and ("seq" not in names or records["seq"][middle] >= 0):
            written = middle + 1
        else:
            unknown = middle
    return records[:written]


def map_records(path: Path) -> Capture:
    """
    Maps the whole records of a .npy file of version 1.0.

    :raises SessionError: if there is no such file, or it has another format
    """
    try:
        with path.open("rb") as file:
            if np.lib.format.read_magic(file) != (1, 0):
                raise ValueError("its NumPy format version is not 1.0")
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            begin = file.seek(0, os.SEEK_CUR)
            room = (os.fstat(file.fileno()).st_size - begin) // dtype.itemsize
    except (OSError, ValueError) as failure:
        raise SessionError(f"{path} cannot be read: {failure}.") from failure
    if dtype.names is None or len(shape) != 1:
        raise SessionError(f"{path} is not an array of records.")
    count = min(shape[0], room)
    if count == 0:  # an empty file cannot be mapped
        return np.empty(0, dtype)
    mapped: np.memmap[Any, np.dtype[np.void]] = np.memmap(path, dtype, "r", begin, (count,))
    return mapped.view(np.ndarray)
