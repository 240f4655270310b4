"""Uses lagbench for hours, with faults, and accounts for what its long-lived programs and the machine hold."""

import ctypes
import os
import random
import shlex
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from lagbench_validation.accounting import LEFT_RISE, RISES, WARM_UP, Account
from lagbench_validation.machine import describe
from lagbench_validation.processes import Failed, Program, run
from lagbench_validation.program import make_parser, run_main

_NAME = "soak"
_MARK = "MARK_OF_SOAK"
_CLONE_NEWNS, _CLONE_NEWNET = 0x00020000, 0x40000000
_RECEIVER = b"org.lagbench.receiver."
_TRACING = Path("/sys/kernel/tracing/instances")
_PORT, _SECOND_PORT = 5394, 5395
_KEY = "0123456789abcdef0123456789abcdef"
_START_S, _END_S, _LEFT_S, _TURN_S = 180, 300, 60, 3_600
_POLL_S = 0.05
_DISK = "8m"
_WRONG = {1: "an internal error", 2: "a wrong command line"}

_EXPERIMENT = """\
packets: 200
warm-up-packets: 100
repeats: 1
pace: {mode: sleep, interval: 1ms}
transports: [tcp, udp]
packet-bytes: [100, 992]
"""
_LAB_EXPERIMENT = _EXPERIMENT + "lab: ethernet-100\n"
_SITES = """\
packets: 50
budget-mb: 1
sites:
  - {{name: one, host: 127.0.0.1, port: {}}}
  - {{name: two, host: 127.0.0.1, port: {}}}
"""
_TO_SERVE = "127.0.0.1"
_SHORT = "--packets 500 --warm-up-packets 100 --interval 1ms"

# What a user does, with the relative frequency; {output} is the parent of session directories.
_USES: dict[str, tuple[int, str]] = {
    "run to serve, UDP": (3, f"run udp {_TO_SERVE} {_SHORT}"),
    "run to serve, TCP": (3, f"run tcp {_TO_SERVE} {_SHORT} --traffic round-trip"),
    "run from serve": (2, f"run tcp {_TO_SERVE} {_SHORT} --reverse"),
    "transfers to serve": (2, f"run tcp {_TO_SERVE} --packets 20 --traffic transfer --transfer-bytes 64KiB"),
    "run of the C engine": (2, f"run udp {_TO_SERVE} {_SHORT} --engine c --observe events"),
    "run on the virtual bus": (2, "run ieee1394 --packets 500 --warm-up-packets 100"),
    "sweep": (2, "sweep experiment.yaml"),
    "sweep in a lab": (1, "sweep lab.yaml"),
    "matrix": (1, "matrix sites.yaml"),
    "monitor": (1, f"monitor {_TO_SERVE} --every 2s --for 6s"),
}

Fault = Callable[["Soak", Program], None]


