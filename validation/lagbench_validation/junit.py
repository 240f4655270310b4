"""Summarizes the JUnit reports of a test run, from Surefire and ctest.

    python3 -m lagbench_validation.junit FOLDER

FOLDER has a folder for each step. Prints the slowest classes, each class with skipped tests and their reason, and each
test that failed and then passed. The last line has the numbers of passed, failed and skipped tests.
"""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

SLOWEST = 5
NO_REASON = "no reason is given"
CTEST = "(empty)"
"""The name of a suite of ctest."""


class Suite(NamedTuple):
    """A class of tests in a step."""

    step: str
    name: str
    seconds: float
    tests: int
    failed: int
    skipped: Counter[str]
    """The number of skipped tests by reason."""
    flaky: list[str]
    """The tests that failed and then passed, each with its first failure."""


def _number(element: ElementTree.Element, *names: str) -> int:
    return sum(int(element.get(name, "0")) for name in names)


def _flaky(test: ElementTree.Element) -> str | None:
    for kind in ("flakyFailure", "flakyError"):
        if (failure := test.find(kind)) is not None:
            text = (failure.get("message") or failure.get("type") or "").strip().splitlines()
            return f"{test.get('name')}: {text[0] if text else NO_REASON}"
    return None


def _reason(skipped: ElementTree.Element) -> str:
    text = f"{skipped.get('message') or skipped.text or ''}\n".lstrip().splitlines()
    reason = re.sub(r"^(?:[\w.]+Exception: ?)?(?:Assumption failed: ?)?", "", text[0] if text else "")
    return reason.strip() or NO_REASON


def read(report: Path) -> Suite:
    """Returns the suite of a report."""
    root = ElementTree.parse(report).getroot()
    skipped = Counter(_reason(found) for found in root.iter("skipped"))
    lost = _number(root, "skipped", "disabled") - skipped.total()
    if lost > 0:
        skipped[NO_REASON] += lost
    return Suite(
        report.parent.name,
        root.get("name", CTEST).replace(CTEST, "ctest").removeprefix("org.lagbench."),
        float(root.get("time", "0").replace(",", "")),
        _number(root, "tests"),
        _number(root, "failures", "errors"),
        skipped,
        [failure for test in root.iter("testcase") if (failure := _flaky(test))],
    )


def summary(suites: list[Suite]) -> list[str]:
    """Returns the lines to print."""
    slowest = sorted(suites, key=lambda suite: -suite.seconds)[:SLOWEST]
    lines = [f"slow     {suite.seconds:5.0f} s  {suite.name}, {suite.step}" for suite in slowest]
    lines += [
        f"skipped  {count:5d}    {suite.name}, {suite.step}: {reason}"
        for suite in sorted(suites)
        for reason, count in sorted(suite.skipped.items())
    ]
    lines += [
        f"flaky             {suite.name}, {suite.step}: {test}" for suite in sorted(suites) for test in suite.flaky
    ]
    failed = sum(suite.failed for suite in suites)
    skipped = sum(suite.skipped.total() for suite in suites)
    passed = sum(suite.tests for suite in suites) - failed - skipped
    return [*lines, f"{passed} passed, {failed} failed, {skipped} skipped"]


def main(folder: Path) -> int:
    """Runs the command."""
    print(*summary([read(report) for report in sorted(folder.glob("*/*.xml"))]), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
