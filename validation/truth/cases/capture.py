"""Reads captures (NumPy .npy files of 64-bit integers), with the standard library alone."""

import array
import ast
import os
import sys

MAGIC = b"\x93NUMPY\x01\x00"
BEGIN = len(MAGIC) + 2
VALUE_BYTES = 8


def read(path):
    """The columns of a capture by name, each an array of its records' values."""
    with open(path, "rb") as file:
        names, records = _read_header(file, path)
        content = file.read()
    values = array.array("q")
    values.frombytes(content[: records * len(names) * VALUE_BYTES])
    if sys.byteorder == "big":
        values.byteswap()
    return {name: values[i :: len(names)] for i, name in enumerate(names)}


def is_written(path, column, record):
    """Whether the capture, which its writer may yet have to make, holds a value other than 0 there."""
    try:
        with open(path, "rb") as file:
            names, _ = _read_header(file, path)
            file.seek((record * len(names) + names.index(column)) * VALUE_BYTES, os.SEEK_CUR)
            return any(file.read(VALUE_BYTES))
    except (FileNotFoundError, ValueError):
        return False  # its writer has not come so far


def _read_header(file, path):
    """The columns' names and how many records there are; the file is then at the first record."""
    begin = file.read(BEGIN)
    if begin[: len(MAGIC)] != MAGIC:
        raise ValueError(f"{path} is not a NumPy file, version 1.0")
    header = ast.literal_eval(file.read(int.from_bytes(begin[len(MAGIC) :], "little")).decode("ascii"))
    names = [name for name, kind in header["descr"] if kind == "<i8"]
    if len(names) != len(header["descr"]):
        raise ValueError(f"{path} has fields that are not 64-bit integers: {header['descr']}")
    return names, header["shape"][0]
