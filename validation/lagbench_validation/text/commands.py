"""Runs the commands of README.md and docs/ in a built copy of the checkout.

    python3 -m lagbench_validation.text.commands COPY

The ```sh blocks of a page run in order in one shell, those of README.md first, whose results the other pages use. To
save time, the copy's quickstart has fewer packets, commands make fewer runs of fewer packets, and all JVMs
compile less. Prints a line for each page, and what a failed page printed. Exit code 0 only if all commands succeed, and
the pages show the headers of the tables that they print (see outputs.py).
"""

import re
import sys
import time
from pathlib import Path

from lagbench_validation.processes import Failed, Program
from lagbench_validation.text.documentation import blocks, pages
from lagbench_validation.text.outputs import COLUMNS, missing_headers

LANGUAGE = "sh"
PAGE_SECONDS_MAX = 900
SHOWN_LINES = 30
QUICKSTART = "configs/quickstart.yaml"
# What a number of a command or of an experiment file follows, and the number that is enough to show that the command
# works.
ENOUGH = (
    (re.compile(r"(^(?:warm-up-)?packets: |--set (?:warm-up-)?packets=)(\d+)\b", re.MULTILINE), 500),
    (re.compile(r"(--(?:warm-up-)?packets )(\d+)\b"), 1000),  # use-in-ci.md requires a loss of at most 1 %
    (re.compile(r"(--set repeats=|--budget ')(\d+)\b"), 2),
)
ENVIRONMENT = {
    "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "COLUMNS": str(COLUMNS),
    "PIP_NO_COMPILE": "1",
}


def shorten(commands: str) -> str:
    """Reduces numbers of packets and runs."""
    for numbers, enough in ENOUGH:
        parts = numbers.split(commands)  # what is before a number, what it follows, the number
        parts[2::3] = (str(min(int(number), enough)) for number in parts[2::3])
        commands = "".join(parts)
    return commands


def script(text: str) -> str:
    """Returns the commands of a page; each block first prints its line."""
    return "".join(
        f"echo 'line {block.line}:'\n{shorten(block.text)}" for block in blocks(text) if block.language == LANGUAGE
    )


def stale_outputs(text: str, output: str) -> list[str]:
    """Returns a sentence for each block with the output of an sh block whose tables have other headers now."""
    parts = re.split(r"^line (\d+):$", output, flags=re.MULTILINE)
    return [
        f"line {line}: the block with the output of these commands shows headers that they do not print: {words}"
        for line, part in zip(parts[1::2], parts[2::2], strict=True)
        if (words := ", ".join(sorted(missing_headers(text, int(line), part))))
    ]


def run_page(page: Path, home: Path) -> tuple[bool, str]:
    """Runs the commands of a page; returns whether they succeeded and its outputs are current, and their output."""
    text = page.read_text(encoding="utf-8")
    commands = script(text)
    shell = ["bash", "-euo", "pipefail", "-c", commands]
    program = Program(str(page.relative_to(home)), shell, directory=home, environment=ENVIRONMENT)
    success = True
    try:
        program.await_success(PAGE_SECONDS_MAX)
    except Failed:
        success = False
    finally:
        program.end()
    output = program.output()
    stale = stale_outputs(text, output) if success else []
    return success and not stale, "\n".join([output, *stale])


def shorten_quickstart(experiment: Path) -> None:
    """Reduces the numbers of packets in the copy's quickstart. read-a-session.md shows the names of all its runs."""
    text = experiment.read_text(encoding="utf-8")
    if (shortened := shorten(text)) == text:
        raise ValueError(f"{experiment} has no number of packets to reduce")
    experiment.write_text(shortened, encoding="utf-8")


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
