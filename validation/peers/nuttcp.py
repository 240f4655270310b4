"""nuttcp: rates and loss."""

import re

from cells import PACED_PER_SECOND, Failed, Report
from peer import Peer, at_least

_SMALLEST_BYTES_TCP = 32


class Nuttcp(Peer):
    name, package, programs = "nuttcp", "nuttcp", ("nuttcp",)
    port = 5600
    ends_alone = True
    waits = "spin"
    beside_s = 2.4

    def check(self, cell):
        if not cell.is_udp:
            at_least(cell, _SMALLEST_BYTES_TCP, "TCP")

    def server(self, cell, address):
        return ["nuttcp", "-S", "-1", "--nofork", "-P", self.port]

    def client(self, cell, address, seconds):
        of_transport = ["-u", "-w4m", "-ws4m"] if cell.is_udp else ["-D"]
        # u is no limit at all.
        return ["nuttcp", "-P", self.port, *of_transport, f"-l{cell.packet_bytes}",
                "-Ru" if cell.flood else f"-R{PACED_PER_SECOND}p", f"-T{seconds}", "-fparse", address]  # fmt: skip

    def report(self, cell, directory, server_said, client_said):
        return parse(cell, client_said)


def parse(cell, said):
    values = dict(re.findall(r"(\w+)=([\d.]+)", said))
    if "megabytes" not in values:
        raise Failed(said.strip() or "it printed nothing")
    received = round(float(values["megabytes"]) * 1024 * 1024 / cell.packet_bytes)
    return Report(received=received, lost=int(values["drop"]) if cell.is_udp else None)
