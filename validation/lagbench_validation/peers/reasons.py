"""The known reasons why a peer is better: reasons.ini, maintained by hand."""

import configparser
from fnmatch import fnmatchcase
from pathlib import Path

_FILE = Path(__file__).with_name("reasons.ini")
UNKNOWN = "no reason is known yet"


class Reasons:
    """The reasons by peer, metric and cell."""

    def __init__(self, text: str) -> None:
        parsed = configparser.ConfigParser(interpolation=None, strict=True)
        parsed.read_string(text)
        self._known: list[tuple[list[str], str]] = []
        for section in parsed.sections():
            fields = section.split()
            if len(fields) != 3:
                raise ValueError(f"reasons.ini: [{section}] is not a peer, a metric and a cell")
            self._known.append((fields, " ".join(parsed[section]["why"].split())))

    @staticmethod
    def read() -> "Reasons":
        return Reasons(_FILE.read_text("utf-8"))

    def why(self, peer: str, metric: str, cell: str) -> str:
        """Returns the first reason that matches; sections may have patterns, such as udp/*/flood or one|two."""
        asked = (peer, metric, cell)
        return next((why for fields, why in self._known if all(map(_fits, asked, fields))), UNKNOWN)


def _fits(name: str, patterns: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns.split("|"))
