"""MGEN: one-way delays in µs from the receiver's log."""

import re
from pathlib import Path

from lagbench_validation.peers.cells import PACED_PER_SECOND, Cell, Report
from lagbench_validation.peers.ditg import day_report
from lagbench_validation.peers.peer import Peer, at_least
from lagbench_validation.processes import Command, Failed

_LOG = "received.log"
_SMALLEST_BYTES = {"udp": 28, "tcp": 76}

# Without a limit (-1) MGEN never reaches the event that ends it; nor with a higher rate, because it is late for each
# packet.
_FLOOD_PER_SECOND = 500_000
_PACKET = re.compile(
    r"^(\d+):(\d+):(\d+)\.(\d{6}) RECV .* sent>(\d+):(\d+):(\d+)\.(\d{6}) ", re.MULTILINE
)  # fmt: skip


class Mgen(Peer):
    name, package, programs = "MGEN", "mgen", ("mgen",)
    port = 5000

    def check(self, cell: Cell) -> None:
        at_least(cell, _SMALLEST_BYTES[cell.transport], cell.transport.upper())

    def server(self, cell: Cell, address: str) -> Command:
        log = ["nolog"] if cell.flood else ["output", _LOG]
        return ["mgen", "event", f"LISTEN {cell.transport.upper()} {self.port}", "rxbuffer", 4194304, *log]

    def ready_port(self, cell: Cell) -> tuple[str, int]:
        return cell.transport, self.port

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        rate = _FLOOD_PER_SECOND if cell.flood else PACED_PER_SECOND
        return [
            "mgen", "event", f"ON 1 {cell.transport.upper()} DST {address}/{self.port} PERIODIC"
            f" [{rate} {cell.packet_bytes}]", "event", f"{seconds:.1f} OFF 1", "nolog",
        ]  # fmt: skip

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        if cell.flood:
            return Report()
        return parse((directory / _LOG).read_text("ascii", "replace"))


def parse(log: str) -> Report:
    """Reads a log, whose lines have the received time and then the sent time."""
    times = [list(map(int, found)) for found in _PACKET.findall(log)]
    if not times:
        raise Failed("MGEN's log has no packets")
    return day_report([at[4:] + at[:4] for at in times])
