"""irtt: round trips and, with its server's stamps, one-way delays. Waits by looking at the clock without pause."""

import json

from cells import INTERVAL_US, CannotDo, Report
from peer import Peer, at_least

_RESULT = "irtt.json"
_SMALLEST_BYTES = 60


class Irtt(Peer):
    name, package, programs = "irtt", "irtt", ("irtt",)
    protocol, port = "udp", 2112
    waits = "spin"

    def check(self, cell):
        if not cell.is_udp:
            raise CannotDo("it has UDP alone")
        at_least(cell, _SMALLEST_BYTES, "this kind")

    def server(self, cell, address):
        return ["irtt", "server", "-b", address, "-i", "0"]

    def client(self, cell, address, seconds):
        return [
            "irtt", "client", "-i", "1us" if cell.flood else f"{INTERVAL_US}us", "-d", f"{seconds}s",
            "-l", cell.packet_bytes, "--timer=busy", "--tstamp=receive", "--clock=wall", "--stats=none",
            "--wait=100ms", "-Q", *([] if cell.flood else ["-o", _RESULT]), address,
        ]  # fmt: skip

    def report(self, cell, directory, server_said, client_said):
        if cell.flood:
            return Report()
        with open(f"{directory}/{_RESULT}", encoding="utf-8") as result:
            return parse(json.load(result))


def parse(result):
    trips = [trip for trip in result["round_trips"] if "rtt" in trip.get("delay", {})]
    return Report(
        sent_ns=[trip["timestamps"]["client"]["send"]["wall"] for trip in trips],
        lags_ns=[trip["delay"]["send"] for trip in trips],
        round_trips_ns=[trip["delay"]["rtt"] for trip in trips],
        received=len(trips),
        lost=len(result["round_trips"]) - len(trips),
    )
