"""The Markdown files of the documentation: README.md, docs/ and the docs/ of each extension."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_FENCE = re.compile(r"^(```+)\s*(\S*)\s*$")
_HEADING = re.compile(r"^#+\s+(.*?)\s*#*$")
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")


class Block(NamedTuple):
    """A fenced block of a page."""

    line: int
    language: str
    text: str


def pages(home: Path) -> list[Path]:
    """Returns the pages in the order in which they are read: README.md first."""
    return [home / "README.md", *sorted((home / "docs").rglob("*.md")), *sorted(home.glob("extensions/*/docs/*.md"))]


def blocks(text: str) -> Iterator[Block]:
    """Yields the fenced blocks of a page."""
    fence, language, begin, kept = "", "", 0, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        match = _FENCE.match(line)
        if fence:
            if match and match.group(1) == fence:
                yield Block(begin, language, "\n".join(kept) + "\n")
                fence = ""
            else:
                kept.append(line)
        elif match:
            fence, language, begin, kept = match.group(1), match.group(2), number, []
    if fence:
        raise ValueError(f"line {begin}: the fenced block has no end")


def prose(text: str) -> list[str]:
    """Returns the lines of a page; the lines of fenced and indented blocks are empty."""
    lines, fence = list[str](), ""
    for line in text.splitlines():
        match = _FENCE.match(line)
        if match and fence in ("", match.group(1)):
            fence = "" if fence else match.group(1)
            lines.append("")
        else:
            lines.append("" if fence or line.startswith("    ") else line)
    return lines


def anchors(text: str) -> set[str]:
    """Returns the anchors of a page's headings as GitHub makes them."""
    found = set[str]()
    for line in prose(text):
        if match := _HEADING.match(line):
            anchor = _NOT_IN_ANCHOR.sub("", match.group(1).lower()).replace(" ", "-")
            number, unique = 0, anchor
            while unique in found:
                number += 1
                unique = f"{anchor}-{number}"
            found.add(unique)
    return found
