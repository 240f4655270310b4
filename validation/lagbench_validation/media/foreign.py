"""lagbench's programs of SRT and RIST with programs of others at the other end, both ways."""

import re
import secrets
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO

from lagbench_validation import packet_header
from lagbench_validation.packet_header import PacketHeader
from lagbench_validation.processes import Command, Failed, Program

PACKET_BYTES = 992
PACKETS = 500
_INTERVAL_NS = 2_000_000
_CAPTURE_BYTES = 256
_PATIENCE_S = 20
_SENDER_FIELDS = ("seq", "scheduled_ns", "sent_ns", "returned_ns")
_RECEIVER_FIELDS = ("seq", "received_ns")
_COUNTS = ("received", "distinct", "duplicated", "reordered", "foreign", "unrecorded", "warm-up", "lead-out", "damaged")


class Side:
    """lagbench's program of a library, which is driven by lines of text as lagbench does."""

    def __init__(self, program: Path, role: str, port: int, work: Path, settings: dict[str, str], tag: str) -> None:
        self.tag = tag
        capture = work / f"{role}-{self.tag}.npy"
        _make_capture(capture, _SENDER_FIELDS if role == "send" else _RECEIVER_FIELDS)
        self._process = subprocess.Popen(
            [program, role, "stream=false", "host=127.0.0.1", f"port={port}", f"packet-bytes={PACKET_BYTES}",
             f"packets={PACKETS}", "warm-up-packets=0", "lead-out-packets=0", f"capture={capture}",
             *(["admit=127.0.0.1"] if role == "receive" else []),
             *(f"{name}={value}" for name, value in settings.items())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._lines: Queue[str] = Queue()
        assert self._process.stdout
        Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        self.command(f"tag {self.tag}")

    def __enter__(self) -> "Side":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(_PATIENCE_S)
        finally:
            self._process.kill()

    def _read(self, output: IO[str]) -> None:
        for line in output:
            self._lines.put(line.strip())

    def command(self, command: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()

    def counts(self) -> dict[str, int]:
        self.command("counts")
        return dict(zip(_COUNTS, map(int, self.await_reply("counts")), strict=True))

    def await_reply(self, word: str) -> list[str]:
        """Waits for the reply that begins with a word, and returns its other words."""
        deadline = time.monotonic() + _PATIENCE_S
        try:
            while True:
                words = self._lines.get(timeout=deadline - time.monotonic()).split()
                if words[0] == word:
                    return words[1:]
                if words[0] == "failed":
                    raise Failed(" ".join(words[1:]))
        except (Empty, ValueError):
            raise Failed(f"no reply {word} in {_PATIENCE_S} s") from None


def _make_tag() -> str:
    return secrets.token_hex(8)


def _make_capture(path: Path, fields: Sequence[str]) -> None:
    described = ", ".join(f"('{name}', '<i8')" for name in fields)
    header = f"{{'descr': [{described}], 'fortran_order': False, 'shape': ({PACKETS},), }}".encode("ascii")
    prefix = b"\x93NUMPY\x01\x00" + struct.pack("<H", _CAPTURE_BYTES - 10)
    with path.open("wb") as file:
        file.write(prefix + header.ljust(_CAPTURE_BYTES - 11) + b"\n")
        file.truncate(_CAPTURE_BYTES + PACKETS * len(fields) * 8)


@dataclass(frozen=True)
class Foreign:
    """A program of others that sends datagrams as a stream, if there is one, and one that does the reverse."""

    name: str
    engine_program: str
    settings: dict[str, str]
    to_us: Sequence[str] | None
    from_us: Sequence[str]

    @property
    def is_installed(self) -> bool:
        return shutil.which(self.from_us[0]) is not None


_SRT = {"latency": "100ms"}
_RIST = {"profile": "simple", "buffer": "100ms", "rtt-min": "20ms"}
_RIST_MAIN = {"profile": "main", "buffer": "100ms", "rtt-min": "20ms"}


def _rist(number: int, settings: dict[str, str]) -> Foreign:
    quiet = ("-v", "-1", "-S", "0", "-p", str(number))
    return Foreign(
        f"ristsender and ristreceiver, profile {settings['profile']}", "lagbench-rist", settings,
        ("ristsender", *quiet, "-i", "udp://@127.0.0.1:{udp}", "-o", "rist://127.0.0.1:{port}?buffer=100&cname={tag}"),
        ("ristreceiver", *quiet, "-i", "rist://@127.0.0.1:{port}?buffer=100&cname={tag}", "-o", "udp://127.0.0.1:{udp}"),
    )  # fmt: skip


def _ffmpeg(source: str) -> Sequence[str]:
    copying = ("-map", "0", "-c", "copy", "-flush_packets", "1", "-f", "data")
    target = f"udp://127.0.0.1:{{udp}}?pkt_size={PACKET_BYTES}"
    return ("ffmpeg", "-nostdin", "-loglevel", "error", "-f", "data", "-i", source, *copying, target)


FOREIGN = (
    Foreign(
        "srt-live-transmit", "lagbench-srt", _SRT,
        ("srt-live-transmit", "-q", "udp://127.0.0.1:{udp}", "srt://127.0.0.1:{port}?latency=100&streamid={tag}"),
        ("srt-live-transmit", "-q", "srt://127.0.0.1:{port}?mode=listener&latency=100", "udp://127.0.0.1:{udp}"),
    ),
    _rist(0, _RIST),
    _rist(1, _RIST_MAIN),
    Foreign("ffmpeg, SRT", "lagbench-srt", _SRT, None, _ffmpeg("srt://127.0.0.1:{port}?mode=listener")),
)  # fmt: skip


@contextmanager
def _running(name: str, command: Command) -> Iterator[Program]:
    program = Program(name, command)
    try:
        yield program
    finally:
        program.end()


def _datagram_socket() -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.bind(("127.0.0.1", 0))
    return opened


def _free_port() -> int:
    """Returns an even port that no socket had, with the next one."""
    while True:
        with _datagram_socket() as first, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as second:
            port = int(first.getsockname()[1])
            with suppress(OSError):  # another program has the next port
                if port % 2 == 0:
                    second.bind(("127.0.0.1", port + 1))
                    return port


def _await_listener(port: int) -> None:
    """Waits until a program has bound the UDP port."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        if f":{port:04X} " in Path("/proc/net/udp").read_text("ascii"):
            return
        time.sleep(0.02)
    raise Failed(f"nothing listens on UDP port {port}")


def receive(native: Path, foreign: Foreign, work: Path) -> tuple[str, list[str]]:
    """Receives packets that a program of others sends. Those without the run's tag are not recorded."""
    counts = _receive(native, foreign, work, opens=True)
    is_right = (counts["received"], counts["distinct"]) == (PACKETS, PACKETS) and counts["foreign"] > 0
    recorded = f"{counts['received']} of {PACKETS} packets recorded, {counts['foreign']} foreign ones not"
    return f"{foreign.name} sends: {recorded}", [] if is_right else [str(counts)]


def refuse(native: Path, stranger: Foreign, work: Path) -> tuple[str, list[str]]:
    """Refuses a stranger who knows the tag of the packets, but neither the stream id nor the passphrase."""
    counts = _receive(native, stranger, work, opens=False)
    title = f"{stranger.name}, a stranger, sends: {counts['received']} of {PACKETS} packets recorded"
    return title, [str(counts)] if any(counts.values()) else []


def _receive(native: Path, foreign: Foreign, work: Path, opens: bool) -> dict[str, int]:
    assert foreign.to_us
    with Side(native / foreign.engine_program, "receive", 0, work, foreign.settings, _make_tag()) as ours:
        port = int(ours.await_reply("port")[0])
        udp = _free_port()
        command = [word.format(udp=udp, port=port, tag=ours.tag) for word in foreign.to_us]
        with _running(foreign.name, command), _datagram_socket() as sending:
            _await_listener(udp)
            if opens:
                _await_connection(ours, sending, udp)
            for number in range(PACKETS):
                head = PacketHeader(int(ours.tag, 16), number, time.time_ns()).packed()
                sending.sendto(head.ljust(PACKET_BYTES, b"\0"), ("127.0.0.1", udp))
                time.sleep(_INTERVAL_NS / 1e9)
            ours.command("drain 1000")
            ours.await_reply("drained")
            return ours.counts()


def _await_connection(ours: Side, sending: socket.socket, udp: int) -> None:
    """Sends packets that lagbench counts as foreign until one arrives: the first ones of a flow may be lost. They
    prove the tag, but not at its place."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        sending.sendto((b"opening" + bytes.fromhex(ours.tag)).ljust(PACKET_BYTES, b"\0"), ("127.0.0.1", udp))
        time.sleep(0.02)
        if any(ours.counts().values()):
            return
    raise Failed("no packet has arrived")


def send(native: Path, foreign: Foreign, work: Path) -> tuple[str, list[str]]:
    """Sends packets to a program of others."""
    port, tag = _free_port(), _make_tag()
    with _datagram_socket() as receiving:
        receiving.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        receiving.settimeout(2)
        command = [word.format(port=port, udp=receiving.getsockname()[1], tag=tag) for word in foreign.from_us]
        with _running(foreign.name, command):
            _await_listener(port)
            with Side(native / foreign.engine_program, "send", port, work, foreign.settings, tag) as ours:
                ours.await_reply("ready")
                ours.command(f"send 0 {PACKETS} sleep {_INTERVAL_NS} 1 0")
                ours.await_reply("sent")
                numbers = _numbers(receiving, tag) & set(range(PACKETS))
    missing = sorted(set(range(PACKETS)) - numbers)
    return (
        f"{foreign.name} receives: {len(numbers)} of {PACKETS} packets arrived",
        [f"missing: {missing[:5]}"] if missing else [],
    )


def _numbers(receiving: socket.socket, tag: str) -> set[int]:
    """Returns the numbers of the packets that arrive; others may divide the stream into datagrams anew."""
    begin = bytes.fromhex(tag)
    stream = b""
    with suppress(TimeoutError):
        while True:  # until nothing arrives: the packets that open a flow have the tag, too
            stream += receiving.recv(65_536)
    heads = (found.start() for found in re.finditer(re.escape(begin), stream))
    return {PacketHeader.read(stream, at).sequence for at in heads if at + packet_header.BYTES <= len(stream)}


def _strangers() -> Iterator[Foreign]:
    srt, _, rist = FOREIGN[:3]
    assert srt.to_us and rist.to_us
    yield replace(srt, to_us=[word.replace("&streamid={tag}", "") for word in srt.to_us])
    encrypted = {**rist.settings, "encryption": "aes-128"}
    yield replace(rist, settings=encrypted)
    yield replace(rist, settings=encrypted, to_us=[*rist.to_us, "-s", "wrong passphrase", "-e", "128"])


def check_foreign(native: Path, work: Path) -> Iterator[tuple[str, list[str]]]:
    for stranger in _strangers():
        yield refuse(native, stranger, work)
    for foreign in FOREIGN:
        if not foreign.is_installed:
            print(f"{foreign.name}: not installed")
            continue
        for direction in (receive, send):
            if direction is send or foreign.to_us:
                try:
                    yield direction(native, foreign, work)
                except Failed as e:
                    yield f"{foreign.name}, {direction.__name__}", [str(e)]
