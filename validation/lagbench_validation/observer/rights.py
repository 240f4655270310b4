"""Runs with fewer rights than root has, in other namespaces, and at the same time."""

import json
import signal
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagbench.ledger import read_ledgers

from lagbench_validation import captures
from lagbench_validation.processes import Failed, Program, run

_NOBODY = 65534
_RUN_S = 90
_PACKETS = 4_000
_OPTIONS = ("--packets", _PACKETS, "--interval", "500us", "--observe", "events", "--quiet", "--no-report")
_OBSERVER = "the observer in the kernel"
_SIDES = ("sender", "receiver")
_HOUR_NS = 3_600_000_000_000


def _as_nobody(*capabilities: str) -> tuple[object, ...]:
    given = ",".join(f"+{capability}" for capability in capabilities) or "-all"
    return ("setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", f"--inh-caps={given}",
            f"--ambient-caps={given}")  # fmt: skip


def _in_shell(commands: str) -> tuple[object, ...]:
    """Returns a command in front of another one, which executes these commands before it."""
    return ("sh", "-c", commands + ' && exec "$@"', "sh")


class RefusedError(Exception):
    """The kernel refuses its observer to a run with all rights."""


@dataclass(frozen=True)
class Case:
    """
    A way to start a run.

    :ivar before: the command in front of that of the run
    :ivar waits: how the record says that waits were recorded: it contains this
    """

    title: str
    before: Sequence[object]
    waits: str = _OBSERVER


CASES = (
    Case("CAP_BPF and CAP_PERFMON", _as_nobody("bpf", "perfmon")),
    Case("without CAP_BPF", _as_nobody("perfmon"), "only to root, or with CAP_BPF and CAP_PERFMON"),
    Case("without CAP_PERFMON", _as_nobody("bpf"), "only to root, or with CAP_BPF and CAP_PERFMON"),
    Case("without both", _as_nobody(), "only to root, or with CAP_BPF and CAP_PERFMON"),
    Case("time namespace", ("unshare", "--time", "--monotonic", 100_000, "--boottime", 100_000, "--fork")),
    Case("PID namespace", ("unshare", "--pid", "--fork", "--mount-proc")),
    Case("network namespace", ("unshare", "--net", *_in_shell("ip link set lo up"))),
    Case("user namespace", ("unshare", "--user", "--map-root-user"), "only to root, or with CAP_BPF and CAP_PERFMON"),
    Case(
        "without the file of BTF", ("unshare", "--mount", *_in_shell("mount -t tmpfs none /sys/kernel/btf"))
    ),  # the kernel has it nevertheless
)


def _record(work: Path) -> tuple[Path, Mapping[str, Any]]:
    (file,) = work.glob("**/run.json")
    return file.parent, json.loads(file.read_text())


def _command(home: Path, work: Path, engine: str) -> Sequence[object]:
    return (home / "scripts" / "lagbench", "run", "udp", *_OPTIONS, "--engine", engine, "--output", work / "results")


def _faults(home: Path, work: Path, waits: str) -> list[str]:
    """Returns what is wrong with a run that has ended."""
    made, record = _record(work)
    found = []
    sent = captures.read(made / "sender.npy")["sent_ns"]
    for side in _SIDES:
        metadata = record[side]["metadata"]
        if waits not in metadata.get("waits", ""):
            found.append(f"{side}: waits are recorded by {metadata.get('waits')}")
        events = captures.read(made / f"{side}-events.npy")
        if not events["start_ns"]:
            found.append(f"{side}: no events")
        elif not sent[0] - _HOUR_NS < min(events["start_ns"]) <= max(events["end_ns"]) < sent[-1] + _HOUR_NS:
            found.append(f"{side}: events at other times than the run")
    export = (home / "scripts" / "lagbench", "export", made, "--format", "ledger", "--tail", 50, "--output",
              work / "export")  # fmt: skip
    run(export)
    (ledgers,) = (work / "export").iterdir()
    if not read_ledgers(ledgers):  # which checks their sums
        found.append("no ledgers")
    return found


def _end(program: Program) -> None:
    try:
        program.await_success(_RUN_S)
    finally:
        program.end(signal.SIGKILL)


def _print(title: str, faults: Sequence[str]) -> bool:
    print(f"{title:28} {'holds' if not faults else '; '.join(faults)}", flush=True)
    return not faults


def _holds(home: Path, case: Case, engine: str) -> bool:
    with tempfile.TemporaryDirectory(prefix="lagbench-observer-") as directory:
        work = Path(directory)
        work.chmod(0o777)
        try:
            _end(Program(case.title, (*case.before, *_command(home, work, engine)), directory=work))
            faults = _faults(home, work, case.waits)
        except Failed as e:
            faults = [str(e)]
    return _print(f"{case.title}, {engine}", faults)


def _hold_at_once(home: Path, engines: Sequence[str]) -> bool:
    """Makes several runs at the same time."""
    with tempfile.TemporaryDirectory(prefix="lagbench-observer-") as directory:
        works = [Path(directory) / str(number) for number in range(len(engines))]
        programs = []
        try:
            for work, engine in zip(works, engines, strict=True):
                work.mkdir()
                programs.append(Program("run", _command(home, work, engine), directory=work))
            for program in programs:
                program.await_success(_RUN_S)
            faults = [fault for work in works for fault in _faults(home, work, _OBSERVER)]
        except Failed as e:
            faults = [str(e)]
        finally:
            for program in programs:
                program.end(signal.SIGKILL)
    return _print(f"{len(engines)} runs at once", faults)


def judge_root(home: Path) -> bool:
    """
    Makes a run with all rights. Returns whether it holds.

    :raises RefusedError: if the kernel refuses its observer nevertheless
    """
    with tempfile.TemporaryDirectory(prefix="lagbench-observer-") as directory:
        work = Path(directory)
        _end(Program("run", _command(home, work, "c"), directory=work))
        _, record = _record(work)
        for side in _SIDES:
            waits = str(record[side]["metadata"].get("waits"))
            if waits != _OBSERVER:
                raise RefusedError(waits)
        return _print("root, c", _faults(home, work, _OBSERVER))


def judge_rights(home: Path) -> bool:
    """Runs each case. Returns whether its record says how waits were recorded, and its ledgers have exact sums."""
    held = [_holds(home, case, engine) for case in CASES for engine in ("c", "java")]
    held.append(_hold_at_once(home, ("c", "java")))
    return all(held)
