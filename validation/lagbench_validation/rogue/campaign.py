"""Executes all runs of a campaign against rogue senders and receivers, several at a time."""

import os
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from lagbench_validation.key import make_key
from lagbench_validation.rogue import judge
from lagbench_validation.rogue.attacks import ReceiverUnderAttack, SenderAttacks, Verdict
from lagbench_validation.rogue.programs import Commands, TestedProgram
from lagbench_validation.rogue.session import Mutation, Pace

READ_S = 120.0

_RECEIVER = "receiver-"
_CHUNK = 1_000  # mutations for one receiver
_SLOW_CHUNK = 4
_SLOW_JOBS = 6  # slow mutations wait, so more of them run at a time


class Campaign:
    """Runs attacks and collects their verdicts."""

    def __init__(self, home: Path, work: Path, protocol: int, report: Callable[[Verdict], None]) -> None:
        self._work = work
        self._key = make_key(work)
        self._commands = Commands(home)
        self._senders = SenderAttacks(self._commands, work, self._key, protocol)
        self._report = report
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self.verdicts: list[Verdict] = []
        self.failures: list[str] = []  # failures that belong to no single mutation

    def run(self, mutations: Sequence[Mutation]) -> None:
        """Tries every mutation on the real programs, and reads the files that they kept."""
        jobs = len(os.sched_getaffinity(0))
        with ThreadPoolExecutor(jobs) as busy, ThreadPoolExecutor(_SLOW_JOBS) as waiting:
            futures: list[Future[None]] = []
            for slow, pool in ((True, waiting), (False, busy)):
                some = [mutation for mutation in mutations if (mutation.pace is Pace.SLOW) == slow]
                at_receivers = defaultdict(list)
                for mutation in some:
                    if mutation.program.startswith(_RECEIVER):
                        at_receivers[mutation.program].append(mutation)
                    else:
                        futures.append(pool.submit(self._attack_sender, mutation))
                for program, its in at_receivers.items():
                    for chunk in _chunks(its, _SLOW_CHUNK if slow else _CHUNK):
                        futures.append(pool.submit(self._attack_receiver, program, chunk))
            try:
                for future in futures:
                    future.result()
            except BaseException:
                self._stopped.set()
                for pool in (busy, waiting):
                    pool.shutdown(wait=False, cancel_futures=True)
                TestedProgram.kill_all()
                raise
        self._read()

    def _attack_sender(self, mutation: Mutation) -> None:
        self._add(self._senders.attack(mutation))

    def _attack_receiver(self, program: str, mutations: Iterable[Mutation]) -> None:
        work = Path(tempfile.mkdtemp(prefix=f"{program}-", dir=self._work))
        receiver: ReceiverUnderAttack | None = None
        for mutation in mutations:
            if self._stopped.is_set():
                return
            if receiver is None or receiver.has_ended:
                receiver = ReceiverUnderAttack(program, self._commands, Path(tempfile.mkdtemp(dir=work)), self._key)
            self._add(receiver.attack(mutation))
        for wrong in receiver.end() if receiver else []:
            self._fail(f"{program}: {wrong}")

    def _add(self, verdict: Verdict) -> None:
        with self._lock:
            if not self._stopped.is_set():  # afterwards the programs are killed
                self.verdicts.append(verdict)
                self._report(verdict)

    def _fail(self, sentence: str) -> None:
        with self._lock:
            self.failures.append(sentence)

    def _read(self) -> None:
        """Reads the runs that were complete in spite of a mutation, as a user does."""
        runs = len(list(self._senders.kept.iterdir()))
        if not runs:
            return
        output = self._work / "read"
        output.mkdir()
        for name, arguments in {
            "table": [],
            "report": ["--output", output / "report.html"],
            "export": ["--format", "csv", "--output", output / "export"],
            "figures": ["--output", output / "figures"],
        }.items():
            command = self._commands.lagbench(name, self._senders.kept, *arguments)
            tested = TestedProgram(command, self._work / f"read-{name}")
            ended = tested.await_end(READ_S)
            if ended.exit_code != 0:
                self._fail(f"{name} of the kept runs: exit code {ended.exit_code}: {ended.output[-500:]!r}")
            for wrong in judge.judge_output(ended.output, runs):
                self._fail(f"{name} of the kept runs: {wrong}")


def _chunks(some: Sequence[Mutation], size: int) -> Iterable[Sequence[Mutation]]:
    return (some[at : at + size] for at in range(0, len(some), size))
