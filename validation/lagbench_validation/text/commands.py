"""Runs the commands of README.md and docs/ in a built copy of the checkout.

    python3 -m lagbench_validation.text.commands COPY

The ```sh blocks of a page run in order in one shell, those of README.md first, whose results the other pages use. To
save time, the copy's quickstart has fewer packets, and all JVMs compile less. Prints a line for each page, and what a
failed page printed. Exit code 0 only if all commands succeed.
"""

import re
import sys
import time
from pathlib import Path

from lagbench_validation.processes import Failed, Program
from lagbench_validation.text.documentation import blocks, pages

LANGUAGE = "sh"
PAGE_SECONDS_MAX = 180
SHOWN_LINES = 30
QUICKSTART = "configs/quickstart.yaml"
QUICKSTART_PACKETS = re.compile(r"^((?:warm-up-)?packets: )\d+$", re.MULTILINE)
FEWER_PACKETS = 500
FAST_JVMS = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


def script(text: str) -> str:
    """Returns the commands of a page; each block first prints its line."""
    return "".join(f"echo 'line {block.line}:'\n{block.text}" for block in blocks(text) if block.language == LANGUAGE)


def run_page(page: Path, home: Path) -> tuple[bool, str]:
    """Runs the commands of a page; returns whether they succeeded, and their output."""
    commands = script(page.read_text(encoding="utf-8"))
    shell = ["bash", "-euo", "pipefail", "-c", commands]
    program = Program(str(page.relative_to(home)), shell, directory=home, environment=FAST_JVMS)
    success = True
    try:
        program.await_success(PAGE_SECONDS_MAX)
    except Failed:
        success = False
    finally:
        program.end()
    return success, program.output()


def shorten_quickstart(experiment: Path) -> None:
    """Reduces the numbers of packets in the copy's quickstart."""
    text, count = QUICKSTART_PACKETS.subn(rf"\g<1>{FEWER_PACKETS}", experiment.read_text(encoding="utf-8"))
    if count != 2:
        raise ValueError(f"{experiment} has {count} numbers of packets, not 2")
    experiment.write_text(text, encoding="utf-8")


def main(home: Path) -> int:
    """Runs the command."""
    passed = failed = 0
    shorten_quickstart(home / QUICKSTART)
    for page in pages(home):
        if not script(page.read_text(encoding="utf-8")):
            continue
        begun = time.monotonic()
        success, output = run_page(page, home)
        seconds = time.monotonic() - begun
        passed, failed = passed + success, failed + (not success)
        print(f"{'passed' if success else 'FAILED'}  commands of {page.relative_to(home)}, {seconds:.1f} s", flush=True)
        if not success:
            print("\n".join(output.splitlines()[-SHOWN_LINES:]), flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
