"""What the comparison knows of a program: how it is started, and how what it says is read."""

import shutil
import signal
from collections.abc import Callable
from pathlib import Path

from lagbench_validation.peers.cells import SETTLING_S, CannotDo, Cell, Report
from lagbench_validation.processes import Command

CONTROL = "control"  # the rows of lagbench that are its C engine once more
PORT = 5394


class Peer:
    """One program. Subclasses say what is particular to theirs."""

    name = ""
    engine: str | None = None  # of lagbench: java, java-nio, c or control
    package = ""  # Debian's; empty where apt-get does not find it as a rule
    hint = ""  # then how to come by it
    programs: tuple[str, ...] = ()
    protocol, port = "tcp", PORT  # where its server can be seen to be ready
    end_signal = signal.SIGTERM
    ends_alone = False  # the server, after one client
    waits = "sleep"  # how it waits for a packet's time: sleep or spin
    apart = False  # whether each side has half of the processors to itself where packets are paced too
    beside_s = 0.2  # what a run takes beside the time in which it sends, about

    def missing(self) -> str | None:
        """Returns why it is unavailable here, or None."""
        lacking = [program for program in self.programs if shutil.which(program) is None]
        if not lacking:
            return None
        how = f"apt-get install {self.package}" if self.package else self.hint
        return f"not installed ({', '.join(lacking)}; {how})"

    def check(self, cell: Cell) -> None:
        """Raises CannotDo, with why."""

    def kind(self, cell: Cell) -> str:
        """Returns how it waits, sleep or spin; flood, or flood nagle with Nagle's algorithm on."""
        return "flood" if cell.flood else self.waits

    def rivals(self, cell: Cell) -> str | None:
        """Returns the kind of the other programs that it may be compared with; None for none."""
        return self.kind(cell)

    def server(self, cell: Cell, address: str) -> Command:
        raise NotImplementedError

    def ready_port(self, cell: Cell) -> tuple[str, int]:
        return self.protocol, self.port

    def client(self, cell: Cell, address: str, seconds: int) -> Command:
        raise NotImplementedError

    def begun_ns(self, said: Callable[[], str], flowing_since_ns: int | None) -> int | None:
        """Returns when the packets that count begin, CLOCK_REALTIME, about; None while that is not known.

        said() is what the client has said so far; there is traffic since flowing_since_ns, if that is not None.
        """
        return None if flowing_since_ns is None else flowing_since_ns + round(SETTLING_S * 1e9)

    def report(self, cell: Cell, directory: Path, server_said: str, client_said: str) -> Report:
        """Returns what it says of its packets; raises ValueError or the like where that cannot be read."""
        raise NotImplementedError


def at_least(cell: Cell, smallest_bytes: int, what: str) -> None:
    if cell.packet_bytes < smallest_bytes:
        raise CannotDo(f"its packets of {what} have {smallest_bytes} bytes or more")
