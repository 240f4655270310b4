"""Transfers with lagbench and with zstd over the emulated network of one condition of the benchmark."""

import shutil
import signal
import subprocess
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import lagbench

from lagbench_validation.agent import agent_environment, make_agent
from lagbench_validation.codecs.conditions import CHUNK_BYTES, Condition
from lagbench_validation.peers.lab import Lab
from lagbench_validation.peers.peer import PORT
from lagbench_validation.peers.sides import processors_of_sides
from lagbench_validation.processes import Failed, Program
from lagbench_validation.quantiles import quantile

FIXED = ("none", "lz4", "snappy", "zstd-1", "zstd-3", "zstd-6", "zstd-9", "gzip-1", "gzip-6")
QUICK_FIXED = ("none", "lz4", "zstd-1", "zstd-3", "zstd-9", "gzip-6")
SMOKE_FIXED = ("none", "zstd-1")
POLICIES = ("paper", "overlap", "adoc", "adaptive")
ORACLE = "oracle"
ZSTD_ADAPT = "zstd --adapt"

_START_S = 60
_PATIENCE_S = 120
_FLOW_PERIOD_S = 0.3
_FLOW_PACKET_BYTES = 1000
_MBIT = 1_000_000
_ZSTD_PORT = 5399
_NS_PER_S = 1e9

# Decompresses the data of one connection. Prints the time at which all data has arrived and equals the file, and the
# bytes received, at offset 128 of struct tcp_info.
_ZSTD_SERVER = """
import socket, subprocess, sys, time
listener = socket.create_server((sys.argv[1], int(sys.argv[2])))
print("listening", flush=True)
connection = listener.accept()[0]
decoder = subprocess.Popen(["zstd", "-dqc"], stdin=connection, stdout=subprocess.PIPE)
same = subprocess.run(["cmp", "-", sys.argv[3]], stdin=decoder.stdout).returncode == 0
end_ns = time.time_ns()
size = int.from_bytes(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 136)[128:], sys.byteorder)
print("received" if same and decoder.wait() == 0 else "differs", end_ns, size, flush=True)
"""


def _write_s_per_byte(sent: Mapping[str, Sequence[int]]) -> float:
    """Returns the lowest decile of the write calls' times, because most of the others have waited for the link."""
    calls = zip(sent["send_begin_ns"], sent["send_end_ns"], sent["encoded_bytes"], strict=True)
    return quantile(sorted((end_ns - begin_ns) / size / _NS_PER_S for begin_ns, end_ns, size in calls), 0.1)


@dataclass
class Transfers:
    """The measurements of the transfers with one codec."""

    # The median of each run's transfers: transfers of the same run are not independent.
    seconds: list[float]
    # One value for each chunk of a transfer, the median over the transfers. The program zstd has a single chunk, the
    # file, whose compression time is not measured.
    compress_s: list[float] = field(default_factory=list)
    encoded_bytes: list[int] = field(default_factory=list)
    # The processor's time to write a byte to the socket.
    write_s_per_byte: float = 0

    def add(self, run: "Transfers") -> None:
        """Adds the total time of another run. Only the first run's chunks are kept."""
        self.seconds += run.seconds
        if not self.encoded_bytes:
            self.compress_s, self.encoded_bytes = run.compress_s, run.encoded_bytes
            self.write_s_per_byte = run.write_s_per_byte


class Flow:
    """A competing UDP flow that is alternately on and off while the context is open."""

    def __init__(self, home: Path, lab: Lab, rate_mbit: int) -> None:
        self._command = [
            str(home / "lab" / "target" / "native" / "lagbench-flow"),
            "--from", lab.namespace("sender"), "--to", lab.namespace("receiver"),
            "--address", lab.address("receiver"),
            "--rate", str(rate_mbit * _MBIT), "--bytes", str(_FLOW_PACKET_BYTES),
        ]  # fmt: skip
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._alternate)
        self._process: subprocess.Popen[str] | None = None
        self._rate_mbit = rate_mbit

    def __enter__(self) -> "Flow":
        if self._rate_mbit:
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            if not self._process.stdout or self._process.stdout.readline().strip() != "ready":
                raise Failed("the competing flow did not start")
            self._thread.start()
        return self

    def _alternate(self) -> None:
        if self._process is None or self._process.stdin is None:
            return
        is_on = False
        while not self._ended.is_set():
            self._process.stdin.write("end\n" if is_on else f"begin {time.time_ns()}\n")
            self._process.stdin.flush()
            is_on = not is_on
            self._ended.wait(_FLOW_PERIOD_S)

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._ended.set()
            self._thread.join()
            self._process.communicate(timeout=_START_S)


