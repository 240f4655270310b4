"""Values that depart from an honest one: of another type, out of range, too long, or terminal escapes."""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

from lagbench_validation.rogue.forms import Field, FieldPath, Forms
from lagbench_validation.rogue.wire import Message

HUGE_CHARACTERS = 60_000  # a line may have 65,536 bytes
MANY_ENTRIES = 3_000
FORGED = "FORGED"  # begins the lines that a peer tries to forge

Named = Iterator[tuple[str, bytes]]
"""Pairs of the name of a mutation and the JSON that it writes, which may be invalid."""

_MARK = "@rogue@"
_BIT_31, _BIT_63 = 1 << 31, 1 << 63

# Everything below may replace any value.
_ANY: dict[str, bytes] = {
    "null": b"null",
    "text": b'"x"',
    "empty-text": b'""',
    "zero": b"0",
    "minus-one": b"-1",
    "half": b"0.5",
    "true": b"true",
    "false": b"false",
    "list": b"[]",
    "list-of-null": b"[null]",
    "object": b"{}",
    "object-with-type": b'{"type":"hello"}',
    "nan": b"NaN",
    "text-nan": b'"NaN"',
    "infinite": b"1e999",
    "long-number": b"9" * 2_000,
    "long-fraction": b"0." + b"3" * 2_000,
    "long-exponent": b"1e-999999999",
    "deep": b"[" * 900 + b"]" * 900,
    "too-deep": b"[" * 20_000 + b"]" * 20_000,
    "bad-utf8": b'"\xff\xfe\xc3"',
    "overlong-utf8": b'"\xc0\xaf"',
    "nothing": b"",
    "unquoted": b"unquoted",
}

