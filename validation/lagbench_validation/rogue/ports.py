"""Runs whose ports get thousands of datagrams and connections of others: neither side ends, or grows beyond a bound."""

import json
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random

from lagbench_validation.key import make_key
from lagbench_validation.media.pair import Pair
from lagbench_validation.namespaces import ADDRESSES, DEVICE, SIDES, Namespaces, two_namespaces
from lagbench_validation.packet_socket import PacketSocket, Segment, polled
from lagbench_validation.peers.peer import PORT as CONTROL
from lagbench_validation.processes import Command, Program, run
from lagbench_validation.program import UNAVAILABLE
from lagbench_validation.rogue import judge
from lagbench_validation.rogue.datagrams import RawSender, changed

MAKER = "rogue"
DATAGRAMS = 10_000
THREADS_MAX = 16  # more than in a run without attack
MIB_MAX = 64  # of a program in C, more than in a run without attack

_STRANGER = "10.139.5.77"
_BUFFER_BYTES = 1 << 26
_HEAD_BYTES = 2_048
_REAL_MAX = 4_000  # datagrams of a run to change
_BURST = 32
_RUNS_MAX = 6  # a busy machine needs several, until each port has had its share
_PACE_S = 0.004
_SEGMENTS = 10  # on each connection
_CONNECT_S = 0.05
_WATCH_S = 0.1
_END_S = 120
_TCP_LISTEN = "0A"
_FORGED_EXIT_CODES = {0, 3, 6}  # who forges the peer's address and port may end a run, but no program
_PROVED_ENGINES = ("librist",)  # whose datagrams prove where they come from
_ARRIVING_MIN = 0.5  # of the packets of a complete run


@dataclass(frozen=True)
class Case:
    """An engine with settings, whose run is attacked."""

    engine: str
    transport: str
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return " ".join([self.engine, self.transport, *("=".join(one) for one in self.settings)])


_SRT = (("latency", "60ms"),)
_RIST = (("buffer", "100ms"),)
SIMPLE = Case("librist", "rist", (*_RIST, ("profile", "simple")))
CASES = (
    Case("libsrt", "srt", _SRT),
    Case("libsrt", "srt", (*_SRT, ("encryption", "aes-128"))),
    Case("librist", "rist", _RIST),
    Case("librist", "rist", (*_RIST, ("encryption", "aes-128"))),
    Case("librist", "rist", (*_RIST, ("encryption", "aes-256"))),
    SIMPLE,
    Case("quic", "udp"),
    Case("quic", "udp", (("quic.delivery", "datagram"),)),
    Case("aeron", "udp"),
    Case("netty", "udp"),
    Case("c", "udp"),
    Case("java", "udp"),
    Case("c", "tcp"),
    Case("onc-rpc", "tcp"),
    Case("grpc", "tcp"),
    Case("netty", "tcp"),
)


class Origin(Enum):
    """Who attacks."""

    NOBODY = "nobody"
    STRANGER = "another host"
    NEIGHBOR = "another program of the peer's host"
    PEER = "who forges address and port of the peer"


@dataclass
class Outcome:
    """What an attack on a case caused."""

    case: Case
    origin: Origin
    sent: int  # datagrams and segments, to all ports
    ports: int
    use: dict[str, tuple[int, float]]  # threads and MiB by side and program
    wrong: list[str]
    is_available: bool = True  # whether this machine has the library


class _Hosts:
    """The namespaces with the names that a Pair has for them."""

    _SIDES = {"sender": "a", "receiver": "b"}  # noqa: RUF012 not changed

    def __init__(self, namespaces: Namespaces) -> None:
        self._namespaces = namespaces

    def address(self, host: str) -> str:
        return ADDRESSES[self._SIDES[host]]

    def command(self, host: str, *words: object) -> Command:
        return self._namespaces.command(self._SIDES[host], *words)


def _ports(namespaces: Namespaces, side: str) -> set[tuple[str, int]]:
    with namespaces.entered(side):
        return {(kind, port) for kind, port in open_ports() if port != CONTROL}


def open_ports() -> set[tuple[str, int]]:
    """Returns the UDP ports of the calling thread's network namespace, and the TCP ports with a listening socket."""
    found = set()
    for table in ("udp", "udp6", "tcp", "tcp6"):  # a JVM has sockets of IPv6, also for IPv4
        for fields in map(str.split, Path(f"/proc/thread-self/net/{table}").read_text("ascii").splitlines()[1:]):
            port, kind = int(fields[1].rpartition(":")[2], 16), table[:3]
            if kind == "udp" or fields[3] == _TCP_LISTEN:
                found.add((kind, port))
    return found


