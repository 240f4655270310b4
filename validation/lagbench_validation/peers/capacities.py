"""Compares the rates that lagbench, the Network Weather Service's formula and iperf3 measure over emulated paths."""

import json
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagbench_validation.peers.lab import Lab
from lagbench_validation.processes import ANY_LOAD, Failed, Program, run

_IPERF3_PORT = 5201
_IPERF3_S = 10
_START_S = 60
_SECONDS_MAX = 300

# The TCP payload of a full Ethernet frame, and the frame's bytes on the wire with preamble, FCS and interpacket gap.
SEGMENT_BYTES = 1_448
FRAME_BYTES = 1_538

# The Network Weather Service's parameters: 64 KiB in pieces of 16 KiB with buffers of 32 KiB.
_NWS = ("transfer-bytes=65536", "packet-bytes=16384", "tcp.send-buffer=32KiB", "tcp.receive-buffer=32KiB")


@dataclass(frozen=True)
class _Path:
    rtt_ms: int
    rate_mbit: int

    @property
    def network(self) -> str:
        return f"{{rate: {self.rate_mbit}mbit, delay: {self.rtt_ms * 500}us}}"

    @property
    def payload_bits_per_s(self) -> float:
        return self.rate_mbit * 1e6 * SEGMENT_BYTES / FRAME_BYTES


@dataclass(frozen=True)
class _Measured:
    method: str
    sent_bytes: int
    bits_per_s: float | None  # None if the program reports none


_PATHS = (_Path(10, 20), _Path(50, 20), _Path(20, 100), _Path(100, 50))


def compare_capacities(home: Path, work: Path) -> None:
    """Measures all paths with each method, and prints a table."""
    print(f"{'path':24} {'method':18} {'bytes':>12} {'Mbit/s':>9} {'error':>8}", flush=True)
    for path in _PATHS:
        name = f"{path.rtt_ms} ms, {path.rate_mbit} Mbit/s"
        for measured in _measure(path, home, work / f"{path.rtt_ms}-{path.rate_mbit}"):
            rate, error = "unknown", ""
            if measured.bits_per_s is not None:
                rate = f"{measured.bits_per_s / 1e6:.2f}"
                error = f"{measured.bits_per_s / path.payload_bits_per_s - 1:+.1%}"
            print(f"{name:24} {measured.method:18} {measured.sent_bytes:12,} {rate:>9} {error:>8}", flush=True)


def _measure(path: _Path, home: Path, work: Path) -> Iterator[_Measured]:
    work.mkdir()
    lagbench = home / "scripts" / "lagbench"
    lab = ["--set", f"lab={path.network}"]
    run([lagbench, "capacity", *lab, *ANY_LOAD], directory=work, timeout_s=_SECONDS_MAX)
    found = _only(work, "results/*/capacity.json")
    yield _Measured("lagbench capacity", found["bytes"], (found["bitsPerS"] or {}).get("value"))

    (work / "nws.yaml").write_text(
        "transports: tcp\ntraffic: transfer\ntransfers: 10\nengine: c\nobserve: none\nwarm-up-packets: 4\n"
    )
    options = [word for key in _NWS for word in ("--set", key)]
    command = [lagbench, "sweep", "nws.yaml", "--quiet", "--no-report", "--output", "nws", *options, *lab]
    run(command, directory=work, timeout_s=_SECONDS_MAX)
    metrics = _only(work, "nws/*/summary.json")["points"][0]["metrics"]
    rate_mbit = metrics["throughput.latencySubtracted"]
    yield _Measured("NWS's formula", metrics["transfers.transferBytes"], rate_mbit * 1e6)

    with Lab(home, work, path.network) as network:
        report = iperf3(network, work, "-t", _IPERF3_S)
    yield _Measured(f"iperf3, {_IPERF3_S} s", report["sum_sent"]["bytes"], report["sum_received"]["bits_per_second"])


def iperf3(lab: Lab, work: Path, *options: object) -> Any:
    """Returns the end of iperf3's report on a TCP connection from the sender's host to the receiver's."""
    server = Program("iperf3 -s", lab.command("receiver", "iperf3", "-s", "-1", "--forceflush"), directory=work)
    try:
        server.await_text(f"listening on {_IPERF3_PORT}", _START_S)
        command = ["iperf3", "-c", lab.address("receiver"), *options, "-J"]
        report = json.loads(run(lab.command("sender", *command), timeout_s=_SECONDS_MAX))
    finally:
        server.end(signal.SIGINT)
    if "error" in report:  # iperf3 exits with 0 despite an error
        raise Failed(report["error"])
    return report["end"]


def _only(directory: Path, pattern: str) -> Any:
    (found,) = directory.glob(pattern)
    return json.loads(found.read_text())
