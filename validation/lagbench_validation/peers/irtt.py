"""irtt: round trips and, with its server's stamps, one-way delays. It waits by spinning."""

import json
from pathlib import Path
from typing import Any

from lagbench_validation.peers.cells import INTERVAL_US, CannotDo, Cell, Report
from lagbench_validation.peers.peer import Peer, at_least
from lagbench_validation.processes import Command

_RESULT = "irtt.json"
_SMALLEST_BYTES = 60


class Irtt(Peer):
    name, package, programs = "irtt", "irtt", ("irtt",)
    protocol, port = "udp", 2112
    waits = "spin"

    def check(self, cell: Cell) -> None:
        if not cell.is_udp:
            raise CannotDo("it supports only UDP")
        at_least(cell, _SMALLEST_BYTES, "this kind")

    def server(self, cell: Cell, address: str) -> Command:
        return ["irtt", "server", "-b", address, "-i", "0"]

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        return [
            "irtt", "client", "-i", "1us" if cell.flood else f"{INTERVAL_US}us", "-d", f"{seconds}s",
            "-l", cell.packet_bytes, "--timer=busy", "--tstamp=receive", "--clock=wall", "--stats=none",
            "--wait=100ms", "-Q", *([] if cell.flood else ["-o", _RESULT]), address,
        ]  # fmt: skip

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        if cell.flood:
            return Report()
        return parse(json.loads((directory / _RESULT).read_text("utf-8")))


def parse(result: Any) -> Report:
    trips = [trip for trip in result["round_trips"] if "rtt" in trip.get("delay", {})]
    return Report(
        sent_ns=[trip["timestamps"]["client"]["send"]["wall"] for trip in trips],
        lags_ns=[trip["delay"]["send"] for trip in trips],
        round_trips_ns=[trip["delay"]["rtt"] for trip in trips],
        received=len(trips),
        lost=len(result["round_trips"]) - len(trips),
    )
