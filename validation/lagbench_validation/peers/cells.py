"""A cell of the comparison, and the report of one program in it."""

from collections.abc import Sequence
from dataclasses import dataclass

PACED_PER_SECOND = 8_000
INTERVAL_US = 1_000_000 // PACED_PER_SECOND
PACKET_BYTES = (24, 396, 992)
TRANSPORTS = ("udp", "tcp")

# Time before the packets of a program without a warm-up are measured.
SETTLING_S = 0.4

# Share of the measured interval without a tap; in the rest the gaps of paced packets are captured.
_UNDISTURBED = 0.625


@dataclass(frozen=True)
class Cell:
    """Packets of one size over one transport, paced or in a flood."""

    transport: str
    packet_bytes: int
    flood: bool

    @property
    def name(self) -> str:
        return f"{self.transport}/{self.packet_bytes}/{'flood' if self.flood else PACED_PER_SECOND}"

    @property
    def is_udp(self) -> bool:
        return self.transport == "udp"


def all_cells() -> list[Cell]:
    return [
        Cell(transport, size, flood) for transport in TRANSPORTS for flood in (False, True) for size in PACKET_BYTES
    ]


@dataclass(frozen=True)
class Length:
    """How long each program sends."""

    paced_s: int
    flood_s: int

    def seconds(self, cell: Cell) -> int:
        return self.flood_s if cell.flood else self.paced_s

    @property
    def undisturbed_s(self) -> float:
        return (self.paced_s - SETTLING_S) * _UNDISTURBED


class CannotDo(Exception):
    """A program has no support for a cell; the message is the reason."""


@dataclass
class Report:
    """A program's report on its packets; values that it does not report are None."""

    sent_ns: Sequence[int] | None = None  # when each measured packet was sent; see own_clock
    lags_ns: Sequence[int] | None = None  # the one-way delay of each of these packets
    round_trips_ns: Sequence[int] | None = None
    # Whether these times are relative to the first measured packet; otherwise they are times of the day.
    own_clock: bool = False
    received: int | None = None
    lost: int | None = None
    packet_threads_ns: float | None = None  # CPU time per packet of the threads that send and receive
    # When the measured packets were sent, CLOCK_REALTIME in ns; None if the program has no warm-up.
    begin_ns: int | None = None
    end_ns: int | None = None


# name -> (title, unit's divisor, whether more is better)
METRICS: dict[str, tuple[str, float, bool]] = {
    "rate": ("packets/s", 1, True),
    "loss": ("loss %", 0.01, False),
    "lag50": ("lag Q50 µs", 1e3, False),
    "lag95": ("lag Q95", 1e3, False),
    "lag99": ("lag Q99", 1e3, False),
    "rtt50": ("RTT Q50 µs", 1e3, False),
    "rtt99": ("RTT Q99", 1e3, False),
    "gap50": ("gap Q50 µs", 1e3, False),
    "gap99": ("gap Q99", 1e3, False),
    "cpu": ("CPU µs", 1e3, False),
    "threads": ("of it threads", 1e3, False),
}
