"""The ledgers of slow packets: the parts of each lag, which `lagbench export --format ledger` writes."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass, field
from pathlib import Path

from lagbench.captures import SessionError, open_regular

_COLUMNS = ["packet", "lag_ns", "side", "part", "program", "kind", "since_ns", "ns"]


@dataclass(frozen=True)
class Part:
    """
    A part of a lag.

    :ivar side: sender, path or receiver; empty if the part is not explained and no stamps enclose it on one side
    :ivar part: its name, such as run-queue; not-explained if nothing proves one
    :ivar program: the program that ran instead; empty if there was none or it is unknown
    :ivar kind: what proves it: stamp, event or bound
    :ivar since_ns: when it began, since the packet's departure
    :ivar ns: how long it lasted; negative only on the path, by the offset of the clocks
    """

    side: str
    part: str
    program: str
    kind: str
    since_ns: int
    ns: int


@dataclass(frozen=True)
class Ledger:
    """The parts of the lag of one packet, in the order of time."""

    packet: int
    lag_ns: int
    parts: list[Part] = field(default_factory=list)


def read_ledgers(path: str | os.PathLike[str]) -> list[Ledger]:
    """
    Reads the ledgers of a run's slow packets, in the order of arrival.

    :param path: a file of `lagbench export --format ledger`
    :raises SessionError: if it is not one, or the parts of a packet do not add up to its lag
    """
    file = Path(path)
    ledgers: list[Ledger] = []
    try:
        with open_regular(file) as binary:
            rows = csv.reader(binary.read().decode().splitlines())
            if next(rows, None) != _COLUMNS:
                raise SessionError(f"{file} does not have the columns of ledgers.")
            for packet, lag_ns, side, part, program, kind, since_ns, ns in rows:
                if not ledgers or ledgers[-1].packet != int(packet):
                    ledgers.append(Ledger(int(packet), int(lag_ns)))
                ledgers[-1].parts.append(Part(side, part, program, kind, int(since_ns), int(ns)))
    except (OSError, ValueError, csv.Error) as failure:
        raise SessionError(f"{file} cannot be read: {failure}.") from failure
    for ledger in ledgers:
        if sum(part.ns for part in ledger.parts) != ledger.lag_ns:
            raise SessionError(f"{file}: the parts of packet {ledger.packet} do not add up to its lag.")
    return ledgers