_HUGE = json.dumps("h" * HUGE_CHARACTERS).encode()
_HUGE_WIDE = json.dumps("€" * (HUGE_CHARACTERS // 3), ensure_ascii=False).encode()
_MANY_KEYS = json.dumps({f"k{i}": "1" for i in range(MANY_ENTRIES)}).encode()
_MANY_NUMBERS = b"[" + b",".join([b"1"] * MANY_ENTRIES) + b"]"

_INTEGERS: dict[str, int] = {
    "one": 1,
    "two": 2,
    "max-int": _BIT_31 - 1,
    "above-int": _BIT_31,
    "min-int": -_BIT_31,
    "below-int": -_BIT_31 - 1,
    "max-double": 1 << 53,
    "max-long": _BIT_63 - 1,
    "above-long": _BIT_63,
    "min-long": -_BIT_63,
    "below-long": -_BIT_63 - 1,
}

_DOUBLES: dict[str, bytes] = {
    "largest": b"1.7976931348623157e308",
    "least": b"-1.7976931348623157e308",
    "smallest": b"4.9e-324",
    "year": b"31536000000000000",
    "text-infinity": b'"Infinity"',
}

_TEXTS: dict[str, str] = {
    "escape": f"\x1b[31m{FORGED}\x1b]0;{FORGED}\x07",
    "line-feed": f"x\n{FORGED} line\n",
    "carriage-return": f"x\r{FORGED} line",
    "nul": "x\0y",
    "c1-control": f"\x9b31m{FORGED}",
    "line-separator": f"x\u2028{FORGED}\x85{FORGED}",
    "bidi": "x\u202egpj.exe\u2066",
    "delete": "x\x7f\x08\x08",
    "tag-characters": "x\U000e0041\ufeff\u200b",
    "up": "../../../../rogue-escape",
    "absolute": "/proc/self/environ",
    "device": "/dev/full",
    "format": "%s%n%x%99999999d",
    "placeholder": "{} ${user.home} ${jndi:ldap://127.0.0.1/x} $(touch rogue-escape) `id`",
    "markup": "<script>alert(1)</script>&\"'",
    "spaces": " \t ",
    "upper": "ABCDEF0123456789",
    "odd-digits": "abc",
    "not-hexadecimal": "zz" * 32,
    "other-digits": "٣" * 16,
    "address": "192.0.2.7",
    "every-address": "0.0.0.0",
    "broadcast": "255.255.255.255",
    "multicast": "224.0.0.1",
    "multicast-6": "ff02::1",
    "host-name": "rogue.invalid",
    "impossible-address": "256.1.1.1",
    "negative": "-1",
    "above-port": "65536",
    "huge-number": "99999999999999999999",
    "capture": "receiver.npy",
    "other-capture": "sender.npy",
    "record": "run.json",
    "name-of-exit-code": "OK",
    "internal": "INTERNAL",
    "usage": "USAGE",
    "interrupted": "INTERRUPTED",
}


def mutated_values(field: Field, honest: Any, forms: Forms) -> Named:
    """Yields values that are not the honest one, by the type of the field."""
    yield from _ANY.items()
    if field.kind in ("int", "long", "Long"):
        yield from _integers(honest)
    elif field.kind == "double":
        yield from _DOUBLES.items()
        yield from ((name, str(value).encode()) for name, value in _INTEGERS.items())
    elif field.kind == "boolean":
        yield "negated", json.dumps(not honest).encode()
        yield "word", json.dumps(str(honest).lower()).encode()
    elif field.kind == "String":
        yield from _texts(honest)
    elif field.kind in forms.enums:
        yield from _words(field, forms)
    elif field.kind == "Object":
        yield from _texts(honest)
        yield from _integers(honest)
    elif re.match(r"Map<", field.kind):
        yield from _maps(honest)
    elif re.match(r"(List|Set)<", field.kind):
        yield from _lists(honest)


def _integers(honest: Any) -> Named:
    for name, value in _INTEGERS.items():
        if value != honest:
            yield name, str(value).encode()
    if isinstance(honest, int):
        yield "one-more", str(honest + 1).encode()
        yield "one-less", str(honest - 1).encode()
        yield "complement", str(-honest - 1).encode()
        yield "fraction", f"{honest}.5".encode()
        yield "as-text", json.dumps(str(honest)).encode()
        yield "in-list", f"[{honest}]".encode()


def _texts(honest: Any) -> Named:
    for name, text in _TEXTS.items():
        if text != honest:
            yield name, json.dumps(text).encode()
    yield "lone-surrogate", b'"x\\ud800y"'
    yield "raw-control", b'"x\x1b[31m\x01"'
    yield "raw-bidi", '"x\u202e\u009b31m"'.encode()
    yield "huge", _HUGE
    yield "huge-wide", _HUGE_WIDE
    yield "unterminated", b'"x'
    yield "bad-escape", b'"\\x\\u12"'
    if isinstance(honest, str) and honest:
        yield "longer", json.dumps(honest + "0").encode()
        yield "shorter", json.dumps(honest[:-1]).encode()
        yield "last-changed", json.dumps(honest[:-1] + ("0" if honest[-1] != "0" else "1")).encode()
        yield "twice-as-long", json.dumps(honest * 2).encode()
        yield "with-line-feed", json.dumps(honest + "\n").encode()
        yield "with-nul", json.dumps(honest + "\0").encode()
        yield "before-it-up", json.dumps("../" + honest).encode()
        yield "in-list", json.dumps([honest]).encode()


def _words(field: Field, forms: Forms) -> Named:
    for word in forms.enums[field.kind]:
        yield f"word-{word.lower()}", json.dumps(word).encode()
    yield "lower-case", json.dumps(forms.enums[field.kind][0].lower()).encode()
    yield "ordinal", b"1"
    yield "great-ordinal", b"99"
    yield "text-ordinal", b'"1"'
    yield "escape", json.dumps(_TEXTS["escape"]).encode()
    yield "line-feed", json.dumps(_TEXTS["line-feed"]).encode()
    yield "huge", _HUGE


def _maps(honest: Any) -> Named:
    for name in ("escape", "line-feed", "nul", "up", "bidi"):
        yield f"key-{name}", json.dumps({**honest, _TEXTS[name]: "1"}).encode()
    yield "empty-key", json.dumps({**honest, "": ""}).encode()
    yield "value-null", json.dumps({**honest, "x": None}).encode()
    yield "value-object", json.dumps({**honest, "x": {"y": [1, {}]}}).encode()
    yield "more", json.dumps({**honest, "rogue": "1"}).encode()
    yield "many", _MANY_KEYS
    yield "huge-key", b"{" + _HUGE + b':"1"}'
    yield "huge-value", b'{"rogue":' + _HUGE + b"}"
    yield "deep-value", b'{"x":' + _ANY["deep"] + b"}"


def _lists(honest: Any) -> Named:
    element = json.dumps(honest[0]).encode() if honest else b'"x"'
    yield "element-null", b"[" + element + b",null]"
    yield "element-text", b'["x"]'
    yield "element-number", b"[1]"
    yield "element-list", b"[[]]"
    yield "element-object", b"[{}]"
    yield "element-twice", b"[" + element + b"," + element + b"]"
    yield "many", b"[" + b",".join([element] * min(MANY_ENTRIES, HUGE_CHARACTERS // (len(element) + 1))) + b"]"
    yield "many-numbers", _MANY_NUMBERS
    for name in ("escape", "line-feed", "nul", "up", "absolute", "huge-number"):
        yield f"element-{name}", json.dumps([_TEXTS[name]]).encode()


def to_json(message: Message) -> bytes:
    return json.dumps(message).encode()


def replaced(message: Message, path: FieldPath, raw: bytes) -> bytes:
    """Returns the JSON of a message with raw bytes in place of the value at a path."""
    changed = copy.deepcopy(message)
    at, key = _find(changed, path)
    at[key] = _MARK
    return json.dumps(changed).encode().replace(json.dumps(_MARK).encode(), raw)


def absent(message: Message, path: FieldPath) -> bytes:
    """Returns the JSON of a message without the value at a path."""
    changed = copy.deepcopy(message)
    at, key = _find(changed, path)
    del at[key]
    return json.dumps(changed).encode()


def repeated(message: Message, path: FieldPath, raw: bytes) -> bytes:
    """Returns the JSON of a message that has a value twice: the honest one, then other bytes."""
    at, key = _find(message, path)
    both = (
        json.dumps(at[key]).encode() + b"," + (b"" if isinstance(key, int) else json.dumps(key).encode() + b":") + raw
    )
    return replaced(message, path, both)


def _find(message: Any, path: FieldPath) -> tuple[Any, str | int]:
    at: Any = message
    for key in path[:-1]:
        at = at[key]
    return at, path[-1]
