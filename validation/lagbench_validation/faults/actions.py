"""What happens to programs, networks and disks while the program runs."""

import ctypes
import encodings.idna  # noqa: F401 loaded now, because another user cannot read it later
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from lagbench_validation.faults.peers import PORT
from lagbench_validation.faults.row import Fault
from lagbench_validation.faults.stage import START_S, Stage
from lagbench_validation.processes import Failed
from lagbench_validation.rogue.wire import Channel, Ended

SENDER, RECEIVER, RUNNER, SERVE = "sender.Sender", "receiver.Receiver", "cli.Lagbench run", "cli.Lagbench serve"
ENGINE_SENDS, ENGINE_RECEIVES = "lagbench-engine send", "lagbench-engine receive"
SERVING = "--requests serve"  # the receiver of serve
BUS, RELAY = "lagbench-busd", "lagbench-relay"

NEIGHBOR = 65534  # the user nobody
_LISTENS = "0A"  # TCP_LISTEN in /proc/net/tcp
_STRANGERS = 200
_GARBAGE_S = 0.5
_RESETS_MS = (0, 3, 11, 20)


def send(number: signal.Signals, *programs: str) -> Fault:
    """Sends a signal to programs."""

    def fault(stage: Stage) -> None:
        for pid in [stage.find(program) for program in programs]:
            os.kill(pid, number)

    return fault


def kill(*programs: str) -> Fault:
    return send(signal.SIGKILL, *programs)


def has_shared_memory(_: Stage) -> bool:
    return any(Path("/dev/shm").iterdir())


def _has_sender(stage: Stage) -> bool:
    return any(SENDER in line for line in stage.processes().values())


def kill_after(seconds: float, *programs: str, since: Callable[[Stage], bool] = _has_sender) -> Fault:
    """Kills those of the programs that run some time after something is true, by default that the sender runs."""

    def fault(stage: Stage) -> None:
        stage.wait_until(lambda: since(stage))
        time.sleep(seconds)
        for pid in [pid for pid, line in stage.processes().items() if any(program in line for program in programs)]:
            os.kill(pid, signal.SIGKILL)

    return fault


def stop(*programs: str) -> Fault:
    return send(signal.SIGSTOP, *programs)


def pause(program: str, seconds: float) -> Fault:
    """Stops a program for some time."""

    def fault(stage: Stage) -> None:
        pid = stage.find(program)
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)

    return fault


def interrupt_early(stage: Stage) -> None:
    """Sends SIGTERM to a program whose receiver has not yet started."""
    stage.find(RECEIVER)
    os.kill(stage.programs["main"].pid, signal.SIGTERM)


def shell(command: str) -> Fault:
    return lambda stage: stage.shell(command)


def fill(directory: str) -> Fault:
    return lambda stage: stage.fill(stage.work / directory)


def second(words: str, code: int, says: str) -> Fault:
    """Starts another program, which must end with an exit code and a sentence; {session} is that of the first."""

    def fault(stage: Stage) -> None:
        other = stage.start("second", words.format(session=stage.sessions()[0]).split())
        other.await_end(START_S)
        if other.exit_code != code or not re.search(says, other.output()):
            raise Failed(f"the second program ended with exit code {other.exit_code}: {other.last_lines()}")

    return fault


def garbage_to_control_port(_: Stage) -> None:
    for number in range(_STRANGERS):
        with suppress(OSError), socket.create_connection(("127.0.0.1", PORT), timeout=1) as connected:
            connected.sendall(os.urandom(number * 7))


def idle_connections(stage: Stage) -> None:
    for _ in range(_STRANGERS):
        stage.keep(socket.create_connection(("127.0.0.1", PORT), timeout=START_S))


def garbage_to_data_ports(_: Stage) -> None:
    """Sends datagrams to all UDP ports of the stage for some time, fewer than would fill a receive buffer."""
    ports = [int(line.split()[1].partition(":")[2], 16) for line in Path("/proc/net/udp").read_text().splitlines()[1:]]
    deadline = time.monotonic() + _GARBAGE_S
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        while time.monotonic() < deadline:
            for port in ports:
                with suppress(OSError):
                    sending.sendto(os.urandom(100), ("127.0.0.1", port))
            time.sleep(0.001)


def unfinished_requests(stage: Stage) -> None:
    """Begins requests to the live page, then reads it as others do."""
    address = stage.programs["main"].await_text(r"http://127\.0\.0\.1:(\d+)", START_S)
    for _ in range(_STRANGERS):
        unfinished = socket.create_connection(("127.0.0.1", int(address[1])), timeout=START_S)
        unfinished.sendall(b"GET / HTTP/1.1\r\nHost: ")
        stage.keep(unfinished)
    with urllib.request.urlopen(address[0], timeout=START_S) as page:
        if page.status != 200:
            raise Failed(f"the live page replies with status {page.status}")


