"""Tests of how programs are run, with programs that every machine has."""

import signal
import time
import unittest
from pathlib import Path

from lagbench_validation.processes import Failed, Program, run


class RunTest(unittest.TestCase):
    def test_returns_what_was_printed(self) -> None:
        self.assertEqual(run(["echo", 1, "two"]), "1 two\n")

    def test_reports_exit_code_and_last_lines(self) -> None:
        with self.assertRaisesRegex(Failed, "^sh: exit code 3: no luck$"):
            run(["sh", "-c", "echo no luck >&2; exit 3"])

    def test_ends_a_program_after_its_time_limit(self) -> None:
        with self.assertRaisesRegex(Failed, "^sleep: did not end within 0.05 s$"):
            run(["sleep", 60], timeout_s=0.05)

    def test_names_a_missing_program(self) -> None:
        with self.assertRaisesRegex(Failed, "^nonexistent: No such file"):
            run(["/nonexistent"])


def is_running(pid: int) -> bool:
    """Returns whether there is a process; one that is dead and not yet waited for has no command line."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except (FileNotFoundError, ProcessLookupError):
        return False


class ProgramTest(unittest.TestCase):
    def _start(self, script: str, keep_input_open: bool = False) -> Program:
        program = Program("it", ["sh", "-c", script], keep_input_open=keep_input_open)
        self.addCleanup(program.end)
        return program

    def test_waits_for_a_line_and_records_all(self) -> None:
        program = self._start("echo one; sleep 0.05; echo ready 7 >&2; read line; echo end", keep_input_open=True)
        self.assertEqual(program.await_text(r"^ready (\d)$", 10)[1], "7")
        self.assertFalse(program.ended)
        program.close_input()
        program.await_success(10)
        self.assertEqual(program.output(), "one\nready 7\nend\n")
        program.end()
        self.assertEqual(program.output(), "one\nready 7\nend\n")

    def test_reports_the_output_of_a_program_that_ended_early(self) -> None:
        with self.assertRaisesRegex(Failed, "^it ended: no luck$"):
            self._start("echo no luck").await_text("^ready$", 10)

    def test_omits_a_stack_trace(self) -> None:
        with self.assertRaisesRegex(Failed, "^it: exit code 1: java.lang.Error: no luck$"):
            self._start("printf 'java.lang.Error: no luck\\n\\tat org.lagbench.Main\\n'; exit 1").await_success(10)

    def test_reports_an_exit_code_other_than_0(self) -> None:
        with self.assertRaisesRegex(Failed, "^it: exit code 3: no output$"):
            self._start("exit 3").await_success(10)

    def test_ends_children_too(self) -> None:
        program = self._start("sleep 60 & echo $!; trap '' TERM; wait; wait")
        child = int(program.await_text(r"^(\d+)$", 10)[1])
        began = time.monotonic()
        program.end(signal.SIGKILL)
        while is_running(child):
            self.assertLess(time.monotonic() - began, 4)
            time.sleep(0.01)

    def test_counts_cpu_time_of_found_processes(self) -> None:
        program = self._start("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; echo done; sleep 60")
        program.find_children()
        program.await_text("^done$", 60)
        self.assertGreater(program.cpu_ns()[program.pid], 1_000_000)


if __name__ == "__main__":
    unittest.main()
