"""Reads captures (NumPy .npy files of 64-bit integers), with the standard library alone."""

import array
import ast
import sys

MAGIC = b"\x93NUMPY\x01\x00"


def read(path):
    """The columns of a capture by name, each an array of its records' values."""
    with open(path, "rb") as file:
        content = file.read()
    if content[: len(MAGIC)] != MAGIC:
        raise ValueError(f"{path} is not a NumPy file, version 1.0")
    begin = len(MAGIC) + 2
    header_bytes = int.from_bytes(content[len(MAGIC) : begin], "little")
    header = ast.literal_eval(content[begin : begin + header_bytes].decode("ascii"))
    names = [name for name, kind in header["descr"] if kind == "<i8"]
    if len(names) != len(header["descr"]):
        raise ValueError(f"{path} has fields that are not 64-bit integers: {header['descr']}")
    values = array.array("q")
    values.frombytes(content[begin + header_bytes :][: header["shape"][0] * len(names) * values.itemsize])
    if sys.byteorder == "big":
        values.byteswap()
    return {name: values[i :: len(names)] for i, name in enumerate(names)}
