"""Why a peer is better somewhere, as far as it is known: reasons.ini, kept by hand."""

import configparser
import os
from fnmatch import fnmatchcase

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reasons.ini")
UNKNOWN = "no reason is known yet"


class Reasons:
    """By peer, metric and cell."""

    def __init__(self, text):
        parsed = configparser.ConfigParser(interpolation=None, strict=True)
        parsed.read_string(text)
        self._known = []
        for section in parsed.sections():
            fields = section.split()
            if len(fields) != 3:
                raise ValueError(f"reasons.ini: [{section}] is not a peer, a metric and a cell")
            self._known.append((fields, " ".join(parsed[section]["why"].split())))

    @staticmethod
    def read():
        with open(_FILE, encoding="utf-8") as file:
            return Reasons(file.read())

    def why(self, peer, metric, cell):
        """The first that fits; each of the three may be patterns, such as udp/*/flood or one|two."""
        asked = (peer, metric, cell)
        return next((why for fields, why in self._known if all(map(_fits, asked, fields))), UNKNOWN)


def _fits(name, patterns):
    return any(fnmatchcase(name, pattern) for pattern in patterns.split("|"))
