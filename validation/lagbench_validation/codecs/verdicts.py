"""The goals of `adaptive`, and whether they are met."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from lagbench_validation.codecs.arms import Transfers
from lagbench_validation.codecs.conditions import CHUNK_BYTES
from lagbench_validation.quantiles import median_interval

_HEADER_BYTES = 40
ORACLE = "oracle"
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


def oracle_share(fixed: Mapping[str, Transfers], one_processor: bool) -> float:
    """
    Returns the computed total time with the best fixed codec for each chunk, as a part of the computed total time with
    the best codec for all chunks.

    The time of a chunk is the longer of processing and transmission, at the bandwidth of the uncompressed transfer.

    :param one_processor: whether the sender cannot compress while a write call copies or transmits
    """
    none = fixed["none"]
    bytes_per_s = (CHUNK_BYTES + _HEADER_BYTES) * len(none.encoded_bytes) / median(none.seconds)

    def chunk_s(transfers: Transfers, chunk: int) -> float:
        size = transfers.encoded_bytes[chunk] + _HEADER_BYTES
        write_s = size * transfers.write_s_per_byte if one_processor else 0
        return max(transfers.compress_s[chunk] + write_s, size / bytes_per_s)

    best = fixed[best_fixed(fixed)]
    chunks = range(len(none.encoded_bytes))
    by_chunk = sum(min(chunk_s(of, chunk) for of in fixed.values()) for chunk in chunks)
    return by_chunk / sum(chunk_s(best, chunk) for chunk in chunks)


def best_fixed(fixed: Mapping[str, Transfers]) -> str:
    """Returns the codec with the shortest median of the total times."""
    return min(fixed, key=lambda codec: median(fixed[codec].seconds))


def verdicts(fixed: Mapping[str, Transfers], adaptive: Sequence[float], one_processor: bool) -> list[Verdict]:
    """Compares adaptive with the oracle, the best fixed codec and none. A ratio is the median of all rounds' ratios."""
    best = best_fixed(fixed)
    share = oracle_share(fixed, one_processor)
    return [
        _verdict(ORACLE, ORACLE, adaptive, [share * seconds for seconds in fixed[best].seconds]),
        _verdict("best fixed", best, adaptive, fixed[best].seconds),
        _verdict("none", "none", adaptive, fixed["none"].seconds),
    ]


def _verdict(against: str, codec: str, adaptive: Sequence[float], other: Sequence[float]) -> Verdict:
    ratios = [mine / its for mine, its in zip(adaptive, other, strict=True)]
    return Verdict(against, codec, median(ratios), median_interval(ratios))
