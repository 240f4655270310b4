"""Attacks of the rogue on real programs: one mutation each, then a verdict."""

import itertools
import json
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.processes import Failed
from lagbench_validation.rogue import judge
from lagbench_validation.rogue.examples import EXAMPLES
from lagbench_validation.rogue.programs import START_S, Commands, Ended, TestedProgram
from lagbench_validation.rogue.receiving import RogueReceiver
from lagbench_validation.rogue.sending import Offered, Replies, SenderSession, is_complete
from lagbench_validation.rogue.session import Mutation, Pace
from lagbench_validation.rogue.wire import Ended as SessionEnded

PATIENCE_S = 5.0  # how long the rogue waits for a reply

SENDER_PACKETS = 20

_LISTENING = "listening on "
_RETRY_S = 0.005
_LEAKED_MAX = 16  # descriptors and threads above those after the first honest run


@dataclass(frozen=True)
class Verdict:
    """What a mutation caused."""

    mutation: Mutation
    wrong: tuple[str, ...]
    seconds: float
    peak_mib: float


class ReceiverUnderAttack:
    """A real receiver that gets one mutation after the other, and serves an honest sender after each."""

    def __init__(self, program: str, commands: Commands, work: Path, key: Path) -> None:
        _, *words = program.split("-")
        self._program = program
        self._offered = Offered("tcp" if "tcp" in words else "udp", "c" if "c" in words else "java")
        self._key = key.read_text("ascii").encode() if "key" in words else None
        sandbox = work / program
        self._received = sandbox / "received"
        options = ["--listen", "127.0.0.1:0", "--directory", self._received]
        if self._key:
            options += ["--key-file", key]
        self._tested = TestedProgram(commands.receiver(*options), sandbox)
        self._address = ("127.0.0.1", int(self._tested.await_text(_LISTENING, START_S).rpartition(":")[2]))
        commands.learn(self._tested)
        if not self._serves(time.monotonic() + START_S):
            raise Failed(f"{program} does not serve an honest sender: {self._tested.new_output()!r}")
        self._clear()
        self._before = (self._tested.descriptors(), self._tested.threads())

    def attack(self, mutation: Mutation) -> Verdict:
        start = time.monotonic()
        bound_s = judge.slow_end_s() if mutation.pace is Pace.SLOW else judge.END_S
        wrong = []
        try:
            session, replies = self._hold(mutation, bound_s)
            if not session.has_mutated:
                wrong.append(f"never came to this step: {replies.ended}")
            if mutation.pace is Pace.SLOW and not session.was_closed:
                wrong.append(f"the connection was still open after {bound_s:.0f} s")
            if replies.refusal and not replies.refusal.get("text"):
                wrong.append(f"refused without a sentence: {replies.refusal}")
        except (SessionEnded, OSError, ValueError, KeyError) as e:
            wrong.append(f"the session failed: {e!r}")
        if not self._serves(time.monotonic() + judge.END_S):
            wrong.append(f"serves no honest sender {judge.END_S:.0f} s after it")
        wrong += judge.judge_output(self._tested.new_output())
        wrong += judge.judge_files(self._tested.sandbox, self._received)
        peak_mib = 0.0
        if self._tested.has_ended:
            wrong.append("the receiver has ended")
        else:
            peak_mib = self._tested.peak_mib()
        wrong += judge.judge_memory(peak_mib)
        self._clear()
        return Verdict(mutation, tuple(wrong), time.monotonic() - start, peak_mib)

    @property
    def has_ended(self) -> bool:
        return self._tested.has_ended

    def end(self) -> list[str]:
        """Ends the receiver, and returns what was wrong: leaks, its exit code and its output."""
        wrong = []
        if not self.has_ended:
            for before, after, what in zip(
                self._before,
                (self._tested.descriptors(), self._tested.threads()),
                ("descriptors", "threads"),
                strict=True,
            ):
                if after > before + _LEAKED_MAX:
                    wrong.append(f"{after} {what}, {before} before all mutations")
        ended = self._tested.end(judge.END_S)
        if ended.exit_code != 130:
            wrong.append(f"exit code {ended.exit_code} after SIGTERM, expected 130: {ended.output[-500:]!r}")
        return [*wrong, *judge.judge_output(ended.output)]

    def _hold(self, mutation: Mutation, slow_s: float) -> tuple[SenderSession, Replies]:
        """Holds a session with a mutation; repeats it while the receiver is busy with an earlier one."""
        deadline = time.monotonic() + judge.END_S
        while True:
            session = self._session(mutation, "rogue")
            session.slow_s = slow_s
            replies = session.hold()
            if session.has_mutated or not replies.refusal or time.monotonic() > deadline:
                return session, replies
            time.sleep(_RETRY_S)

    def _session(self, mutation: Mutation | None, name: str) -> SenderSession:
        offered = Offered(self._offered.transport, self._offered.engine, name=name)
        return SenderSession(self._address, self._key, offered, mutation, EXAMPLES, PATIENCE_S)

    def _serves(self, deadline: float) -> bool:
        """Returns whether an honest run is complete before the deadline; a receiver may be busy until then."""
        while not self._tested.has_ended:
            try:
                if is_complete(self._session(None, "honest").hold(), self._offered):
                    return True
            except (SessionEnded, OSError):
                pass  # treated like a busy receiver
            if time.monotonic() > deadline:
                break
            time.sleep(_RETRY_S)
        return False

    def _clear(self) -> None:
        shutil.rmtree(self._received, ignore_errors=True)
        self._received.mkdir(exist_ok=True)


