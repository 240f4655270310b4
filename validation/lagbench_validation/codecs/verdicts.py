"""The goals of `adaptive`, and whether they are met."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from lagbench_validation.codecs.bench import ORACLE, Transfers
from lagbench_validation.codecs.conditions import CHUNK_BYTES
from lagbench_validation.quantiles import median_interval

_HEADER_BYTES = 40
GOALS = {ORACLE: 1.10, "best fixed": 1.05, "none": 1.02}
"""The maximum ratio of the total time of adaptive to each other total time."""


@dataclass(frozen=True)
class Verdict:
    """The ratio of the total times in one condition, with its interval if there are enough rounds."""

    against: str
    codec: str
    ratio: float
    interval: tuple[float, float] | None

    @property
    def holds(self) -> bool:
        return self.ratio <= GOALS[self.against]

    @property
    def text(self) -> str:
        name = self.against if self.codec == self.against else f"{self.against} ({self.codec})"
        shown = f" [{self.interval[0]:.3f}, {self.interval[1]:.3f}]" if self.interval else ""
        return f"{name} {self.ratio:.3f}{shown} {'met' if self.holds else 'MISSED'}"


def schedule(fixed: Mapping[str, Transfers], one_processor: bool) -> list[str]:
    """
    Returns the best fixed codec for each chunk.

    The time of a chunk is the longer of processing and transmission, at the bandwidth of the uncompressed transfer.

    :param one_processor: whether the sender cannot compress while a write call copies or transmits
    """
    none = fixed["none"]
    bytes_per_s = (CHUNK_BYTES + _HEADER_BYTES) * len(none.encoded_bytes) / median(none.seconds)

    def chunk_s(codec: str, chunk: int) -> float:
        size = fixed[codec].encoded_bytes[chunk] + _HEADER_BYTES
        write_s = size * fixed[codec].write_s_per_byte if one_processor else 0
        return max(fixed[codec].compress_s[chunk] + write_s, size / bytes_per_s)

    chunks = range(len(none.encoded_bytes))
    return [min((chunk_s(codec, chunk), codec) for codec in fixed)[1] for chunk in chunks]


def best_fixed(fixed: Mapping[str, Transfers]) -> str:
    """Returns the codec with the shortest median of the total times."""
    return min(fixed, key=lambda codec: median(fixed[codec].seconds))


def verdicts(fixed: Mapping[str, Transfers], oracle: Transfers, adaptive: Sequence[float]) -> list[Verdict]:
    """
    Compares adaptive with the oracle, or with the best fixed codec if this is faster; with the best fixed codec, and
    with none. A ratio is the median of all rounds' ratios.
    """
    best = best_fixed(fixed)
    by_chunk = median(oracle.seconds) < median(fixed[best].seconds)
    return [
        _verdict(ORACLE, ORACLE if by_chunk else best, adaptive, (oracle if by_chunk else fixed[best]).seconds),
        _verdict("best fixed", best, adaptive, fixed[best].seconds),
        _verdict("none", "none", adaptive, fixed["none"].seconds),
    ]


def _verdict(against: str, codec: str, adaptive: Sequence[float], other: Sequence[float]) -> Verdict:
    ratios = [mine / its for mine, its in zip(adaptive, other, strict=True)]
    return Verdict(against, codec, median(ratios), median_interval(ratios))
