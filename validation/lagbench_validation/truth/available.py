"""Compares lagbench's available bandwidth and IP-layer capacity with the true values of emulated links."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagbench_validation.processes import ANY_LOAD, run

_SECONDS_MAX = 900

# Overhead of a UDP payload in an IP packet, and on the wire: with Ethernet header, preamble, FCS and interpacket gap.
_IP_BYTES = 28
_WIRE_BYTES = 66

# The payload of lagbench's datagrams, and of the competing flow's.
_PROBE_BYTES = 1_200
_COMPETING_BYTES = 1_000

ERROR_MAX = 0.1  # as a share of the link's rate


@dataclass(frozen=True)
class SharedLink:
    """An emulated link, and the share of its rate that a competing flow uses."""

    rate_mbit: int
    competing_percent: int
    capacity: bool = False  # whether to measure the IP-layer capacity

    @property
    def title(self) -> str:
        what = "IP-layer capacity" if self.capacity else "available bandwidth"
        return f"{what}: {self.rate_mbit} Mbit/s, {self.competing_percent} % competing"

    @property
    def truth_bits_per_s(self) -> float:
        """Returns the rate that the competing flow leaves for lagbench's IP packets."""
        share = (_PROBE_BYTES + _IP_BYTES) / (_PROBE_BYTES + _WIRE_BYTES)
        return self.rate_mbit * 1e6 * (1 - self.competing_percent / 100) * share

    @property
    def lab(self) -> str:
        """Returns the description of the network."""
        payload = self.rate_mbit * 1e6 * self.competing_percent / 100 * _COMPETING_BYTES
        rate_kbit = round(payload / (_COMPETING_BYTES + _WIRE_BYTES) / 1e3)
        flows = f"flows: [{{rate: {rate_kbit}kbit, packet-bytes: {_COMPETING_BYTES}}}]" if rate_kbit else "flows: []"
        return f"{{topology: dumbbell, rate: {self.rate_mbit}mbit, delay: 5ms, {flows}}}"

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Measures the link. Returns the result as text, and the failed requirements."""
        directory = work / f"shared-{self.rate_mbit}-{self.competing_percent}-{self.capacity}"
        directory.mkdir()
        option = "--udp" if self.capacity else "--available"
        command = [home / "scripts" / "lagbench", "capacity", option, "--set", f"lab={self.lab}", *ANY_LOAD]
        run(command, directory=directory, timeout_s=_SECONDS_MAX)
        (found,) = directory.glob("results/*/capacity.json")
        return self.judge(json.loads(found.read_text()))

    def judge(self, found: Any) -> tuple[str, list[str]]:
        """Returns the result as text, and the failed requirements."""
        rate = found["bitsPerS"]
        value, low, high = (rate[name] for name in ("value", "low", "high"))
        if value is None or low is None or high is None:
            return self.title, [f"the rate is not bounded: {low} to {high} bit/s"]
        error = (value - self.truth_bits_per_s) / (self.rate_mbit * 1e6)
        text = (
            f"{self.title}: {value / 1e6:.2f} ({low / 1e6:.2f} to {high / 1e6:.2f}) Mbit/s of IP packets,"
            f" true {self.truth_bits_per_s / 1e6:.2f}, {error:+.1%} of the link, {found['bytes'] / 1e6:.1f} MB"
        )
        return text, [f"{error:+.1%} of the link off"] if abs(error) > ERROR_MAX else []


def shared_links() -> list[SharedLink]:
    """Returns all cases. `--smoke` skips them."""
    available = [SharedLink(rate, percent) for rate in (10, 100) for percent in (0, 20, 40, 60, 80)]
    return [*available, SharedLink(10, 0, capacity=True), SharedLink(100, 0, capacity=True)]
