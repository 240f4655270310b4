"""Competing traffic in emulated networks: datagrams in bursts, from one host to another."""

import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from random import Random

from lagbench_validation.namespaces import Namespaces

_FIRST_PORT = 5_400
_PAYLOAD = bytes(1_400)
_FRAME_BYTES = len(_PAYLOAD) + 66
_TICK_S = 0.002

# After a pause of this program, no more than the bytes of this time are sent at once.
_CATCH_UP_S = 0.01

_SOURCES = 3

# A varying load changes its mean after a random time between these, to a random share of its rate between these.
_LEVEL_S = (1.0, 5.0)
_LEVELS = (0.3, 1.0)


@dataclass(frozen=True)
class Load:
    """
    Traffic between two hosts.

    :param rate_kbit: mean rate on the wire
    :param burst_ms: mean length of the bursts, and of the pauses, of each of three sources; 0 for a constant rate
    :param varying: whether the mean rate changes every few seconds, to at most `rate_kbit`
    """

    sender: str
    receiver: str
    rate_kbit: float
    seed: str
    burst_ms: float = 0
    varying: bool = False


class Bursts:
    """The rate of a load over time."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._random = Random(load.seed)
        self._on = [self._random.random() < 0.5 for _ in range(_SOURCES)]
        self._next_s = [0.0] * _SOURCES
        self._level = 1.0
        self._next_level_s = 0.0

    def rate_kbit(self, at_s: float) -> float:
        """Returns the rate at a time, not before that of the last call."""
        load = self._load
        while load.varying and at_s >= self._next_level_s:
            self._level = self._random.uniform(*_LEVELS)
            self._next_level_s += self._random.uniform(*_LEVEL_S)
        if load.burst_ms == 0:
            return load.rate_kbit * self._level
        for i in range(_SOURCES):
            while at_s >= self._next_s[i]:
                self._on[i] = not self._on[i]
                self._next_s[i] += self._random.expovariate(1e3 / load.burst_ms)
        # Each source sends for half of the time.
        return load.rate_kbit * self._level * 2 * sum(self._on) / _SOURCES


class _Source:
    """The sockets of a load. The receiving one is never read: without it, the receiver would answer with ICMP."""

    def __init__(self, namespaces: Namespaces, load: Load, address: tuple[str, int]) -> None:
        with namespaces.entered(load.receiver):
            self._sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with namespaces.entered(load.sender):
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._sink.bind(address)
        self._socket.setblocking(False)
        self._socket.connect(address)
        self._bursts = Bursts(load)
        self._owed_bytes = 0.0

    def send(self, at_s: float, since_s: float) -> None:
        """Sends what is due in a time, at the rate at the end of it."""
        self._owed_bytes += self._bursts.rate_kbit(at_s) / 8 * 1e3 * since_s
        while self._owed_bytes >= _FRAME_BYTES:
            self._owed_bytes -= _FRAME_BYTES
            with suppress(OSError):  # the queue of the sending host is full
                self._socket.send(_PAYLOAD)

    def close(self) -> None:
        self._sink.close()
        self._socket.close()


@contextmanager
def competing(namespaces: Namespaces, addresses: Mapping[str, str], loads: Sequence[Load]) -> Iterator[None]:
    """Sends loads until the end, all on one thread."""
    if not loads:
        yield
        return
    ended = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(_send, namespaces, addresses, loads, ended)
        try:
            yield
        finally:
            ended.set()
        sending.result()


def _send(namespaces: Namespaces, addresses: Mapping[str, str], loads: Sequence[Load], ended: threading.Event) -> None:
    with ExitStack() as stack:
        sources = []
        for number, load in enumerate(loads):
            source = _Source(namespaces, load, (addresses[load.receiver], _FIRST_PORT + number))
            sources.append(stack.enter_context(closing(source)))
        begin_s = last_s = time.monotonic()
        while not ended.wait(_TICK_S):
            now_s = time.monotonic()
            for source in sources:
                source.send(now_s - begin_s, min(now_s - last_s, _CATCH_UP_S))
            last_s = now_s
