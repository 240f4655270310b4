"""The table of mutations from the protocol: programs × steps × messages × fields × kinds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from lagbench_validation.rogue import sending
from lagbench_validation.rogue.examples import EXAMPLES
from lagbench_validation.rogue.files import byte_kinds, file_kinds, size_kinds
from lagbench_validation.rogue.forms import Field, Forms
from lagbench_validation.rogue.lines import Kind, connection_kinds, line_kinds, mac_kinds, order_kinds, slow_kinds
from lagbench_validation.rogue.packets import connect_kinds, packet_kinds
from lagbench_validation.rogue.session import Act, ControlSession, Mutation
from lagbench_validation.rogue.values import absent, mutated_values, repeated, replaced, to_json
from lagbench_validation.rogue.wire import Message

ANY_TIME = ("ping", "ask", "open-exchange", "watch", "alive")
"""What a sender may send between its messages about the run."""

UNEXPECTED = ("refused", "begun", "counted", "pong", "accepted", "hello")
"""Messages that a receiver sends at a wrong time. Each starts a JVM, so this is a selection."""

_NULLABLE = {"tracking", "boundNs", "referenceAddress", "stream", "windows", "refusal"}
_COUNTS = {"received", "distinct", "duplicated", "reordered", "foreign", "unrecorded"}
_NEGATIVE = {"minus-one", "min-int", "min-long", "complement"}
_OTHER_NUMBER = {"zero", "one", "two", "one-more", "one-less", "max-int", "above-int", "max-long", *_NEGATIVE}
_INVALID = {"nothing", "unquoted", "bad-utf8", "too-deep", "nan"}
_OTHER_SUM = {"longer", "shorter", "last-changed", "empty-text", "text", "list", "object"}
_POSSIBLE_FILES = {"numbers-equal"}  # allowed: senders do not check these

Alter = Callable[[Message], bytes]
"""Makes a line of a message."""


class Table:
    """Makes the mutations from the protocol."""

    def __init__(self, forms: Forms, seed: int = 1) -> None:
        self._forms = forms
        self._seed = seed

    def all(self) -> list[Mutation]:
        """Returns all mutations, each with another name."""
        made = [replace(mutation, seed=self._seed) for mutation in (*self.of_senders(), *self.of_receivers())]
        if len({mutation.name for mutation in made}) < len(made):
            raise ValueError("some mutations have the same name")
        return made

    def of_senders(self) -> Iterator[Mutation]:
        """Yields mutations of a sender that is connected to a real receiver."""
        for program in ("receiver-udp", "receiver-udp-key"):
            has_key = program.endswith("key")
            for request in ("open-sender", "make-run"):
                yield from self._fields_before(program, "offer", EXAMPLES[request])
            for step in sending.STEPS:
                if step == "proof" and not has_key:
                    continue
                if step != "leave":
                    yield from self._fields(program, step, _example(step, has_key))
                yield from self._lines(program, step, self._forms.messages(), in_place=True)
                if step not in ("introduction", "proof"):
                    for other in ANY_TIME:
                        yield from self._fields_before(program, step, EXAMPLES[other])
                    if has_key:
                        yield from _of_kinds(program, step, "mac", mac_kinds())
        for transport, engine in (("udp", "java"), ("tcp", "java"), ("udp", "c"), ("tcp", "c")):
            program = f"receiver-{transport}" if engine == "java" else f"receiver-{engine}-{transport}"
            yield from _of_kinds(program, "packets", "packet", packet_kinds(transport))
            yield from _of_kinds(program, "connect", "connection", connect_kinds(transport))
            if program != "receiver-udp":
                yield from self._fields(program, "offer", EXAMPLES["offer"])
                for step in ("connected", "begin", "done"):
                    yield from self._lines(program, step, UNEXPECTED)

    def of_receivers(self) -> Iterator[Mutation]:
        """Yields mutations of a receiver to which a real sender or another program connects."""
        sender = "sender-udp"
        for step in ("hello", "welcome", "pong", "readings-are", "accepted", "begun", "counted", "capture"):
            yield from self._fields(sender, step, EXAMPLES[step])
            yield from self._lines(sender, step, UNEXPECTED)
            yield from self._refusals(sender, step)
        for other in ("sender-opened", "recorded", "run-made"):
            yield from self._fields_before(sender, "accepted", EXAMPLES[other])
        yield from self._refusal_fields(sender, "hello")
        yield from self._refusal_fields(sender, "accepted")
        yield from _of_kinds(sender, "capture", "file", file_kinds(), lambda kind: kind not in _POSSIBLE_FILES)
        yield from _of_kinds(sender, "capture", "size", size_kinds(), lambda kind: True)
        yield from _of_kinds(sender, "bytes", "bytes", byte_kinds())
        yield from self._fields("sender-watching", "interval", EXAMPLES["interval"])
        yield from self._fields("sender-two-kernels", "clock-is", EXAMPLES["clock-is"])
        yield from self._fields("sender-two-kernels", "exchange-opened", EXAMPLES["exchange-opened"])
        yield from self._lines("sender-two-kernels", "clock-is", UNEXPECTED)
        yield from self._fields("sender-far", "observer-is", EXAMPLES["observer-is"])
        yield from self._fields("doctor", "host-is", EXAMPLES["host-is"])
        yield from self._fields("monitor", "load-is", EXAMPLES["load-is"])
        for step in ("hello", "welcome"):
            yield from self._fields("sender-udp-key", step, _example(step, has_key=True))
        for step in ("readings-are", "accepted", "counted"):
            yield from _of_kinds("sender-udp-key", step, "mac", mac_kinds())
        for program, steps in (
            ("sweep", ("hello", "welcome", "accepted", "counted")),
            ("clock", ("hello", "clock-is", "pong")),
        ):
            for step in steps:
                yield from self._refusals(program, step)

    def _fields(self, program: str, step: str, message: Message) -> Iterator[Mutation]:
        """Yields mutations in the fields of the message of a step."""
        for part, field, kind, alter in self._altered(message):
            yield Mutation(program, step, part, kind, _sent(alter), is_false=_is_false(part, field, kind))

    def _fields_before(self, program: str, step: str, message: Message) -> Iterator[Mutation]:
        """Yields mutations that send an altered message, and then the message of a step."""
        for part, _, kind, alter in self._altered(message):
            yield Mutation(program, step, part, kind, _sent_before(alter, message))

    def _refusals(self, program: str, step: str) -> Iterator[Mutation]:
        """Yields refusals with each reason, and with the name of an exit code, instead of a message."""
        for reason in (*self._forms.enums["Refusal"], "OK", "INTERNAL"):
            act = _sent_instead(to_json, {"type": "refused", "reason": reason, "text": "Rogue."})
            yield Mutation(program, step, "refused", reason, act, is_false=True)

    def _refusal_fields(self, program: str, step: str) -> Iterator[Mutation]:
        """Yields mutations that send a refusal with an altered field instead of the message of a step."""
        message = EXAMPLES["refused"]
        for part, _, kind, alter in self._altered(message):
            yield Mutation(program, step, part, kind, _sent_instead(alter, message), is_false=True)

    def _altered(self, message: Message) -> Iterator[tuple[str, Field, str, Alter]]:
        for field in self._forms.leaves(message["type"], message):
            part = f"{message['type']}.{field.name}"
            for kind, raw in mutated_values(field, _value(message, field), self._forms):
                yield part, field, kind, _with(field, raw)
            yield part, field, "absent", _without(field)
            yield part, field, "twice-null", _with_both(field, b"null")
            yield part, field, "twice-text", _with_both(field, b'"x"')

    def _lines(self, program: str, step: str, others: Iterable[str], in_place: bool = False) -> Iterator[Mutation]:
        yield from _of_kinds(program, step, "line", line_kinds())
        yield from _of_kinds(program, step, "connection", connection_kinds())
        yield from _of_kinds(program, step, "time", slow_kinds())
        yield from _of_kinds(program, step, "order", order_kinds(step, others, in_place))


def _example(kind: str, has_key: bool) -> Message:
    message = EXAMPLES[kind]
    return {**message, "proofs": ["d4" * 32]} if has_key and "proofs" in message else message


def _value(message: Message, field: Field) -> Any:
    at: Any = message
    for key in field.path:
        at = at[key]
    return at


def _of_kinds(
    program: str, step: str, part: str, kinds: Iterable[Kind], is_false: Callable[[str], bool] = lambda kind: False
) -> Iterator[Mutation]:
    for name, act, pace in kinds:
        yield Mutation(program, step, part, name, act, pace, is_false(name))


def _is_false(part: str, field: Field, kind: str) -> bool:
    """Returns whether a run with this value instead of the honest one cannot be complete."""
    last = field.path[-1]
    if kind == "absent" and part == "counted.clockSteps.0":
        return False  # as from a receiver that noticed no step
    if kind in ("null", "absent"):
        return last not in _NULLABLE and len(field.path) < 3
    if kind in _INVALID:
        return kind != "nothing" or not isinstance(last, int)  # a list without its only element is a list
    if part.startswith("counted.counts."):
        return last in _COUNTS and kind in (_OTHER_NUMBER if last in ("received", "distinct") else _NEGATIVE)
    if part == "counted.captureRecords":
        return kind in _OTHER_NUMBER
    return part == "capture.sha256" and kind in _OTHER_SUM


def _with(field: Field, raw: bytes) -> Alter:
    return lambda message: replaced(message, field.path, raw)


def _without(field: Field) -> Alter:
    return lambda message: absent(message, field.path)


def _with_both(field: Field, raw: bytes) -> Alter:
    return lambda message: repeated(message, field.path, raw)


def _sent(alter: Alter) -> Act:
    def act(session: ControlSession, message: Message) -> None:
        session.channel.send_line(alter(message))

    return act


def _sent_before(alter: Alter, other: Message) -> Act:
    def act(session: ControlSession, message: Message) -> None:
        session.channel.send_line(alter(other))
        session.channel.send(message)

    return act


def _sent_instead(alter: Alter, other: Message) -> Act:
    def act(session: ControlSession, _: Message) -> None:
        session.channel.send_line(alter(other))

    return act
