"""lagbench itself, as a user starts it: its receiver on one side, its sender on the other."""

import json
import os
import re
import time

import capture
from cells import INTERVAL_US, SETTLING_S, CannotDo, Report
from namespaces import ADDRESSES
from peer import CONTROL, PORT, Peer

RECEIVE_BUFFER = "4MiB"
_RUN = "run"
_FIRST_FLOOD_PER_SECOND = 300_000
_WARM_UP_PACKETS = 10_000  # the default of experiments
_WARM_UP_PACKETS_FLOOD = 200_000
_RECORDING = re.compile(r"^recording in (\d+)ns$", re.MULTILINE)

_APART = " apart"  # in the names of rows

# How it waits in paced cells, and what it is set to in floods, by the rows' names.
PACED_WAYS = ("sleep", "sleep" + _APART, "hybrid", "spin", "spin" + _APART)
_FLOODS = {
    "udp": {
        "flood": {},
        "flood channel": {"calls": "channel"},
        "flood batch": {"batch": "32", "busy-poll": "1ms"},
        "flood offload": {"batch": "64", "offload": "on"},
    },
    "tcp": {
        "flood": {},
        "flood channel": {"calls": "channel"},
        "flood batch": {"batch": "64"},
        "flood nagle": {"no-delay": "false"},
    },
}
FLOOD_WAYS = tuple(dict.fromkeys(way for ways in _FLOODS.values() for way in ways))
# Against which kind of the others' programs a way stands that is not of that kind itself: one that none of them waits in
# stands against none, and floods by other calls stand beside the plain one against all that flood.
_RIVALS = {
    "hybrid": None,
    "sleep" + _APART: None,
    "spin" + _APART: None,
    "flood channel": "flood",
    "flood batch": "flood",
    "flood offload": "flood",
}


def every_row(home, key):
    """Each implementation, waiting in each of its ways."""
    waits = (*PACED_WAYS, *FLOOD_WAYS)
    return [Lagbench(home, key, implementation, way) for way in waits for implementation in ("java", "c")]


class Lagbench(Peer):
    """One of its implementations, waiting in one of its ways."""

    protocol, port = "tcp", PORT
    beside_s = 2.4

    def __init__(self, home, key, implementation, waits):
        self._home = home
        self._key = key
        self._program = implementation
        self.implementation = implementation
        self.waits = waits
        self.apart = waits.endswith(_APART)
        self._flood_per_second = {}
        self._begun_ns = None
        self.name = f"{implementation} {waits}"

    def control(self):
        """The same in a row of its own: how it compares to itself tells what of other comparisons is chance."""
        again = Lagbench(self._home, self._key, self._program, self.waits)
        again.implementation = CONTROL
        again.name = f"{CONTROL} {self.waits}"
        return again

    def missing(self):
        return None

    def check(self, cell):
        if self.waits not in (_FLOODS[cell.transport] if cell.flood else PACED_WAYS):
            raise CannotDo(f"{self.waits} is of other cells")

    def kind(self, cell):
        return self.waits

    def rivals(self, cell):
        return _RIVALS.get(self.waits, self.waits)

    def server(self, cell, address):
        self._begun_ns = None
        return [self._script("receiver"), "--listen", f"{ADDRESSES['b']}:{PORT}", "--key-file", self._key,
                "--directory", "received", "--runs", 1, "--end-with-stdin"]  # fmt: skip

    def client(self, cell, address, seconds):
        per_second = 1e6 / INTERVAL_US
        if cell.flood:
            per_second = self._flood_per_second.get(cell, _FIRST_FLOOD_PER_SECOND)
        settings = {"receive-buffer": RECEIVE_BUFFER} if cell.is_udp else {}
        settings.update(_FLOODS[cell.transport].get(self.waits, {}))
        return [
            self._script("sender"), "--receiver", f"{address}:{PORT}", "--key-file", self._key, "--directory", ".",
            "--name", _RUN, "--implementation", self._program,
            "--transport", cell.transport, "--packet-bytes", cell.packet_bytes, "--packets", round(per_second * (seconds - SETTLING_S)),
            "--pace", "flood" if cell.flood else f"{self.waits.removesuffix(_APART)}:{INTERVAL_US}us", "--observe", "nothing",
            "--warm-up-packets", _WARM_UP_PACKETS_FLOOD if cell.flood else _WARM_UP_PACKETS, "--drain", "200ms",
            *(part for name, value in settings.items() for part in ("--set", f"{name}={value}")),
        ]  # fmt: skip

    def begun_ns(self, said, flowing_since_ns):
        if self._begun_ns is None and (found := _RECORDING.search(said())):
            self._begun_ns = time.time_ns() + int(found[1])
        return self._begun_ns

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
        return os.path.join(self._home, "scripts", name)


def read(record, sent, received, with_lags):
    count = len(received["seq"])
    threads_ns = [record[side]["facts"].get("packetThreadCpuNs") for side in ("sender", "receiver")]
    report = Report(
        received=count,
        lost=len(sent["seq"]) - count,
        packet_threads_ns=sum(threads_ns) / count if None not in threads_ns else None,
        begin_ns=sent["sent_ns"][0],
        end_ns=sent["sent_ns"][-1],
    )
    if with_lags:
        all_sent_ns = sent["sent_ns"]
        report.sent_ns = [all_sent_ns[sequence] for sequence in received["seq"]]
        report.lags_ns = [at - sent_ns for at, sent_ns in zip(received["received_ns"], report.sent_ns)]
    return report
