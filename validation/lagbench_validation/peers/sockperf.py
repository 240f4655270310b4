"""sockperf: round trips; it calls half of a round trip a latency. It waits by spinning."""

import re
import signal
from pathlib import Path

from lagbench_validation.peers.cells import PACED_PER_SECOND, Cell, Report
from lagbench_validation.peers.peer import Peer
from lagbench_validation.processes import Command, Failed

_ROUND_TRIPS = "round-trips.csv"


class Sockperf(Peer):
    name, package, programs = "sockperf", "sockperf", ("sockperf",)
    port = 11111
    end_signal = signal.SIGINT
    waits = "spin"
    overhead_s = 2.4

    def server(self, cell: Cell, address: str) -> Command:
        return ["sockperf", "sr", "-i", address, "-p", self.port, "--buffer-size", 4194304, *self._transport(cell)]

    def ready_port(self, cell: Cell) -> tuple[str, int]:
        return cell.transport, self.port

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        # In a flood over TCP this option turns Nagle's algorithm off, in spite of its name.
        flood = ["tp"] if cell.is_udp else ["tp", "--tcp-avoid-nodelay"]
        mode: list[object] = [*flood] if cell.flood else [
            "ul", "--mps", PACED_PER_SECOND, "--reply-every", 1, "--full-rtt", "--full-log", _ROUND_TRIPS,
        ]  # fmt: skip
        return ["sockperf", *mode, "-i", address, "-p", self.port, "-m", cell.packet_bytes, "-t", seconds,
                *self._transport(cell)]  # fmt: skip

    @staticmethod
    def _transport(cell: Cell) -> list[str]:
        return [] if cell.is_udp else ["--tcp"]

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        if cell.flood:
            return parse_throughput(server_output, client_output)
        return parse_round_trips((directory / _ROUND_TRIPS).read_text("ascii", "replace"))


def parse_throughput(server_output: str, client_output: str) -> Report:
    sent = re.search(r"Total of (\d+) messages sent", client_output)
    handled = re.search(r"Total (\d+) messages received and handled", server_output)
    if not sent or not handled:
        raise Failed("sockperf printed no totals")
    received = min(int(handled[1]), int(sent[1]))  # the server counts the warm-up too
    return Report(received=received, lost=int(sent[1]) - received)


def parse_round_trips(log: str) -> Report:
    """Reads a log, whose packets follow statistics and a heading."""
    _, heading, lines = log.partition("packet, txTime(sec), rxTime(sec), rtt(usec)\n")
    if not heading:
        raise Failed("sockperf's log has no packets")
    # sockperf's own statistics also omit the packets of the first and the last tenths of a second.
    packets = [line.split(",") for line in lines.splitlines() if line.count(",") == 3]
    return Report(
        sent_ns=[round(float(fields[1]) * 1e9) for fields in packets],
        own_clock=True,
        round_trips_ns=[round(float(fields[3]) * 1_000) for fields in packets],
        received=len(packets),
    )
