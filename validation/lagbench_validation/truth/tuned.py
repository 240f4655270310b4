"""Tunes with a known best value, and whether lagbench finds it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagbench_validation.processes import run

TUNE_SECONDS_MAX = 1_200


@dataclass(frozen=True)
class KnownValue:
    """A tuning run of one buffer: the smallest value that is large enough wins; if all are, they make no difference."""

    title: str
    experiment: str  # in configs/
    knob: str
    enough_bytes: tuple[int, int] | None = None  # range of the smallest sufficient value; None if all are sufficient
    factor: float = 2  # the largest ratio of the result to that range

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Tunes the buffer. Returns the result as text, and the errors."""
        found = _tune(self, home, work)
        return describe(self, found), judge_tuned(self, found)


def known_values() -> list[KnownValue]:
    """Returns all cases. None is part of --smoke."""
    return [
        KnownValue("tune: the window of a video over TCP", "tune-tcp-video.yaml", "receive-buffer", (40_000, 46_000)),
        KnownValue("tune: over loopback", "tune-loopback.yaml", "receive-buffer"),
    ]


def _tune(known: KnownValue, home: Path, work: Path) -> Any:
    """Runs the tune and returns its result in summary.json."""
    directory = work / ("tuned-" + known.experiment.removesuffix(".yaml"))
    directory.mkdir()
    command = [home / "scripts" / "lagbench", "tune", home / "configs" / known.experiment, "--quiet"]
    run(command, directory=directory, timeout_s=TUNE_SECONDS_MAX)
    (found,) = directory.glob("results/*/summary.json")
    return json.loads(found.read_text())["tune"]


def describe(known: KnownValue, found: Any) -> str:
    """Returns the result for the line of the case."""
    recommended = found["recommended"]
    what = recommended.get(known.knob, "system default") if recommended else "nothing"
    return f"{known.title}: {what}, {'decided' if found['decided'] else 'not decided'}, {found['runs']} runs"


def judge_tuned(known: KnownValue, found: Any) -> list[str]:
    """Returns the errors of the result, one sentence each."""
    if known.enough_bytes is None:
        return [] if found["noDifference"] else [f"{known.knob} is reported to make a difference"]
    wrong = []
    low, high = known.enough_bytes[0] / known.factor, known.enough_bytes[1] * known.factor
    recommended = (found["recommended"] or {}).get(known.knob)
    if recommended is None:
        wrong.append(f"no {known.knob} is recommended")
    elif not low <= recommended <= high:
        wrong.append(f"{recommended} bytes are recommended, where {low:.0f} to {high:.0f} are right")
    for candidate in found["candidates"]:
        size, verdict = candidate["knobs"].get(known.knob), candidate["verdict"]
        if size is not None and size < low and verdict == "tied":
            wrong.append(f"{size} bytes, too few, are reported as good as the best")
        if size is not None and size > high and verdict == "infeasible":
            wrong.append(f"{size} bytes, more than enough, are reported to violate a constraint")
    return wrong
