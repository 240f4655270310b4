"""What Java programs hold, round after round, and whether it grows."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lagbench_validation import slopes
from lagbench_validation.processes import Failed, run

_JCMD_S = 120
_MIB = 1 << 20

# Values before this share of the time do not count: code is compiled and caches are filled.
WARM_UP = 0.2
# A quantity is flat if its 95 % interval lies below this rise per hour; it grows if the interval lies above.
RISES = {
    "descriptors": 4.0,
    "threads": 2.0,
    "heap MiB": 4.0,
    "native MiB": 8.0,
    "RSS MiB": 16.0,
}
LEFT_RISE = 1.0  # for the other quantities: what programs left on the machine


def _of_process(pid: int) -> Iterator[tuple[str, float]]:
    """Yields what a Java process holds, after a collection of its heap."""
    process = Path("/proc", str(pid))
    classes = run(["jcmd", pid, "GC.class_histogram"], timeout_s=_JCMD_S)
    native = run(["jcmd", pid, "VM.native_memory", "summary"], timeout_s=_JCMD_S)
    status = (process / "status").read_text()
    yield "descriptors", len(list((process / "fd").iterdir()))
    yield "threads", int(_found(r"^Threads:\s+(\d+)", status))
    yield "heap MiB", int(_found(r"^Total\s+\d+\s+(\d+)", classes)) / _MIB
    committed = int(_found(r"^Total: .*committed=(\d+)KB", native))
    yield "native MiB", (committed - int(_found(r"Java Heap .*committed=(\d+)KB", native))) / 1024
    yield "RSS MiB", int(_found(r"^VmRSS:\s+(\d+)", status)) / 1024


def _found(pattern: str, text: str) -> str:
    if (found := re.search(pattern, text, re.MULTILINE)) is None:
        raise Failed(f"nothing matches {pattern}: {text[:200]}")
    return found[1]


@dataclass
class Account:
    """The values of all quantities after each round, and the findings."""

    hours: list[float] = field(default_factory=list)
    values: dict[str, list[float]] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    endings: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, hours: float, machine: Iterable[tuple[str, list[str]]], processes: Mapping[str, int]) -> None:
        """Adds a round: the leftovers of ended programs by kind, and the resources of the processes that run
        throughout."""
        row: dict[str, float] = {}
        for what, left in machine:
            row[what] = len(left)
            if len(left) > (self.values[what][-1] if what in self.values else 0):
                self.findings.append(f"round {len(self.hours) + 1}: {what}: {', '.join(left)[-300:]}")
        for name, pid in processes.items():
            row |= {f"{name}: {what}": value for what, value in _of_process(pid)}
        for what, value in row.items():
            self.values.setdefault(what, []).append(value)
        self.hours.append(hours)

    def judge(self) -> Mapping[str, tuple[slopes.Slope, str]]:
        """Returns the slope of each quantity per hour, and whether it is flat, grows, or is undecided."""
        if not self.hours:
            return {}
        begin = self.hours[-1] * WARM_UP
        kept = [i for i, hours in enumerate(self.hours) if hours >= begin]
        judged = {}
        for what, values in self.values.items():
            slope = slopes.fit([self.hours[i] for i in kept], [values[i] for i in kept])
            rise = RISES.get(what.partition(": ")[2], LEFT_RISE)
            judged[what] = slope, "flat" if slope.high <= rise else "grows" if slope.low > rise else "undecided"
        return judged

    def print(self) -> bool:
        """Prints the table; returns whether nothing grows and nothing was found."""
        judged = self.judge()
        print(f"\n{'use':24} {'fault':22} exit codes")
        for (use, fault), codes in sorted(self.endings.items()):
            print(f"{use:24} {fault:22} {' '.join(codes)}")
        print(f"\n{'quantity':38} {'first':>9} {'last':>9} {'slope per hour, 95 % interval':>36} {'blocks':>6}")
        for what, (slope, verdict) in judged.items():
            values = self.values[what]
            interval = "too few values" if slope.half_width == float("inf") else f"{slope.low:.2f} to {slope.high:.2f}"
            print(
                f"{what:38} {values[0]:9.1f} {values[-1]:9.1f} {slope.value:+12.2f} ({interval:>21}) "
                f"{slope.blocks:6}  {verdict}"
            )
        for finding in self.findings:
            print(f"finding: {finding}")
        verdicts = [verdict for _, verdict in judged.values()]
        flat, grows = verdicts.count("flat"), verdicts.count("grows")
        hours = self.hours[-1] if self.hours else 0.0
        print(f"{len(self.hours)} rounds in {hours:.2f} hours: {flat} of {len(verdicts)} quantities flat, "
              f"{grows} grow, {len(self.findings)} findings")  # fmt: skip
        return bool(verdicts) and grows == 0 and not self.findings
