"""D-ITG: one-way delays in µs from the receiver's log, made readable by ITGDec."""

import re
import subprocess

from cells import PACED_PER_SECOND, Failed, Report
from peer import Peer

_LOG, _TEXT = "received.log", "received.txt"
_FLOOD_PER_SECOND = 2_000_000
_DECODING_S = 60
_PACKET = re.compile(r"^Flow>.* txTime>(\d+):(\d+):(\d+)\.(\d{6}) rxTime>(\d+):(\d+):(\d+)\.(\d{6}) ", re.MULTILINE)
_DAY_US = 24 * 3600 * 1_000_000


class Ditg(Peer):
    name, package, programs = "D-ITG", "d-itg", ("ITGSend", "ITGRecv", "ITGDec")
    port = 9000
    beside_s = 1.2

    def server(self, cell, address):
        return ["ITGRecv"]

    def client(self, cell, address, seconds):
        return [
            "ITGSend", "-a", address, *(["-T", "UDP"] if cell.is_udp else ["-T", "TCP", "-D"]),
            "-C", _FLOOD_PER_SECOND if cell.flood else PACED_PER_SECOND, "-c", cell.packet_bytes,
            "-t", round(seconds * 1_000), *([] if cell.flood else ["-x", _LOG]),
        ]  # fmt: skip

    def report(self, cell, directory, server_said, client_said):
        if cell.flood:
            return Report()  # a log would slow it down
        subprocess.run(["ITGDec", _LOG, "-l", _TEXT], cwd=directory, stdin=subprocess.DEVNULL,
                       capture_output=True, check=True, timeout=_DECODING_S)  # fmt: skip
        with open(f"{directory}/{_TEXT}", encoding="ascii") as text:
            return parse(text.read())


def parse(text):
    times = [list(map(int, found)) for found in _PACKET.findall(text)]
    if not times:
        raise Failed("its log has no packets")
    return day_report(times)


def day_report(times):
    """Of packets that were sent and came at times of the day: hours, minutes, seconds and microseconds, twice."""
    sent_us = [_of_day_us(fields[:4]) for fields in times]
    return Report(
        sent_ns=[at * 1_000 for at in sent_us],
        lags_ns=[(_of_day_us(fields[4:]) - at) % _DAY_US * 1_000 for fields, at in zip(times, sent_us)],
        received=len(times),
    )


def _of_day_us(fields):
    hours, minutes, seconds, micros = fields
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros
