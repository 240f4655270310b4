"""Writes what commands print into README.md and the pages of docs/, from real runs.

    python3 -m lagbench_validation.text.outputs [--check] HOME [PAGE…]

A comment in a page marks the next fenced block as output:

    <!-- output -->            of the fenced block before the comment
    <!-- output | FILTER -->   the same, through FILTER
    <!-- output: COMMAND -->   of COMMAND
    <!-- setup: COMMAND -->    runs COMMAND and shows nothing

The ```sh blocks of a page and the marked commands run in order in one shell, in a temporary directory with links to
scripts/, configs/ and python/. Lines have at most 80 columns. As root they run with real-time priority, so that other
programs disturb them less.

--check runs nothing. It checks that all commands of a page, also those in its sentences, name programs in scripts/, and
subcommands and options that options.txt has, or that of an extension. It also checks that blocks say why no test runs
them (unrun.py). The test of the documentation's commands compares the table headers.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lagbench_validation.text.documentation import blocks, pages, prose
from lagbench_validation.text.unrun import unexplained

MARKER = re.compile(r"^<!-- (output|setup)(?:(: | \| )(.*))? -->$")
FENCE = re.compile(r"^(```+)\s*(\S*)\s*$")
RUN_LANGUAGE = "sh"
COLUMNS = 80
PREAMBLE = f'set -euo pipefail\nexport COLUMNS={COLUMNS}\nsudo() {{ "$@"; }}\n'
REAL_TIME = ["chrt", "--rr", "10"]
OPTIONS = Path(__file__).with_name("options.txt")
COMMAND = re.compile(r"lagbench (.+?): ?(.*)")
OPTION = re.compile(r"--[a-z][a-z-]*[a-z]")
INSTALLED = "lagbench"
PROGRAM = re.compile(rf"((?<![\w./])scripts/[a-z-]+(?![\w/])|(?<![\w./-]){INSTALLED}(?= [a-z-]))([^|;&<>)]*)")
IN_SENTENCE = re.compile(rf"`((?:scripts/|{INSTALLED} )[^`\n]+)`")
QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
NUMBER = re.compile(r"[±~≈]?[-−+]?[\d,]+(\.\d+)?%?")
WORD = re.compile(r"[^\W\d_]\S*")


class Step(NamedTuple):
    """Commands of a page, and the lines of the block that shows their output, without the fences."""

    line: int
    commands: str
    filter: str
    shown: range | None


def steps(text: str) -> Iterator[Step]:
    """Yields the commands that make the outputs of a page, in order."""
    lines = text.splitlines()
    previous: Step | None = None
    marker: tuple[str, str] | None = None
    at = 0
    while at < len(lines):
        if match := MARKER.match(lines[at]):
            kind, separator, rest = match.group(1), match.group(2), match.group(3) or ""
            if kind == "setup":
                yield Step(at + 1, rest + "\n", "", None)
            else:
                marker = (rest, "") if separator == ": " else ("", rest)
        elif match := FENCE.match(lines[at]):
            fence, language, begin = match.group(1), match.group(2), at + 1
            at = begin
            while at < len(lines) and lines[at] != fence:
                at += 1
            if marker is not None:
                yield _output(begin, at, marker, previous)
                previous, marker = None, None
            else:
                if previous is not None and previous.filter == RUN_LANGUAGE:
                    yield previous._replace(filter="")
                previous = Step(begin, "\n".join(lines[begin:at]) + "\n", language, None)
        at += 1
    if previous is not None and previous.filter == RUN_LANGUAGE:
        yield previous._replace(filter="")


def _output(begin: int, end: int, marker: tuple[str, str], previous: Step | None) -> Step:
    """Returns the step of a block with output; that of the block before it becomes a part of it."""
    command, output_filter = marker
    before = previous.commands if previous is not None and (previous.filter == RUN_LANGUAGE or not command) else ""
    if command and before:
        before = "{\n" + before + "} >&2\n"
    if not command and not before:
        raise ValueError(f"line {begin}: there is no block before this output")
    return Step(begin, before + (command + "\n" if command else ""), output_filter, range(begin, end))


def make(text: str, home: Path) -> str:
    """Returns a page with new outputs."""
    made = list(steps(text))
    with tempfile.TemporaryDirectory() as name:
        directory, outputs = Path(name) / "run", Path(name) / "outputs"
        directory.mkdir()
        outputs.mkdir()
        for linked in ("scripts", "configs", "python"):
            (directory / linked).symlink_to(home / linked)
        script = PREAMBLE
        for number, step in enumerate(made):
            file = shlex.quote(str(outputs / str(number)))
            script += f"{{\n{step.commands}}} >{file}\n"
            if step.filter:
                script += f"{{ {step.filter}; }} <{file} >{file}.filtered; mv {file}.filtered {file}\n"
        shell = [*(REAL_TIME if os.geteuid() == 0 else []), "bash", "-c", script]
        subprocess.run(shell, cwd=directory, check=True, stdin=subprocess.DEVNULL)
        lines = text.splitlines()
        for number, step in reversed(list(enumerate(made))):
            if step.shown is not None:
                output = (outputs / str(number)).read_text(encoding="utf-8").strip("\n")
                lines[step.shown.start : step.shown.stop] = [line.rstrip() for line in output.splitlines()]
    return "\n".join(lines) + "\n"


def headers(output: str) -> set[str]:
    """Returns the words of the headers of the tables in an output: what is above rows with several numbers."""
    words, above = set[str](), set[str]()
    for line in output.splitlines():
        if not line.strip():
            above = set()
        elif sum(NUMBER.fullmatch(word) is not None for word in line.split()) > 1:
            words |= above
        else:
            above |= set(WORD.findall(line))
    return words


def missing_headers(text: str, line: int, output: str) -> set[str]:
    """Returns the words of table headers that a page shows for a block of shell and that are missing in its output."""
    lines = text.splitlines()
    for step in steps(text):
        if step.shown is not None and step.line > line:
            block = "".join(one + "\n" for one in lines[line : lines.index("```", line)])
            shown = "\n".join(lines[step.shown.start : step.shown.stop])
            return headers(shown) - set(WORD.findall(output)) if step.commands == block else set()
    return set()


def options_of(listed: str) -> dict[str, set[str]]:
    """Returns the options of each command, by the list that a test derives from the program's help."""
    return {match[1]: set(match[2].split()) for match in map(COMMAND.fullmatch, listed.splitlines()) if match}


