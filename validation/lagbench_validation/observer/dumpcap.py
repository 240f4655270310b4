"""The frames that dumpcap captures: an independent reader of what arrives at a device."""

import os
import re
import signal
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lagbench_validation.namespaces import DEVICE, Namespaces
from lagbench_validation.packet_socket import Segment, segment
from lagbench_validation.processes import Failed, Program

NAME = "dumpcap"

_BUFFER_MIB = 64
_START_S = 30
_END_S = 30
# Types of blocks of pcapng, and the option with the resolution of stamps as a power of ten.
_SECTION, _INTERFACE, _FRAME = 0x0A0D0D0A, 1, 6
_RESOLUTION = struct.pack("=HHB", 9, 1, 9)  # ns
_BLOCK = struct.Struct("=II")  # type, bytes
_FRAME_BLOCK = struct.Struct("=IIIIIII")  # type, bytes, interface, stamp (high, low), captured bytes, bytes
_DROPPED = re.compile(r"^Packets received/dropped on interface '.*': \d+/(\d+) ", re.MULTILINE)


def frames(file: Path) -> Iterator[tuple[int, bytes]]:
    """Yields the stamp in ns and the bytes of each frame of a pcapng file that this machine has written."""
    content = file.read_bytes()
    at = 0
    while at < len(content):
        kind, size = _BLOCK.unpack_from(content, at)
        if at == 0 and kind != _SECTION:
            raise Failed(f"{file.name} is no pcapng file")
        if kind == _INTERFACE and _RESOLUTION not in content[at : at + size]:
            raise Failed(f"{file.name} has no stamps in ns")
        if kind == _FRAME:
            _, _, _, high, low, captured, _ = _FRAME_BLOCK.unpack_from(content, at)
            begin = at + _FRAME_BLOCK.size
            yield high << 32 | low, content[begin : begin + captured]
        at += size


class Capture:
    """What arrives at a side's end of the link, and what leaves there, from now on until the capture is ended."""

    def __init__(self, namespaces: Namespaces, side: str, file: Path) -> None:
        self._file = file
        words = (NAME, "-i", DEVICE, "-B", _BUFFER_MIB, "-w", file)
        self._program = Program(NAME, namespaces.command(side, *words))
        try:
            self._program.await_text("^File: ", _START_S)
        except Failed:
            self._program.end(signal.SIGKILL)
            raise

    def end(self) -> None:
        """Ends the capture. Raises Failed if dumpcap missed frames."""
        with suppress(ProcessLookupError):
            os.kill(self._program.pid, signal.SIGINT)
        self._program.await_end(_END_S)
        self._program.end(signal.SIGKILL)
        dropped = _DROPPED.search(self._program.output())
        if self._program.exit_code != 0 or dropped is None or dropped[1] != "0":
            raise Failed(f"{NAME} missed frames, or failed: {self._program.last_lines()}")

    def segments(self) -> list[tuple[int, Segment]]:
        """Returns the datagrams and segments of the ended capture, each with its stamp in ns."""
        return [(at_ns, found) for at_ns, frame in frames(self._file) if (found := segment(frame))]
