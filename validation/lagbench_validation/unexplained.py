"""Measures how much of the tail lagbench leaves unexplained; scripts/validate disturbances --unexplained starts it."""

import json
import os
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from lagbench_validation.processes import Program, run

_SECONDS_MAX = 300
_NEIGHBOR = ("sh", "-c", "while :; do :; done")

# The goals of the share of the excess above Q99 that no event covers.
SHARE_MAX_ROOT, SHARE_MAX_USER = 0.10, 0.20


@dataclass(frozen=True)
class Workload:
    """A sweep with both engines."""

    title: str
    experiment: str
    settings: tuple[str, ...]
    has_neighbor: bool = False


_WORKLOADS = (
    Workload("quickstart", "quickstart", ("transports=[tcp, udp]", "packet-bytes=992")),
    Workload("bursts", "media-video-bursts", ("transports=udp", "packets=10000", "warm-up-packets=4000")),
    Workload("flood, busy neighbor", "quickstart",
             ("transports=tcp", "packet-bytes=992", "pace=flood", "packets=200000"), has_neighbor=True),
)  # fmt: skip


@contextmanager
def _neighbor(workload: Workload) -> Iterator[None]:
    program = Program("busy neighbor", _NEIGHBOR) if workload.has_neighbor else None
    try:
        yield
    finally:
        if program is not None:
            program.end(signal.SIGKILL)


def _shares(home: Path, workload: Workload, work: Path) -> Iterator[tuple[str, float]]:
    """Creates a session. Yields each point's name and the unexplained share of its tail."""
    lagbench = home / "scripts" / "lagbench"
    settings = (*workload.settings, "engine=[java, c]", "observe=events")
    options = [word for setting in settings for word in ("--set", setting)]
    with _neighbor(workload):
        run(
            [lagbench, "sweep", home / "configs" / f"{workload.experiment}.yaml", *options, "--quiet", "--output",
             work],
            timeout_s=_SECONDS_MAX,
        )  # fmt: skip
    (session,) = work.iterdir()
    summary = json.loads(run([lagbench, "table", session, "--format", "json"], timeout_s=_SECONDS_MAX))
    for point in summary["points"]:
        name = f"{workload.title}, {point['point']['transport']}, {point['point']['engine']}"
        metrics = point["metrics"]
        yield name, metrics["ledger.lag.tail.notExplained.excess"] / metrics["ledger.lag.tail.excess"]


def print_unexplained(shares: dict[str, list[float]], goal: float) -> bool:
    """Prints the mean share of each point, and the smallest and largest of its sessions; returns whether all fit."""
    print(f"\n{'unexplained part of the excess above Q99':42} {'mean':>6}  smallest to largest of the sessions")
    for name, found in shares.items():
        print(f"{name:42} {fmean(found):6.1%}  {min(found):.1%} to {max(found):.1%} of {len(found)}")
    met = sum(fmean(found) <= goal for found in shares.values())
    print(f"{met} of {len(shares)} workloads have a mean of at most {goal:.0%}")
    return 0 < len(shares) == met


def measure_unexplained(home: Path, sessions: int, only: str) -> bool:
    """Measures all workloads in each round."""
    chosen: Sequence[Workload] = [workload for workload in _WORKLOADS if only in workload.title]
    shares: dict[str, list[float]] = defaultdict(list)
    try:
        for number in range(sessions):
            for workload in chosen:
                with tempfile.TemporaryDirectory(prefix="lagbench-unexplained-") as directory:
                    for name, share in _shares(home, workload, Path(directory)):
                        shares[name].append(share)
            print(f"{number + 1} of {sessions} sessions", file=sys.stderr, flush=True)
    finally:
        is_met = print_unexplained(shares, SHARE_MAX_USER if os.geteuid() else SHARE_MAX_ROOT)
    return is_met