class _Watch:
    """The most threads and memory of each program of both sides."""

    def __init__(self, namespaces: Namespaces) -> None:
        self._networks = {Path("/run/netns", namespaces.name(side)).stat().st_ino: side for side in SIDES}
        self.use: dict[str, tuple[int, float]] = {}

    def look(self) -> None:
        for directory in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, StopIteration):  # it has ended
                side = self._networks.get(int((directory / "ns/net").readlink().name[5:-1]))
                if side:
                    name = f"{side} {(directory / 'comm').read_text().strip()}"
                    lines = (directory / "status").read_text().splitlines()
                    peak = next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
                    threads = len(list((directory / "task").iterdir()))
                    before = self.use.get(name, (0, 0.0))
                    self.use[name] = (max(threads, before[0]), max(peak, before[1]))


class _Attack:
    """Sends to each port that either side opens, until each has had its share."""

    def __init__(
        self, namespaces: Namespaces, origin: Origin, real: dict[str, list[bytes]], count: int, random: Random
    ) -> None:
        self._namespaces = namespaces
        self._origin = origin
        self._real = real
        self._count = count
        self._random = random
        self.sent: Counter[tuple[str, str, int]] = Counter()  # by side, protocol and place among its ports

    def strike(self, victim: str) -> None:
        """Sends a few datagrams to each port of a side."""
        attacker = "b" if victim == "a" else "a"
        peers = [port for kind, port in _ports(self._namespaces, attacker) if kind == "udp"] or [1]
        with self._namespaces.entered(attacker):
            raw = RawSender()
            try:
                for place, (kind, port) in enumerate(sorted(_ports(self._namespaces, victim))):
                    if self.sent[victim, kind, place] >= self._count:
                        continue
                    if kind == "tcp":
                        self.sent[victim, kind, place] += self._connect(attacker, victim, port)
                        continue
                    for _ in range(_BURST):
                        content = changed(self._real[victim], self._random)
                        raw.send(self._source(attacker, peers), (ADDRESSES[victim], port), content)
                    self.sent[victim, kind, place] += _BURST
            finally:
                raw.close()

    def shortfall(self, transport: str) -> Iterator[str]:
        """
        Yields each side of which no UDP port has had its share, unless the run is over TCP.

        The ports of such a run close when the sender has connected. At least one must have received a segment.
        """
        if self._origin is Origin.NOBODY:
            return
        if transport == "tcp":
            if not any(kind == "tcp" for _, kind, _ in self.sent):
                yield "no segment was sent to a port"
            return
        for side in SIDES:
            counts = [count for (at, kind, _), count in self.sent.items() if at == side and kind == "udp"]
            if max(counts, default=0) < self._count:
                yield f"only {max(counts, default=0)} of {self._count} datagrams were sent to a port of side {side}"

    def _source(self, attacker: str, peers: Sequence[int]) -> tuple[str, int]:
        if self._origin is Origin.PEER:
            return ADDRESSES[attacker], self._random.choice(peers)
        host = _STRANGER if self._origin is Origin.STRANGER else ADDRESSES[attacker]
        while (port := self._random.randrange(1_024, 65_536)) in peers:
            pass
        return host, port

    def _connect(self, attacker: str, victim: str, port: int) -> int:
        """Connects, and writes what a datagram would have. Returns the number of segments."""
        with socket.socket() as one, suppress(OSError):
            one.settimeout(_CONNECT_S)
            one.bind((_STRANGER if self._origin is Origin.STRANGER else ADDRESSES[attacker], 0))
            one.connect((ADDRESSES[victim], port))
            for _ in range(_SEGMENTS):
                one.sendall(changed(self._real[victim], self._random))
            if self._random.random() < 0.5:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset
        return _SEGMENTS


