"""Measures matrices of sites over emulated networks: kills lagbench, lets sites fail, shares bottlenecks."""

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagbench_validation.key import make_key
from lagbench_validation.processes import Failed, Program, run
from lagbench_validation.truth.sites import Site, SiteNetwork, await_matrix, session, site_network

_MATRIX_SECONDS_MAX = 1_800
_END_SECONDS_MAX = 60
_POLL_S = 0.2

# The coordinator is killed when this share of the pairs is complete.
_KILLS = ((signal.SIGTERM, 1 / 4), (signal.SIGKILL, 1 / 2))

# The payload of a full Ethernet frame, and its bytes on the wire.
_SEGMENT_BYTES, _FRAME_BYTES = 1_448, 1_538

RATE_ERROR_MAX = 0.1

# How many pairs are measured at the same time: two cores do not serve more without delay.
_AT_ONCE = 2

# The intervals of medians assume independent packets. By this time more, two runs on one machine may differ.
_ALLOWANCE_US = 100

# The ids of the metrics in matrix.json.
_LAG, _LOSS, _ROUND_TRIP, _RATE = _METRICS = ("lag.median", "loss", "roundTrip.median", "rate")

# Each site that fails, and a part of the reason that its pairs must have.
_FAILING = {"down": "No receiver answers", "stranger": "key", "full": "the disk has room for 0"}
_WORKING = ("vienna", "graz")

# The matrix with shared bottlenecks: the router of each site, the rate of the shared link, and the number of tests, one
# for the two pairs of each of six rounds.
_ROUTERS = {"vienna": "left", "graz": "left", "linz": "right", "wels": "right"}
_SHARED_KBIT = 4_000
_TESTS = 6


@dataclass(frozen=True)
class KilledMatrix:
    """A matrix whose coordinator is killed twice and resumed. Then some of its pairs are measured alone."""

    sites: Sequence[Site]
    title: str

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Measures the matrix and the pairs. Returns the result as text, and the failed requirements."""
        names = [site.name for site in self.sites]
        count = len(names) * (len(names) - 1)
        with site_network(home, work / "matrix-killed", self.sites) as network:
            measured, kills, wrong = _measure_despite_kills(network, network.file("all", names), count)
            alone: dict[tuple[str, str], Any] = {}
            for pair in zip(names[: len(names) // 2 - 1], reversed(names), strict=False):
                results = network.directory / f"alone-{pair[0]}"
                await_matrix(network.matrix(network.file(results.name, pair), "--output", results))
                alone |= _pairs(session(results))
        if len(measured) != count:
            wrong.append(f"{len(measured)} of {count} pairs are in matrix.json")
        by_name = {site.name: site for site in self.sites}
        for (sender, receiver), pair in measured.items():
            wrong += [f"{sender} → {receiver}: {why}" for why in judge_pair(pair, by_name[sender], by_name[receiver])]
        for (sender, receiver), pair in alone.items():
            different = differences(measured[sender, receiver], pair)
            wrong += [f"{sender} → {receiver} alone: {why}" for why in different]
        lines = [describe_pair(measured[names], pair) for names, pair in alone.items()]
        killed = " and ".join(f"{number.name} after {complete} runs" for number, complete in kills)
        lines.append(f"{self.title}: {len(measured)} pairs, {killed}, {len(alone)} pairs measured alone")
        return "\n".join(lines), wrong


@dataclass(frozen=True)
class FailingSites:
    """A matrix with a site without an agent, one with another key, and one with a full disk."""

    title: str

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Measures the matrix. Returns the result as text, and the failed requirements."""
        directory = work / "matrix-failing"
        names = [*_WORKING, *_FAILING]
        sites = [Site(name, 5_000, 2_000) for name in names]
        disk = directory / "received-full"
        with _full_disk(disk), site_network(home, directory, sites, keys=_keys(directory)) as network:
            matrix = network.matrix(network.file("sites", names), "--output", directory / "results")
            try:
                if not matrix.await_end(_MATRIX_SECONDS_MAX):
                    raise Failed(f"matrix: did not end within {_MATRIX_SECONDS_MAX} s")
            finally:
                matrix.end(signal.SIGKILL)
        pairs = _pairs(session(directory / "results"))
        wrong = judge_failing(pairs, matrix.output())
        reasons = sorted({f"{name}: {pairs[_WORKING[0], name]['failure']}" for name in _FAILING})
        kept = sum(pair["failure"] is None for pair in pairs.values())
        return "\n".join([*reasons, f"{self.title}: {kept} of {len(pairs)} pairs measured"]), wrong


