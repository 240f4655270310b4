"""A row of the table: a fault, where it happens, and the rule that was written before the run."""

import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lagbench_validation.faults.peers import PORT, Peer
from lagbench_validation.faults.stage import JVM_OPTIONS, SIDES, START_S, Stage
from lagbench_validation.processes import Failed
from lagbench_validation.rogue.judge import judge_output

Fault = Callable[[Stage], None]

_ANY = "--no-report --stall-timeout 2s --drain 100ms --output results --accept-unsynchronized"
_UNLESS_GIVEN = {"--observe": "none", "--jvm": "JVM"}
_UNLESS_GIVEN_IN_TRANSFER = {"--codec": "gzip-1"}
_PACKETS = f"--packet-bytes 100 --warm-up-packets 50 --mode sleep --interval 1ms {_ANY}"
_TRAFFIC = {
    "one-way": f"--packets 20000 {_PACKETS}",
    "short": f"--packets 1500 {_PACKETS}",
    "flood": f"--packets 9000000 --flood --packet-bytes 24 --warm-up-packets 50 {_ANY}",
    "round-trip": f"--traffic round-trip --packets 20000 {_PACKETS}",
    "transfer": f"--traffic transfer --transfer-bytes 256KiB --transfers 999 --size 16384 {_ANY}",
    "–": "",
}

_ENDED_S = 100
_SHOWN_CHARACTERS = 1000


@dataclass(frozen=True)
class Row:
    """
    A fault and its rule.

    :param exits: the exit codes that are right; the negative number of a signal that killed the program
    :param says: a pattern that the output must contain: what is wrong, where, what to do
    :param does: the fault; None if the setup is the fault
    :param when: when: the side whose capture then has records, or a pattern of the program's output; empty for at once
    :param records: how many records that capture has then
    :param command: the words after scripts/, with {…} for the columns
    :param setup: a shell command before everything
    :param prefix: words before the program
    :param state: the state in run.json of the last run
    :param keeps: how many records the sender and the receiver have kept at least
    :param then: words after scripts/ of a program that must succeed afterwards
    :param shows: a pattern that its output must contain
    :param leaves: a pattern of what may be left behind, where the documentation says so
    """

    fault: str
    transport: str
    traffic: str
    peer: Peer
    exits: tuple[int, ...]
    says: str = ""
    does: Fault | None = None
    when: str = ""
    records: int = 20
    options: str = ""
    command: str = "lagbench run {transport} {address} {traffic} {options}"
    setup: str = ""
    prefix: str = ""
    state: str = ""
    keeps: tuple[int, int] = (0, 0)
    then: str = ""
    shows: str = ""
    leaves: str = ""

    @property
    def name(self) -> str:
        return "/".join((self.fault, self.transport, self.traffic, self.peer.name)).replace(" ", "-")

    @property
    def is_in_flight(self) -> bool:
        """Returns whether packets flow when the fault happens."""
        return self.when in SIDES

    def words(self, command: str) -> list[str]:
        """Returns the words of a command, with the defaults of options that the row does not give."""
        traffic = _TRAFFIC[self.traffic]
        if traffic:
            unless_given = _UNLESS_GIVEN | (_UNLESS_GIVEN_IN_TRANSFER if self.traffic == "transfer" else {})
            traffic += "".join(f" {key} {value}" for key, value in unless_given.items() if key not in self.options)
        text = command.format(
            transport=self.transport, address=self.peer.address, traffic=traffic, options=self.options
        )
        return [JVM_OPTIONS if word == "JVM" else word for word in text.split()]


def perform(row: Row, stage: Stage) -> Iterator[str]:
    """Makes the fault, and yields what is wrong."""
    for setup in filter(None, (row.peer.setup, row.setup)):
        stage.shell(setup)
    stage.begin()
    if row.peer.act:
        stage.listen(PORT, row.peer.act)
    if row.peer.serve:
        serve = stage.start("serve", row.peer.serve.split(), row.peer.prefix)
        serve.await_text(row.peer.ready, START_S)
    main = stage.start("main", row.words(row.command), f"{row.prefix} {row.peer.environment(stage.home, stage.work)}")
    if row.is_in_flight:
        stage.await_stamps(row.when, row.records)
    elif row.when:
        main.await_text(row.when, START_S)
    if row.does:
        row.does(stage)
    if not main.await_end(_ENDED_S):
        yield f"not ended within {_ENDED_S} s: {main.last_lines()!r}"
    stage.drain()
    yield from _judge(row, stage)


def _judge(row: Row, stage: Stage) -> Iterator[str]:
    main = stage.programs["main"]
    if row.then:
        yield from _succeeds(stage, row.words(row.then), row.peer.environment(stage.home, stage.work), row.shows)
    for name, program in stage.programs.items():
        if name != "main":
            program.end(signal.SIGTERM)
    left = [one for one in stage.left() if not (row.leaves and re.search(row.leaves, one))]
    code = main.exit_code
    main.end()
    if code is not None and code not in row.exits:
        yield f"exit code {code}, not {row.exits}: {main.last_lines()!r}"
    said = " ".join(line for line in main.output().splitlines() if not line.startswith("NOTE: Picked up"))
    if not re.search(row.says, said):
        yield f"does not say {row.says!r}: {said[-_SHOWN_CHARACTERS:]!r}"
    for program in stage.programs.values():
        yield from judge_output(program.output().encode())
    yield from (f"left behind: {one}" for one in left)
    if row.state and (states := [stage.state(run) for run in stage.runs()])[-1:] != [row.state]:
        yield f"the state is {states}, not {row.state}"
    if any(row.keeps):
        yield from _judge_kept(row, stage)


def _judge_kept(row: Row, stage: Stage) -> Iterator[str]:
    for side, minimum in zip(SIDES, row.keeps, strict=True):
        try:
            kept = stage.stamps(side)
        except ValueError as e:
            yield f"{side}: {e}"
        else:
            if kept < minimum - (stage.dropped() if side == "receiver" else 0):
                yield f"{side}: {kept} stamps kept, not {minimum}"
    for session in stage.sessions() if any((run / "run.json").exists() for run in stage.runs()) else ():
        yield from _succeeds(stage, ["lagbench", "table", str(session), "--include-broken"])


def _succeeds(stage: Stage, words: list[str], prefix: str = "", shows: str = "") -> Iterator[str]:
    program = stage.start(" ".join(words[:2]), words, prefix)
    try:
        program.await_success(START_S)
    except Failed as e:
        yield f"afterwards: {e}"
    else:
        if not re.search(shows, program.output()):
            yield f"does not show {shows!r}: {program.output()[-_SHOWN_CHARACTERS:]!r}"
