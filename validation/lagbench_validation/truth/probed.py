"""Checks lagbench's verdicts on TCP probes over emulated paths."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lagbench

from lagbench_validation.processes import run

_SWEEP_SECONDS_MAX = 900
_TRANSFERS = 2

# The payload of a full Ethernet frame, and its bytes on the wire with headers, preamble, FCS and inter-frame gap.
_SEGMENT_BYTES = 1_448
_FRAME_BYTES = 1_538

_SIZES = tuple(1 << exponent for exponent in (14, 16, 18, 20, 22, 24, 26))
_PROBE_SECONDS_MAX = 8
_CONTROLS = ("reno", "cubic", "bbr")
_CONTROLS_FILE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")
_SEND_BUFFER_FILE = Path("/proc/sys/net/ipv4/tcp_wmem")

# A probe does not fill the path if each window is less than this share of the bandwidth-delay product. After the
# window has reached that product, this many round trips and then this time of sending fill the path.
_EMPTY_SHARE = 0.5
_FULL_ROUND_TRIPS = 8
_FULL_SECONDS = 0.2

# If the bandwidth-delay product is between these shares of the send buffer, the window may or may not limit the probe:
# the kernel also counts its overhead in the buffer.
_BUFFER_SHARES = (0.2, 1.0)

RATE_ERROR_MAX = 0.1

# The sender, not the link, limited a transfer if two conditions hold in its second half: the receiver got less than
# this share of the link's rate, so that it is not the rate of the network; and the kernel marked most samples as
# limited by the application (tcp(7), TCP_INFO). The sender does not run often enough to fill 1 Gbit/s.
_STARVED_SHARE = 1 - RATE_ERROR_MAX

RIGHT_SHARE_MIN = 0.98

NETWORK, SLOW_START, WINDOW, UNCERTAIN = "network", "slow-start", "window", "uncertain"
APPLICATION = "application"

# The number of transfers that the sender limited, by size and congestion control.
Starved = Mapping[tuple[int, str], int]


@dataclass(frozen=True)
class ProbedPath:
    """An emulated path."""

    rtt_ms: int
    rate_mbit: int
    initial_window: int

    @property
    def title(self) -> str:
        return f"capacity: {self.rtt_ms} ms, {self.rate_mbit} Mbit/s, initial window {self.initial_window}"

    @property
    def payload_bits_per_s(self) -> float:
        return self.rate_mbit * 1e6 * _SEGMENT_BYTES / _FRAME_BYTES

    @property
    def pipe_bytes(self) -> float:
        return self.payload_bits_per_s / 8 * self.rtt_ms / 1e3

    @property
    def sizes(self) -> list[int]:
        most = self.payload_bits_per_s / 8 * _PROBE_SECONDS_MAX
        return [size for size in _SIZES if size <= max(most, _SIZES[1])]

    def right(self, size: int, send_buffer: int) -> set[str] | None:
        """Returns the correct verdicts on a probe; None if it is unknown whether the probe fills the path."""
        window, sent, limit = self.initial_window * _SEGMENT_BYTES, 0.0, self.pipe_bytes * _EMPTY_SHARE
        while window < self.pipe_bytes:
            if size - sent <= window:
                return {SLOW_START} if window < limit else None
            sent += window
            window *= 2
        steady = size - sent - _FULL_ROUND_TRIPS * self.pipe_bytes
        if steady < self.payload_bits_per_s / 8 * _FULL_SECONDS:
            return None
        low, high = (share * send_buffer for share in _BUFFER_SHARES)
        if self.pipe_bytes < low:
            return {NETWORK}
        return {NETWORK, WINDOW} if self.pipe_bytes < high else {WINDOW}

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """Probes the path. Returns the result as text, and the failed requirements."""
        judged = judge_probes(self, *_probe(self, home, work))
        text = (
            f"{self.title}: {judged.right} of {judged.decided} right, {judged.uncertain} uncertain,"
            f" {judged.undecided} without truth, rates {judged.rate_error_max:.1%} off"
        )
        return text, wrong_probes(judged)


@dataclass
class Judged:
    """Numbers of right, uncertain and wrong verdicts on the probes of a path."""

    right: int = 0
    uncertain: int = 0
    wrong: list[str] = field(default_factory=list)
    undecided: int = 0  # probes whose right verdict is not known
    rate_error_max: float = 0

    @property
    def decided(self) -> int:
        return self.right + self.uncertain + len(self.wrong)


def paths() -> list[ProbedPath]:
    """Returns all cases. None is part of --smoke."""
    every = [ProbedPath(rtt, rate, window) for rtt in (10, 50, 200) for rate in (10, 100) for window in (1, 4, 10)]
    return [*every, ProbedPath(10, 1_000, 10), ProbedPath(500, 10, 10), ProbedPath(500, 100, 1)]


def controls() -> list[str]:
    """Returns the congestion controls that this kernel has."""
    available = _CONTROLS_FILE.read_text().split()
    return [control for control in _CONTROLS if control in available]


def _probe(path: ProbedPath, home: Path, work: Path) -> tuple[Any, Starved]:
    """
    Probes the path with transfers of each size and each congestion control. Returns summary.json, and the number of
    transfers that the sender limited.
    """
    directory = work / f"probed-{path.rtt_ms}-{path.rate_mbit}-{path.initial_window}"
    directory.mkdir()
    experiment = directory / "probes.yaml"
    experiment.write_text(
        f"lab: {{rate: {path.rate_mbit}mbit, delay: {path.rtt_ms * 500}us, initial-window: {path.initial_window}}}\n"
        f"transports: tcp\ntraffic: transfer\ntransfer-bytes: {path.sizes}\ntransfers: {_TRANSFERS}\n"
        f"tcp: {{congestion-control: [{', '.join(controls())}]}}\n"
        "engine: c\nobserve: none\nwarm-up-packets: 4\ndrain: 0s\n"
    )
    command = [home / "scripts" / "lagbench", "sweep", experiment, "--quiet", "--no-report"]
    run(command, directory=directory, timeout_s=_SWEEP_SECONDS_MAX)
    (found,) = directory.glob("results/*")
    session = lagbench.open(found)
    return session.summary, _starved(path, session)


def _starved(path: ProbedPath, session: lagbench.Session) -> Starved:
    starved: Counter[tuple[int, str]] = Counter()
    for made in session.runs:
        point = made.record["run"]["point"]
        key = point["traffic"]["transfer"]["bytes"], point["settings"]["congestion-control"]
        received, states = made.capture("receiver-bytes"), made.capture("sender-tcp")
        for number in set(received["transfer"].tolist()):
            calls = received[["received_ns", "bytes"]][received["transfer"] == number].tolist()
            polls = states[["at_ns", "app_limited"]][states["transfer"] == number].tolist()
            starved[key] += is_starved(calls, polls, path.payload_bits_per_s)
    return starved


def is_starved(calls: Sequence[tuple[int, int]], polls: Sequence[tuple[int, int]], payload_bits_per_s: float) -> bool:
    """
    Returns whether the sender limited a transfer.

    :param calls: the time of each read by the receiver, and the bytes read so far
    :param polls: the time of each read of the connection's state, and whether the application limited the kernel's last
        sample
    """
    middle_ns = (calls[0][0] + calls[-1][0]) / 2
    half = [call for call in calls if call[0] >= middle_ns]
    limited = [bit for at_ns, bit in polls if at_ns >= middle_ns]
    if len(half) < 2 or half[-1][0] == half[0][0] or not limited:
        return False
    bits_per_s = (half[-1][1] - half[0][1]) * 8e9 / (half[-1][0] - half[0][0])
    return bits_per_s < _STARVED_SHARE * payload_bits_per_s and 2 * sum(limited) > len(limited)


def judge_probes(path: ProbedPath, summary: Any, starved: Starved, send_buffer: int | None = None) -> Judged:
    """
    Compares verdicts with the right verdicts. APPLICATION is right if the sender limited the transfer, and not
    certainly the window. Compares the rates of verdict NETWORK with the link's payload rate.
    """
    buffer = send_buffer or int(_SEND_BUFFER_FILE.read_text().split()[2])
    judged = Judged()
    for size, control, verdict, transfers, rates in _verdicts(summary):
        right = path.right(size, buffer)
        name = f"{size} bytes by {control}: {verdict}"
        off = max(abs(rate / path.payload_bits_per_s - 1) for rate in rates)
        is_off = verdict == NETWORK and off > RATE_ERROR_MAX
        if verdict == NETWORK:
            judged.rate_error_max = max(judged.rate_error_max, off)
        if verdict == APPLICATION and right != {WINDOW} and transfers <= starved.get((size, control), 0):
            judged.right += transfers
        elif is_off or (right is not None and verdict not in right and verdict != UNCERTAIN):
            judged.wrong += [f"{name}, {off:.0%} off" if is_off else name] * transfers
        elif right is None:
            judged.undecided += transfers
        elif verdict == UNCERTAIN:
            judged.uncertain += transfers
        else:
            judged.right += transfers
    return judged


def _verdicts(summary: Any) -> Iterator[tuple[int, str, str, int, Sequence[float]]]:
    for point in summary["points"]:
        metrics = point["metrics"]
        control = point["point"]["settings"]["congestion-control"]
        size = point["point"]["transfer"]["bytes"]
        for verdict in (NETWORK, SLOW_START, WINDOW, APPLICATION, UNCERTAIN):
            beginning = f"transfers.connection.verdicts.{verdict}"
            if transfers := metrics.get(f"{beginning}.transfers"):
                rates = [1e6 * metrics.get(f"{beginning}.rate.{end}", 0) for end in ("minimum", "maximum")]
                yield size, control, verdict, transfers, rates


def wrong_probes(judged: Judged) -> list[str]:
    """Returns the error messages."""
    if judged.decided and judged.right < RIGHT_SHARE_MIN * judged.decided:
        return [f"{judged.right} of {judged.decided} verdicts are right", *judged.wrong]
    return judged.wrong
