"""Kills of random processes of a sweep at random moments while packets flow, and the sweep's resumption."""

import os
import random
import re
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.faults.actions import BUS, ENGINE_RECEIVES, ENGINE_SENDS, RECEIVER, SENDER
from lagbench_validation.faults.stage import JVM_OPTIONS, LEFT_S, SIDES, Stage, whole_records
from lagbench_validation.processes import Failed
from lagbench_validation.rogue.judge import judge_output

SESSION_KILLS = 10
BATCH = 16  # "A killed process loses at most the packets of the call in progress" (docs/explanation/measurement.md)

_RUNS = 4
_LATER_S = 0.4
_POLL_S = 0.01
_RUN_S = 60
_ALL = "all"
_SWEEP = "cli.Lagbench sweep"
_EXPERIMENT = f"""
name: kills
observe: none
jvm: {JVM_OPTIONS}
packet-bytes: 128
warm-up-packets: 32
repeats: {_RUNS}
drain: 50ms
stall-timeout: 2s
"""
_EACH_MS = "packets: 1500\npace: {mode: sleep, interval: 500us}\n"
_BURSTS = "packets: 16000\npace: {mode: sleep, interval: 1ms, burst: 16}\n"
_PIECES = "transfer-bytes: 4096\ntransfers: 60\ntraffic: transfer\npace: {mode: sleep, interval: 500us}\n"
_KINDS = (
    "transports: udp\nengine: java\n" + _EACH_MS,
    "transports: udp\nengine: java-nio\n" + _EACH_MS,
    "transports: udp\nengine: c\n" + _EACH_MS,
    "transports: udp\nengine: java\nudp: {batch: 16}\n" + _BURSTS,
    "transports: udp\nengine: c\nudp: {batch: 16}\n" + _BURSTS,
    "transports: tcp\nengine: java\n" + _EACH_MS,
    "transports: tcp\nengine: c\ntcp: {batch: 16}\n" + _BURSTS,
    "transports: tcp\nengine: java\ntraffic: round-trip\n" + _EACH_MS,
    "transports: tcp\nengine: c\ntraffic: round-trip\n" + _EACH_MS,
    "transports: udp\nengine: java\ntraffic: round-trip\nin-flight: unlimited\n" + _EACH_MS,
    "transports: tcp\nengine: java\n" + _PIECES,
    "transports: ieee1394\nengine: java\n" + _EACH_MS,
    "transports: ieee1394\nengine: java\ntraffic: round-trip\n" + _EACH_MS,
)


@dataclass(frozen=True)
class _Kill:
    """
    A kill.

    :param seen: the numbers of records of the two captures just before it
    :param state: the run's state in run.json when all victims had stopped
    """

    run: Path
    victim: str
    seen: dict[str, int]
    state: str


