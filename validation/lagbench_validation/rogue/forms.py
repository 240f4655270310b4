"""The form of the control messages, read from the file that lagbench's own tests compare with its classes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GOLDEN = Path("control/src/test/resources/org/lagbench/control/messages.txt")

_LINE = re.compile(r"([\w-]+)([(\[])(.*)[)\]]")
_COMPONENT = re.compile(r"(\w+) ([^,<]+(?:<[^>]*>)?)")

FieldPath = tuple[str | int, ...]
"""Where a value is in a message: names of fields and keys, and indexes of lists."""


@dataclass(frozen=True)
class Field:
    """A value in a message and its type in Java."""

    path: FieldPath
    kind: str

    @property
    def name(self) -> str:
        return ".".join(map(str, self.path))


@dataclass(frozen=True)
class Forms:
    """The fields of messages, of their records, and the words of enumerations."""

    protocol: int
    fields: Mapping[str, Mapping[str, str]]
    enums: Mapping[str, tuple[str, ...]]

    def messages(self) -> list[str]:
        """Returns the types of messages, which begin with a small letter; those of records begin with a capital."""
        return [name for name in self.fields if name[0].islower()]

    def leaves(self, message: str, honest: Mapping[str, Any]) -> Iterator[Field]:
        """Yields every value of a message, outer ones first; records, lists and maps are values too."""
        for name, kind in self.fields[message].items():
            yield from self._values(Field((name,), kind), honest[name])

    def _values(self, field: Field, value: Any) -> Iterator[Field]:
        yield field
        if value is None:
            return
        if field.kind in self.fields:
            for name, kind in self.fields[field.kind].items():
                yield from self._values(Field((*field.path, name), kind), value[name])
        elif found := re.fullmatch(r"(List|Set|Map)<(?:String, )?(\w+)>", field.kind):
            inner = found[2] if found[1] != "Map" or found[2] != "Object" else "Object"
            for key in range(min(1, len(value))) if found[1] != "Map" else list(value):
                yield from self._values(Field((*field.path, key), inner), value[key])


def read_forms(home: Path) -> Forms:
    """Reads the form of the messages of a checkout."""
    first, *lines = (home / GOLDEN).read_text("ascii").splitlines()
    fields, enums = {}, {}
    for line in lines:
        if not (found := _LINE.fullmatch(line)):
            raise ValueError(f"{GOLDEN}: not a message: {line}")
        name, bracket, inside = found.groups()
        if bracket == "[":
            enums[name] = tuple(inside.split(", "))
        else:
            fields[name] = dict(_COMPONENT.findall(inside))
    return Forms(int(first.removeprefix("protocol ")), fields, enums)
