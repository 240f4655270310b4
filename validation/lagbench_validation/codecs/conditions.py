"""The conditions under which codecs are compared: the link, the competing flow and the data."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.processes import run

CHUNK_BYTES = 16_384
_MBIT = 1_000_000
_BITS = 8
_KINDS = ("text", "html", "binary", "postscript-like", "pdf-like", "jpeg-like", "random")
_MIXED = "mixed"
_CHANGING = "changing"
_SEED = 22
_RATES_MBIT = (1, 10, 30, 100, 300, 1000)
_BYTES_MAX = 1 << 25
_DELAYED_MAX_MBIT = 100
"""The highest rate with a delay. The program that delays packets would be the limit of faster links."""
_SHORT_MBIT = 100
_SHORT_TRANSFERS = 5
_FAST_WARM_UP_TRANSFERS = 4
_SECONDS = {  # duration of an uncompressed transfer, by the rate
    1: 2.0,
    10: 1.5,
    30: 1.0,
    100: 0.6,
    300: 0.4,
    1000: 0.25,
}


@dataclass(frozen=True)
class Condition:
    """The link, the data and the competing flow, which is alternately on and off."""

    rate_mbit: int
    data: str
    flow_mbit: int = 0

    @property
    def name(self) -> str:
        return f"{self.rate_mbit} Mb/s, {self.data}" + (f", flow {self.flow_mbit}" if self.flow_mbit else "")

    @property
    def chunks(self) -> int:
        left = self.rate_mbit - self.flow_mbit / 2
        return min(_BYTES_MAX, int(left * _MBIT / _BITS * _SECONDS[self.rate_mbit])) // CHUNK_BYTES

    @property
    def transfers(self) -> int:
        """Returns the transfers of a run: several if one is short, or if the competing flow makes them differ."""
        return _SHORT_TRANSFERS if self.flow_mbit or self.rate_mbit >= _SHORT_MBIT else 1

    @property
    def warm_up_chunks(self) -> int:
        """Returns the chunks before the measurement: on fast links, a JVM's first transfers are slower."""
        is_fast = self.rate_mbit >= _SHORT_MBIT
        return self.chunks * _FAST_WARM_UP_TRANSFERS if is_fast else max(4, min(200, self.chunks // 2))

    @property
    def network(self) -> str:
        """Returns the description of the network for `lagbench lab up`."""
        delay = "1ms" if self.rate_mbit <= _DELAYED_MAX_MBIT else "0s"
        return f"{{name: codecs, rate: {self.rate_mbit}mbit, queue: 100ms, delay: {delay}}}"


def conditions() -> list[Condition]:
    """Returns the conditions of a full comparison."""
    found = [Condition(rate, data) for rate in _RATES_MBIT for data in ("text", "binary", _MIXED, _CHANGING)]
    found += [Condition(30, data) for data in _KINDS if data not in ("text", "binary")]
    return found + [Condition(rate, data, rate * 6 // 10) for rate in (10, 100) for data in ("text", _MIXED)]


def quick() -> list[Condition]:
    """Returns three conditions: a slow link, a fast link, and a link with a competing flow."""
    return [Condition(10, "text"), Condition(1000, _MIXED), Condition(30, _CHANGING, 18)]


def smoke() -> list[Condition]:
    """Returns one condition, with short transfers."""
    return [Condition(30, "text")]


class Data:
    """
    Files with the data of conditions, which lagbench generates. They are as long as the longest transfer: a codec with
    a large window would find the copies in data that repeats.
    """

    def __init__(self, lagbench: Path, directory: Path, conditions: Sequence[Condition]) -> None:
        self._directory = directory
        longest = max(condition.chunks for condition in conditions) * CHUNK_BYTES
        run([lagbench, "codecs", "--write", directory, "--data", ",".join(_KINDS), "--file-bytes", longest])
        self._kinds = {kind: (directory / kind).read_bytes() for kind in _KINDS}

    def file(self, condition: Condition) -> Path:
        """Returns a file with the data of one transfer."""
        path = self._directory / f"{condition.data}-{condition.chunks}"
        if not path.exists():
            path.write_bytes(self._content(condition.data, condition.chunks))
        return path

    def _content(self, data: str, chunks: int) -> bytes:
        if data == _MIXED:
            chosen = random.Random(_SEED)
            return b"".join(self._chunks(chosen.choice(_KINDS), chunk, 1) for chunk in range(chunks))
        if data == _CHANGING:
            third = chunks // 3
            parts = (("text", third), ("random", third), ("binary", chunks - 2 * third))
            return b"".join(self._chunks(kind, 0, count) for kind, count in parts)
        return self._chunks(data, 0, chunks)

    def _chunks(self, kind: str, first: int, count: int) -> bytes:
        return self._kinds[kind][first * CHUNK_BYTES : (first + count) * CHUNK_BYTES]
