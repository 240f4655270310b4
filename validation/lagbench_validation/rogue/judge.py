"""Judges what a program did after its peer departed from the protocol.

Wrong: other exit codes, stack traces, control characters, files outside the session, too much memory, too long a wait.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from lagbench_validation.rogue.lines import CLASS_NAMES
from lagbench_validation.rogue.programs import Ended
from lagbench_validation.rogue.session import Mutation, Pace
from lagbench_validation.rogue.values import FORGED

PEAK_MIB_MAX = 512.0
END_S = 30.0  # within which the program must end after a mutation that sends or does something
OUTPUT_CHARACTERS_MAX = 16_000  # the output about one mutation
LINE_CHARACTERS_MAX = 4_000
RUN_BYTES_MAX = 1 << 20  # the files of a run of 20 packets


def slow_end_s() -> float:
    """Returns END_S of a mutation that is silent or sends slowly; limits of time grow with the load, up to tenfold."""
    return 70 + 30 * min(10, max(1, max(os.getloadavg()) / (os.cpu_count() or 1)))


_EXIT_CODES = {
    "hello": {3, 4},
    "welcome": {3, 4, 6},
    "clock-is": {3, 6, 8},
    "pong": {3, 6, 8},
    "readings-are": {3, 6, 8},
    "observer-is": {3, 6},
    "exchange-opened": {3, 6, 8},
    "accepted": {3, 5, 6},
    "begun": {3, 6},
    "interval": {3, 6},
    "counted": {3, 6},
    "capture": {3, 6, 7},
    "bytes": {3, 6, 7},
    "host-is": {3, 5, 6},
    "load-is": {0},  # a monitor records what failed, and goes on
}
_REFUSED_EXIT_CODES = {
    "VERSION": 3, "KEY": 4, "BUSY": 3, "RUN": 3, "SETTING": 2, "UNAVAILABLE": 5, "FILES": 7, "FAILED": 6,
    "INTERRUPTED": 130,
}  # fmt: skip
_BEFORE_PROOF = {"VERSION", "KEY", "BUSY"}
_STAMPS_KEPT = {"counted", "capture", "bytes"}

_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
_FOR_PARENT = '{"type":"interval"'  # lines of JSON for another program, which may be as long as a message
_FOR_PARENT_CHARACTERS = 1 << 16

_TRACE = re.compile(r"^\s+at [\w.$/@]+\(|^Caused by:|Exception in thread|^\s+\.\.\. \d+ more|hs_err_pid", re.MULTILINE)
_CLASS = re.compile(
    r"\b(?:java|javax|jdk|sun|org|com|tools)\.[a-z]\w*(?:\.\w+)*\.[A-Z]\w*"  # a qualified name
    r"|\b[A-Z]\w*(?:Exception|Error)\b"
    r"|\b(?:ClockIs|HostIs|AskClock|AskHost|ClockReadings|ReadingsAre|OpenExchange|ExchangeOpened|ClockState|ClockStep"
    r"|ReceivedInterval|ChronyTracking|RunRecord|ReceiverHost|MakeRun|RunMade|LinkedHashMap|ArrayList|ControlMessage"
    r"|ObserverIs)\b"
    r"|Cannot (?:construct|deserialize|coerce)|from (?:Null|Object|Array) value|creator property"
)
_RUN_FILE = re.compile(r"(?:sender|receiver|two-way|clock)(?:-[a-z0-9]+)*\.npy|run\.json|checksums\.json")
_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,110}")


def judge_output(output: bytes, mutations: int = 1) -> Iterator[str]:
    """Yields the errors of the output of a program after some mutations from the protocol."""
    try:
        text = output.decode()
    except UnicodeDecodeError as e:
        yield f"output is not UTF-8: {output[max(0, e.start - 20) : e.start + 20]!r}"
        text = output.decode("utf-8", "replace")
    for name in CLASS_NAMES:
        text = text.replace(name, "…")
    for pattern, what in (
        (_FORBIDDEN, "control character"),
        (_TRACE, "stack trace"),
        (_CLASS, "Java class"),
        (re.compile(f"^{FORGED}", re.MULTILINE), "forged line"),
    ):
        if found := pattern.search(text):
            yield f"{what} in output: {text[max(0, found.start() - 60) : found.end() + 60]!r}"
    longest = max((len(line) for line in text.splitlines() if not line.startswith(_FOR_PARENT)), default=0)
    if longest > LINE_CHARACTERS_MAX:
        yield f"a line of {longest} characters in output"
    if len(text) > OUTPUT_CHARACTERS_MAX * mutations + _FOR_PARENT_CHARACTERS * text.count(f"\n{_FOR_PARENT}"):
        yield f"{len(text)} characters of output"


def judge_exit(mutation: Mutation, ended: Ended, run: Path) -> Iterator[str]:
    """Yields the errors of the exit code of a program whose receiver departed from the protocol."""
    code = ended.exit_code
    last = ended.output.decode("utf-8", "replace").strip()[-200:]
    if code is None:
        return
    expected = _expected(mutation)
    if code == 0 and not mutation.is_false:
        if mutation.program.startswith(("sender", "sweep")):
            yield from _judge_complete(run)
    elif code not in expected:
        yield f"exit code {code}, expected one of {', '.join(map(str, sorted(expected)))}: {last!r}"


def _expected(mutation: Mutation) -> set[int]:
    """Returns the exit codes besides 0 of a program whose receiver departed from the protocol."""
    if mutation.part != "refused":
        others = set(_REFUSED_EXIT_CODES.values()) if mutation.part == "refused.reason" else set()
        return _EXIT_CODES[mutation.step] | others
    is_accepted = mutation.step not in ("hello", "welcome") or mutation.kind in _BEFORE_PROOF
    code = _REFUSED_EXIT_CODES.get(mutation.kind) if is_accepted else None
    if code is None:
        return _EXIT_CODES[mutation.step]
    return {code, 7} if mutation.step == "capture" else {code}  # 7: the file cannot be copied


def judge_time(mutation: Mutation, ended: Ended) -> Iterator[str]:
    bound = slow_end_s() if mutation.pace is Pace.SLOW else END_S
    if ended.exit_code is None or ended.seconds > bound:
        yield f"ended only after {ended.seconds:.1f} s, bound {bound:.0f} s"


def judge_memory(peak_mib: float) -> Iterator[str]:
    if peak_mib > PEAK_MIB_MAX:
        yield f"peak memory {peak_mib:.0f} MiB, bound {PEAK_MIB_MAX:.0f} MiB"


def judge_files(directory: Path, runs: Path) -> Iterator[str]:
    """Yields the errors of the files in a program's directory, which contains that of its runs."""
    for path in directory.rglob("*"):
        if path == runs or (path.is_dir() and runs.is_relative_to(path)):
            continue
        if not path.is_relative_to(runs):
            yield f"a file outside the session: {path.relative_to(directory)}"
        elif path.is_dir():
            if path.parent != runs or not _RUN_NAME.fullmatch(path.name):
                yield f"a directory that is no run: {path.relative_to(directory)}"
        elif not _RUN_FILE.fullmatch(path.name) or path.parent.parent != runs:
            yield f"a file that belongs to no run: {path.relative_to(directory)}"
        elif path.stat().st_size > RUN_BYTES_MAX:
            yield f"{path.stat().st_size} bytes in {path.relative_to(directory)}"


def judge_stamps(mutation: Mutation, run: Path) -> Iterator[str]:
    """Yields what is wrong if the sender's stamps were not kept, although it had sent all packets."""
    if mutation.step in _STAMPS_KEPT:
        for name in ("sender.npy", "run.json"):
            if not (run / name).is_file():
                yield f"{name} was not kept"


def _judge_complete(run: Path) -> Iterator[str]:
    record = run / "run.json"
    state = json.loads(record.read_text()).get("state") if record.is_file() else "absent"
    if state != "COMPLETE":
        yield f"exit code 0, but the run is {state}"
    for name in ("sender.npy", "receiver.npy"):
        if not (run / name).is_file():
            yield f"exit code 0 without {name}"
