"""A program of the comparison: how to start it, and how to read its report."""

import shutil
import signal
from collections.abc import Callable
from pathlib import Path

from lagbench_validation.peers.cells import SETTLING_S, CannotDo, Cell, Report
from lagbench_validation.processes import Command

CONTROL = "control"  # the second rows of the C engine
PORT = 5394


class Peer:
    """A program to compare with."""

    name = ""
    engine: str | None = None  # of lagbench: java, java-nio, c or control
    package = ""  # the Debian package; empty if apt-get usually does not find it
    hint = ""  # how to install it without a package
    programs: tuple[str, ...] = ()
    protocol, port = "tcp", PORT  # of the server when it is ready
    end_signal = signal.SIGTERM
    ends_alone = False  # whether the server ends after one client
    waits = "sleep"  # how it waits until a packet is due: sleep or spin
    apart = False  # whether each side has half of the processors in paced cells too
    overhead_s = 0.2  # approximate duration of a run without the time in which it sends

    def missing(self) -> str | None:
        """Returns why the program is unavailable here, or None."""
        missing = [program for program in self.programs if shutil.which(program) is None]
        if not missing:
            return None
        how = f"apt-get install {self.package}" if self.package else self.hint
        return f"not installed ({', '.join(missing)}; {how})"

    def check(self, cell: Cell) -> None:
        """Raises CannotDo with the reason."""

    def kind(self, cell: Cell) -> str:
        """Returns how the program waits, sleep or spin; flood, or flood nagle with Nagle's algorithm on."""
        return "flood" if cell.flood else self.waits

    def rivals(self, cell: Cell) -> str | None:
        """Returns the kind of programs to compare with; None for none."""
        return self.kind(cell)

    def server(self, cell: Cell, address: str) -> Command:
        raise NotImplementedError

    def ready_port(self, cell: Cell) -> tuple[str, int]:
        return self.protocol, self.port

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        raise NotImplementedError

    def begun_ns(self, output: Callable[[], str], flowing_since_ns: int | None) -> int | None:
        """Returns about when the measured packets begin, CLOCK_REALTIME in ns; None while that is unknown.

        output() returns what the client has printed so far. Traffic began at flowing_since_ns, if that is not None.
        """
        return None if flowing_since_ns is None else flowing_since_ns + round(SETTLING_S * 1e9)

    def report(self, cell: Cell, directory: Path, server_output: str, client_output: str) -> Report:
        """Returns the program's report on its packets. Raises ValueError, KeyError or OSError if it is unreadable."""
        raise NotImplementedError


def at_least(cell: Cell, smallest_bytes: int, what: str) -> None:
    if cell.packet_bytes < smallest_bytes:
        raise CannotDo(f"its packets of {what} have {smallest_bytes} bytes or more")
