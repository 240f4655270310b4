"""lagbench itself, as a user starts it: its receiver on one side, its sender on the other."""

import json
import os

import capture
from cells import INTERVAL_US, CannotDo, Report
from namespaces import ADDRESSES
from peer import PORT, Peer

CAUSES_BYTES = 24
RECEIVE_BUFFER = "4MiB"
_RUN = "run"
_FIRST_FLOOD_PER_SECOND = 300_000
_WARM_UP_PACKETS = 10_000
_WARM_UP_PACKETS_FLOOD = 200_000


class Lagbench(Peer):
    """One of its implementations, waiting in one of its ways, recording the stamps alone or causes as well."""

    protocol, port = "tcp", PORT
    ends_alone = True

    def __init__(self, home, key, implementation, waits, observe="nothing"):
        self._scripts = os.path.join(home, "scripts")
        self._key = key
        self._observe = observe
        self.implementation = implementation
        self.waits = waits
        self._flood_per_second = {}
        self._unavailable = None
        self.name = f"{implementation} {waits}" + ("" if observe == "nothing" else f" +{observe}")

    def lacks(self, why):
        """Says that this build cannot run it."""
        self._unavailable = why

    @property
    def records_causes(self):
        return self._observe == "causes"

    def missing(self):
        return self._unavailable

    def check(self, cell):
        if self.records_causes and cell.packet_bytes != CAUSES_BYTES:
            raise CannotDo(f"what causes cost is measured with {CAUSES_BYTES} bytes alone")
        kinds = (["flood"] if cell.is_udp else ["flood", "flood nagle"]) if cell.flood else ["sleep", "hybrid", "spin"]
        if self.waits not in kinds:
            raise CannotDo(f"{self.waits} is of other cells")

    def kind(self, cell):
        return self.waits

    def server(self, cell, address):
        return [self._script("receiver"), "--listen", f"{ADDRESSES['b']}:{PORT}", "--key-file", self._key,
                "--directory", "received", "--runs", 1, "--end-with-stdin"]  # fmt: skip

    def client(self, cell, address, seconds):
        per_second = self._flood_per_second.get(cell, _FIRST_FLOOD_PER_SECOND) if cell.flood else 1e6 / INTERVAL_US
        pace = "flood" if cell.flood else f"{self.waits}:{INTERVAL_US}us"
        # A build without another implementation does not know the option.
        implementation = [] if self.implementation == "java" else ["--implementation", self.implementation]
        settings = ["--set", f"receive-buffer={RECEIVE_BUFFER}"] if cell.is_udp else []
        if self.waits == "flood nagle":
            settings = ["--set", "no-delay=false"]
        return [
            self._script("sender"), "--receiver", f"{address}:{PORT}", "--key-file", self._key, "--directory", ".",
            "--name", _RUN, "--transport", cell.transport, "--packet-bytes", cell.packet_bytes,
            "--packets", round(per_second * seconds), "--pace", pace, "--observe", self._observe, "--drain", "200ms",
            "--warm-up-packets", _WARM_UP_PACKETS_FLOOD if cell.flood else _WARM_UP_PACKETS, *settings, *implementation,
        ]  # fmt: skip

    def report(self, cell, directory, server_said, client_said):
        with open(os.path.join(directory, _RUN, "run.json"), encoding="utf-8") as file:
            record = json.load(file)
        sent = capture.read(os.path.join(directory, _RUN, "sender.npy"))
        received = capture.read(os.path.join(directory, _RUN, "receiver.npy"))
        report = read(record, sent, received, with_lags=not cell.flood)
        if cell.flood:
            self._flood_per_second[cell] = len(sent["seq"]) / (report.end_ns - report.begin_ns) * 1e9
        return report

    def _script(self, name):
        return os.path.join(self._scripts, name)


def read(record, sent, received, with_lags):
    count = len(received["seq"])
    lags_ns = None
    if with_lags:
        sent_ns = sent["sent_ns"]
        lags_ns = [at - sent_ns[sequence] for sequence, at in zip(received["seq"], received["received_ns"])]
    threads_ns = [record[side]["facts"].get("packetThreadCpuNs") for side in ("sender", "receiver")]
    return Report(
        lags_ns=lags_ns,
        received=count,
        lost=len(sent["seq"]) - count,
        packet_threads_ns=sum(threads_ns) / count if None not in threads_ns else None,
        begin_ns=sent["sent_ns"][0],
        end_ns=sent["sent_ns"][-1],
    )
