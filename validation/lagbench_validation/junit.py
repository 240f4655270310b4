"""Summarizes a test run: the JUnit reports of Surefire and ctest, and the logs of its steps.

    python3 -m lagbench_validation.junit FOLDER

FOLDER has a folder with reports or a log for each step. Prints the slowest classes, each class with skipped tests and
their reason, each test that failed and then passed, each test that failed with the first line of its failure, and the
modules that did not run. The last line has the numbers of passed, failed and skipped tests.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from lagbench_validation.step_logs import StepLog
from lagbench_validation.step_logs import read as read_log

SLOWEST = 5
NO_REASON = "no reason is given"
CTEST = "(empty)"
"""The name of a suite of ctest."""
PYTHON = re.compile(r"^(?:FAIL|ERROR): (.+)\n(?:.*\n)*?-+\nTraceback .*\n(?:(?: .*)?\n)+(.+)", re.MULTILINE)
"""A failed test in the output of unittest, and the first line of its exception."""
CHECK = re.compile(r"^(?:\S+:\d+: .*|.*\bERROR: \w+Sanitizer\b.*)", re.MULTILINE)
"""A failed check of a C test, or the message of a sanitizer."""


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
    failures: list[str]
    """The tests that failed, each with the first line of its failure."""


def _failures(root: ElementTree.Element, *kinds: str) -> Iterator[str]:
    for test in root.iter("testcase"):
        if failure := next(filter(None, (_first_line(test, kind) for kind in kinds)), None):
            yield f"{test.get('name') or 'the class'}: {failure}"


def _first_line(test: ElementTree.Element, kind: str) -> str | None:
    if (failure := test.find(kind)) is None:
        return None
    output = test.findtext("system-out") or ""
    if test.get("status") == "fail":  # of ctest, which knows only that the program failed
        if named := PYTHON.findall(output):
            return "; ".join(f"{name}: {reason}" for name, reason in named)
        text = CHECK.findall(output) or output.strip().splitlines()[-1:]
    else:
        text = (failure.get("message") or failure.text or failure.get("type") or "").strip().splitlines()
    return text[0] if text else NO_REASON


def _reason(skipped: ElementTree.Element) -> str:
    text = f"{skipped.get('message') or skipped.text or ''}\n".lstrip().splitlines()
    reason = re.sub(r"^(?:[\w.]+Exception: ?)?(?:Assumption failed: ?)?", "", text[0] if text else "")
    return reason.strip() or NO_REASON


def _seconds(element: ElementTree.Element) -> float:
    return float(element.get("time", "0").replace(",", ""))


def read(report: Path) -> Suite:
    """Returns the suite of a report.

    The tests are counted. Surefire's numbers in the head of a report are those of the repeated tests, if some were
    repeated, and without those of nested classes.
    """
    root = ElementTree.parse(report).getroot()
    tests = list(root.iter("testcase"))
    failures = list(_failures(root, "failure", "error"))
    return Suite(
        report.parent.name,
        root.get("name", CTEST).replace(CTEST, "ctest").removeprefix("org.lagbench."),
        max(_seconds(root), sum(map(_seconds, tests))),
        len(tests),
        len(failures),
        Counter(_reason(found) for found in root.iter("skipped")),
        list(_failures(root, "flakyFailure", "flakyError")),
        failures,
    )


def summary(suites: list[Suite], logs: list[StepLog]) -> list[str]:
    """Returns the lines to print."""
    slowest = sorted(suites, key=lambda suite: -suite.seconds)[:SLOWEST]
    lines = [f"slow     {suite.seconds:5.0f} s  {suite.name}, {suite.step}" for suite in slowest]
    ordered = sorted(suites)
    lines += [
        f"skipped  {count:5d}    {suite.name}, {suite.step}: {reason}"
        for suite in ordered
        for reason, count in sorted(suite.skipped.items())
    ]
    lines += [f"flaky             {suite.name}, {suite.step}: {test}" for suite in ordered for test in suite.flaky]
    lines += [f"failed            {suite.name}, {suite.step}: {test}" for suite in ordered for test in suite.failures]
    lines += [f"failed            {log.step}: {failure}" for log in logs for failure in log.failures]
    lines += [f"did not run       {log.step}: {', '.join(log.not_run)}" for log in logs if log.not_run]
    failed = sum(suite.failed for suite in suites)
    skipped = sum(suite.skipped.total() for suite in suites)
    passed = sum(suite.tests for suite in suites) - failed - skipped + sum(log.passed for log in logs)
    failed += sum(log.failed for log in logs)
    skipped += sum(log.skipped for log in logs)
    return [*lines, f"{passed} passed, {failed} failed, {skipped} skipped"]


def main(folder: Path) -> int:
    """Runs the command."""
    suites = [read(report) for report in sorted(folder.glob("*/*.xml"))]
    print(*summary(suites, [read_log(log) for log in sorted(folder.glob("*.log"))]), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
