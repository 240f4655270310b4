"""A test of how a run is made, with programs in the place of the bench's."""

import os
import subprocess
import tempfile
import unittest
from unittest import mock

from bench import Bench

# It ends well when it is told to; it is interrupted if its input ends before.
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


class EndsWhenWaitedFor(subprocess.Popen):
    """A process that, with an input that goes on, would not end before somebody waits for that."""

    def wait(self, timeout=None):
        if self.stdin is not None and not self.stdin.closed:
            self.terminate()
        return super().wait(timeout)


class HereAndThere:
    """Two sides that are both here."""

    def command(self, side, *arguments, environment=None):
        return [str(argument) for argument in arguments]


class BenchTest(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = home.name
        os.mkdir(os.path.join(self.home, "scripts"))
        for name, text in (("receiver", RECEIVER), ("sender", SENDER)):
            with open(os.open(os.path.join(self.home, "scripts", name), os.O_WRONLY | os.O_CREAT, 0o700), "w") as file:
                file.write(text)

    def test_does_not_interrupt_a_receiver_that_hears_late_of_its_senders_end(self):
        bench = Bench(self.home, self.home)
        with (
            mock.patch.object(Bench, "_read", return_value="the run"),
            mock.patch("subprocess.Popen", EndsWhenWaitedFor),
        ):
            self.assertEqual(bench.run(HereAndThere(), "a", {"a": {}, "b": {}}, "run", []), "the run")


if __name__ == "__main__":
    unittest.main()
