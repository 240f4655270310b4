"""D-ITG: one-way delays in µs from the receiver's log, made readable by ITGDec."""

import re
from collections.abc import Sequence
from pathlib import Path

from lagbench_validation.peers.cells import PACED_PER_SECOND, Cell, Report
from lagbench_validation.peers.peer import Peer
from lagbench_validation.processes import Command, Failed, run

_LOG, _TEXT = "received.log", "received.txt"
_FLOOD_PER_SECOND = 2_000_000
_DECODING_S = 60
_PACKET = re.compile(r"^Flow>.* txTime>(\d+):(\d+):(\d+)\.(\d{6}) rxTime>(\d+):(\d+):(\d+)\.(\d{6}) ", re.MULTILINE)
_DAY_US = 24 * 3600 * 1_000_000


class Ditg(Peer):
    name, package, programs = "D-ITG", "d-itg", ("ITGSend", "ITGRecv", "ITGDec")
    port = 9000
    overhead_s = 1.2

    def server(self, cell: Cell, address: str) -> Command:
        return ["ITGRecv"]

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        return [
            "ITGSend", "-a", address, *(["-T", "UDP"] if cell.is_udp else ["-T", "TCP", "-D"]),
            "-C", _FLOOD_PER_SECOND if cell.flood else PACED_PER_SECOND, "-c", cell.packet_bytes,
            "-t", round(seconds * 1_000), *([] if cell.flood else ["-x", _LOG]),
        ]  # fmt: skip

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        if cell.flood:
            return Report()  # a log would slow it down
        run(["ITGDec", _LOG, "-l", _TEXT], directory=directory, timeout_s=_DECODING_S)
        return parse((directory / _TEXT).read_text("ascii"))


def parse(text: str) -> Report:
    times = [list(map(int, found)) for found in _PACKET.findall(text)]
    if not times:
        raise Failed("D-ITG's log has no packets")
    return day_report(times)


def day_report(times: Sequence[Sequence[int]]) -> Report:
    """Computes a report. For each packet, times has the times of day when it was sent and when it was received.

    Each time of day is hours, minutes, seconds, microseconds.
    """
    sent_us = [_of_day_us(fields[:4]) for fields in times]
    return Report(
        sent_ns=[at * 1_000 for at in sent_us],
        lags_ns=[(_of_day_us(fields[4:]) - at) % _DAY_US * 1_000 for fields, at in zip(times, sent_us, strict=True)],
        received=len(times),
    )


def _of_day_us(fields: Sequence[int]) -> int:
    hours, minutes, seconds, micros = fields
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros
