"""Compares lagbench's forecasts of transfer times with the times of real transfers over emulated paths."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import lagbench

from lagbench_validation.processes import ANY_LOAD, Failed, run
from lagbench_validation.truth.probed import controls

_SECONDS_MAX = 900
_PIECE_BYTES = 1 << 14

# Several transfers of each size that lasts up to this time, and one of the largest size if it lasts a little longer.
_TRANSFERS = 3
_TRANSFER_SECONDS_MAX = 30
_LARGEST_BYTES = 1 << 30
_LARGEST_SECONDS_MAX = 100

ERROR_MAX = 0.1
INSIDE_SHARE_MIN = 0.95


@dataclass(frozen=True)
class Compared:
    """The time of a real transfer and its forecast, with the interval, in µs."""

    size: int
    real: float
    forecast: float
    low: float
    high: float

    @property
    def error(self) -> float:
        return abs(self.forecast / self.real - 1)

    @property
    def is_inside(self) -> bool:
        return self.low <= self.real <= self.high


@dataclass(frozen=True)
class ForecastPath:
    """An emulated path. All paths add their transfers to the same list, `compared`."""

    rtt_ms: int
    rate_mbit: int
    control: str
    compared: list[Compared] = field(compare=False)

    @property
    def title(self) -> str:
        return f"transfer time: {self.rtt_ms} ms, {self.rate_mbit} Mbit/s, {self.control}"

    def transfers(self, sizes: Sequence[int]) -> dict[int, list[int]]:
        """Returns the sizes to transfer, by the number of transfers of each."""
        seconds = {size: size * 8 / (self.rate_mbit * 1e6) for size in sizes if size >= 4 * _PIECE_BYTES}
        several = [size for size in seconds if seconds[size] <= _TRANSFER_SECONDS_MAX]
        single = [size for size in seconds if size == _LARGEST_BYTES and seconds[size] <= _LARGEST_SECONDS_MAX]
        return {_TRANSFERS: several, 1: [size for size in single if size not in several]}

    @property
    def _settings(self) -> list[str]:
        lab = f"lab={{rate: {self.rate_mbit}mbit, delay: {self.rtt_ms * 500}us}}"
        return ["--set", lab, "--set", f"tcp.congestion-control={self.control}"]

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Executes the forecasts and the transfers. Returns the result as text, and the failed requirements."""
        directory = work / f"forecast-{self.rtt_ms}-{self.rate_mbit}-{self.control}"
        directory.mkdir()
        lagbench = home / "scripts" / "lagbench"
        run([lagbench, "capacity", *self._settings, *ANY_LOAD], directory=directory, timeout_s=_SECONDS_MAX)
        (found,) = directory.glob("results/*/capacity.json")
        capacity = json.loads(found.read_text())
        if not capacity["forecasts"]:
            raise Failed(f"no probe filled the path: {[test['verdict'] for test in capacity['tests']]}")
        forecasts = {one["bytes"]: one for one in capacity["forecasts"]}
        (directory / "transfers.yaml").write_text(
            "transports: tcp\ntraffic: transfer\nengine: c\nobserve: none\nwarm-up-packets: 4\ndrain: 0s\n"
            f"packet-bytes: {_PIECE_BYTES}\n"
        )
        for transfers, sizes in self.transfers(list(forecasts)).items():
            if sizes:
                values = ["--set", f"transfers={transfers}", "--set", f"transfer-bytes={sizes}", *self._settings]
                command = [lagbench, "sweep", "transfers.yaml", "--quiet", "--no-report", "--output", "real", *values]
                run(command, directory=directory, timeout_s=_SECONDS_MAX)
        times = _real_times_us(directory / "real")
        compared = [
            Compared(size, real, *(forecasts[size][member] / 1e3 for member in ("timeNs", "lowNs", "highNs")))
            for size, reals in times.items()
            for real in reals
        ]
        self.compared.extend(compared)
        return f"{self.title}: {describe(compared)}, {capacity['bytes'] / 1e6:.1f} MB sent", judge(compared)


@dataclass(frozen=True)
class AllForecasts:
    """A check of the transfers of all paths together."""

    compared: list[Compared]
    title: str = "transfer time: all paths"

    def check(self, _home: Path, _work: Path) -> tuple[str, list[str]]:
        """Returns the result as text, and the failed requirements."""
        wrong = judge(self.compared)
        inside = sum(one.is_inside for one in self.compared)
        if inside < INSIDE_SHARE_MIN * len(self.compared):
            wrong.append(f"only {inside} of {len(self.compared)} are inside their intervals")
        return f"{self.title}: {describe(self.compared)}", wrong


def forecast_paths() -> list[ForecastPath | AllForecasts]:
    """Returns all cases. `--smoke` skips them."""
    compared: list[Compared] = []
    paths = [(10, 20), (20, 100), (50, 10), (100, 50), (200, 20)]
    every = [ForecastPath(rtt, rate, control, compared) for rtt, rate in paths for control in controls()]
    return [*every, AllForecasts(compared)]


def describe(compared: Sequence[Compared]) -> str:
    """Returns the median error, and the number of transfers inside their intervals, as text."""
    if not compared:
        return "no transfer"
    error = statistics.median(one.error for one in compared)
    inside = sum(one.is_inside for one in compared)
    return f"median error {error:.1%}, {inside} of {len(compared)} inside their intervals"


def judge(compared: Sequence[Compared]) -> list[str]:
    """Returns the failed requirements."""
    if not compared:
        return ["there is no transfer"]
    error = statistics.median(one.error for one in compared)
    return [f"the median error is {error:.1%}"] if error > ERROR_MAX else []


def _real_times_us(results: Path) -> dict[int, list[float]]:
    """Returns the times from the first piece of each transfer until its reply, by transfer size."""
    times: dict[int, list[float]] = {}
    for made in (made for session in results.iterdir() for made in lagbench.open(session).runs):
        size = made.record["run"]["point"]["traffic"]["transfer"]["bytes"]
        first_ns = made.capture("sender")["sent_ns"][:: size // _PIECE_BYTES]
        times[size] = ((made.capture("sender-transfers")["answered_ns"] - first_ns) / 1e3).tolist()
    return times
