"""Compares the TCP_INFO of transfers with ss and iperf3; scripts/validate transfers starts it."""

import json
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import lagbench

from lagbench_validation.captures import Columns
from lagbench_validation.key import make_key
from lagbench_validation.peers.capacities import compare_capacities
from lagbench_validation.peers.lab import Lab
from lagbench_validation.peers.peer import PORT
from lagbench_validation.peers.rates import compare_rates
from lagbench_validation.processes import Command, Failed, Program, run
from lagbench_validation.program import UNAVAILABLE, make_parser, run_main

_NETWORK = "{name: transfers, rate: 50mbit, queue: 40 packets, delay: 5ms, loss: 0.5%}"
_PIECE_BYTES = 16_384
_IPERF3_PORT = 5201
_SAMPLE_S = 0.005
_PATIENCE_S = 120
_START_S = 60
_MIB = 1 << 20
_AGREEING = 0.95


@dataclass(frozen=True)
class Sample:
    """What ss prints about one connection. ss ran between the two times, CLOCK_REALTIME in ns."""

    before_ns: int
    after_ns: int
    acked_bytes: int
    retransmitted_segments: int
    cwnd_segments: int


def parse(line: str, before_ns: int, after_ns: int) -> Sample:
    """Parses the line of a connection from `ss -tinH`, which omits fields that are zero."""

    def number(pattern: str) -> int:
        found = re.search(pattern, line)
        return int(found[1]) if found else 0

    return Sample(
        before_ns,
        after_ns,
        max(0, number(r"\bbytes_acked:(\d+)") - 1),  # the kernel counts the SYN
        number(r"\bretrans:\d+/(\d+)"),
        number(r"\bcwnd:(\d+)"),
    )


class Sampler:
    """Runs ss repeatedly. samples() returns those of the connection that has sent the most bytes."""

    def __init__(self, namespace: str, receiver: str) -> None:
        self._command = ["ip", "netns", "exec", namespace, "ss", "-tinHO", "dst", receiver]
        self._ended = threading.Event()
        self._by_port: dict[str, list[Sample]] = {}
        self._thread = threading.Thread(target=self._sample)

    def __enter__(self) -> "Sampler":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._ended.wait(_SAMPLE_S):
            before_ns = time.time_ns()
            lines = run(self._command).splitlines()
            after_ns = time.time_ns()
            for line in lines:
                if (words := line.split())[0] == "ESTAB":
                    self._by_port.setdefault(words[3], []).append(parse(line, before_ns, after_ns))

    def samples(self) -> list[Sample]:
        if not self._by_port:
            raise Failed("ss has seen no connection")
        return max(self._by_port.values(), key=lambda samples: samples[-1].acked_bytes)


def brackets(states: Columns, field: str, sample: Sample) -> tuple[int, int] | None:
    """Returns a counter in lagbench's last poll before and first poll after a sample; None without one of these."""
    at_ns = states["at_ns"]
    before = bisect_right(at_ns, sample.before_ns) - 1
    after = bisect_left(at_ns, sample.after_ns)
    return None if before < 0 or after == len(at_ns) else (states[field][before], states[field][after])


def window_range(states: Columns, sample: Sample) -> tuple[int, int] | None:
    """Returns the smallest and the largest window in the polls around a sample; None without polls before and after."""
    at_ns = states["at_ns"]
    before = bisect_right(at_ns, sample.before_ns) - 1
    after = bisect_left(at_ns, sample.after_ns)
    if before < 0 or after == len(at_ns):
        return None
    windows = states["cwnd_segments"][before : after + 1]
    return min(windows), max(windows)


def _agreement(
    samples: Sequence[Sample], expected: Callable[[Sample], tuple[int, int] | None], field: str
) -> tuple[int, int]:
    """Returns the number of compared samples, and how many are within the range that lagbench's polls expect."""
    compared = [(sample, found) for sample in samples if (found := expected(sample)) is not None]
    return len(compared), sum(low <= getattr(sample, field) <= high for sample, (low, high) in compared)


def _transfer(lab: Lab, server: Command, client: Command, ready: str, work: Path) -> tuple[list[Sample], str]:
    """Runs both sides of a program while ss samples. Returns the samples and what the client printed."""
    serving = Program("server", lab.command("receiver", *server), directory=work, keep_input_open=True)
    sending = None
    try:
        serving.await_text(ready, _START_S)
        with Sampler(lab.namespace("sender"), lab.address("receiver")) as sampler:
            sending = Program("client", lab.command("sender", *client), directory=work)
            sending.await_success(_PATIENCE_S)
        return sampler.samples(), sending.output()
    finally:
        if sending is not None:
            sending.end()
        serving.end(signal.SIGINT)