def handshakes_of_neighbor(stage: Stage) -> None:
    """Tries the handshake at all TCP ports of the stage, as another user without the key."""
    stage.find(SENDER)
    ports = {
        int(line.split()[1].rpartition(":")[2], 16)
        for table in ("tcp", "tcp6")
        for line in Path("/proc/net", table).read_text().splitlines()[1:]
        if line.split()[3] == _LISTENS
    }
    if not ports or (found := _as_neighbor(lambda: try_keys(ports))):
        raise Failed(f"the handshakes at TCP ports {ports} failed: {found if ports else 'no port listens'}")


def _as_neighbor(action: Callable[[], object]) -> str:
    """Returns the exception of an action in a process of another user; empty if there is none."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            os.setgroups([])
            os.setgid(NEIGHBOR)
            os.setuid(NEIGHBOR)
            action()
        except BaseException as e:
            os.write(writing, repr(e).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as text:
        said = text.read()
    os.waitpid(child, 0)
    return said


def try_keys(ports: Iterable[int]) -> None:
    """Raises an exception if a receiver at a port accepts a peer without its key."""
    for port in ports:
        channel = Channel(socket.create_connection(("127.0.0.1", port), timeout=START_S), "sender", "receiver", 5.0)
        try:
            hello = channel.read()
            channel.send({"type": "introduction", "protocol": hello["protocol"], "nonce": "a1" * 32})
            channel.read()
            channel.send({"type": "proof", "proof": "b2" * 32})
            channel.send({"type": "ask", "question": "READINGS"})
            raise AssertionError(f"port {port} replies to a peer without the key: {channel.read()}")
        except Ended:
            channel.close()


def page_of_neighbor(stage: Stage) -> None:
    """Reads the live page as another user, which must be refused."""
    address = stage.programs["main"].await_text(r"http://127\.0\.0\.1:(\d+)", START_S)
    said = _as_neighbor(lambda: urllib.request.urlopen(address[0], timeout=START_S))
    if "HTTP Error 403" not in said and "403" not in said:
        raise Failed(f"the live page serves another user: {said}")


def bus_resets(stage: Stage) -> None:
    """Resets the bus of the sender several times in quick succession, as another program on it."""
    variables = dict(
        line.split("=", 1)
        for line in Path(f"/proc/{stage.find(SENDER)}/environ").read_text().split("\0")
        if "=" in line
    )
    command = [sys.executable, "-B", "-c", "from lagbench_validation.faults import actions; actions.reset_bus()"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"the bus could not be reset: {done.stderr}")


def reset_bus() -> None:
    """Resets the bus of this process, through libraw1394."""
    raw1394 = ctypes.CDLL("libraw1394.so.11", use_errno=True)
    raw1394.raw1394_new_handle_on_port.restype = ctypes.c_void_p
    handle = raw1394.raw1394_new_handle_on_port(0)
    if not handle:
        raise OSError(ctypes.get_errno(), "cannot open the bus")
    for milliseconds in _RESETS_MS:
        time.sleep(milliseconds / 1000)
        if raw1394.raw1394_reset_bus_new(ctypes.c_void_p(handle), 1) != 0:
            raise OSError(ctypes.get_errno(), "cannot reset the bus")


def text_agent(port: int) -> Fault:
    """Answers SNMP requests at a port, each value as text."""

    def fault(stage: Stage) -> None:
        agent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        agent.bind(("127.0.0.1", port))
        stage.keep(agent)
        threading.Thread(target=_answer_text, args=(agent,), daemon=True).start()

    return fault


def _answer_text(agent: socket.socket) -> None:
    with suppress(OSError):
        while True:
            request, address = agent.recvfrom(1 << 16)
            agent.sendto(text_response(request), address)


def text_response(request: bytes) -> bytes:
    """Returns the SNMP response to a get request, with a text in place of each value (BER; a null is 05 00)."""
    kind, content = request[0], _content(request)
    if kind == 0x05:
        return b"\x04\x04text"
    if kind not in (0x30, 0xA0, 0xA1):
        return request
    parts = b""
    while content:
        size = len(content) - len(_content(content, rest=True))
        parts += text_response(content[:size])
        content = content[size:]
    tag = 0xA2 if kind != 0x30 else kind
    length = bytes([len(parts)]) if len(parts) < 0x80 else b"\x82" + len(parts).to_bytes(2)
    return bytes([tag]) + length + parts


def _content(element: bytes, rest: bool = False) -> bytes:
    """Returns the content of the first element, or what follows it."""
    first = element[1]
    count = first & 0x7F if first & 0x80 else 0
    size = int.from_bytes(element[2 : 2 + count]) if count else first
    begin = 2 + count
    return element[begin + size :] if rest else element[begin : begin + size]
