"""netperf: rates. Its latencies are round trips without a pace."""

import re
from pathlib import Path

from lagbench_validation.peers.cells import CannotDo, Cell, Report
from lagbench_validation.peers.peer import Peer
from lagbench_validation.processes import Command, Failed


class Netperf(Peer):
    name, programs = "netperf", ("netperf", "netserver")
    hint = "package netperf of Debian's section non-free"
    port = 12865

    def check(self, cell: Cell) -> None:
        if not cell.flood:
            raise CannotDo("it cannot pace packets")

    def server(self, cell: Cell, address: str) -> Command:
        return ["netserver", "-D", "-4", "-p", self.port]

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        options = ["-m", cell.packet_bytes, *(["-s", "4M", "-S", "4M"] if cell.is_udp else ["-D"])]
        return ["netperf", "-4", "-H", address, "-p", self.port, "-P", 0, "-t", f"{cell.transport.upper()}_STREAM",
                "-l", seconds, "--", *options]  # fmt: skip

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        return parse(cell, client_output)


def parse(cell: Cell, output: str) -> Report:
    """For UDP two lines, for the sent and the received packets: buffer, packet size, seconds, packets, errors and rate;
    then buffer, seconds, packets and rate. For TCP one line, with the rate in 10^6 bit/s after buffers, size and
    seconds."""
    lines = [
        fields
        for fields in map(str.split, output.splitlines())
        if fields and re.fullmatch(r"[\d.\s]+", " ".join(fields))
    ]
    if cell.is_udp and [len(fields) for fields in lines] == [6, 4]:
        sent, received = int(lines[0][3]), int(lines[1][2])
        return Report(received=received, lost=sent - received)
    if not cell.is_udp and [len(fields) for fields in lines] == [5]:
        return Report(received=round(float(lines[0][4]) * 1e6 / 8 * float(lines[0][3]) / cell.packet_bytes))
    raise Failed("netperf printed no result")
