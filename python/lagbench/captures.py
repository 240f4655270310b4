"""Captures: NumPy files of records that a program writes while it sends or receives."""

import json
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from lagbench.fields import CAPTURE_FIELDS

Capture = np.ndarray[tuple[int], np.dtype[np.void]]
"""A memory-mapped array of records with named fields."""

# The first of these that a capture has is 0 in a record that was never written.
_STAMPS = (
    "sent_ns",
    "received_ns",
    "answered_ns",
    "at_ns",
    "kernel_ns",
    "start_ns",
    "send_end_ns",
    "dropped_ns",
    "left_ns",
)

_CAPTURE_TYPES = dict.fromkeys(CAPTURE_FIELDS, "<i8")
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER_STEP_BYTES = 256
_MAXIMUM_HEADER_BYTES = 8 * _HEADER_STEP_BYTES
_FIELD = re.compile(r"\('([A-Za-z_][A-Za-z0-9_]*)', '([^']*)'\)")
_HEADER = re.compile(
    rf"\{{'descr': \[(?P<fields>{_FIELD.pattern}(?:, {_FIELD.pattern})*)\], 'fortran_order': False, "
    r"'shape': \((?P<records>[0-9]{1,18}),\), \} *\n"
)


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


def map_records(path: Path, declared: Mapping[str, str] = _CAPTURE_TYPES) -> Capture:
    """
    Maps the whole records of a .npy file of version 1.0 whose fields are declared.

    NumPy itself also reads objects, which are pointers, from a file that another author may have written.

    :param declared: the types of the fields by name
    :raises SessionError: if there is no such file, or it has another format
    """
    try:
        with open_regular(path) as file:
            names, count = _read_header(file.read(_MAXIMUM_HEADER_BYTES), declared)
            dtype = np.dtype([(name, declared[name]) for name in names])
            begin = _header_bytes(file)
            room = (os.fstat(file.fileno()).st_size - begin) // dtype.itemsize
            count = max(0, min(count, room))
            if count == 0:  # an empty file cannot be mapped
                return np.empty(0, dtype)
            mapped: np.memmap[Any, np.dtype[np.void]] = np.memmap(file, dtype, "r", begin, (count,))
    except (OSError, ValueError) as failure:
        raise SessionError(f"{path} cannot be read: {failure}.") from failure
    return mapped.view(np.ndarray)


def open_regular(path: Path) -> BinaryIO:
    """
    Opens a file that is neither a pipe, whose reader would wait, nor a device.

    :raises OSError: if there is no such file
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is not a regular file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_json(path: Path) -> Mapping[str, Any]:
    """
    Reads a file with a JSON object.

    :raises SessionError: if there is no such file, or it has something else
    """
    try:
        with open_regular(path) as file:
            content = json.loads(file.read().decode("utf-8"))
    except (OSError, ValueError, RecursionError) as failure:
        raise SessionError(f"{path} cannot be read: {failure}.") from failure
    if not isinstance(content, dict):
        raise SessionError(f"{path} is not a JSON object.")
    return content


def _read_header(begin: bytes, declared: Mapping[str, str]) -> tuple[list[str], int]:
    """Returns the names of the fields and the number of records."""
    if begin[: len(_MAGIC)] != _MAGIC:
        raise ValueError("it does not begin as a NumPy file, version 1.0")
    length = int.from_bytes(begin[8:10], "little")
    text = _HEADER.fullmatch(begin[10 : 10 + length].decode("ascii"))
    if text is None or (10 + length) % _HEADER_STEP_BYTES:
        raise ValueError(f"its header does not describe records in a multiple of {_HEADER_STEP_BYTES} bytes")
    fields = _FIELD.findall(text["fields"])
    names = [name for name, _ in fields]
    for name, kind in fields:
        if declared.get(name) != kind:
            raise ValueError(f"its field {name} of type {kind} is not declared")
    if len(set(names)) < len(names):
        raise ValueError("it has a field twice")
    return names, int(text["records"])


def _header_bytes(file: BinaryIO) -> int:
    file.seek(8)
    return 10 + int.from_bytes(file.read(2), "little")
