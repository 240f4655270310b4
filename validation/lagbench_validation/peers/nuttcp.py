"""nuttcp: rates and loss."""

import re
from pathlib import Path

from lagbench_validation.peers.cells import PACED_PER_SECOND, Cell, Report
from lagbench_validation.peers.peer import Peer, at_least
from lagbench_validation.processes import Command, Failed

_SMALLEST_BYTES_TCP = 32


class Nuttcp(Peer):
    name, package, programs = "nuttcp", "nuttcp", ("nuttcp",)
    port = 5600
    ends_alone = True
    waits = "spin"
    overhead_s = 2.4

    def check(self, cell: Cell) -> None:
        if not cell.is_udp:
            at_least(cell, _SMALLEST_BYTES_TCP, "TCP")

    def server(self, cell: Cell, address: str) -> Command:
        return ["nuttcp", "-S", "-1", "--nofork", "-P", self.port]

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        of_transport = ["-u", "-w4m", "-ws4m"] if cell.is_udp else ["-D"]
        # -Ru sets no limit of the rate.
        return ["nuttcp", "-P", self.port, *of_transport, f"-l{cell.packet_bytes}",
                "-Ru" if cell.flood else f"-R{PACED_PER_SECOND}p", f"-T{seconds}", "-fparse", address]  # fmt: skip

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        return parse(cell, client_output)


def parse(cell: Cell, output: str) -> Report:
    values = dict(re.findall(r"(\w+)=([\d.]+)", output))
    if "megabytes" not in values:
        raise Failed(output.strip() or "nuttcp printed nothing")
    received = round(float(values["megabytes"]) * 1024 * 1024 / cell.packet_bytes)
    return Report(received=received, lost=int(values["drop"]) if cell.is_udp else None)
