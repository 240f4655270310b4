"""Tests of the summary of a test run."""

import tempfile
import unittest
from pathlib import Path

from lagbench_validation.junit import read, summary
from lagbench_validation.step_logs import read as read_log

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
REPEATED = """<testsuite name="org.lagbench.cli.RunTest" time="41.1" tests="1" errors="0" skipped="0" failures="0">
<testcase name="a" time="90.3"/><testcase name="b" time="41.1"><flakyFailure message="late" type="E"/></testcase>
<testcase name="c" time="0"><skipped message="needs root"/></testcase>
<testcase name="d" time="1"><failure message="x"/><rerunFailure message="y"/></testcase>
</testsuite>"""
NESTED = """<testsuite name="org.lagbench.cli.NestedTest" time="0.1" tests="0" errors="0" skipped="0" failures="0">
<testcase name="a" classname="NestedTest$Inner" time="0"/><testcase name="b" classname="NestedTest$Inner" time="0"/>
</testsuite>"""
OUTPUT_OF_PYTHON = """test_b (test_x.XTest) ... FAIL
test_c (test_x.XTest) ... ERROR

======================================================================
FAIL: test_b (test_x.XTest)
It compares.
----------------------------------------------------------------------
Traceback (most recent call last):
  File "test_x.py", line 3, in test_b
    self.assertEqual(1, 2)

AssertionError: 1 != 2

======================================================================
ERROR: test_c (test_x.XTest)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "test_x.py", line 5, in test_c
KeyError: &apos;a&apos;

----------------------------------------------------------------------
FAILED (failures=1, errors=1)
"""
FAILED_CTEST = """<testsuite name="(empty)" tests="4" failures="4" disabled="0" skipped="0" time="3">
<testcase name="p" status="fail"><failure message=""/><system-out>{output}</system-out></testcase>
<testcase name="c" status="fail"><failure message=""/><system-out>ok   a
test_c.c:7: x is 1, not 2
</system-out></testcase>
<testcase name="s" status="fail"><failure message=""/><system-out>==7==ERROR: AddressSanitizer: leak
SUMMARY: 1 byte</system-out></testcase>
<testcase name="k" status="fail"><failure message=""/><system-out>begun
Killed
</system-out></testcase>
</testsuite>"""
MAVEN = """[INFO] lagbench core ...................................... FAILURE [ 22.130 s]
[INFO] lagbench control ................................... SKIPPED
[INFO] lagbench sender      ............................... SUCCESS [  1.000 s]
[INFO] lagbench command line ................................ SKIPPED
[ERROR] Failed to execute goal org.apache.maven.plugins:x:1:compile (x) on project lagbench-core: Compilation failure
[ERROR] /a b/Core.java:[12,3] ';' expected
[ERROR] -> [Help 1]
[ERROR] Failed to execute goal on project lagbench-web: Could not resolve dependencies -> [Help 1]
"""
SMOKES = """FAILED  one check: 2 > 1
clock, 5 s   1.0  2.0   chrony  FAILED: outside
the state is FAILED now
3 passed, 2 failed
"""


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
                summary([read(file) for file in files], []),
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
                    "failed            cli.RunTest, Java 17: b: x",
                    "failed            cli.RunTest, Java 17: c: no reason is given",
                    "failed            cli.RunTest, Java 25: b: x",
                    "failed            cli.RunTest, Java 25: c: no reason is given",
                    "3 passed, 4 failed, 4 skipped",
                ],
            )

    def test_counts_all_tests_of_class_with_repeated_ones(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            files = []
            for number, text in enumerate((REPEATED, NESTED)):
                files.append(Path(directory) / f"{number}.xml")
                files[-1].write_text(text, encoding="utf-8")
            suites = [read(file)._replace(step="Java 17") for file in files]
            self.assertEqual(
                summary(suites, []),
                [
                    "slow       132 s  cli.RunTest, Java 17",
                    "slow         0 s  cli.NestedTest, Java 17",
                    "skipped      1    cli.RunTest, Java 17: needs root",
                    "flaky             cli.RunTest, Java 17: b: late",
                    "failed            cli.RunTest, Java 17: d: x",
                    "4 passed, 1 failed, 1 skipped",
                ],
            )

    def test_counts_nothing_without_reports(self) -> None:
        self.assertEqual(summary([], []), ["0 passed, 0 failed, 0 skipped"])

    def test_names_failed_tests_of_programs(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "native" / "1.xml"
            file.parent.mkdir()
            file.write_text(FAILED_CTEST.format(output=OUTPUT_OF_PYTHON), encoding="utf-8")
            self.assertEqual(
                read(file).failures,
                [
                    "p: test_b (test_x.XTest): AssertionError: 1 != 2; test_c (test_x.XTest): KeyError: 'a'",
                    "c: test_c.c:7: x is 1, not 2",
                    "s: ==7==ERROR: AddressSanitizer: leak",
                    "k: Killed",
                ],
            )

    def test_names_failed_checks_and_modules_that_did_not_run(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            logs = []
            for step, text in [
                ("Java 17", MAVEN),
                ("aborted", "1 passed, 0 failed\nKilled\n"),
                ("smokes", SMOKES),
                ("empty", ""),
            ]:
                log = Path(directory) / f"{step}.log"
                log.write_text(text, encoding="utf-8")
                logs.append(read_log(log))
            self.assertEqual(
                summary([], logs),
                [
                    "failed            Java 17: core was not built: /a b/Core.java:[12,3] ';' expected",
                    "failed            Java 17: web was not built: Could not resolve dependencies",
                    "failed            smokes: one check: 2 > 1",
                    "failed            smokes: clock, 5 s   1.0  2.0   chrony  FAILED: outside",
                    "did not run       Java 17: control, command line",
                    "3 passed, 2 failed, 0 skipped",
                ],
            )
