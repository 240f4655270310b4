"""Two network namespaces and a link between them, which act as two hosts.

python3 -m lagbench_validation.namespaces MAKER COMMAND… runs a command with the names and addresses of two such
namespaces in its environment: NAMESPACE_A, ADDRESS_A, NAMESPACE_B, ADDRESS_B.
"""

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lagbench_validation.processes import Failed, Program, run

SIDES = ("a", "b")
ADDRESSES = {"a": "10.139.5.1", "b": "10.139.5.2"}
DEVICE = "path"
_CLONE_NEWNET = 0x40000000
_RELAY_START_S = 10
_RELAY_END_S = 10
_NAMESPACES = Path("/run/netns")
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Link:
    """A relay with its delays in ms and its loss from a to b, in frames per million; or a cable (a veth pair)."""

    relayed: bool = False
    a_to_b_ms: int = 0
    b_to_a_ms: int = 0
    loss_ppm: int = 0

    def delay_ns(self, sending: str) -> int:
        return (self.a_to_b_ms if sending == "a" else self.b_to_a_ms) * 1_000_000


CABLE = Link()


def relay(a_to_b_ms: int, b_to_a_ms: int) -> Link:
    return Link(True, a_to_b_ms, b_to_a_ms)


class Namespaces:
    """A pair of namespaces, which two_namespaces() makes and removes."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def name(self, side: str) -> str:
        return f"{self._prefix}-{side}"

    def command(self, side: str, *arguments: object, environment: Mapping[str, str] | None = None) -> list[str]:
        """Returns the command line that runs a program on one side."""
        variables = [f"{name}={value}" for name, value in (environment or {}).items()]
        return ["ip", "netns", "exec", self.name(side), "env", *variables, *map(str, arguments)]

    def entered(self, side: str) -> AbstractContextManager[None]:
        """Moves the calling thread into one side's namespace. Sockets made meanwhile stay there."""
        return entered(self.name(side))


@contextmanager
def entered(name: str) -> Iterator[None]:
    """Moves the calling thread into a namespace. Sockets made meanwhile stay there."""
    with Path(f"/proc/self/task/{threading.get_native_id()}/ns/net").open() as own:
        with (_NAMESPACES / name).open() as other:
            _enter(other)
        try:
            yield
        finally:
            _enter(own)


def _enter(namespace: IO[str]) -> None:
    if _libc.setns(namespace.fileno(), _CLONE_NEWNET) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), namespace.name)


@contextmanager
def two_namespaces(maker: str, link: Link = CABLE, relay_program: Path | None = None) -> Iterator[Namespaces]:
    """Creates two namespaces joined by a link. At the end removes them and ends all programs in them."""
    prefix = f"lagbench-{maker}-{os.getpid()}"
    namespaces = Namespaces(prefix)
    relaying = None
    try:
        for side in SIDES:
            _ip("netns", "add", namespaces.name(side))
            _ip("-n", namespaces.name(side), "link", "set", "lo", "up")
            # No router or neighbor discovery during a measurement.
            run(namespaces.command(side, "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6"))
        a, b = map(namespaces.name, SIDES)
        if link.relayed:
            relaying = Program(
                "relay",
                [relay_program, "--a", f"{a}/{DEVICE}", "--b", f"{b}/{DEVICE}",
                 "--a-to-b", f"{link.a_to_b_ms}ms,loss={link.loss_ppm}", "--b-to-a", f"{link.b_to_a_ms}ms",
                 "--end-with-stdin"],
                keep_input_open=True,
            )  # fmt: skip
            relaying.await_text("^ready$", _RELAY_START_S)
        else:
            _ip("-n", a, "link", "add", DEVICE, "type", "veth", "peer", "name", DEVICE, "netns", b)
        for side in SIDES:
            _ip("-n", namespaces.name(side), "address", "add", f"{ADDRESSES[side]}/24", "dev", DEVICE)
            _ip("-n", namespaces.name(side), "link", "set", DEVICE, "up")
        yield namespaces
        if relaying is not None:
            relaying.close_input()
            relaying.await_success(_RELAY_END_S)
            check_relay(relaying.output())
    finally:
        if relaying is not None:
            relaying.end(signal.SIGKILL)
        _remove(prefix)


def check_relay(output: str) -> None:
    """Raises Failed if a relay's report, the JSON after its first line, has lost frames."""
    _, _, report = output.partition("\n")
    for name, counts in json.loads(report).items():
        if counts["queueFull"] + counts["refused"] + counts["missed"] > 0:
            raise Failed(f"the relay lost frames, {name}: {counts}")


def remove_leftovers(maker: str) -> None:
    """Removes the namespaces that killed processes of this maker left behind."""
    listed = run(["ip", "netns", "list"])
    for prefix, pid in sorted(set(re.findall(rf"^(lagbench-{maker}-(\d+))-[ab]\b", listed, re.MULTILINE))):
        if not _is_running(pid, maker):
            _remove(prefix)


def _is_running(pid: str, maker: str) -> bool:
    """Returns whether a process of this maker runs. A zombie has no command line."""
    try:
        return maker.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return False


def _remove(prefix: str) -> None:
    for name in (f"{prefix}-{side}" for side in SIDES):
        if not (_NAMESPACES / name).exists():
            continue
        for pid in run(["ip", "netns", "pids", name]).split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGTERM)
        _ip("netns", "delete", name)


def _ip(*arguments: str) -> None:
    run(["ip", *arguments])


def main(maker: str, *command: str) -> int:
    """Runs a command with two namespaces and returns its exit code. Signals to this process are forwarded to it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    remove_leftovers(maker)
    with two_namespaces(maker) as namespaces:
        environment = dict(os.environ)
        for side in SIDES:
            environment[f"NAMESPACE_{side.upper()}"] = namespaces.name(side)
            environment[f"ADDRESS_{side.upper()}"] = ADDRESSES[side]
        running = subprocess.Popen(command, env=environment)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda got, _: running.send_signal(got))
        code = running.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
