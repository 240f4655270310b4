"""Draws values of known distributions, and counts how many of lagbench's intervals and verdicts contain the truth."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.agent import java
from lagbench_validation.processes import run

_SECONDS_MAX = 3_600

DRAWS = 4_000
SMOKE_DRAWS = 300

# What an interval for 95 % may cover.
SHARE_MIN, SHARE_MAX = 0.93, 0.97

# If fewer draws have an interval, the others have too few values. Then this share of all draws may be wrong.
GIVEN_SHARE_MIN = 0.5
WRONG_SHARE_MAX = 0.05


@dataclass(frozen=True)
class Covered:
    """Counts of the draws of one distribution: all, draws with an interval or verdict, and draws with a right one."""

    what: str
    draws: int
    given: int
    right: int
    stated: str  # "95", another confidence in percent, "at least 95", or "nothing"

    @staticmethod
    def of(line: str) -> "Covered":
        what, draws, given, right, stated = line.split("\t")
        return Covered(what, int(draws), int(given), int(right), stated)

    @property
    def share(self) -> float:
        return self.right / self.given

    def error(self, share: float) -> float:
        """Returns the standard error of the share of right draws."""
        return math.sqrt(share * (1 - share) / self.given)

    @property
    def text(self) -> str:
        """Returns the line to print."""
        covered = "too few values" if self.given == 0 else f"{self.share:.1%} of {self.given}"
        rest = f", none in {self.draws - self.given}" if 0 < self.given < self.draws else ""
        return f"    {self.what:40} {covered}{rest}"


@dataclass(frozen=True)
class IntervalCase:
    """All intervals of one kind, which Intervals.java draws."""

    kind: str
    what: str
    draws: int = DRAWS

    @property
    def title(self) -> str:
        return f"intervals: {self.what}"

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Draws, and prints the coverage of each distribution. Returns the title, and the wrong ones."""
        directory = work / f"intervals-{self.kind}"
        directory.mkdir()
        program = Path(__file__).with_name("Intervals.java")
        libraries = home / "cli" / "target" / "lagbench" / "lib" / "*"
        command = [java(), "-cp", libraries, program, self.kind, self.draws, directory]
        lines = run(command, directory=directory, timeout_s=_SECONDS_MAX).splitlines()
        counts = [Covered.of(line) for line in lines]
        print("\n".join(count.text for count in counts), flush=True)
        return self.title, judge(counts)


def interval_cases(smoke: bool) -> list[IntervalCase]:
    """Returns the cases; for `--smoke` those that take a second, with few draws."""
    if smoke:
        return [
            IntervalCase("compare", "ratios of repeats", SMOKE_DRAWS),
            IntervalCase("verdicts", "requirements and sessions", SMOKE_DRAWS),
        ]
    return [
        IntervalCase("repeats", "medians over repeats"),
        IntervalCase("compare", "ratios of repeats"),
        IntervalCase("equivalence", "equivalence of ratios"),
        IntervalCase("verdicts", "requirements and sessions"),
        IntervalCase("means", "ratios of the means of series"),
        IntervalCase("forecast", "forecasts"),
        IntervalCase("playout", "playout delays"),
        IntervalCase("capacity", "rates of trains"),
        IntervalCase("tune", "verdicts of tunes"),
    ]


def judge(counts: Sequence[Covered]) -> list[str]:
    """Returns the errors, one sentence each."""
    if not counts:
        return ["nothing was drawn"]
    return [f"{count.what}: {why}" for count in counts if (why := _wrong(count))]


def _wrong(count: Covered) -> str | None:
    if count.given == 0 or count.stated == "nothing":
        return None
    if count.stated.startswith("at least"):
        least = float(count.stated.split()[-1]) / 100
        return None if count.share >= least - 2 * count.error(least) else f"{count.share:.1%} of the verdicts are right"
    stated = float(count.stated) / 100
    if stated != 0.95:
        is_close = abs(count.share - stated) <= 3 * count.error(stated)
        return None if is_close else f"{count.share:.1%} are right, not {stated:.1%}"
    if count.given < GIVEN_SHARE_MIN * count.draws:
        wrong = (count.given - count.right) / count.draws
        return None if wrong <= WRONG_SHARE_MAX else f"{wrong:.1%} of all draws have a wrong interval"
    error = 2 * count.error(stated)
    is_right = SHARE_MIN - error <= count.share <= SHARE_MAX + error
    return None if is_right else f"{count.share:.1%} of the intervals contain the truth"
