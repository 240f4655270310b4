"""Two network namespaces and a path between them: two hosts, as far as packets can tell."""

import ctypes
import json
import os
import re
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import dataclass

ADDRESSES = {"a": "10.139.5.1", "b": "10.139.5.2"}
DEVICE = "path"
_CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Path:
    """A relay's delays in ms from a to b and back; a cable (a veth pair) where there is no relay."""

    relayed: bool = False
    a_to_b_ms: int = 0
    b_to_a_ms: int = 0

    def delay_ns(self, sending):
        return (self.a_to_b_ms if sending == "a" else self.b_to_a_ms) * 1_000_000


CABLE = Path()


def relay(a_to_b_ms, b_to_a_ms):
    return Path(True, a_to_b_ms, b_to_a_ms)


class Namespaces:
    """Both namespaces; made and removed by two_namespaces()."""

    def __init__(self, prefix):
        self._prefix = prefix

    def name(self, side):
        return f"{self._prefix}-{side}"

    def command(self, side, *arguments, environment=None):
        """The command line that runs a program on one side."""
        variables = [f"{name}={value}" for name, value in (environment or {}).items()]
        return ["ip", "netns", "exec", self.name(side), "env", *variables, *map(str, arguments)]

    @contextmanager
    def entered(self, side):
        """Puts the calling thread into one side's namespace: sockets made meanwhile stay there."""
        with open(f"/proc/self/task/{threading.get_native_id()}/ns/net") as own:
            with open(f"/run/netns/{self.name(side)}") as other:
                _enter(other)
            try:
                yield
            finally:
                _enter(own)


def _enter(namespace):
    if _libc.setns(namespace.fileno(), _CLONE_NEWNET) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), namespace.name)


@contextmanager
def two_namespaces(path, relay_program, maker="truth"):
    """Makes two namespaces joined by a path, and removes them with all that still runs in them."""
    prefix = f"lagbench-{maker}-{os.getpid()}"
    namespaces = Namespaces(prefix)
    relaying = None
    try:
        for side in "ab":
            _ip("netns", "add", namespaces.name(side))
            _ip("-n", namespaces.name(side), "link", "set", "lo", "up")
            # Nobody asks for routers or neighbours in the middle of a measurement.
            subprocess.run(
                namespaces.command(side, "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6"),
                check=True,
            )
        if path.relayed:
            relaying = _start_relay(namespaces, path, relay_program)
        else:
            _ip("-n", namespaces.name("a"), "link", "add", DEVICE, "type", "veth", "peer", "name", DEVICE, "netns",
                namespaces.name("b"))  # fmt: skip
        for side in "ab":
            _ip("-n", namespaces.name(side), "address", "add", f"{ADDRESSES[side]}/24", "dev", DEVICE)
            _ip("-n", namespaces.name(side), "link", "set", DEVICE, "up")
        yield namespaces
        if relaying is not None:
            _end_relay(relaying)
            relaying = None
    finally:
        if relaying is not None:
            relaying.kill()
            relaying.wait()
        _remove(prefix)


def _start_relay(namespaces, path, program):
    process = subprocess.Popen(
        [program, "--a", f"{namespaces.name('a')}/{DEVICE}", "--b", f"{namespaces.name('b')}/{DEVICE}",
         "--a-to-b", f"{path.a_to_b_ms}ms", "--b-to-a", f"{path.b_to_a_ms}ms", "--end-with-stdin"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    if process.stdout.readline() != "ready\n":
        process.wait()
        raise RuntimeError("the relay did not start; what it said is above")
    return process


def _end_relay(process):
    output, _ = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"the relay ended with exit code {process.returncode}")
    for name, counts in json.loads(output).items():
        if counts["queueFull"] > 0 or counts["refused"] > 0:
            raise RuntimeError(f"the relay lost frames, {name}: {counts}")


def remove_leftovers(maker="truth"):
    """Removes the namespaces of earlier processes of this maker that could not do it themselves."""
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    for prefix, pid in sorted(set(re.findall(rf"^(lagbench-{maker}-(\d+))-[ab]\b", listed, re.MULTILINE))):
        if not _is_running(pid, maker):
            _remove(prefix)


def _is_running(pid, maker):
    """Whether a process is of this maker; one that is dead and not yet waited for has no command line."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return maker.encode() in file.read()
    except FileNotFoundError:
        return False


def _remove(prefix):
    for side in "ab":
        name = f"{prefix}-{side}"
        if not os.path.exists(f"/run/netns/{name}"):
            continue
        pids = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True, check=True).stdout
        for pid in pids.split():
            try:
                os.kill(int(pid), 15)
            except ProcessLookupError:
                pass
        _ip("netns", "delete", name)


def _ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)
