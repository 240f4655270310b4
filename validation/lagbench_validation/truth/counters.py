"""Compares lagbench's available bandwidth by counters with the rate that a flow leaves on an emulated link."""

from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.processes import Failed, run

_SECONDS_MAX = 300

_LINK_MBIT = 10
_PACKET_BYTES = 1_000

# Overhead of a UDP payload on the wire: headers of UDP, IP and Ethernet, preamble, FCS and interpacket gap.
_WIRE_BYTES = 66

_SOURCES = ("kernel", "snmp")

# The columns of lagbench's table after the name: truth, estimate and error before the flow and with it.
_BEFORE, _AFTER = 1, 4

ERROR_MAX = 0.05  # as a share of the truth


@dataclass(frozen=True)
class CountedFlow:
    """A flow that begins on a link while the link's counters are read."""

    mbit: int

    @property
    def title(self) -> str:
        return f"bandwidth by counters: {_LINK_MBIT} Mbit/s, a flow of {self.mbit} Mbit/s"

    @property
    def truth_mbit(self) -> float:
        """Returns the rate that the flow leaves, framing included."""
        return _LINK_MBIT - self.mbit * (_PACKET_BYTES + _WIRE_BYTES) / _PACKET_BYTES

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Estimates the bandwidth. Returns the result as text, and the failed requirements."""
        network = work / f"counted-{self.mbit}.yaml"
        flow = f"{{rate: {self.mbit}mbit, packet-bytes: {_PACKET_BYTES}, start: 6s}}"
        network.write_text(f"{{topology: dumbbell, rate: {_LINK_MBIT}mbit, edge-rate: 100mbit, flows: [{flow}]}}\n")
        command = [home / "scripts" / "lagbench", "bandwidth", network, "--for=30s", f"--source={','.join(_SOURCES)}"]
        return self.judge(run(command, timeout_s=_SECONDS_MAX))

    def judge(self, table: str) -> tuple[str, list[str]]:
        """Returns the result as text, and the failed requirements."""
        found = []
        wrong = []
        for source in _SOURCES:
            cells = _cells(table, f"{source} average")
            for column, truth in ((_BEFORE, float(_LINK_MBIT)), (_AFTER, self.truth_mbit)):
                text = cells[column]
                found.append(f"{source} {text} of {truth:.3f}")
                if not abs(float(text) / truth - 1) <= ERROR_MAX:
                    wrong.append(f"{found[-1]} Mbit/s")
        return f"{self.title}: {', '.join(found)} Mbit/s", wrong


def _cells(table: str, name: str) -> list[str]:
    """Returns the cells of the row with a name."""
    for line in table.splitlines():
        if line.strip().startswith(name):
            return line.strip().removeprefix(name).split()
    raise Failed(f"lagbench bandwidth prints no row {name}")


def counted_flows() -> list[CountedFlow]:
    """Returns all cases. `--smoke` skips them."""
    return [CountedFlow(mbit) for mbit in (2, 6, 8)]
