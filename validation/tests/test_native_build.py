"""Builds a small native part by the script that Maven calls."""

import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "lib" / "build-native.sh"


def build(module: Path) -> subprocess.CompletedProcess[str]:
    """Builds the native part of a module."""
    directory = module / "target" / "native"
    directory.parent.mkdir(exist_ok=True)
    return subprocess.run(
        [SCRIPT, "build", directory, module, "/nonexistent-jdk", "OFF"], capture_output=True, text=True, check=False
    )


class NativeBuildTest(unittest.TestCase):
    def test_builds_after_checkout_was_moved(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            module = Path(directory) / "before"
            module.mkdir()
            (module / "answer.c").write_text("int main(void) { return 0; }\n")
            (module / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.21)\nproject(answer C)\nadd_executable(answer answer.c)\n"
            )
            self.assertEqual(build(module).returncode, 0)
            built = (module / "target/native/answer").stat().st_mtime_ns
            self.assertEqual(build(module).returncode, 0)
            self.assertEqual((module / "target/native/answer").stat().st_mtime_ns, built)
            moved = module.rename(Path(directory) / "after")
            result = build(moved)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue((moved / "target/native/answer").exists())
