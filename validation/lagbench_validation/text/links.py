"""Checks the links of README.md, docs/ and the other READMEs: files and anchors of the checkout. A checkout without an
extension has no files of it.

    python3 -m lagbench_validation.text.links HOME

Exit code 0 only if each file exists, each anchor is a heading, and each page of docs/ can be reached from README.md.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from lagbench_validation.text.documentation import anchors, pages, prose

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
EXTERNAL = re.compile(r"[a-z]+:")


def links(text: str) -> Iterator[tuple[int, str]]:
    """Yields line and target of the links in a page."""
    for number, line in enumerate(prose(text), start=1):
        for match in LINK.finditer(line):
            yield number, match.group(1)


def _is_of_absent_extension(file: Path, home: Path) -> bool:
    parts = file.relative_to(home).parts if file.is_relative_to(home) else ()
    return parts[:1] == ("extensions",) and not home.joinpath(*parts[:2]).exists()


def check(page: Path, home: Path) -> tuple[list[str], set[Path]]:
    """Returns the broken links of a page, one sentence each, and the files that it links."""
    broken, linked = list[str](), set[Path]()
    for line, target in links(page.read_text(encoding="utf-8")):
        if EXTERNAL.match(target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        where = f"{page.relative_to(home)}:{line}: {target}"
        if _is_of_absent_extension(file, home):
            continue
        if not file.is_relative_to(home) or not file.exists():
            broken.append(f"{where}: there is no such file")
        elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
            broken.append(f"{where}: the page has no such heading")
        else:
            linked.add(file)
    return broken, linked


def main(home: Path) -> int:
    """Runs the command."""
    home = home.resolve()
    tracked = subprocess.run(
        ["git", "-C", home, "ls-files", "-z", "*.md"], check=True, capture_output=True, text=True
    ).stdout
    broken, linked = list[str](), {home / "README.md"}
    for page in sorted({*pages(home), *(home / name for name in tracked.split("\0") if name)}):
        found, targets = check(page, home)
        broken += found
        linked |= targets
    broken += [f"{page.relative_to(home)}: no page links to it" for page in pages(home) if page not in linked]
    print("\n".join([*broken, f"{len(broken)} broken links"]))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
