"""Delays at known times in one side's process, and whether lagbench reports them as causes of late packets."""

import csv
import os
import signal
import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lagbench_validation import captures
from lagbench_validation.agent import agent_environment, make_agent

Intervals = Sequence[tuple[int, int]]  # begin and end, CLOCK_REALTIME in ns

RUN_PACKETS = 8_000
RUN_OPTIONS = ("--packets", RUN_PACKETS, "--warm-up-packets", 200, "--mode", "sleep", "--interval", "1ms",
               "--observe", "events")  # fmt: skip

STOP_SECONDS = 0.02
SECONDS_BETWEEN_STOPS = 0.6
POLL_SECONDS = 0.02

# The tail that is judged: all late packets, so that no other delay hides an injected one.
TAIL_PERCENT = 50

# The requirements on the shares of attributed packets.
DELAYED_PART_MIN = 0.95
OTHER_PART_MAX = 0.01

# With fewer packets a case proves nothing.
DELAYED_MIN = 40

# A packet was delayed by an injection if it is late by this much, mostly during the injection. A longer delay on a busy
# machine has another cause.
EXCESS_MIN_NS = 1_000_000
INJECTED_PART_MIN = 0.75

_ENGINES_IN_C = ("c", "libsrt", "librist")

# Packets within this time of an injection are ignored, unless the injection delayed them.
MARGIN_NS = 2_000_000


@dataclass(frozen=True)
class Injection:
    """A kind of delay on one side of a run from a to b."""

    title: str
    where: str  # sender or receiver
    cause: str  # as lagbench should report it
    transport: str = "udp"
    senders: tuple[str, ...] = ("a",)
    smoke: bool = False

    def case(self, sending: str) -> str:
        return f"{self.title}, {sending} sends"

    @property
    def side(self) -> str:
        return "a" if self.where == "sender" else "b"


def injections() -> list[Injection]:
    """Returns all cases. None is part of --smoke, because they need an idle machine."""
    return [
        Injection("UDP, receiver stopped", "receiver", "stall"),
        Injection("UDP, sender stopped", "sender", "stall"),
        Injection("TCP, receiver stopped", "receiver", "stall", transport="tcp"),
        Injection("UDP, System.gc() in the receiver", "receiver", "garbage-collection"),
        Injection("UDP, System.gc() in the sender", "sender", "garbage-collection"),
    ]


class Delays(Protocol):
    """Delays one side of a run repeatedly."""

    def environment(self) -> Mapping[str, str]:
        """Returns the variables of the delayed program."""

    def started(self, role: str, pid: int) -> None:
        """Called when a program of the run has started."""

    def intervals_ns(self) -> Intervals:
        """Stops injecting and returns the intervals in which the program was delayed."""


def stop(pid: int) -> None:
    """Stops a process by signals for a short time."""
    try:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(STOP_SECONDS)
    finally:
        os.kill(pid, signal.SIGCONT)


def packet_process(engine: str, pid: int) -> int:
    """
    Returns the process that moves the packets of a JVM: itself, or the program in C that it started.

    :raises ProcessLookupError: if there is no such process
    """
    if engine not in _ENGINES_IN_C:
        return pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text("ascii").split():
            if Path(f"/proc/{child}/comm").read_text("ascii").startswith("lagbench-"):
                return int(child)
    raise ProcessLookupError(f"process {pid} has no program in C")


