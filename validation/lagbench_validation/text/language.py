"""Finds words and phrases in the tracked files that the project does not use (language.toml).

    python3 -m lagbench_validation.text.language [--count] [PATH…]

Prints one line per hit: file, line, the text found and what to write. --count prints hits by directory. Also reports
test names of more than 60 characters, and sentences of more than 25 words in Markdown. Exit code 0 only without a hit.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from lagbench_validation.text.documentation import prose

RULES = Path(__file__).with_name("language.toml")
SOURCES = {".java", ".jte", ".c", ".h", ".py", ".js"}
SKIPPED = {"LICENSE", "GPL-2.0-only.txt", RULES.name, "test_text.py"}
BINARY = {".bin", ".npy", ".png"}
TEST_NAME_MAX = 60
SENTENCE_MAX = 25

COMMENT_LEADER = re.compile(r"^\s*(?:/\*\*?|\*/?|//|#+|>)?\s*")
WORDS_JOINED = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
# Ends of paragraphs, list items, headings and table cells end a sentence too.
SENTENCE_END = re.compile(r"[.?!:;](?=[\s)*]|$)|\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.) ?)|\|")
WORD = re.compile(r"[^\s–—=+×÷−≤→]*\w\S*")
TEST_NAME = re.compile(rf"\b(?:void|def) (\w{{{TEST_NAME_MAX + 1},}})\(")


class Rule(NamedTuple):
    """A pattern of text that is refused, and the text to write instead."""

    pattern: re.Pattern[str]
    replacement: str
    sources_only: bool = False


class Exempted(NamedTuple):
    """Lines of some files that are not searched."""

    files: str
    text: re.Pattern[str]


class Hit(NamedTuple):
    """A location in a file whose text must be rewritten."""

    path: str
    line: int
    found: str
    replacement: str


class Rules(NamedTuple):
    """The contents of language.toml."""

    phrases: list[Rule]
    any_phrase: re.Pattern[str]  # of a text in lower case: nearly all files have none, which one search finds
    names: list[Rule]
    any_name: re.Pattern[str]
    exceptions: list[Exempted]


def read_rules(path: Path = RULES) -> Rules:
    """Returns the rules of a file."""
    with path.open("rb") as file:
        tables = tomllib.load(file)
    phrases, names = tables["phrases"], tables["names"]
    if upper := [find for find in phrases if re.search("[A-Z]", re.sub(r"\\.", "", find))]:
        raise ValueError(f"{path}: {upper[0]}: phrases have only lower case; they are found in upper case too")
    return Rules(
        [Rule(re.compile(rf"\b(?:{find})\b", re.IGNORECASE), write) for find, write in phrases.items()],
        re.compile(rf"\b(?:{'|'.join(f'(?:{find})' for find in phrases)})\b"),
        [Rule(re.compile(rf"\b(?:{find})\b"), write, sources_only=True) for find, write in names.items()],
        re.compile(rf"\b(?:{'|'.join(f'(?:{find})' for find in names)})\b"),
        [Exempted(one["files"], re.compile(one["text"])) for one in tables["exceptions"]],
    )


def find_hits(path: str, text: str, rules: Rules) -> Iterator[Hit]:
    """Yields the locations in a file's text that a rule finds."""
    lines = text.splitlines()
    exempt = [one.text for one in rules.exceptions if fnmatch(path, one.files)]
    kept = ["" if any(one.search(line) for one in exempt) else line for line in lines]
    whole = "\n".join(kept)
    if Path(path).suffix in SOURCES and (rules.any_name.search(whole) or TEST_NAME.search(whole)):
        for number, line in enumerate(kept, start=1):
            for rule in rules.names:
                for match in rule.pattern.finditer(line):
                    yield Hit(path, number, match.group(), rule.replacement)
            for match in TEST_NAME.finditer(line):
                yield Hit(path, number, match.group(1), f"a name of at most {TEST_NAME_MAX} characters")
    if path.endswith(".md"):
        yield from find_long_sentences(path, text)
    joined, starts = join_lines(kept)
    for rule in rules.phrases if rules.any_phrase.search(joined.lower()) else []:
        for match in rule.pattern.finditer(joined):
            yield Hit(path, bisect_right(starts, match.start()), match.group(), rule.replacement)


def find_long_sentences(path: str, text: str) -> Iterator[Hit]:
    """Yields the sentences of a Markdown page that have too many words."""
    lines = prose(text)
    joined = "\n".join(lines)
    begin = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(joined)), len(joined)]:
        sentence = joined[begin:end]
        words = len(WORD.findall(sentence))
        if words > SENTENCE_MAX and not sentence.lstrip().startswith("Takes "):  # a list of accepted values
            line = joined.count("\n", 0, begin + len(sentence) - len(sentence.lstrip())) + 1
            found = " ".join(sentence.split())[:40] + "…"
            yield Hit(path, line, found, f"at most {SENTENCE_MAX} words per sentence, not {words}")
        begin = end


def join_lines(lines: list[str]) -> tuple[str, list[int]]:
    """Returns the lines joined, without comment leaders and with identifiers split, and where each begins."""
    parts: list[str] = []
    starts: list[int] = []
    length = 0
    for line in lines:
        part = WORDS_JOINED.sub(" ", COMMENT_LEADER.sub("", line, count=1)) + " "
        parts.append(part)
        starts.append(length)
        length += len(part)
    return "".join(parts), starts


def tracked_files(paths: list[str]) -> list[str]:
    """Returns the text files that git tracks, below the paths if any are given."""
    listed = subprocess.run(["git", "ls-files", "-z", "--", *paths], check=True, capture_output=True, text=True).stdout
    files = [Path(name) for name in listed.split("\0") if name]
    return [str(file) for file in files if file.name not in SKIPPED and file.suffix not in BINARY and file.is_file()]


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="language", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", action="store_true", help="print the hits of each directory only")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    options = parser.parse_args()
    rules = read_rules()
    hits = [
        hit
        for name in tracked_files(options.paths)
        for hit in find_hits(name, Path(name).read_text(encoding="utf-8"), rules)
    ]
    if options.count:
        for directory, count in sorted(Counter(hit.path.split("/")[0] for hit in hits).items()):
            print(f"{count:6} {directory}")
    else:
        for hit in hits:
            print(f'{hit.path}:{hit.line}: "{hit.found}": write {hit.replacement}')
    print(f"{len(hits)} hits")
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main())
