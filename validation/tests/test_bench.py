"""A test of a run with substitutes for lagbench's programs."""

import tempfile
import unittest
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

from lagbench_validation.processes import Program
from lagbench_validation.truth.bench import Bench

# Ends with exit code 0 on SIGTERM; exits as interrupted if its input ends before.
RECEIVER = """\
#!/usr/bin/env python3
import os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
print("listening on here", flush=True)
sys.stdin.read()
sys.exit(6)
"""

SENDER = """\
#!/bin/sh
exit 0
"""

await_end = Program.await_end


def end_when_waited_for(program: Program, seconds: float) -> bool:
    """Waits for the end of a process; makes a receiver that was not asked to end do so only now."""
    if program.name == "receiver" and not program._process.stdin.closed:  # type: ignore[union-attr]
        program._process.terminate()
    return await_end(program, seconds)


class HereAndThere:
    """Two sides that both run on this host, without namespaces."""

    def command(self, side: str, *arguments: object, environment: Mapping[str, str] | None = None) -> list[str]:
        return [str(argument) for argument in arguments]


class BenchTest(unittest.TestCase):
    def setUp(self) -> None:
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = Path(home.name)
        scripts = self.home / "scripts"
        scripts.mkdir()
        for name, text in (("receiver", RECEIVER), ("sender", SENDER)):
            (scripts / name).write_text(text)
            (scripts / name).chmod(0o700)

    def test_waits_for_a_slow_receiver(self) -> None:
        bench = Bench(self.home, self.home)
        with (
            mock.patch.object(Bench, "_read", return_value="the run"),
            mock.patch.object(Program, "await_end", end_when_waited_for),
        ):
            self.assertEqual(bench.run(HereAndThere(), "a", {"a": {}, "b": {}}, "run", "udp", []), "the run")


if __name__ == "__main__":
    unittest.main()
