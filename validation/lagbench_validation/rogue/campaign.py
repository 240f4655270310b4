"""Makes all runs of a campaign against rogue senders and receivers, several at a time."""

import os
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from lagbench_validation.key import make_key
from lagbench_validation.rogue import judge
from lagbench_validation.rogue.meetings import ReceiverUnderAttack, SenderMeetings, Verdict
from lagbench_validation.rogue.session import Departure, Pace
from lagbench_validation.rogue.victims import Commands, Victim

READ_S = 120.0

_RECEIVER = "receiver-"
_CHUNK = 1_000  # departures that one receiver meets
_SLOW_CHUNK = 4
_SLOW_JOBS = 6  # they wait


class Campaign:
    """Runs meetings and collects their verdicts."""

    def __init__(self, home: Path, work: Path, protocol: int, report: Callable[[Verdict], None]) -> None:
        self._work = work
        self._key = make_key(work)
        self._commands = Commands(home)
        self._senders = SenderMeetings(self._commands, work, self._key, protocol)
        self._report = report
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self.verdicts: list[Verdict] = []
        self.failures: list[str] = []  # failures that belong to no single departure

    def run(self, departures: Sequence[Departure]) -> None:
        """Tries every departure on the real programs, and reads the files that they kept."""
        jobs = len(os.sched_getaffinity(0))
        with ThreadPoolExecutor(jobs) as busy, ThreadPoolExecutor(_SLOW_JOBS) as waiting:
            futures: list[Future[None]] = []
            for slow, pool in ((True, waiting), (False, busy)):
                some = [departure for departure in departures if (departure.pace is Pace.SLOW) == slow]
                at_receivers = defaultdict(list)
                for departure in some:
                    if departure.program.startswith(_RECEIVER):
                        at_receivers[departure.program].append(departure)
                    else:
                        futures.append(pool.submit(self._meet_sender, departure))
                for program, its in at_receivers.items():
                    for chunk in _chunks(its, _SLOW_CHUNK if slow else _CHUNK):
                        futures.append(pool.submit(self._meet_receiver, program, chunk))
            try:
                for future in futures:
                    future.result()
            except BaseException:
                self._stopped.set()
                for pool in (busy, waiting):
                    pool.shutdown(wait=False, cancel_futures=True)
                Victim.kill_all()
                raise
        self._read()

    def _meet_sender(self, departure: Departure) -> None:
        self._add(self._senders.meet(departure))

    def _meet_receiver(self, program: str, departures: Iterable[Departure]) -> None:
        work = Path(tempfile.mkdtemp(prefix=f"{program}-", dir=self._work))
        receiver: ReceiverUnderAttack | None = None
        for departure in departures:
            if self._stopped.is_set():
                return
            if receiver is None or receiver.has_ended:
                receiver = ReceiverUnderAttack(program, self._commands, Path(tempfile.mkdtemp(dir=work)), self._key)
            self._add(receiver.meet(departure))
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
        """Reads the runs that were complete in spite of a departure, as a user does."""
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
            victim = Victim(self._commands.lagbench(name, self._senders.kept, *arguments), self._work / f"read-{name}")
            ended = victim.await_end(READ_S)
            if ended.exit_code != 0:
                self._fail(f"{name} of the kept runs: exit code {ended.exit_code}: {ended.output[-500:]!r}")
            for wrong in judge.judge_output(ended.output, runs):
                self._fail(f"{name} of the kept runs: {wrong}")


def _chunks(some: Sequence[Departure], size: int) -> Iterable[Sequence[Departure]]:
    return (some[at : at + size] for at in range(0, len(some), size))
