"""Tests of the summary of JUnit reports."""

import tempfile
import unittest
from pathlib import Path

from lagbench_validation.junit import read, summary

SUREFIRE = """<testsuite name="org.lagbench.cli.RunTest" time="{time}" tests="4" errors="1" skipped="1" failures="1">
<testcase name="a" time="1"><flakyFailure message="late&#10;by 1 s" type="E"/></testcase>
<testcase name="b"><failure message="x"/></testcase><testcase name="c"><error/></testcase>
<testcase name="d"><skipped message="Assumption failed: needs root"/></testcase>
</testsuite>"""
CTEST = """<testsuite name="(empty)" tests="3" failures="0" disabled="0" skipped="2" time="3">
<testcase name="a" status="run"/><testcase name="b" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
<testcase name="c"><skipped>org.opentest4j.TestAbortedException:
at x</skipped></testcase>
</testsuite>"""


class SummaryTest(unittest.TestCase):
    def test_sorts_slow_classes_names_skipped_tests_and_adds_up(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            files = []
            for step, number, text in [
                ("Java 17", 1, SUREFIRE.format(time="12.6")),
                ("Java 25", 2, SUREFIRE.format(time="1,100")),
                ("native", 3, CTEST),
            ]:
                file = Path(directory) / step / f"{number}.xml"
                file.parent.mkdir()
                file.write_text(text, encoding="utf-8")
                files.append(file)
            self.assertEqual(
                summary([read(file) for file in files]),
                [
                    "slow      1100 s  cli.RunTest, Java 25",
                    "slow        13 s  cli.RunTest, Java 17",
                    "slow         3 s  ctest, native",
                    "skipped      1    cli.RunTest, Java 17: needs root",
                    "skipped      1    cli.RunTest, Java 25: needs root",
                    "skipped      1    ctest, native: SKIP_RETURN_CODE=77",
                    "skipped      1    ctest, native: no reason is given",
                    "flaky             cli.RunTest, Java 17: a: late",
                    "flaky             cli.RunTest, Java 25: a: late",
                    "3 passed, 4 failed, 4 skipped",
                ],
            )

    def test_counts_nothing_without_reports(self) -> None:
        self.assertEqual(summary([]), ["0 passed, 0 failed, 0 skipped"])
