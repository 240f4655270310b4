"""
A reader of captures for the oracles, which need only the standard library, and of captures that are being written,
which cannot be mapped into memory while their writer may shorten them. Other programs use the package lagbench
(python/).
"""

import array
import ast
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

MAGIC = b"\x93NUMPY\x01\x00"
VALUE_BYTES = 8

Columns = Mapping[str, Sequence[int]]


def read(path: Path) -> Columns:
    """Returns the columns of a capture by name."""
    with path.open("rb") as file:
        names, records = _read_header(file, path)
        values = array.array("q")
        values.frombytes(file.read(records * len(names) * VALUE_BYTES))
    if sys.byteorder == "big":
        values.byteswap()
    return {name: values[i :: len(names)] for i, name in enumerate(names)}


def rows(path: Path) -> list[dict[str, int]]:
    """Returns the records of a capture, each by the names of its columns."""
    columns = read(path)
    return [dict(zip(columns, record, strict=True)) for record in zip(*columns.values(), strict=True)]


def is_written(path: Path, column: str, record: int) -> bool:
    """Returns whether a capture, which may not exist yet, has a value other than 0 in a record."""
    try:
        with path.open("rb") as file:
            names, _ = _read_header(file, path)
            file.seek((record * len(names) + names.index(column)) * VALUE_BYTES, os.SEEK_CUR)
            return any(file.read(VALUE_BYTES))
    except (FileNotFoundError, ValueError):
        return False  # the file or its header does not exist yet


def _read_header(file: BinaryIO, path: Path) -> tuple[list[str], int]:
    """Returns the columns' names and the number of records; the file is then at the first record."""
    if file.read(len(MAGIC)) != MAGIC:
        raise ValueError(f"{path} is not a NumPy file, version 1.0")
    header = ast.literal_eval(file.read(int.from_bytes(file.read(2), "little")).decode("ascii"))
    names = [name for name, kind in header["descr"] if kind == "<i8"]
    if len(names) != len(header["descr"]):
        raise ValueError(f"{path} has fields that are not 64-bit integers: {header['descr']}")
    return names, header["shape"][0]