def check(text: str, home: Path) -> Iterator[str]:
    """Yields a sentence for each command of a page that the program does not have."""
    lists = [OPTIONS, *home.glob("extensions/*/options.txt")]
    known = options_of("".join(options.read_text(encoding="utf-8") for options in lists))
    for line, script in scripts(text):
        for program, arguments in commands(script):
            if program.endswith(INSTALLED):
                yield from (f"{line}: {problem}" for problem in _unknown(arguments, known))
            elif not (home / program).is_file():
                yield f"{line}: there is no {program}"


def scripts(text: str) -> Iterator[tuple[int, str]]:
    """Yields the line and the text of each place of a page that may hold commands."""
    for number, line in enumerate(text.splitlines(), start=1):
        if (match := MARKER.match(line)) and match.group(2) == ": ":
            yield number, match.group(3)
    yield from ((block.line, block.text) for block in blocks(text))
    for number, line in enumerate(prose(text), start=1):
        yield from ((number, match.group(1)) for match in IN_SENTENCE.finditer(line))


def commands(script: str) -> Iterator[tuple[str, list[str]]]:
    """Yields each program of scripts/, and the installed one, that a shell script starts, and its arguments."""
    for line in script.replace("\\\n", " ").splitlines():
        for match in PROGRAM.finditer(QUOTED.sub("QUOTED", line.partition(" #")[0])):
            yield match.group(1), match.group(2).partition(" -- ")[0].split()


def _unknown(arguments: list[str], known: dict[str, set[str]]) -> Iterator[str]:
    names = [name for name in known if arguments[: len(name.split())] == name.split()]
    if names:
        name = max(names, key=len)
        for argument in arguments:
            option = OPTION.match(argument)
            if option is not None and option.group() not in known[name] | {"--help"}:
                yield f"lagbench {name} has no option {option.group()}"
    elif arguments and not arguments[0].startswith("-"):
        yield f"lagbench has no command {arguments[0]}"


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="outputs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only check that the commands exist")
    parser.add_argument("home", metavar="HOME", type=Path)
    parser.add_argument("pages", nargs="*", metavar="PAGE", type=Path)
    options = parser.parse_args()
    home = options.home.resolve()
    problems = list[str]()
    for page in [home / page for page in options.pages] or pages(home):
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(home)
        if options.check:
            problems += [f"{name}:{problem}" for problem in check(text, home)]
            problems += [
                f"{name}:{line}: no test runs this block; add <!-- not run: REASON --> before it"
                for line in unexplained(text)
            ]
        elif any(step.shown is not None for step in steps(text)):
            page.write_text(make(text, home), encoding="utf-8")
            print(f"wrote {name}", flush=True)
    if options.check:
        print("\n".join([*problems, f"{len(problems)} wrong commands"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