class Soak:
    """The network, directories and programs of a soak, separate from the machine's."""

    def __init__(self, home: Path, work: Path, seed: int) -> None:
        self.home = home
        self.work = work
        self.random = random.Random(seed)
        self.output = work / "results"
        self.temporary = work / "temporary"
        self.disk = work / "disk"
        self.lasting: dict[str, Program] = {}
        self.accounted: dict[str, int] = {}
        for directory in (self.output, self.temporary, self.disk):
            directory.mkdir()
        if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNS | _CLONE_NEWNET) != 0:
            raise Failed(f"cannot create namespaces: {os.strerror(ctypes.get_errno())}")
        run(["mount", "--make-rprivate", "/"])
        for shared in ("/dev/shm", "/run"):
            run(["mount", "-t", "tmpfs", "none", shared])
        run(["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "none", self.disk])
        run(["ip", "link", "set", "lo", "up"])
        (work / "experiment.yaml").write_text(_EXPERIMENT)
        (work / "lab.yaml").write_text(_LAB_EXPERIMENT)
        (work / "sites.yaml").write_text(_SITES.format(_PORT, _SECOND_PORT))

    def start(self, name: str, words: str, options: str = "") -> Program:
        environment = {
            _MARK: str(self.work),
            "LAGBENCH_NO_INSTALL": "1",
            "LAGBENCH_KEY": _KEY,
            "TMPDIR": str(self.temporary),
            "JDK_JAVA_OPTIONS": f"-Djava.io.tmpdir={self.temporary} {options}",
        }
        command = ["env", "--default-signal=INT,TERM", self.home / "scripts" / "lagbench", *words.split()]
        return Program(name, command, directory=self.work, environment=environment)

    def start_lasting(self, names: tuple[str, ...]) -> None:
        """Starts the programs that live as long as the soak."""
        sites = f"--site 127.0.0.1:{_PORT},127.0.0.1:{_SECOND_PORT}"
        commands = {
            "serve": f"serve --listen 127.0.0.1 --allow run,send-to-me,send-to-others {sites}",
            "second serve": f"serve --listen 127.0.0.1:{_SECOND_PORT} --allow run,send-to-others {sites}"
            " --directory second",
            "monitor": f"monitor {_TO_SERVE} --every 20s --for unlimited --output monitored",
        }
        for name in names:
            program = self.start(name, commands[name], "-XX:NativeMemoryTracking=summary")
            self.lasting[name] = program
            program.await_text("Waiting|Listening|Ctrl-C", _START_S)
            program.find_children()
            self.accounted[name] = program.pid
            for pid in program.cpu_ns():
                if _RECEIVER in Path(f"/proc/{pid}/cmdline").read_bytes():
                    self.accounted[f"receiver of {name}"] = pid

    def account(self) -> Mapping[str, int]:
        """Returns the Java processes that last, by their names; raises Failed if a program has ended."""
        for name, program in self.lasting.items():
            if program.ended:
                raise Failed(f"{name} ended: {program.last_lines()}")
        return self.accounted

    def processes(self) -> dict[int, str]:
        """Returns the command lines of all processes of this soak that run, by process ID."""
        mark, found = f"{_MARK}={self.work}\0".encode(), {}
        for directory in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (directory / "environ").read_bytes():
                    found[int(directory.name)] = (directory / "cmdline").read_text().replace("\0", " ").strip()
        return found

    def others(self) -> dict[int, str]:
        """Returns the processes that do not belong to the programs that run during the whole soak."""
        for program in self.lasting.values():
            program.find_children()
        lasting = {pid for program in self.lasting.values() for pid in program.cpu_ns()}
        return {pid: line for pid, line in self.processes().items() if pid not in lasting}

    def close(self) -> None:
        for program in self.lasting.values():
            program.end()
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        run(["umount", self.disk])


# --- Faults -----------------------------------------------------------------------------------------------------------


def _nothing(_: Soak, __: Program) -> None:
    pass


def _signal(number: signal.Signals) -> Fault:
    def fault(soak: Soak, program: Program) -> None:
        pids = sorted(soak.others())
        if not program.ended and pids:
            with suppress(ProcessLookupError):
                os.kill(soak.random.choice(pids), number)

    return fault


def _pause(soak: Soak, program: Program) -> None:
    pids = sorted(soak.others())
    if program.ended or not pids:
        return
    pid = soak.random.choice(pids)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(soak.random.uniform(0.1, 3))
        os.kill(pid, signal.SIGCONT)


def _vanish(_: Soak, program: Program) -> None:
    """The peer of the programs that run during the whole soak has ended, with all its processes."""
    program.end(signal.SIGKILL)


def _strangers(soak: Soak, _: Program) -> None:
    """Connections of strangers to the control port, some of which say something."""
    for number in range(40):
        with suppress(OSError), socket.create_connection(("127.0.0.1", _PORT), timeout=1) as connected:
            connected.sendall(soak.random.randbytes(number * 9))


def _fill(soak: Soak, _: Program) -> None:
    some = bytes(1 << 14)
    with (soak.disk / "hog").open("wb", buffering=0) as hog, suppress(OSError):
        while True:
            hog.write(some)


_FAULTS: dict[str, tuple[int, Fault]] = {
    "nothing": (4, _nothing),
    "SIGKILL of a process": (3, _signal(signal.SIGKILL)),
    "SIGINT of a process": (2, _signal(signal.SIGINT)),
    "a process stopped": (2, _pause),
    "peer gone": (2, _vanish),
    "strangers": (1, _strangers),
    "disk full": (2, _fill),
}


# --- Rounds and what they leave ---------------------------------------------------------------------------------------


def _names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir()) if directory.is_dir() else []


def _left(soak: Soak) -> Iterator[tuple[str, list[str]]]:
    """Yields the leftovers of programs that have ended; their processes have time to end.

    A killed program leaves its lab to the next command for labs, which removes it.
    """
    deadline = time.monotonic() + _LEFT_S
    while soak.others() and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    labs = soak.start("labs", "lab show")
    if not labs.await_end(_END_S) or labs.exit_code != 0:
        raise Failed(f"labs cannot be shown: {labs.last_lines()}")
    yield "processes", list(soak.others().values())
    yield "network namespaces", _names(Path("/run/netns"))
    yield "labs", [name for name in _names(Path("/run/lagbench")) if name.endswith(".json")]
    yield "shared memory files", _names(Path("/dev/shm"))
    yield "temporary files", [name for name in _names(soak.temporary) if not name.startswith("hsperfdata")]
    yield "tracefs instances", [name for name in _names(_TRACING) if name.startswith("lagbench")]


def _choose(of: random.Random, options: Mapping[str, tuple[int, object]]) -> str:
    return of.choices(list(options), [weight for weight, _ in options.values()])[0]


def _use(soak: Soak, account: Account, use: str, fault: str) -> None:
    (_, words), (_, act) = _USES[use], _FAULTS[fault]
    parent = soak.disk if fault == "disk full" else soak.output
    program = soak.start(use, f"{words} --output {parent}")
    try:
        time.sleep(soak.random.uniform(0, 6))
        act(soak, program)
        if not program.await_end(_END_S):
            account.findings.append(f"{use}, {fault}: not done in {_END_S} s: {program.last_lines()}")
    finally:
        code = program.exit_code
        program.end(signal.SIGKILL)
        for hog in soak.disk.glob("*"):
            run(["rm", "-rf", hog])
    account.endings.setdefault((use, fault), []).append("–" if code is None else str(code))
    if code in _WRONG:
        account.findings.append(f"{use}, {fault}: {_WRONG[code]}: {program.last_lines()}")


@contextmanager
def _turn(command: str) -> Iterator[None]:
    """Begins when the command has printed a line, and then closes its input, by which it ends."""
    waiting = Program("turn", shlex.split(command), keep_input_open=True)
    try:
        waiting.await_text(".", _TURN_S)
        yield
    finally:
        waiting.end()


def _rounds(soak: Soak, account: Account, hours: float, uses: int, turn: str) -> None:
    began = time.monotonic()
    while (passed := (time.monotonic() - began) / 3600) < hours:
        with _turn(turn):
            _round(soak, account, passed, uses)
            account.add((time.monotonic() - began) / 3600, _left(soak), soak.account())


def _round(soak: Soak, account: Account, passed: float, uses: int) -> None:
    for _ in range(uses):
        use, fault = _choose(soak.random, _USES), _choose(soak.random, _FAULTS)
        print(f"{passed:.2f} h, round {len(account.hours) + 1}: {use}, {fault}", file=sys.stderr, flush=True)
        _use(soak, account, use, fault)
    for directory in filter(Path.is_dir, (soak.output, soak.work / "received", soak.work / "second")):
        # the monitor's receiver deletes its own files meanwhile
        run(["find", directory, "-ignore_readdir_race", "-mindepth", "1", "-delete"])


def main() -> int:
    parser = make_parser(
        _NAME,
        "Uses lagbench in random order: runs, transfers, sweeps, labs, matrices, monitors and the virtual bus, with"
        " faults: processes killed, stopped and interrupted, peers that vanish, strangers, a full disk. After each"
        " round it collects the heaps of two lasting receivers and a lasting monitor and counts what they hold, and"
        " what the machine has left. At the end it prints the slope of each quantity per hour by least squares, with a"
        " 95 % interval from the means of blocks, and judges: flat if the interval lies below"
        f" {', '.join(f'{rise:g} {what}' for what, rise in RISES.items())} per hour, and {LEFT_RISE:g} of what is"
        f" left; grows if it lies above; else undecided. The first {WARM_UP:.0%} of the time do not count.",
        "one killed run and one count",
    )
    parser.add_argument("hours", nargs="?", type=float, default=2.0, help="duration in hours (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the order (default: %(default)s)")
    parser.add_argument("--turn", default="echo begin", metavar="COMMAND",
                        help="begin a round when this command prints a line, and end it after the round")  # fmt: skip
    parser.add_argument("--uses", type=int, default=3, help="uses in a round (default: %(default)s)")
    options = parser.parse_args()
    account = Account()
    with tempfile.TemporaryDirectory(prefix="lagbench-soak-") as directory:
        soak = Soak(options.home, Path(directory), options.seed)
        print(f"{describe()}, seed {options.seed}", flush=True)
        try:
            if options.smoke:
                soak.start_lasting(("serve",))
                _use(soak, account, "run to serve, UDP", "SIGKILL of a process")
                account.add(0, _left(soak), soak.account())
            else:
                soak.start_lasting(("serve", "second serve", "monitor"))
                _rounds(soak, account, options.hours, options.uses, options.turn)
        finally:
            holds = account.print()
            soak.close()
    return 0 if holds else 1


if __name__ == "__main__":
    run_main(_NAME, main)
