"""All runs of all programs in all cells: plan, order, progress and results."""

import json
import math
import os
import platform
import random
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lagbench_validation.namespaces import two_namespaces
from lagbench_validation.peers import trial
from lagbench_validation.peers.cells import CannotDo, Cell, Length
from lagbench_validation.peers.lagbench import Lagbench
from lagbench_validation.peers.peer import Peer
from lagbench_validation.peers.results import Results
from lagbench_validation.processes import Failed

MAKER = "peers"

_T = TypeVar("_T")

# Some peers occasionally start before the other side is ready.
_ATTEMPTS = 2


@dataclass(frozen=True)
class Extent:
    """How many rounds are run, and how long each program sends."""

    rounds: int
    rounds_of_lagbench: int
    length: Length
    seconds: float = math.inf  # no run starts that would probably end later


class Comparison:
    """Runs of all programs in all cells. Their metrics are written to a file, if one is given, after each run."""

    def __init__(
        self, peers: Sequence[Peer], cells: Sequence[Cell], extent: Extent, work: Path, path: Path | None = None
    ) -> None:
        self._extent = extent
        self._work = work
        self._path = path
        self.results = Results()
        self.missing: dict[tuple[Cell, str], str] = {}  # (cell, row) -> the reason for missing metrics
        self.runs: list[dict[str, Any]] = []
        self._made: set[tuple[int, str, str]] = set()  # (round, cell's name, row)
        self._plan: dict[Cell, list[Peer]] = {}  # cell -> its programs
        for cell in cells:
            for peer in peers:
                self._consider(cell, peer)

    def _consider(self, cell: Cell, peer: Peer) -> None:
        try:
            peer.check(cell)
        except CannotDo as e:
            if not isinstance(peer, Lagbench):  # a row of lagbench is for paced cells or for floods
                self.results.row(cell, peer)
                self.missing[cell, peer.name] = str(e)
            return
        self.results.row(cell, peer)
        if why := peer.missing():
            self.missing[cell, peer.name] = why
        else:
            self._plan.setdefault(cell, []).append(peer)

    def count(self, runs: Iterable[dict[str, Any]]) -> None:
        """Adds the runs of an earlier comparison, of these programs and cells, except failed ones."""
        rows = {
            (cell.name, peer.name): self.results.row(cell, peer) for cell, peers in self._plan.items() for peer in peers
        }
        for run in runs:
            row = rows.get((run["cell"], run["program"]))
            if row and "metrics" in run:
                row.add(run["round"], run["metrics"])
                self._made.add((run["round"], run["cell"], run["program"]))
                self.runs.append(run)

    def run(self) -> None:
        outstanding = list(self._outstanding())
        left_s = sum(self._seconds(cell, peer) for _, cell, peer in outstanding)
        print(f"{len(outstanding)} runs in about {_minutes(left_s)}", file=sys.stderr, flush=True)
        expected_s, begun, slower = 0.0, time.monotonic(), 1.0
        for done, (round_number, cell, peer) in enumerate(outstanding, 1):
            seconds = self._seconds(cell, peer)
            if time.monotonic() - begun + seconds * slower > self._extent.seconds:
                print(f"the time is up: {len(outstanding) - done + 1} runs are missing", file=sys.stderr, flush=True)
                return
            expected_s += seconds
            left_s -= seconds
            why = self._run_one(round_number, cell, peer)
            slower = (time.monotonic() - begun) / expected_s
            print(f"{done} of {len(outstanding)} runs, {_minutes(left_s * slower)} left: {cell.name} {peer.name}"
                  f"{': ' + why if why else ''}", file=sys.stderr, flush=True)  # fmt: skip

    def _outstanding(self) -> Iterator[tuple[int, Cell, Peer]]:
        """Yields the missing runs as (round, cell, program), in their order."""
        for round_number in range(1, max(self._extent.rounds, self._extent.rounds_of_lagbench) + 1):
            for cell, peers in _shuffled(self._plan.items()):
                for peer in in_order(peers):
                    ours = isinstance(peer, Lagbench)
                    rounds = self._extent.rounds_of_lagbench if ours else self._extent.rounds
                    if round_number <= rounds and (round_number, cell.name, peer.name) not in self._made:
                        yield round_number, cell, peer

    def _seconds(self, cell: Cell, peer: Peer) -> float:
        return self._extent.length.seconds(cell) + peer.overhead_s

    def _run_one(self, round_number: int, cell: Cell, peer: Peer) -> str | None:
        """Executes a run and records its metrics; returns the reason if it has none."""
        row = self.results.row(cell, peer)
        run: dict[str, Any] = {"round": round_number, "cell": cell.name, "program": peer.name}
        begun = time.monotonic()
        for _ in range(_ATTEMPTS):
            try:
                # Separate namespaces for each run: no program can affect the next.
                with two_namespaces(MAKER) as namespaces:
                    run["metrics"] = trial.make(peer, cell, self._extent.length, namespaces, self._work)
                row.add(round_number, run["metrics"])
                run.pop("why", None)
                break
            except (Failed, OSError) as e:
                run["why"] = str(e)
        if "why" in run:
            row.failures.append(run["why"])
        run["tookS"] = round(time.monotonic() - begun, 2)
        self.runs.append(run)
        self._write()
        return run.get("why")

    def _write(self) -> None:
        """Replaces the file in one step, so that an interrupted comparison loses no run."""
        if not self._path:
            return
        new = self._path.with_name(f"{self._path.name}.new")
        new.write_text(json.dumps(self.as_json(), indent=1) + "\n", "utf-8")
        new.replace(self._path)

    @property
    def has_failed(self) -> bool:
        """Returns whether a run of lagbench failed, or none was made."""
        ours = [row for rows in self.results.cells.values() for row in rows.values() if row.engine is not None]
        return not any(row.values for row in ours) or any(row.failures for row in ours)

    def summary(self) -> str:
        """Returns the number of runs, and the rates in the first cell: a wrong set-up shows in them."""
        cell, rows = next(iter(self.results.cells.items()))
        rates = [f"{name} {rate:,.0f}" for name, row in rows.items() if (rate := row.median("rate")) is not None]
        return f"{len(self.runs)} runs; packets/s in {cell.name}: {', '.join(rates) or 'none'}"

    def as_json(self) -> Mapping[str, Any]:
        return {
            "machine": {"kernel": platform.release(), "processors": os.cpu_count()},
            "units": {"rate": "packets/s", "loss": "fraction", "others": "ns"},
            "runs": self.runs,
            "lacking": [{"cell": cell.name, "program": name, "why": why} for (cell, name), why in self.missing.items()],
            "medians": [
                {"cell": cell.name, "program": name, **{metric: row.median(metric) for metric in row.values}}
                for cell, rows in self.results.cells.items()
                for name, row in rows.items()
                if row.values
            ],
        }


def in_order(peers: Iterable[Peer]) -> list[Peer]:
    """Returns the programs of a cell, shuffled; the rows of lagbench that differ in the engine alone are together."""
    units: dict[object, list[Peer]] = {}
    for peer in peers:
        unit: object = ("lagbench", peer.waits) if isinstance(peer, Lagbench) else peer.name
        units.setdefault(unit, []).append(peer)
    return [peer for unit in _shuffled(units.values()) for peer in _shuffled(unit)]


def _shuffled(some: Iterable[_T]) -> list[_T]:
    shuffled = list(some)
    random.shuffle(shuffled)
    return shuffled


def _minutes(seconds: float) -> str:
    return f"{max(0, seconds):.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
