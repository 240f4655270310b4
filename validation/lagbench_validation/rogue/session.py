"""A session that is honest until it departs at one step, and honest again after that as far as possible."""

import random
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from lagbench_validation.rogue.wire import Channel, Ended, Message


class Left(Exception):
    """The rogue has left the session."""


class Pace(Enum):
    """What follows a mutation."""

    NORMAL = "the session goes on"
    MUTE = "nothing: the other side waits for what the mutation replaced"
    SLOW = "nothing until the other side ends the session, which it must"


Act = Callable[["ControlSession", Message], None]
"""Sends something instead of an honest message."""


@dataclass(frozen=True)
class Mutation:
    """One mutation: where it happens, and what it is."""

    program: str  # the real program and how it is started, such as "receiver-udp"
    step: str  # the message or event that it replaces
    part: str  # the field, or what else departs
    kind: str
    act: Act = field(compare=False)
    pace: Pace = Pace.NORMAL
    is_false: bool = False  # whether a run with it cannot be complete
    seed: int = 1

    @property
    def name(self) -> str:
        return f"{self.program}/{self.step}/{self.part}/{self.kind}"


MUTE_S = 0.05  # how long a mutation without a reply waits for one


class ControlSession:
    """The rogue's side of a session. Subclasses send the messages."""

    def __init__(self, channel: Channel, mutation: Mutation | None, examples: Mapping[str, Message]) -> None:
        self.channel = channel
        self.examples = examples  # an honest message of each type
        self.random = random.Random(f"{mutation.seed} {mutation.name}" if mutation else "")
        self.data: socket.socket | None = None  # where packets go
        self.content = b""  # the file that follows an announcement
        self.others: list[socket.socket] = []  # further connections, closed at the end
        self.has_mutated = False
        self.was_closed = False  # whether the other side closed a session that became slow
        self.slow_s = 0.0  # how long a slow mutation waits for the end
        self._mutation = mutation

    def send_step(self, step: str, message: Message) -> None:
        """Sends a message, unless the mutation is at this step."""
        if not self.mutates_at(step, message):
            self.channel.send(message)

    def mutates_at(self, step: str, message: Message) -> bool:
        """Breaks the protocol if this is the step for it; returns whether it did."""
        mutation = self._mutation
        if mutation is None or self.has_mutated or mutation.step != step:
            return False
        self.has_mutated = True
        try:
            mutation.act(self, message)
        except Ended:
            if mutation.pace is not Pace.SLOW:
                raise
            self.was_closed = True
        if mutation.pace is Pace.MUTE:
            self.channel.await_close(MUTE_S)
            raise Left
        if mutation.pace is Pace.SLOW:
            self.was_closed = self.was_closed or self.channel.await_close(self.slow_s)
            raise Left
        return True
