"""What is compared: a cell of the matrix, and what came of one program in it."""

from dataclasses import dataclass, field

PACED_PER_SECOND = 8_000
INTERVAL_US = 1_000_000 // PACED_PER_SECOND
PACKET_BYTES = (24, 396, 992)
TRANSPORTS = ("udp", "tcp")


@dataclass(frozen=True)
class Cell:
    """Packets of one size over one transport, paced or as fast as they go."""

    transport: str
    packet_bytes: int
    flood: bool

    @property
    def name(self):
        return f"{self.transport}/{self.packet_bytes}/{'flood' if self.flood else PACED_PER_SECOND}"

    @property
    def is_udp(self):
        return self.transport == "udp"


def all_cells():
    return [
        Cell(transport, size, flood) for transport in TRANSPORTS for flood in (False, True) for size in PACKET_BYTES
    ]


class CannotDo(Exception):
    """A program cannot do a cell; the message says why."""


class Failed(Exception):
    """A program broke off, or did not do what it was told; the message has what it said."""


@dataclass
class Report:
    """What a program said of its packets; what it does not tell stays None."""

    lags_ns: list = None  # one way, a value a packet
    round_trips_ns: list = None
    received: int = None
    lost: int = None
    packet_threads_ns: float = None  # CPU of the threads that send and receive alone, a packet
    # When the packets that count were sent and received, CLOCK_REALTIME in ns; None where the program has no warm-up.
    begin_ns: int = None
    end_ns: int = None


@dataclass
class Outcome:
    """The figures of one run of a program, by the names of METRICS; those that it cannot have are left out."""

    figures: dict = field(default_factory=dict)
    why: str = None  # it has none at all


# name -> (title, unit's divisor, whether more is better)
METRICS = {
    "rate": ("packets/s", 1, True),
    "loss": ("loss %", 0.01, False),
    "lag50": ("lag Q50 µs", 1e3, False),
    "lag95": ("Q95", 1e3, False),
    "lag99": ("Q99", 1e3, False),
    "rtt50": ("RTT Q50 µs", 1e3, False),
    "rtt99": ("Q99", 1e3, False),
    "gap50": ("gap Q50 µs", 1e3, False),
    "gap99": ("Q99", 1e3, False),
    "cpu": ("CPU µs/packet", 1e3, False),
    "threads": ("of it threads", 1e3, False),
}