class PortCampaign:
    """Attacks the runs of each case."""

    def __init__(self, home: Path, work: Path, seed: int, count: int = DATAGRAMS) -> None:
        self._home = home
        self._work = work
        self._key = make_key(work)
        self._count = count
        self._random = Random(seed)

    def attack(self, cases: Sequence[Case], origins: Sequence[Origin]) -> Iterator[Outcome]:
        """Runs each case without an attack, then with one of each origin."""
        with two_namespaces(MAKER) as namespaces:
            run(["ip", "-n", namespaces.name("a"), "address", "add", f"{_STRANGER}/24", "dev", DEVICE])
            for number, case in enumerate(cases):
                with Pair(self._home, self._key, self._work / str(number), _Hosts(namespaces)) as pair:
                    for outcome in self._attack(namespaces, pair, case, origins):
                        outcome.wrong += judge.judge_output(pair.printed().encode())
                        yield outcome

    def _attack(self, namespaces: Namespaces, pair: Pair, case: Case, origins: Sequence[Origin]) -> Iterator[Outcome]:
        real: dict[str, list[bytes]] = {side: [] for side in SIDES}

        def take(tap: str, _: int, found: Segment) -> None:
            is_to_tap = found.source == ADDRESSES["a" if tap == "b" else "b"] and found.port != CONTROL
            if is_to_tap and found.payload and len(real[tap]) < _REAL_MAX:
                real[tap].append(found.payload)

        taps = {}
        for side in SIDES:
            with namespaces.entered(side):
                taps[side] = PacketSocket(_BUFFER_BYTES)
        with polled(taps, _HEAD_BYTES, take):
            quiet = self._judge(namespaces, pair, case, Origin.NOBODY, real)
        yield quiet
        if not quiet.is_available:
            return
        for origin in origins:
            outcome = self._judge(namespaces, pair, case, origin, real)
            outcome.wrong += growth(quiet.use, outcome.use)
            yield outcome

    def _judge(
        self, namespaces: Namespaces, pair: Pair, case: Case, origin: Origin, real: dict[str, list[bytes]]
    ) -> Outcome:
        """Makes runs until each port has had its share, at most _RUNS_MAX."""
        attack = _Attack(namespaces, origin, real, self._count, self._random)
        watch = _Watch(namespaces)
        wrong: list[str] = []
        for _ in range(_RUNS_MAX):
            found = self._run(pair, case, origin, attack, watch)
            if found is None:
                return Outcome(case, origin, 0, 0, {}, [], False)
            wrong += found
            if wrong or not any(attack.shortfall(case.transport)):
                break
        wrong = wrong or [*attack.shortfall(case.transport)]
        return Outcome(case, origin, attack.sent.total(), len(attack.sent), watch.use, wrong)

    def _run(self, pair: Pair, case: Case, origin: Origin, attack: _Attack, watch: _Watch) -> list[str] | None:
        """Makes a run, and returns what is wrong; None if this machine has no such library."""
        options = ("--packet-bytes", 992, "--packets", max(1_000, self._count * 4 // 5), "--warm-up-packets", 100,
                   "--mode", "sleep", "--interval", "1ms")  # fmt: skip
        directory, command = pair.command(case.transport, case.engine, options, dict(case.settings))
        sender = Program(case.name, command)
        try:
            deadline, watched = time.monotonic() + _END_S, 0.0
            while not sender.ended and time.monotonic() < deadline:
                if origin is not Origin.NOBODY:
                    for side in SIDES:
                        attack.strike(side)
                if time.monotonic() - watched > _WATCH_S:
                    watched = time.monotonic()
                    watch.look()
                time.sleep(_PACE_S)
            return None if sender.exit_code == UNAVAILABLE else list(_ending(sender, case, origin, directory))
        finally:
            sender.end()


def _ending(sender: Program, case: Case, origin: Origin, directory: Path) -> Iterator[str]:
    """Yields what is wrong at the end of a sender."""
    output = sender.output()
    yield from judge.judge_output(output.encode())
    if "signal" in output:
        yield f"a program was killed: {sender.last_lines()}"
    may_end = origin is Origin.PEER and case.engine not in _PROVED_ENGINES
    if sender.exit_code not in (_FORGED_EXIT_CODES if may_end else {0}):
        yield f"exit code {sender.exit_code}: {sender.last_lines()}"
    elif sender.exit_code == 0 and not (directory / "run.json").is_file():
        yield "no run.json"
    elif sender.exit_code == 0:
        record = json.loads((directory / "run.json").read_text("utf-8"))
        arrived, packets = record["counts"]["distinct"], record["run"]["point"]["packets"]
        if arrived < packets * _ARRIVING_MIN:
            yield f"only {arrived:,} of {packets:,} packets arrived"


def growth(quiet: dict[str, tuple[int, float]], attacked: dict[str, tuple[int, float]]) -> Iterator[str]:
    """Yields the programs with too many threads or too much memory."""
    for name, (threads, mib) in attacked.items():
        threads_before, mib_before = quiet.get(name, (0, 0.0))
        mib_max = judge.PEAK_MIB_MAX if name.endswith("java") else mib_before + MIB_MAX
        if threads > threads_before + THREADS_MAX:
            yield f"{name}: {threads} threads, {threads_before} without attack"
        if mib > mib_max:
            yield f"{name}: {mib:.0f} MiB, {mib_before:.0f} MiB without attack"