@dataclass(frozen=True)
class SharedBottlenecks:
    """A matrix of two sites at each of two routers. The link between the routers is slower than those of the sites."""

    title: str

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Searches the matrix for shared bottlenecks. Returns the result as text, and the failed requirements."""
        sites = [Site(name, 4 * _SHARED_KBIT, 2_000, router) for name, router in _ROUTERS.items()]
        link = f"rate: {_SHARED_KBIT}kbit\ndelay: 3ms\n"
        with site_network(home, work / "matrix-bottlenecks", sites, link) as network:
            file = network.file("sites", list(_ROUTERS))
            results = network.directory / "results"
            await_matrix(network.matrix(file, "--bottlenecks", "--output", results))
        wrong, uncertain = judge_sharings(json.loads((session(results) / "matrix.json").read_text())["sharings"])
        for (sender, receiver), pair in _pairs(session(results)).items():
            kbit = _SHARED_KBIT if _ROUTERS[sender] != _ROUTERS[receiver] else 4 * _SHARED_KBIT
            wrong += [f"{sender} → {receiver}: {why}" for why in judge_rate(pair, kbit)]
        return f"{self.title}: {_TESTS} tests, {uncertain} uncertain", wrong


def matrices() -> list[KilledMatrix | FailingSites | SharedBottlenecks]:
    """Returns all cases. `--smoke` skips them."""
    sites = [Site(f"s{number:02}", 2_000 + 250 * number, 500 * number) for number in range(1, 13)]
    return [
        KilledMatrix(sites, "matrix: 12 sites"),
        FailingSites("matrix: sites that fail"),
        SharedBottlenecks("matrix: shared bottlenecks"),
    ]


def judge_pair(pair: Any, sender: Site, receiver: Site) -> list[str]:
    """Compares the metrics of a pair with the properties of its links. Returns what is wrong."""
    if pair["failure"] is not None:
        return [pair["failure"]]
    wrong = []
    least_us = sender.delay_us + sender.packet_us + receiver.delay_us + receiver.packet_us
    for name, us in ((_LAG, least_us), (_ROUND_TRIP, 2 * least_us)):
        if pair["metrics"][name] < us:
            wrong.append(f"{name} {pair['metrics'][name]:.1f} µs, but the links take {us:.1f} µs")
    return wrong + judge_rate(pair, min(sender.rate_kbit, receiver.rate_kbit))


def judge_rate(pair: Any, kbit: float) -> list[str]:
    """Compares the rate of TCP of a pair with the rate of the slowest link."""
    if _RATE not in pair["metrics"]:
        return [f"no rate: {pair['failure']}"]
    error = pair["metrics"][_RATE] / (kbit / 1e3 * _SEGMENT_BYTES / _FRAME_BYTES) - 1
    if pair["verdict"] != "network" or abs(error) > RATE_ERROR_MAX:
        return [f"rate {error:+.1%} off, verdict {pair['verdict']}"]
    return []


def judge_sharings(sharings: Sequence[Any]) -> tuple[list[str], int]:
    """
    Compares the verdicts on two pairs each with the network: two pairs share the link between the routers if both use
    it in the same direction. Returns what is wrong, and the number of uncertain verdicts.
    """
    wrong = [] if len(sharings) == _TESTS else [f"{len(sharings)} tests, not {_TESTS}"]
    for test in sharings:
        first, second = ([_ROUTERS[site] for site in test[name].split("/")] for name in ("first", "second"))
        right = "SHARED" if first == second and first[0] != first[1] else "APART"
        if test["sharing"].upper() not in (right, "UNCERTAIN"):
            wrong.append(f"{test['first']} and {test['second']}: {test['sharing']} by {test['method']}")
    return wrong, sum(test["sharing"].upper() == "UNCERTAIN" for test in sharings)


def differences(pair: Any, alone: Any) -> list[str]:
    """Compares the metrics of a pair with the same pair measured alone. Returns those whose intervals are disjoint."""
    wrong = []
    for name in _METRICS:
        one, other = (_interval(measured, name) for measured in (pair, alone))
        if one is None or other is None:
            wrong.append(f"{name} has no interval")
        elif max(one[0] - other[1], other[0] - one[1]) > (_ALLOWANCE_US if name in (_LAG, _ROUND_TRIP) else 0):
            wrong.append(f"{name} {one[0]:.3f} to {one[1]:.3f}, alone {other[0]:.3f} to {other[1]:.3f}")
    return wrong


def judge_failing(pairs: Mapping[tuple[str, str], Any], printed: str) -> list[str]:
    """Returns which pairs of working sites are missing, and which dashes have a reason other than the site's."""
    wrong = []
    for names, pair in pairs.items():
        name = " → ".join(names)
        failing = [_FAILING[site] for site in names if site in _FAILING]
        if not failing and (pair["failure"] is not None or not {_LAG, _RATE} <= set(pair["metrics"])):
            wrong.append(f"{name} is missing: {pair['failure']}")
        elif failing and _LAG in pair["metrics"]:
            wrong.append(f"{name} has a lag")
        elif failing and not any(reason in str(pair["failure"]) for reason in failing):
            wrong.append(f"{name} has the reason {pair['failure']}")
        elif failing and f"{name}: {pair['failure']}" not in printed:
            wrong.append(f"the reason of {name} is not printed")
    return wrong