class PeriodicDelays:
    """
    Delays one side of a run repeatedly while it is recorded, in a separate thread.

    :param where: the side, sender or receiver
    :param delay: receives the ID of this side's process
    """

    def __init__(
        self, sender_capture: Path, where: str, delay: Callable[[int], None] = stop, packets: int = RUN_PACKETS
    ) -> None:
        self._sender_capture = sender_capture
        self._where = where
        self._delay = delay
        self._packets = packets
        self._pid = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._delay_often)
        self._intervals_ns: list[tuple[int, int]] = []

    def environment(self) -> Mapping[str, str]:
        return {}

    def started(self, role: str, pid: int) -> None:
        if role == self._where:
            self._pid = pid
        if role == "sender":
            self._thread.start()

    def intervals_ns(self) -> Intervals:
        """Stops injecting and returns the intervals, which begin before and end after each delay."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        return self._intervals_ns

    def _delay_often(self) -> None:
        while not captures.is_written(self._sender_capture, "sent_ns", self._packets // 20):
            if self._over.wait(POLL_SECONDS):
                return
        last = self._packets - self._packets // 20
        while not (
            self._over.wait(SECONDS_BETWEEN_STOPS) or captures.is_written(self._sender_capture, "sent_ns", last)
        ):
            begin_ns = time.time_ns()
            self._delay(self._pid)
            self._intervals_ns.append((begin_ns, time.time_ns()))


class Collections:
    """Makes the JVM of one side collect garbage repeatedly, by an agent."""

    def __init__(self, work: Path) -> None:
        directory = work / "agent"
        self._jar = make_agent(Path(__file__).with_name("ForcedCollections.java"), directory)
        self._log = directory / "collections.txt"

    def environment(self) -> Mapping[str, str]:
        return agent_environment(self._jar, self._log, "-XX:+UseSerialGC -Xmx256m")

    def started(self, role: str, pid: int) -> None:
        """Ignores the programs."""

    def intervals_ns(self) -> Intervals:
        pairs = (line.split() for line in self._log.read_text().splitlines())
        return [(int(begin_ns), int(end_ns)) for begin_ns, end_ns in pairs]


@dataclass
class Attributed:
    """The number of packets of each kind, and how many of them have the injected cause."""

    delayed: int = 0
    delayed_given: int = 0
    others: int = 0
    others_given: int = 0
    injections: int = 0

    @property
    def text(self) -> str:
        return (
            f"{self.injections} times; {self.delayed_given} of {self.delayed} delayed packets, "
            f"{self.others_given} of {self.others} others"
        )

    @property
    def wrong(self) -> list[str]:
        wrong = []
        if self.delayed < DELAYED_MIN:
            wrong.append(f"only {self.delayed} packets were certainly delayed by the injections")
        elif self.delayed_given < DELAYED_PART_MIN * self.delayed:
            wrong.append("too few of the delayed packets have the cause")
        if self.others_given > OTHER_PART_MAX * self.others:
            wrong.append("too many others have the cause")
        return wrong


def judge_causes(injection: Injection, exported: Path, intervals_ns: Intervals) -> Attributed:
    """
    Compares an export of lagbench with the injections. Delayed packets were due during an injection and are late mostly
    because of it. Others were neither in flight near an injection, nor queued behind such a packet. All remaining
    packets are ignored.
    """
    departure = "scheduled_ns" if injection.where == "sender" else "sent_ns"
    named = "schedule_cause" if injection.where == "sender" else "cause"
    with exported.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["received_ns"] and row["copy"] == "0"]
    packets = [(int(row[departure]), int(row["received_ns"]), row) for row in rows]
    median_ns = statistics.median(received_ns - departed_ns for departed_ns, received_ns, _ in packets)
    intervals_ns = [at for at in intervals_ns if packets[0][0] < at[0] and at[1] < packets[-1][1]]
    found = Attributed(injections=len(intervals_ns))
    queueing = False
    before_ns = 0.0
    for departed_ns, received_ns, row in packets:
        given = row[named] == injection.cause and row[named + "_side"] == injection.where
        due_ns = departed_ns + median_ns
        near = [at for at in intervals_ns if at[0] - MARGIN_NS < received_ns and departed_ns < at[1] + MARGIN_NS]
        during = [at for at in near if at[0] <= due_ns < at[1]]
        queueing = bool(near) or (queueing and due_ns <= before_ns)
        before_ns = received_ns
        excess_ns = received_ns - due_ns
        if during and excess_ns >= EXCESS_MIN_NS:
            if min(during[0][1], received_ns) - due_ns >= INJECTED_PART_MIN * excess_ns:
                found.delayed += 1
                found.delayed_given += given
        elif not queueing:
            found.others += 1
            found.others_given += given
    return found
