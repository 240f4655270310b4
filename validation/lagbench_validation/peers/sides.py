"""The processors of the two sides, and waiting for a server."""

import os
import time
from contextlib import suppress
from pathlib import Path

from lagbench_validation.namespaces import Namespaces
from lagbench_validation.processes import Failed, Program

_POLL_S = 0.005
_START_S = 10
_TCP_LISTEN, _UDP_BOUND = "0A", "07"


def processors_of_sides(apart: bool) -> tuple[list[int], list[int]]:
    """Returns the processors of the sender's side and of the receiver's: all, or half of them each."""
    processors = sorted(os.sched_getaffinity(0))
    half = len(processors) // 2
    return (processors[:half], processors[half:]) if apart and half else (processors, processors)


def await_port(namespaces: Namespaces, side: str, protocol: str, port: int, program: Program) -> None:
    """Waits until a socket on one side is bound to a port, or listens with TCP."""
    deadline = time.monotonic() + _START_S
    while not _is_bound(namespaces, side, protocol, port):
        if program.ended:
            raise Failed(f"{program.name} ended: {program.last_lines()}")
        if time.monotonic() > deadline:
            raise Failed(f"{program.name} did not listen on {protocol} port {port} within {_START_S} s")
        time.sleep(_POLL_S)


def _is_bound(namespaces: Namespaces, side: str, protocol: str, port: int) -> bool:
    state = _TCP_LISTEN if protocol == "tcp" else _UDP_BOUND
    lines: list[str] = []
    with namespaces.entered(side):
        for table in (protocol, protocol + "6"):
            with suppress(FileNotFoundError):  # there may be no IPv6
                lines += Path(f"/proc/thread-self/net/{table}").read_text("ascii").splitlines()[1:]
    return any(fields[1].endswith(f":{port:04X}") and fields[3] == state for fields in map(str.split, lines))
