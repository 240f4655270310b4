"""qperf: rates. Its latencies are half of a ping-pong's round trip, at no pace of their own."""

import re

from cells import CannotDo, Failed, Report
from peer import Peer


class Qperf(Peer):
    name, package, programs = "qperf", "qperf", ("qperf",)
    port = 19765

    def check(self, cell):
        if not cell.flood:
            raise CannotDo("it has no pace")

    def kind(self, cell):
        return "flood" if cell.is_udp else "flood nagle"

    def server(self, cell, address):
        return ["qperf"]

    def client(self, cell, address, seconds):
        return ["qperf", address, "-t", seconds, "-m", cell.packet_bytes, "-sb", "4m", "-uu", "-vv",
                f"{cell.transport}_bw"]  # fmt: skip

    def report(self, cell, directory, server_said, client_said):
        return parse(client_said)


def parse(said):
    counts = dict(re.findall(r"^\s*(\w+_msgs)\s*=\s*(\d+)\s*$", said.replace(",", ""), re.MULTILINE))
    if "recv_msgs" not in counts:
        raise Failed("no counts in what it printed")
    received = int(counts["recv_msgs"])
    return Report(received=received, lost=max(0, int(counts["send_msgs"]) - received))
