"""MGEN: one-way delays in µs from the receiver's log."""

import re

from cells import PACED_PER_SECOND, Failed, Report
from ditg import day_report
from peer import Peer, at_least

_LOG = "received.log"
_SMALLEST_BYTES = {"udp": 28, "tcp": 76}

# Without end (-1) it never comes to the event that ends it; nor with more than this, it being late for each.
_FLOOD_PER_SECOND = 500_000
_PACKET = re.compile(
    r"^(\d+):(\d+):(\d+)\.(\d{6}) RECV .* sent>(\d+):(\d+):(\d+)\.(\d{6}) ", re.MULTILINE
)  # fmt: skip


class Mgen(Peer):
    name, package, programs = "MGEN", "mgen", ("mgen",)
    port = 5000

    def check(self, cell):
        at_least(cell, _SMALLEST_BYTES[cell.transport], cell.transport.upper())

    def server(self, cell, address):
        log = ["nolog"] if cell.flood else ["output", _LOG]
        return ["mgen", "event", f"LISTEN {cell.transport.upper()} {self.port}", "rxbuffer", 4194304, *log]

    def ready_port(self, cell):
        return cell.transport, self.port

    def client(self, cell, address, seconds):
        rate = _FLOOD_PER_SECOND if cell.flood else PACED_PER_SECOND
        return [
            "mgen", "event", f"ON 1 {cell.transport.upper()} DST {address}/{self.port} PERIODIC"
            f" [{rate} {cell.packet_bytes}]", "event", f"{seconds:.1f} OFF 1", "nolog",
        ]  # fmt: skip

    def report(self, cell, directory, server_said, client_said):
        if cell.flood:
            return Report()
        with open(f"{directory}/{_LOG}", encoding="ascii", errors="replace") as log:
            return parse(log.read())


def parse(log):
    """Each line has first when the packet came, then when it was sent."""
    times = [list(map(int, found)) for found in _PACKET.findall(log)]
    if not times:
        raise Failed("its log has no packets")
    return day_report([at[4:] + at[:4] for at in times])
