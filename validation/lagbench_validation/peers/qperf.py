"""qperf: rates. Its latencies are half of a ping-pong's round trip, without a pace."""

import re
from pathlib import Path

from lagbench_validation.peers.cells import CannotDo, Cell, Report
from lagbench_validation.peers.peer import Peer
from lagbench_validation.processes import Command, Failed


class Qperf(Peer):
    name, package, programs = "qperf", "qperf", ("qperf",)
    port = 19765

    def check(self, cell: Cell) -> None:
        if not cell.flood:
            raise CannotDo("it cannot pace packets")

    def kind(self, cell: Cell) -> str:
        return "flood" if cell.is_udp else "flood nagle"

    def server(self, cell: Cell, address: str) -> Command:
        return ["qperf"]

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        return ["qperf", address, "-t", seconds, "-m", cell.packet_bytes, "-sb", "4m", "-uu", "-vv",
                f"{cell.transport}_bw"]  # fmt: skip

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        return parse(client_output)


def parse(output: str) -> Report:
    counts = dict(re.findall(r"^\s*(\w+_msgs)\s*=\s*(\d+)\s*$", output.replace(",", ""), re.MULTILINE))
    if "recv_msgs" not in counts:
        raise Failed("qperf's output has no counts")
    received = int(counts["recv_msgs"])
    return Report(received=received, lost=max(0, int(counts["send_msgs"]) - received))
