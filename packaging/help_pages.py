"""Writes man pages, and the completion for fish, from what `lagbench COMMAND --help` prints.

    help_pages.py DIRECTORY PROGRAM DATE VERSION COMMAND...

PROGRAM is the installed name, COMMAND starts the program. Writes PROGRAM.1, a page for each
subcommand, and PROGRAM.fish.
"""

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

USAGE = "Usage:"
HEADINGS = {"Exit codes:": "EXIT STATUS", "Examples:": "EXAMPLES"}
COMMANDS = re.compile(r"Commands.*:$")  # one heading for each group
ENTRY = re.compile(r" {2,6}([-\[<A-Z]\S*.*)$")
WIDEST_INDENT = 6
DOCUMENT = re.compile(r"\bdocs/(?=[a-z])")
INSTALLED = "/usr/share/doc/lagbench/docs/"
LINE_LENGTH = 64  # mandoc accepts 80 with the escapes


def first_sentence(text: str) -> str:
    """Returns the first sentence without its final period, and without an explanation after it."""
    return re.split(r"\.(?: |$)|: | \(", text)[0]


class Entry(NamedTuple):
    """An option, a subcommand or an exit code, and what it does."""

    term: str
    text: str


class Help(NamedTuple):
    """The parts of a help text; paragraphs are without line breaks."""

    usage: str
    description: list[str]
    options: list[Entry]
    commands: list[Entry]
    exit_codes: list[Entry]
    examples: list[str]

    def purpose(self) -> str:
        """Returns the first sentence without its final period."""
        return first_sentence(self.description[0])


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def entries(lines: list[str]) -> Iterator[Entry]:
    """Joins the lines of a list of terms, each with a description at a column to the right."""
    column = min((indent(line) for line in lines if indent(line) > WIDEST_INDENT), default=0)
    term, words = "", list[str]()
    for line in lines:
        if indent(line) > WIDEST_INDENT:
            words.append(line.strip())
            continue
        if term:
            yield Entry(term, " ".join(words))
        head = re.match(r" *(\S.*?)(?: {2,}(\S.*))?$", line)
        assert head, line
        term, words = head[1], [head[2]] if head[2] else []
        if not words and len(line) > column > 0 and line[column - 1] == " ":  # the term fills its column
            term, words = line[:column].strip(), [line[column:]]
    if term:
        yield Entry(term, " ".join(words))


def parse(text: str) -> Help:
    """Parses a help text of picocli."""
    sections: dict[str, list[str]] = {name: [] for name in (USAGE, "", "OPTIONS", "COMMANDS", *HEADINGS.values())}
    name = USAGE
    for line in text.splitlines():
        if COMMANDS.match(line):
            name = "COMMANDS"
            continue
        if line in HEADINGS:
            name = HEADINGS[line]
        elif name == USAGE and line and not line.startswith((USAGE, " ")):
            name = ""
        elif name == "" and ENTRY.match(line):
            name = "OPTIONS"
        elif name == "EXAMPLES" and line and indent(line) == 0:
            name = ""
        sections[name].append(line)
    lists = {key: list(entries([line for line in sections[key][1 if key == "EXIT STATUS" else 0 :] if line]))
             for key in ("OPTIONS", "COMMANDS", "EXIT STATUS")}  # fmt: skip
    paragraphs = "\n".join(sections[""]).split("\n\n")
    return Help(
        " ".join(" ".join(sections[USAGE]).removeprefix(USAGE).split()),
        [" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip()],
        lists["OPTIONS"],
        lists["COMMANDS"],
        lists["EXIT STATUS"],
        [line for line in sections["EXAMPLES"][1:] if line],
    )


def read(command: list[str]) -> Help:
    output = subprocess.run([*command, "--help"], check=True, capture_output=True, text=True)
    return parse(output.stdout)


def escaped(text: str) -> str:
    """Escapes a line for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def wrapped(text: str) -> list[str]:
    """Returns a paragraph as lines of roff."""
    lines = textwrap.wrap(DOCUMENT.sub(INSTALLED, text), LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
    return [escaped(line) for line in lines]


def page(title: str, own: Help, date: str, version: str, others: list[str]) -> str:
    """Returns a man page."""
    words = title.split(" ")
    name = "-".join(words)
    purpose = own.purpose()
    lines = [f'.TH {escaped(name.upper())} 1 {date} "lagbench {version}"', ".SH NAME"]
    lines += wrapped(f"{name} - {purpose[0].lower() + purpose[1:]}")
    lines += [".SH SYNOPSIS", f".B {escaped(title)}", *wrapped(" ".join(own.usage.split()[len(words) :]))]
    for number, paragraph in enumerate(own.description):
        lines += [".PP" if number else ".SH DESCRIPTION", *wrapped(paragraph)]
    terms = {"OPTIONS": own.options, "COMMANDS": own.commands, "EXIT STATUS": own.exit_codes}
    for heading, listed in terms.items():
        lines += [f".SH {heading}"] if listed else []
        for entry in listed:
            lines += [".TP", f".B {escaped(entry.term)}", *wrapped(entry.text)]
    if own.examples:
        lines += [".SH EXAMPLES", ".nf", *map(escaped, own.examples), ".fi"]
    if others:
        lines += [
            ".SH SEE ALSO",
            *(f".BR {escaped(other)} (1)," for other in others[:-1]),
            f".BR {escaped(others[-1])} (1)",
        ]
    return "\n".join(lines) + "\n"


def subcommands(command: list[str], title: str) -> Iterator[tuple[str, Help]]:
    """Yields a program and its subcommands, each with its help."""
    own = read(command)
    yield title, own
    for entry in own.commands:
        if entry.term != "help":
            yield from subcommands([*command, entry.term], f"{title} {entry.term}")


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(title: str, own: Help) -> Iterator[str]:
    """Yields the lines of the completion for one command."""
    program, *path = title.split(" ")
    condition = (
        "__fish_use_subcommand" if not path else " && ".join(f"__fish_seen_subcommand_from {word}" for word in path)
    )
    for entry in own.commands:
        yield f"complete -c {program} -n {quoted(condition)} -f -a {entry.term} -d {quoted(first_sentence(entry.text))}"
    for entry in own.options:
        names = re.findall(r"(?:^|[ ,])(--?)([A-Za-z0-9][\w-]*)", entry.term)
        if not names:
            continue
        flags = " ".join(f"-{'l' if dashes == '--' else 's'} {name}" for dashes, name in names)
        required = " -r" if re.search(r"[a-z]=", entry.term) else ""
        yield f"complete -c {program} -n {quoted(condition)} {flags}{required} -d {quoted(first_sentence(entry.text))}"


def main() -> None:
    directory, title, date, version, *command = sys.argv[1:]
    every = dict(subcommands(command, title))
    names = ["-".join(name.split(" ")) for name in every]
    lines = [line for name, own in every.items() for line in fish(name, own)]
    Path(directory, f"{title}.fish").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, own in every.items():
        file = "-".join(name.split(" "))
        others = [other for other in names if other != file] if file == title else [title]
        Path(directory, f"{file}.1").write_text(page(name, own, date, version, others if names[1:] else []), "utf-8")


if __name__ == "__main__":
    main()
