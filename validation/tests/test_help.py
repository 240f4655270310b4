"""Tests of the help of the programs that are no Python."""

import subprocess
import unittest
from pathlib import Path

_VALIDATION = Path(__file__).parents[1]


class HelpTest(unittest.TestCase):
    def test_each_command_prints_its_help_and_does_nothing_else(self) -> None:
        commands = sorted((_VALIDATION / "commands").iterdir())
        self.assertGreater(len(commands), 0)
        for command in commands:
            with self.subTest(command.name):
                validate = _VALIDATION.parent / "scripts" / "validate"
                ended = subprocess.run([validate, command.name, "--help"], capture_output=True, timeout=60, check=False)
                self.assertEqual((ended.returncode, ended.stderr), (0, b""))
                self.assertGreater(len(ended.stdout), 0)


if __name__ == "__main__":
    unittest.main()