def _of_lagbench(lab: Lab, home: Path, key: Path, engine: str, size: int, work: Path) -> tuple[int, int, float]:
    """Prints the comparison with ss. Returns how many counters were compared and agree, and the transfer's seconds."""
    to = f"{lab.address('receiver')}:{PORT}"
    name = f"run-{engine}"
    samples, _ = _transfer(
        lab,
        [home / "scripts" / "receiver", "--listen", to, "--key-file", key, "--directory", f"received-{engine}",
         "--runs", 1, "--end-with-stdin"],
        [home / "scripts" / "sender", "tcp", to, "--key-file", key, "--directory", ".", "--name", name,
         "--engine", engine, "--traffic", "transfer", "--packet-bytes", _PIECE_BYTES,
         "--transfer-bytes", size, "--transfers", 1, "--warm-up-packets", 0, "--observe", "none"],
        rf":{PORT}",
        work,
    )  # fmt: skip
    states = lagbench.Run(work / name).columns("sender-tcp")
    seconds = (states["at_ns"][-1] - states["at_ns"][0]) / 1e9
    print(f"\nlagbench {engine}: {size / _MIB:g} MiB in {seconds:.2f} s, {len(states['at_ns'])} polls of TCP_INFO")
    counts = []
    for field in ("acked_bytes", "retransmitted_segments"):
        counts.append(_agreement(samples, lambda sample, field=field: brackets(states, field, sample), field))  # type: ignore[misc]
        print(f"  {field}: {states[field][-1]} at the end; ss agrees with the polls before and after it in"
              f" {counts[-1][1]} of {counts[-1][0]} samples")  # fmt: skip
    compared, agreeing = _agreement(samples, lambda sample: window_range(states, sample), "cwnd_segments")
    print(f"  cwnd_segments: at most {max(states['cwnd_segments'])}; ss has a window of these polls in {agreeing} of"
          f" {compared} samples", flush=True)  # fmt: skip
    return sum(count for count, _ in counts), sum(agreeing for _, agreeing in counts), seconds


def _of_iperf3(lab: Lab, size: int, work: Path) -> None:
    samples, output = _transfer(
        lab,
        ["iperf3", "-s", "-1", "--forceflush"],
        ["iperf3", "-c", lab.address("receiver"), "-n", size, "-l", _PIECE_BYTES, "-i", "0.1", "-J"],
        f"listening on {_IPERF3_PORT}",
        work,
    )
    report = json.loads(output)
    if "error" in report:  # it exits with 0 then
        raise Failed(report["error"])
    sender = report["end"]["streams"][0]["sender"]
    print(f"\niperf3: {sender['bytes'] / _MIB:g} MiB in {sender['seconds']:.2f} s")
    print(f"  retransmits: {sender['retransmits']} by its report, {samples[-1].retransmitted_segments} by ss")
    print(f"  largest window: {sender['max_snd_cwnd']} bytes by its report,"
          f" {max(sample.cwnd_segments for sample in samples)} segments by ss")  # fmt: skip


def main() -> int:
    parser = make_parser(
        "transfers",
        "A transfer by lagbench's engines c and java and by iperf3, each in turn over one emulated link"
        " that loses some segments. Meanwhile ss reads the connection's state. A counter that ss"
        " has read must lie between lagbench's polls before and after; the window must be one of these polls' range."
        f" At least {_AGREEING:.0%} of the samples must agree. Needs root and iperf3 (Debian package).",
        "transfers of 1 MiB, by iperf3 too if it is installed",
    )
    parser.add_argument("--mib", type=int, default=16, metavar="N", help="size of a transfer (default: %(default)s)")
    parser.add_argument(
        "--capacity",
        action="store_true",
        help="compare what lagbench capacity, NWS's formula and iperf3 measure instead, and how many bytes they send",
    )
    parser.add_argument(
        "--rate",
        action="store_true",
        help="compare the rate of a flood with iperf3's instead, in five rounds over a link of 100 Mbit/s; the"
        " median of the differences must be within 1 %%; takes about 5 minutes",
    )
    options = parser.parse_args()
    has_iperf3 = shutil.which("iperf3") is not None
    if not has_iperf3 and not options.smoke:
        print("not installed: iperf3; run: apt-get install iperf3", file=sys.stderr)
        return UNAVAILABLE
    size = (8 if options.smoke else options.mib) * _MIB  # fewer end before ss runs on a busy machine
    with tempfile.TemporaryDirectory(prefix="lagbench-transfers-") as directory:
        work = Path(directory)
        if options.capacity:
            compare_capacities(options.home, work)
            return 0
        if options.rate:
            return int(not compare_rates(options.home, work))
        key = make_key(work)
        with Lab(options.home, work, _NETWORK) as lab:
            engines = ("java",) if options.smoke else ("c", "java")
            found = [_of_lagbench(lab, options.home, key, engine, size, work) for engine in engines]
            if has_iperf3:
                _of_iperf3(lab, size, work)
    compared, agreeing, seconds = (sum(values) for values in zip(*found, strict=True))
    rate = len(found) * size * 8 / seconds / 1e6
    print(f"\n{rate:.1f} Mb/s over a link of 50 Mb/s; ss agrees in {agreeing} of {compared} samples")
    return 0 if compared and agreeing >= _AGREEING * compared else 1


if __name__ == "__main__":
    run_main("transfers", main)
