"""The kinds of causes, and how each is planted."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lagbench_validation.causes.plant import Plant, Slot, Span
from lagbench_validation.causes.planters import (
    Collecting,
    Hog,
    Pids,
    Planter,
    Scheduled,
    SlowCalls,
    Throttle,
    WakeUps,
    hogs,
    stop,
    waits_for,
)
from lagbench_validation.truth.injection import packet_process


@dataclass(frozen=True)
class Site:
    """
    Where causes are planted.

    :ivar capture: the sender's capture of the run
    :ivar processors: the sender's and the receiver's
    """

    work: Path
    capture: Path
    engine: str
    processors: tuple[int, int]
    slots: Sequence[Slot]

    def scheduled(self, act: Callable[[Pids, Slot], Plant | None]) -> Planter:
        return Scheduled(self.capture, self.slots, self.processors[0], act)

    def stop(self, pids: Pids, duration_ns: int, then: Callable[[], None] = lambda: None) -> Span:
        """Stops the receiver's process with the packets."""
        return stop(packet_process(self.engine, pids["receiver"]), "receiver", duration_ns, then)


@dataclass(frozen=True)
class Kind:
    """
    A kind of cause.

    :ivar planter: makes the planter of a run
    :ivar plant_ms: how long a plant takes at most, with the gap to the next
    :ivar options: further ones of the sender
    """

    title: str
    planter: Callable[[Site], AbstractContextManager[Planter]]
    engine: str = "c"
    transport: str = "udp"
    observe: str = "events"
    plant_ms: int = 80
    options: tuple[object, ...] = ()


@contextmanager
def _stops(site: Site) -> Iterator[Planter]:
    yield site.scheduled(lambda pids, slot: [site.stop(pids, slot.duration_ns)])


def _take_turns(taking: Sequence[Hog], duration_ns: int) -> Span:
    requested_ns = time.time_ns()
    for hog in taking:
        hog.begin(duration_ns // len(taking))
    begun, ended, reported = zip(*(hog.ran_ns() for hog in taking), strict=True)
    return waits_for([hog.name for hog in taking], (requested_ns, min(begun)), (max(ended), max(reported)))


@contextmanager
def _preemptions(names: Sequence[str], site: Site) -> Iterator[Planter]:
    with hogs(names, site.processors[1]) as taking:
        yield site.scheduled(lambda _pids, slot: [_take_turns(taking, slot.duration_ns)])


@contextmanager
def _stops_and_preemptions(site: Site) -> Iterator[Planter]:
    """Stops the receiver, whose processor another program takes before the stop ends."""
    with hogs(["planted-hog"], site.processors[1]) as (hog,):

        def act(pids: Pids, slot: Slot) -> Plant:
            stopped = site.stop(pids, slot.duration_ns // 2, partial(hog.begin, slot.duration_ns))
            return [stopped, waits_for([hog.name], stopped.end_ns, hog.ran_ns()[1:])]

        yield site.scheduled(act)


@contextmanager
def _throttles(site: Site) -> Iterator[Planter]:
    throttle = Throttle(site.processors[1])
    try:
        yield throttle
    finally:
        throttle.close()


@contextmanager
def _wake_ups(site: Site) -> Iterator[Planter]:
    wake_ups = WakeUps(site.work, len(site.slots))
    try:
        yield wake_ups
    finally:
        wake_ups.close()


@contextmanager
def _collections(site: Site) -> Iterator[Planter]:
    yield Collecting(site.work)


@contextmanager
def _slow_calls(calls: str, parts: tuple[str, ...], site: Site) -> Iterator[Planter]:
    yield SlowCalls(site.work, calls, parts)


def kinds() -> list[Kind]:
    """Returns all kinds."""
    reading = ("receiver.receiver-kernel", "receiver.earlier-packets")
    return [
        Kind("stop", _stops),
        Kind("stop, TCP", _stops, transport="tcp"),
        Kind("stop, engine java", _stops, engine="java"),
        Kind("named program", partial(_preemptions, ["planted-hog"])),
        Kind("several programs", partial(_preemptions, ["hog-one", "hog-two", "hog-three"])),
        Kind("quota, cgroup v1", _throttles, plant_ms=250),
        *([Kind("idle CPU", _wake_ups)] if shutil.which("perf") else []),
        Kind("garbage collection", _collections, engine="java", plant_ms=900),
        Kind("slow reader", partial(_slow_calls, "receive", reading)),
        Kind("slow sender", partial(_slow_calls, "send", ("sender.send-call",))),
        Kind("stop and program at once", _stops_and_preemptions),
    ]
