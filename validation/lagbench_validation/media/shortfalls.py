"""Runs over a clean path at the limits of SRT and RIST: they lose nothing, or are refused with a sentence."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lagbench_validation.key import make_key
from lagbench_validation.media.pair import Pair

_USAGE = 2


@dataclass(frozen=True)
class Limit:
    transport: str
    settings: dict[str, str] = field(default_factory=dict)
    packet_bytes: int = 200
    packets: int = 12_000
    interval_us: int = 250
    is_refused: bool = False

    @property
    def title(self) -> str:
        return (
            f"{self.transport} {self.settings}, {self.packets} packets of {self.packet_bytes} bytes,"
            f" one each {self.interval_us} us"
        )


def _few(transport: str, settings: dict[str, str], packet_bytes: int = 200, is_refused: bool = False) -> Limit:
    return Limit(transport, settings, packet_bytes, 500, 1_000, is_refused)


LIMITS = (
    *(Limit("srt", {"latency": latency}) for latency in ("10ms", "1s", "5s")),
    Limit("srt", {"latency": "60s"}, packets=10, interval_us=10, is_refused=True),
    _few("srt", {"latency": "0ms"}),
    _few("srt", {"latency": "3s"}),  # longer than the run
    *(_few("srt", {"latency": "50ms"}, size) for size in (24, 1316, 1317, 1456)),
    _few("srt", {"latency": "50ms"}, 1457, is_refused=True),
    *(_few("srt", {"latency": "50ms", "fec": "10x5"}, size) for size in (24, 1452)),
    _few("srt", {"latency": "50ms", "fec": "10x5"}, 1453, is_refused=True),
    *(Limit("rist", {"buffer": buffer, "rtt-min": "5ms"}) for buffer in ("10ms", "1s", "5s")),
    _few("rist", {"buffer": "3s"}),
    _few("rist", {"buffer": "50ms", "rtt-min": "100ms"}, is_refused=True),
    _few("rist", {"buffer": "0ms"}, is_refused=True),
    *(_few("rist", {"buffer": "50ms", "rtt-min": "5ms", "profile": profile}, size)
      for profile in ("simple", "main") for size in (24, 1440)),
    _few("rist", {"buffer": "50ms", "rtt-min": "5ms"}, 9_000, is_refused=True),
)  # fmt: skip


def check_shortfalls(home: Path, work: Path) -> Iterator[tuple[str, list[str]]]:
    with Pair(home, make_key(work), work / "shortfalls") as pair:
        for limit in LIMITS:
            options = ("--packet-bytes", limit.packet_bytes, "--packets", limit.packets, "--warm-up-packets", 100,
                       "--mode", "sleep", "--interval", f"{limit.interval_us}us")  # fmt: skip
            ended = pair.run(limit.transport, f"lib{limit.transport}", options, limit.settings)
            if limit.is_refused:
                wrong = [] if ended.exit_code == _USAGE else [f"exit code {ended.exit_code}: {ended.reason}"]
                yield f"{limit.title}: refused: {ended.reason}", wrong
            elif ended.exit_code != 0:
                yield limit.title, [f"exit code {ended.exit_code}: {ended.reason}"]
            else:
                lost = ended.lost
                yield f"{limit.title}: {lost} lost", [f"{lost} packets are lost"] if lost else []