class Bench:
    """
    Runs the transfers of one condition. One receiver serves all runs while the context is open. The senders have half
    of the processors, the receiver has the others.
    """

    def __init__(self, home: Path, key: Path, lab: Lab, condition: Condition, data: Path, work: Path) -> None:
        self._home = home
        self._key = key
        self._lab = lab
        self._condition = condition
        self._data = data
        self._work = work
        self._runs = 0
        self._agent = make_agent(
            Path(__file__).with_name("OracleCodec.java"),
            work / "agent",
            home / "core" / "target" / "classes",
            "org.lagbench.core.model.Codec",
        )
        self._schedule = work / "schedule"
        self._to = f"{lab.address('receiver')}:{PORT}"
        self._receiver: Program | None = None
        self._of_sender, self._of_receiver = processors_of_sides(apart=True)
        self.one_processor = len(self._of_sender) == 1

    def __enter__(self) -> "Bench":
        self._receiver = Program(
            "receiver",
            self._lab.command(
                "receiver", self._home / "scripts" / "receiver", "--listen", self._to, "--key-file", self._key,
                "--directory", "received", "--end-with-stdin",
            ),
            directory=self._work,
            environment=agent_environment(self._agent),
            processors=self._of_receiver,
            keep_input_open=True,
        )  # fmt: skip
        self._receiver.await_text(rf":{PORT}", _START_S)
        return self

    def __exit__(self, *_: object) -> None:
        if self._receiver is not None:
            self._receiver.end(signal.SIGINT)

    def schedule(self, codecs: Sequence[str]) -> None:
        """Sets the codec with which the oracle encodes each chunk of the data."""
        content = self._data.read_bytes()
        starts = range(0, len(content), CHUNK_BYTES)
        sums = [zlib.crc32(content[start : start + CHUNK_BYTES]) for start in starts]
        lines = [f"{of_chunk} {codec}\n" for of_chunk, codec in zip(sums, codecs, strict=True)]
        self._schedule.write_text("".join(lines))

    def transfer(self, codec: str, count: int) -> Transfers:
        """Transfers the data count times, and verifies that all data has arrived unchanged."""
        with Flow(self._home, self._lab, self._condition.flow_mbit):
            if codec == ZSTD_ADAPT:
                seconds, sizes = zip(*(self._by_zstd() for _ in range(count)), strict=True)
                return Transfers([median(seconds)], encoded_bytes=[int(median(sizes))])
            return self._by_lagbench(codec, count)

    def _by_lagbench(self, codec: str, count: int) -> Transfers:
        self._runs += 1
        name = f"run-{self._runs}"
        chunks = self._condition.chunks
        sender = Program(
            f"sender of {codec}",
            self._lab.command(
                "sender", self._home / "scripts" / "sender", "tcp", self._to, "--key-file", self._key,
                "--directory", ".", "--name", name, "--traffic", "transfer",
                "--packet-bytes", CHUNK_BYTES, "--transfer-bytes", chunks * CHUNK_BYTES, "--transfers", count,
                "--warm-up-packets", self._condition.warm_up_chunks, "--codec", codec, "--data", self._data,
                "--observe", "none",
            ),
            directory=self._work,
            environment=agent_environment(self._agent, self._schedule) if codec == ORACLE else None,
            processors=self._of_sender,
        )  # fmt: skip
        try:
            sender.await_success(_PATIENCE_S)
        finally:
            sender.end()
        made = lagbench.Run(self._work / name)
        sums = [made.record[side]["metadata"]["chunksCrc32c"] for side in ("sender", "receiver")]
        if made.state != "COMPLETE" or sums[0] != sums[1]:
            raise Failed(f"{codec}: the receiver has other bytes than the sender, or not all of them")
        transfers, sent = made.columns("sender-transfers"), made.columns("sender-chunks")
        spans = zip(sent["compress_begin_ns"], sent["compress_end_ns"], strict=True)
        compress_s = [(end_ns - begin_ns) / _NS_PER_S for begin_ns, end_ns in spans]
        shutil.rmtree(made.path)
        times = zip(transfers["start_ns"], transfers["answered_ns"], strict=True)
        return Transfers(
            [median((end_ns - start_ns) / _NS_PER_S for start_ns, end_ns in times)],
            [median(compress_s[chunk::chunks]) for chunk in range(chunks)],
            list(sent["encoded_bytes"][:chunks]),
            _write_s_per_byte(sent),
        )

    def _by_zstd(self) -> tuple[float, int]:
        """Returns the total time, and the compressed size."""
        address = self._lab.address("receiver")
        server = Program(
            "zstd -d",
            self._lab.command("receiver", "python3", "-c", _ZSTD_SERVER, address, _ZSTD_PORT, self._data),
            processors=self._of_receiver,
        )
        try:
            server.await_text("^listening", _START_S)
            begin_ns = time.time_ns()
            sending = (
                f"exec 3<>/dev/tcp/{address}/{_ZSTD_PORT} && exec zstd --adapt=min=1,max=19 -qc '{self._data}' >&3"
            )
            client = Program(
                "zstd --adapt", self._lab.command("sender", "bash", "-c", sending), processors=self._of_sender
            )
            try:
                client.await_success(_PATIENCE_S)
            finally:
                client.end()
            ended = server.await_text(r"^received (\d+) (\d+)$", _PATIENCE_S)
            return (int(ended[1]) - begin_ns) / _NS_PER_S, int(ended[2])
        finally:
            server.end()
