"""iperf3: rates and loss. Its only delay is TCP's mean round trip."""

import json
from pathlib import Path

from lagbench_validation.peers.cells import PACED_PER_SECOND, Cell, Report
from lagbench_validation.peers.peer import Peer
from lagbench_validation.processes import Command, Failed


class Iperf3(Peer):
    name, package, programs = "iperf3", "iperf3", ("iperf3",)
    port = 5201
    ends_alone = True

    def server(self, cell: Cell, address: str) -> Command:
        return ["iperf3", "-s", "-1", "-B", address]

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        rate = 0 if cell.flood else PACED_PER_SECOND * cell.packet_bytes * 8
        of_transport = ["-u", "-w", "4M"] if cell.is_udp else ["-N"]
        return [
            "iperf3", "-c", address, *of_transport, "-b", rate, "--pacing-timer", 50, "-l", cell.packet_bytes,
            "-t", seconds, "-J",
        ]  # fmt: skip

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        result = json.loads(client_output)
        # iperf3 exits with 0 despite an error.
        if "error" in result:
            raise Failed(result["error"])
        if cell.is_udp:
            total = result["end"]["sum"]
            return Report(received=total["packets"] - total["lost_packets"], lost=total["lost_packets"])
        return Report(received=result["end"]["sum_received"]["bytes"] // cell.packet_bytes)
