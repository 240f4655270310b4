"""Finds blocks of commands that no test runs and that do not say why.

scripts/test --all runs each ```sh block of a page. A block of data, such as YAML, has no commands. Each other block is
the output of a marked command (outputs.py), or the comment before it gives the reason why it is not run:

    <!-- not run: needs two hosts -->
"""

import re
from collections.abc import Iterator

from lagbench_validation.text.documentation import blocks

RUN_OR_DATA = {"sh", "yaml", "json", "ini"}
REASON = re.compile(r"<!-- not run: \S.* -->")
OUTPUT = "<!-- output"


def unexplained(text: str) -> Iterator[int]:
    """Yields the line of each block of a page that is neither output nor has a reason."""
    lines = text.splitlines()
    for block in blocks(text):
        before = next((line for line in reversed(lines[: block.line - 1]) if line.strip()), "")
        if block.language not in RUN_OR_DATA and not before.startswith(OUTPUT) and not REASON.fullmatch(before):
            yield block.line
