"""What recovery costs: transports over paths that lose packets, as a table in Markdown.

A run whose relay was late by more than a tenth of the latency is left out. A point that also loses packets over the
path without loss is marked: what it loses elsewhere is not the path's doing alone.
"""

import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagbench_validation.processes import Failed, run

ROUND_TRIPS_MS = (20, 100)
# What the link does on the way forward, and how many packets show it.
PATHS = {
    "0": ("{loss: 0%}", 4_000),
    "1 %": ("{loss: 1%}", 4_000),
    "3 %": ("{loss: 3%}", 4_000),
    "1 % in bursts": ("{bursts: {every: 1s, for: 10ms}}", 10_000),
}
_REPEATS = 3
_LOSSLESS = "0"
_WORST = "3 %"
_NONE = "none"  # no run that is complete and usable
_LATE_SHARE = 0.1
_LATE = {"lateOver10ms": 10, "lateOver5ms": 5, "lateOver2ms": 2}  # counters of the relay, and their bounds in ms


@dataclass(frozen=True)
class Key:
    """A row of the table."""

    transport: str
    variant: str
    latency_ms: float | None


@dataclass(frozen=True)
class Figures:
    """What the usable runs of a point have shown; shares from 0 to 1."""

    runs: int
    of: int
    sent: int
    lost: int
    late: float
    added: float
    effective_ms: float

    @property
    def lost_share(self) -> float:
        return self.lost / self.sent


Table = dict[tuple[int, str], dict[Key, Figures]]


def measure(home: Path, work: Path) -> Iterator[tuple[int, str, dict[Key, Figures]]]:
    """Runs the study, with its sessions in a directory, and yields the points of each path."""
    for round_trip_ms in ROUND_TRIPS_MS:
        for number, (name, (forward, packets)) in enumerate(PATHS.items(), 1):
            points: dict[Key, Figures] = {}
            for more in _SWEEPS:
                output = work / f"{round_trip_ms}ms-{number}-{more.__name__.strip('_')}"
                lab = f"{{name: study, delay: {round_trip_ms // 2}ms, forward: {forward}, backend: relay}}"
                settings = [f"lab={lab}", f"packets={packets}", f"repeats={_REPEATS}", *more(round_trip_ms)]
                words = [word for setting in settings for word in ("--set", setting)]
                sweep = [home / "scripts" / "lagbench", "sweep", home / "configs" / "media-recovery.yaml"]
                try:
                    run([*sweep, "--output", output, "--quiet", "--no-report", *words])
                except Failed as e:  # a run for which the path is too slow; the others are complete
                    print(e, flush=True)
                points |= _points(next(output.iterdir()))
            yield round_trip_ms, name, points


def _media(round_trip_ms: int) -> list[str]:
    latencies = ", ".join(f"{times * round_trip_ms}ms" for times in (1, 2, 4))
    return [f"srt.latency=[{latencies}]", f"rist.buffer=[{latencies}]", f"rist.rtt-min={round_trip_ms // 2}ms"]


def _tcp(_: int) -> list[str]:
    return ["transports=tcp", "engine=c", "tcp.congestion-control=[cubic, bbr]"]


_SWEEPS = (_media, _tcp)


def _points(session: Path) -> dict[Key, Figures]:
    summary = json.loads((session / "summary.json").read_text("utf-8"))
    return {_key(point["point"], point["metrics"]): _figures(session, point) for point in summary["points"]}


def _key(point: Any, metrics: Any) -> Key:
    settings = point["settings"]
    latency_us = metrics.get("recovery.configuredLatency")
    is_quic = point["engine"] == "quic"
    return Key(
        "QUIC" if is_quic else point["transport"].upper(),
        settings.get("delivery" if is_quic else "congestion-control", ""),
        latency_us and latency_us / 1000,
    )


def _figures(session: Path, point: Any) -> Figures:
    latency_us = point["metrics"].get("recovery.configuredLatency")
    runs = [made for made in point["runs"] if _is_usable(session, made["name"], latency_us and latency_us / 1000)]
    metrics = [made["metrics"] for made in runs]

    def mean(name: str) -> float:
        known = [values[name] for values in metrics if name in values]
        return statistics.fmean(known) if known else float("nan")

    return Figures(
        runs=len(runs),
        of=_REPEATS,
        sent=sum(values["packets.sent"] for values in metrics),
        lost=sum(values["packets.lost"] for values in metrics),
        late=mean("recovery.lateShare") / 100,
        added=mean("recovery.link.addedShare") / 100,
        effective_ms=mean("recovery.effectiveLatency") / 1000,
    )


def _is_usable(session: Path, name: str, latency_ms: float | None) -> bool:
    """Returns whether the relay was never late by more than a tenth of the latency, as far as it counts."""
    if latency_ms is None:
        return True
    record = json.loads((session / "runs" / name / "run.json").read_text("utf-8"))
    counter = next(name for name, ms in _LATE.items() if ms <= latency_ms * _LATE_SHARE)
    return all(station["counts"].get(counter, 0) == 0 for station in record["lab"]["stations"])


def markdown(table: Table, round_trip_ms: int) -> Iterator[str]:
    """Yields the lines of the table of a round trip."""
    paths = [name for name in PATHS if name != _LOSSLESS]
    heads = [
        "transport",
        "latency",
        "effective",
        *(f"lost, {name}" for name in paths),
        f"late, {_WORST}",
        f"added, {_WORST}",
    ]
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for key, lossless in table[round_trip_ms, _LOSSLESS].items():
        mark = " *" if lossless.lost else ""
        cells = [f"{key.transport}{', ' * bool(key.variant)}{key.variant}{mark}"]
        cells.append("–" if key.latency_ms is None else f"{key.latency_ms:.0f} ms")
        cells.append("–" if key.latency_ms is None else f"{lossless.effective_ms:.1f} ms")
        cells += [_percent(table[round_trip_ms, name].get(key)) for name in paths]
        worst = table[round_trip_ms, _WORST].get(key)
        late = "–" if key.latency_ms is None else f"{100 * worst.late:.2f} %" if worst else _NONE
        cells += [late, f"{100 * worst.added:.1f} %" if worst else _NONE]
        yield "| " + " | ".join(cells) + " |"


def _percent(figures: Figures | None) -> str:
    if figures is None or figures.runs == 0:
        return _NONE
    some = f" ({figures.runs} of {figures.of} runs)" if figures.runs < figures.of else ""
    return ("0" if figures.lost == 0 else f"{100 * figures.lost_share:.2g} %") + some
