"""What the comparison knows of a program: how it is started, and how what it says is read."""

import shutil
import signal

from cells import SETTLING_S, CannotDo

CONTROL = "control"  # the implementation of lagbench that is its twin in C once more
PORT = 5394


class Peer:
    """One program. Subclasses say what is particular to theirs."""

    name = ""
    implementation = None  # of lagbench's: java, c or control
    package = ""  # Debian's; empty where apt-get does not find it as a rule
    hint = ""  # then how to come by it
    programs = ()
    protocol, port = "tcp", PORT  # where its server can be seen to be ready
    end_signal = signal.SIGTERM
    ends_alone = False  # the server, after one client
    waits = "sleep"  # how it waits for a packet's time: sleep or spin
    apart = False  # whether each side has half of the processors to itself where packets are paced too
    beside_s = 0.2  # what a run takes beside the time in which it sends, about

    def missing(self):
        """Why it is not to be had here, or None."""
        lacking = [program for program in self.programs if shutil.which(program) is None]
        if not lacking:
            return None
        how = f"apt-get install {self.package}" if self.package else self.hint
        return f"not installed ({', '.join(lacking)}; {how})"

    def check(self, cell):
        """Raises CannotDo, with why."""

    def kind(self, cell):
        """How it waits, sleep or spin; flood, or flood nagle with Nagle's algorithm on."""
        return "flood" if cell.flood else self.waits

    def rivals(self, cell):
        """Of which kind the others' programs are that it may be compared with; None where it is with none."""
        return self.kind(cell)

    def server(self, cell, address):
        raise NotImplementedError

    def ready_port(self, cell):
        return self.protocol, self.port

    def client(self, cell, address, seconds):
        raise NotImplementedError

    def begun_ns(self, said, flowing_since_ns):
        """When the packets that count begin, CLOCK_REALTIME, about; None while that is not to be seen.

        said() is what the client has said so far; there is traffic since flowing_since_ns, if that is not None.
        """
        return None if flowing_since_ns is None else flowing_since_ns + round(SETTLING_S * 1e9)

    def report(self, cell, directory, server_said, client_said):
        """What it says of its packets; raises ValueError or the like where that cannot be read."""
        raise NotImplementedError


def at_least(cell, smallest_bytes, what):
    if cell.packet_bytes < smallest_bytes:
        raise CannotDo(f"its packets of {what} have {smallest_bytes} bytes or more")
