"""Reads the logs of a test run's steps: their counts, their failed checks, and what Maven did not build or test."""

import re
from pathlib import Path
from typing import NamedTuple

COUNTS = re.compile(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?")
CHECK = re.compile(r"^FAILED {2}|\bFAILED: |: FAILED$")
GOAL = re.compile(r"\[ERROR\] Failed to execute goal (?:.* )?on project (?:lagbench-)?([^ :]+): (.*)")
POSITION = re.compile(r"\[ERROR\] (/.+:\[\d+,\d+\] .*)")
SKIPPED = re.compile(r"\[INFO\] (?:lagbench )?(.+?) \.* ?SKIPPED")


class StepLog(NamedTuple):
    """What the log of a step says."""

    step: str
    passed: int
    failed: int
    skipped: int
    failures: list[str]
    """The checks that failed, and the modules that Maven did not build, with the reason."""
    not_run: list[str]
    """The modules that Maven did not begin."""


def read(log: Path) -> StepLog:
    """Returns what a log says; no counts if its last line has none, as that of an aborted step."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    counts = COUNTS.fullmatch(lines[-1]) if lines else None
    passed, failed, skipped = (int(count or 0) for count in counts.groups()) if counts else (0, 0, 0)
    failures = [line.removeprefix("FAILED").strip() for line in lines if CHECK.search(line)]
    not_run = [match[1] for match in map(SKIPPED.match, lines) if match]
    return StepLog(log.stem, passed, failed, skipped, [*failures, *_unbuilt(lines)], not_run)


def _unbuilt(lines: list[str]) -> list[str]:
    found = []
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        if goal := GOAL.match(line):
            position = POSITION.match(following)
            reason = position[1] if position else goal[2].removesuffix(" -> [Help 1]")
            found.append(f"{goal[1]} was not built: {reason}")
    return found
