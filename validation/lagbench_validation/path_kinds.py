"""The disturbances of a path between two hosts, and the transports and engines that meet each of them."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lagbench_validation.path_captures import LAB_ADDRESSES, LAB_DEVICE, LAB_SECONDS_MAX, Lab
from lagbench_validation.processes import Program, run
from lagbench_validation.truth.injection import PeriodicDelays, packet_process, stop

_PACE = ("--mode", "hybrid", "--interval", "1ms")
_SMALL_BURSTS = ("--mode", "hybrid", "--interval", "5ms", "--burst", "5")
_BURSTS = ("--mode", "hybrid", "--interval", "40ms", "--burst", "12")

# The congestion control of QUIC takes reordering for loss, and drops datagrams of a faster pace.
_PACES_OF_QUIC = {
    _PACE: ("--mode", "hybrid", "--interval", "4ms"),
    _SMALL_BURSTS: ("--mode", "hybrid", "--interval", "20ms", "--burst", "5"),
}
_OWN_QUEUE = (
    "tc",
    "qdisc",
    "replace",
    "dev",
    LAB_DEVICE,
    "root",
    "tbf",
    "rate",
    "10mbit",
    "burst",
    "3000",
    "limit",
    "60000",
)

# The rival's socket is not connected: nobody receives its datagrams, and a refusal would end the rival.
_RIVAL = """
import socket, sys, time
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as rival:
    print("ready", flush=True)
    while True:
        for _ in range(30):
            rival.sendto(bytes(1000), (sys.argv[1], 9))
        time.sleep(0.1)
"""

# Stamps of sockets, which only the engine java has, separate the sender's queue from the network.
_SOCKETS = (("java", "events"), ("java", "[events, timestamping]"), ("c", "events"), ("netty", "events"))
_LIBRARIES = {"srt": "libsrt", "rist": "librist", "quic": "quic"}
HELD = ("srt", "rist")  # are delivered after a fixed latency
_REPAIRED = ("tcp", "srt", "rist")
_TRANSPORTS = ("udp", "tcp", *_LIBRARIES)


@dataclass(frozen=True)
class Disturbed:
    """A kind of disturbance: the network, the pace, and what else happens meanwhile."""

    title: str
    network: str
    pace: tuple[str, ...] = _PACE
    transports: tuple[str, ...] = _TRANSPORTS
    rival: bool = False
    own_queue: bool = False  # the sender's device sends at the rate of a slower link
    pauses: bool = False  # the path carries nothing for 20 ms at a time
    stops: tuple[str, ...] = ()  # sides whose process is stopped likewise

    @contextmanager
    def disturbing(self, lab: Lab) -> Iterator[None]:
        """Runs the rival, and shapes the sender's device."""
        if self.own_queue:
            run(lab.command("a", *_OWN_QUEUE))
        rival = (
            Program("rival", lab.command("a", sys.executable, "-c", _RIVAL, LAB_ADDRESSES["b"])) if self.rival else None
        )
        try:
            if rival is not None:
                rival.await_text("^ready$", LAB_SECONDS_MAX)
            yield
        finally:
            if rival is not None:
                rival.end(signal.SIGKILL)


# Without a delay the path itself is no cause: what is late is late on a host.
KINDS = (
    Disturbed("queue behind bursts", "rate: 10mbit\n", pace=_BURSTS),
    Disturbed("rival flow", "rate: 20mbit\n", rival=True),
    Disturbed("jitter", "delay: 6ms\njitter: 5ms\n"),
    Disturbed("reordering", "delay: 5ms\nreordering: 2%\n"),
    Disturbed("outage", "delay: 2ms\nrate: 50mbit\n", pauses=True),
    Disturbed("loss", "delay: 5ms\nrate: 50mbit\nforward: {loss: 1%}\n", transports=_REPAIRED),
    Disturbed("loss in bursts", "delay: 5ms\nforward: {bursts: {every: 200ms, for: 3ms}}\n", transports=_REPAIRED),
    Disturbed("loss of acknowledgments", "delay: 10ms\nreverse: {loss: 20%}\n", transports=_REPAIRED),
    Disturbed("shaper", "rate: 9mbit\nqueue: 50 packets\n", pace=_SMALL_BURSTS),
    Disturbed("long path with jitter", "delay: 40ms\njitter: 15ms\nrate: 20mbit\n"),
    Disturbed("queue of the sender's host", "delay: 2ms\n", pace=_BURSTS, own_queue=True),
    Disturbed("stops of the sender", "delay: 2ms\n", stops=("sender",)),
    Disturbed("stops of the receiver", "delay: 2ms\n", stops=("receiver",)),
    Disturbed("outage, and stops of the receiver", "delay: 2ms\nrate: 50mbit\n", pauses=True, stops=("receiver",)),
)


@dataclass(frozen=True)
class Cell:
    """A kind of disturbance that runs of a transport, an engine and a set of sources meet."""

    kind: Disturbed
    transport: str
    engine: str
    observed: str

    @property
    def title(self) -> str:
        return f"{self.kind.title}, {self.transport}, {self.engine}, {self.observed}"

    @property
    def options(self) -> tuple[object, ...]:
        """Additional options of the run's sender."""
        is_quic = self.transport == "quic"
        pace = _PACES_OF_QUIC.get(self.kind.pace, self.kind.pace) if is_quic else self.kind.pace
        delivery = ("--quic.delivery", "datagram") if is_quic else ()
        return (*pace, "--observe", self.observed, "--engine", self.engine, *delivery)

    def delays(self, lab: Lab, delayed: Callable[[str, Callable[[int], None]], PeriodicDelays]) -> list[PeriodicDelays]:
        """Returns what delays the path and the processes, made by the side and what is done to its process."""
        made = [delayed("sender", lambda _pid: stop(lab.relay()))] if self.kind.pauses else []
        return made + [delayed(side, lambda pid: stop(packet_process(self.engine, pid))) for side in self.kind.stops]


def cells(only: str) -> list[Cell]:
    """Returns the cells whose titles contain a text."""
    found = []
    for kind in KINDS:
        for transport in kind.transports:
            library = _LIBRARIES.get(transport)
            ways = ((library, "events"),) if library else _SOCKETS
            found += [Cell(kind, transport, engine, observed) for engine, observed in ways]
    return [cell for cell in found if only in cell.title]