_MONITORED = """
monitor:
  every: 3s
  for: 3s
  probes: [{name: burst, transports: udp, packet-bytes: 32, packets: 5, warm-up-packets: 0, observe: none}]
"""


class SenderAttacks:
    """Starts a real sender, or another program that connects to a receiver, for each mutation."""

    def __init__(self, commands: Commands, work: Path, key: Path, protocol: int) -> None:
        self._commands = commands
        self._work = work
        self._key = key
        self._protocol = protocol
        self._numbers = itertools.count()
        self.kept = work / "kept"  # the runs that were complete in spite of a mutation
        self.kept.mkdir()
        self._monitored = work / "monitor.yaml"
        self._monitored.write_text(_MONITORED, "ascii")

    def attack(self, mutation: Mutation) -> Verdict:
        name = f"run-{next(self._numbers)}"
        program, *words = mutation.program.split("-")
        sandbox = self._work / name
        bound_s = judge.slow_end_s() if mutation.pace is Pace.SLOW else judge.END_S
        rogue = RogueReceiver(
            self._protocol,
            self._key.read_text("ascii").encode() if "key" in words else None,
            "two" in words or program in ("clock", "doctor"),
            mutation,
            EXAMPLES,
            patience_s=bound_s,
        )
        try:
            watched = self._request(rogue.address, sandbox, name) if "watching" in words else ""
            tested = TestedProgram(self._command(program, words, rogue.address, name), sandbox, watched)
            ended = tested.await_end(bound_s + 5)
        finally:
            rogue.close()
        wrong = [*self._judge(mutation, ended, sandbox, name)]
        if not rogue.has_mutated:
            wrong.append(f"never came to this step: {ended.output[-300:]!r}")
        self._keep(sandbox / "runs" / name, ended, mutation)
        shutil.rmtree(sandbox)
        return Verdict(mutation, tuple(wrong), ended.seconds, ended.peak_mib)

    def _command(self, program: str, words: Sequence[str], address: str, name: str) -> list[object]:
        with_key = ["--key-file", self._key] if "key" in words else []
        match program:
            case "sender" if "watching" in words:
                return self._commands.sender("--requests", name)
            case "sender" if "far" in words:  # asks whether the receiver's kernel permits the observer
                return ["env", "LAGBENCH_LAB_ROUND_TRIP_NS=1000000", *self._sender(words, address, name, "auto")]
            case "sender":
                return [*self._sender(words, address, name, "none"), *with_key]
            case "sweep":
                settings = [f"receiver={address}", "transports=udp", "packet-bytes=32", "warm-up-packets=0",
                            f"packets={SENDER_PACKETS}", "repeats=1", "observe=none"]  # fmt: skip
                return self._commands.lagbench(
                    "sweep", self._commands.experiment, "--output", "runs", "--no-report",
                    *(word for setting in settings for word in ("--set", setting)),
                )  # fmt: skip
            case "clock":
                return self._commands.lagbench("clock", address, "--count", 1, *with_key)
            case "doctor":
                return self._commands.lagbench("doctor", address, *with_key)
            case "monitor":
                return self._commands.lagbench("monitor", self._monitored, "--set", f"receiver={address}")
        raise ValueError(program)

    def _sender(self, words: Sequence[str], address: str, name: str, observed: str) -> list[object]:
        return self._commands.sender(
            "tcp" if "tcp" in words else "udp", address, "--packet-bytes", 32,
            "--packets", SENDER_PACKETS, "--warm-up-packets", 0,
            "--mode", "spin", "--interval", "100us", "--observe", observed, "--drain", "100ms", "--stall-timeout", "2s",
            "--clock.max-error", "10s", "--directory", "runs", "--name", name,
        )  # fmt: skip

    @staticmethod
    def _request(address: str, sandbox: Path, name: str) -> str:
        """Returns the request of a sweep to a sender, which reports what the receiver recorded in each second."""
        honest = EXAMPLES["make-run"]["request"]
        settings = {"send-buffer": "auto", "receive-buffer": "auto", "batch": 1, "busy-poll": "none", "offload": "off",
                    "fragment": "allow", "via": "none", "receive-port": "auto"}  # fmt: skip
        point = {**honest["run"]["point"], "packets": SENDER_PACKETS, "settings": settings}
        host, _, port = address.rpartition(":")
        run = {
            "request": {**honest, "run": {**honest["run"], "name": name, "point": point}},
            "directory": str(sandbox / "runs"), "chrony": {"host": "127.0.0.1", "port": 323}, "key": None,
        }  # fmt: skip
        return json.dumps({
            "type": "send", "run": run, "receiver": {"host": host, "port": int(port)}, "dataHost": None,
            "local": {"bind": None, "dataPort": 0, "device": None}, "probes": False, "waitsForStart": False,
            "reportsIntervals": True, "endsAfterwards": True,
        }, separators=(",", ":"))  # fmt: skip

    def _judge(self, mutation: Mutation, ended: Ended, sandbox: Path, name: str) -> Iterator[str]:
        runs = sandbox / "runs"
        yield from judge.judge_exit(mutation, ended, runs / name)
        yield from judge.judge_time(mutation, ended)
        yield from judge.judge_memory(ended.peak_mib)
        yield from judge.judge_output(ended.output)
        if mutation.program.startswith("sender"):
            yield from judge.judge_files(sandbox, runs)
            yield from judge.judge_stamps(mutation, runs / name)

    def _keep(self, run: Path, ended: Ended, mutation: Mutation) -> None:
        """Keeps a complete run for the programs that read runs."""
        if ended.exit_code == 0 and mutation.program.startswith("sender") and run.is_dir():
            run.rename(self.kept / run.name)