class KilledSweep:
    """A sweep whose processes are killed."""

    def __init__(self, stage: Stage, seed: int, *, together: bool) -> None:
        """
        Chooses a kind of run.

        :param together: whether each kill is of all processes, as if the host lost its power
        """
        self._stage = stage
        self._random = random.Random(seed)
        self._kind = self._random.choice(_KINDS)
        self.kills: list[_Kill] = []
        self._victims = [_ALL] if together else [SENDER, RECEIVER, _SWEEP, _ALL]
        if "engine: c" in self._kind and not together:
            self._victims += [ENGINE_SENDS, ENGINE_RECEIVES]

    def wrong(self, count: int) -> Iterator[str]:
        """Kills processes at random moments; yields the errors found after each kill."""
        for wrong in self._wrong(count):
            yield f"{' '.join(self._kind.split())}: {wrong}"

    def _wrong(self, count: int) -> Iterator[str]:
        stage = self._stage
        (stage.work / "e.yaml").write_text(_EXPERIMENT + self._kind)
        words = ["lagbench", "sweep", "e.yaml", "--output", "results", "--no-report"]
        while len(self.kills) < count:
            before = len(self.kills)
            sweep = stage.start("main", words)
            self._kill_while_running(count)
            if not sweep.await_end(_RUN_S):
                yield f"the sweep does not end: {sweep.last_lines()!r}"
            yield from (f"left behind: {one}" for one in stage.left())
            code = sweep.exit_code
            sweep.end()
            if code not in (-signal.SIGKILL, 6) and len(self.kills) > before:
                yield f"exit code {code}: {sweep.last_lines()!r}"
            yield from judge_output(sweep.output().encode())
            for kill in self.kills[before:]:
                for wrong in (*_judge(kill), *(self._unread(kill) if kill.victim == _ALL else ())):
                    yield f"{kill.run.name}, {kill.victim} killed: {wrong}"
            if len(self.kills) == before:
                yield f"no packets flowed: {sweep.last_lines()!r}"
                return
            words = ["lagbench", "sweep", "--resume", str(stage.sessions()[0]), "--no-report"]
        resumed = stage.start("main", words)
        try:
            resumed.await_success(_RUN_S * _RUNS)
            stage.start("table", ["lagbench", "table", words[-2]]).await_success(LEFT_S)
        except Failed as e:
            yield f"resumed: {e}"
        names = [run.name for run in stage.runs() if stage.state(run) == "COMPLETE"]
        if [name[-3:] for name in names] != [f"-r{repeat}" for repeat in range(1, _RUNS + 1)]:
            yield f"the complete runs after --resume are {names}"

    def _unread(self, kill: _Kill) -> Iterator[str]:
        """Yields the readers that fail to read the stamps of a run whose processes were all killed."""
        import lagbench  # needs NumPy

        run, stage = kill.run, self._stage
        session = str(run.parent.parent)
        # A run can end between the last look at it and the stop of its processes.
        if (state := stage.state(run)) != kill.state or state == "NONE":
            yield f"run.json has the state {state}, and {kill.state} before the kill"
        table = ["table", session, "--include-broken", "--format", "csv"]
        for words in (table, ["export", session, "--include-broken", "--format", "csv", "--output", "exported"]):
            program = stage.start(words[0], ["lagbench", *words])
            try:
                program.await_success(LEFT_S)
            except Failed as e:
                yield str(e)
            if words is table and not re.search(rf"^run,{run.name},\d+,{state},", program.output(), re.MULTILINE):
                yield "the table does not include it"
        if not (stage.work / "exported" / f"{run.name}.csv").is_file():
            yield "it is not exported"
        try:
            if not len(lagbench.Run(run).packets()["sent_ns"]):
                yield "Python reads no packets"
        except lagbench.SessionError as e:
            yield f"Python: {e}"

    def _kill_while_running(self, count: int) -> None:
        """Kills a process of each run whose packets flow, until one of the sweep itself is killed."""
        stage, killed = self._stage, set[Path]()
        while len(self.kills) < count and not stage.programs["main"].ended:
            time.sleep(_POLL_S)
            pids = stage.processes()
            run = next((_run_of(line) for line in pids.values() if SENDER in line), None)
            if run is None or run in killed or not _flows(stage.work / run, self._random.randrange(1, 200)):
                continue
            killed.add(run)
            victim = self._random.choice(self._victims)
            time.sleep(self._random.random() * _LATER_S)
            path = stage.work / run
            pids = stage.processes()
            victims = [pid for pid, line in pids.items() if victim in line or (victim == _ALL and BUS not in line)]
            seen = {side: _count(path / f"{side}.npy", side) for side in SIDES}
            if stage.state(path) not in ("RUNNING", "NONE") or not victims:
                continue  # the run has ended
            _stop(victims)
            self.kills.append(_Kill(path, victim, seen, stage.state(path)))
            _signal(victims, signal.SIGKILL)
            if victim in (_SWEEP, _ALL):
                return


def _stop(pids: list[int]) -> None:
    """Stops processes before their end, so that none notices the end of another: a power failure lets none do that."""
    _signal(pids, signal.SIGSTOP)
    while any(_is_running(task) for pid in pids for task in Path(f"/proc/{pid}/task").glob("*")):
        time.sleep(_POLL_S)


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _is_running(task: Path) -> bool:
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0] not in "TtZX"
    except (FileNotFoundError, ProcessLookupError):
        return False  # the process has ended


def _run_of(line: str) -> Path | None:
    words = line.split()
    return Path(words[words.index("--requests") + 1]) if "--requests" in words else None


def _count(path: Path, side: str) -> int:
    try:
        return len(whole_records(path, side))
    except (OSError, ValueError):
        return 0  # the capture does not exist yet


def _flows(run: Path, records: int) -> bool:
    return _count(run / "receiver.npy", "receiver") >= records


def _judge(kill: _Kill) -> Iterator[str]:
    """Yields the errors of the captures after a kill: torn records, gaps, stamps that are lost."""
    kept: dict[str, list[int]] = {}
    for side in SIDES:
        try:
            kept[side] = whole_records(kill.run / f"{side}.npy", side)
        except (OSError, ValueError) as e:
            yield str(e)
            return
        if len(kept[side]) < kill.seen[side]:
            yield f"{side}: {len(kept[side])} records, {kill.seen[side]} before the kill"
    highest = max(kept["receiver"], default=-1)
    if len(kept["sender"]) < highest + 1 - BATCH:
        yield f"packet {highest} was received, but the sender has {len(kept['sender'])} records"
    replies = kill.run / "sender-replies.npy"
    if replies.exists():
        missing = set(whole_records(replies, "replies")) - set(kept["receiver"])  # lost packets have no reply
        if len(missing) > BATCH:
            yield f"{len(missing)} packets were answered that the receiver has no record of"