def describe_pair(pair: Any, alone: Any) -> str:
    """Returns the metrics of a pair in the matrix and alone as text."""
    figures = [
        f"{title} {one[key] / divisor:.{digits}f} and alone {other[key] / divisor:.{digits}f} {unit}"
        for title, key, divisor, digits, unit in (
            ("lag", _LAG, 1e3, 2, "ms"),
            ("round trip", _ROUND_TRIP, 1e3, 2, "ms"),
            ("rate", _RATE, 1, 3, "Mb/s"),
            ("loss", _LOSS, 1, 1, "%"),
        )
        for one, other in [(pair["metrics"], alone["metrics"])]
    ]
    return f"{pair['from']} → {pair['to']}: {', '.join(figures)}"


def _interval(pair: Any, name: str) -> tuple[float, float] | None:
    low, high = (pair[end].get(name) for end in ("low", "high"))
    return None if low is None or high is None else (low, high)


@contextmanager
def _full_disk(directory: Path) -> Iterator[None]:
    """Mounts a file system, and fills it."""
    directory.mkdir(parents=True)
    run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", directory])
    try:
        (directory / "rest").write_bytes(bytes(4_096))
        yield
    finally:
        run(["umount", directory])


def _keys(directory: Path) -> Mapping[str, Path | None]:
    """Returns the sites without the network's key."""
    other = directory / "other"
    other.mkdir()
    return {"down": None, "stranger": make_key(other)}


def _measure_despite_kills(
    network: SiteNetwork, file: Path, count: int
) -> tuple[dict[tuple[str, str], Any], list[tuple[signal.Signals, int]], list[str]]:
    """Returns the pairs, each signal with the number of complete runs after it, and what is wrong."""
    results = network.directory / "results"
    arguments: list[object] = [file, "--output", results, "--at-once", _AT_ONCE]
    kills: list[tuple[signal.Signals, int]] = []
    kept: dict[str, list[int]] = {}
    wrong: list[str] = []
    for number, share in _KILLS:
        matrix = network.matrix(*arguments)
        try:
            _await_pairs(matrix, results, share * count)
            os.kill(matrix.pid, number)
            if not matrix.await_end(_END_SECONDS_MAX):
                raise Failed(f"matrix: did not end within {_END_SECONDS_MAX} s after {number.name}")
        finally:
            matrix.end(signal.SIGKILL)
        directory = session(results)
        complete = _complete(directory)
        wrong += _repeated(kept, complete)
        kept = complete
        kills.append((number, len(kept)))
        if len(list(results.glob("*/pairs/*/*"))) == count:
            wrong.append(f"all pairs had begun before {number.name}")
        arguments = ["--resume", directory, "--at-once", _AT_ONCE, "--allow-file", network.key]
    await_matrix(network.matrix(*arguments))
    return _pairs(directory), kills, wrong + _repeated(kept, _complete(directory))


def _await_pairs(matrix: Program, results: Path, least: float) -> None:
    until_s = time.monotonic() + _MATRIX_SECONDS_MAX
    while sum(1 for _ in results.glob("*/pairs/*/*/runs")) <= least:
        if matrix.ended:
            raise Failed(f"matrix ended: {matrix.last_lines()}")
        if time.monotonic() > until_s:
            raise Failed(f"matrix: did not end within {_MATRIX_SECONDS_MAX} s")
        time.sleep(_POLL_S)


def _complete(directory: Path) -> dict[str, list[int]]:
    """Returns when the files of each complete run were written."""
    return {
        str(record.parent.relative_to(directory)): sorted(
            file.stat().st_mtime_ns for file in record.parent.glob("*.npy")
        )
        for record in directory.glob("pairs/*/*/runs/*/run.json")
        if json.loads(record.read_text())["state"] == "COMPLETE"
    }


def _repeated(kept: Mapping[str, list[int]], complete: Mapping[str, list[int]]) -> list[str]:
    return [f"{run} was made again" for run in kept if complete.get(run) != kept[run]]


def _pairs(directory: Path) -> dict[tuple[str, str], Any]:
    pairs = json.loads((directory / "matrix.json").read_text())["pairs"]
    return {(pair["from"], pair["to"]): pair for pair in pairs}
