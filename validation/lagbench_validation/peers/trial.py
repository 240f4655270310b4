"""One run of one program in one cell, observed from outside: first undisturbed, then with a tap for the gaps."""

import shutil
import statistics
import time
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

from lagbench_validation.namespaces import ADDRESSES, Namespaces
from lagbench_validation.peers.cells import Cell, Length, Report
from lagbench_validation.peers.observer import (
    INTERVAL_S,
    Counters,
    Sample,
    begins_to_flow,
    counters,
    counting,
    steady,
    until_next_sample_s,
)
from lagbench_validation.peers.peer import Peer
from lagbench_validation.peers.sides import await_port, processors_of_sides
from lagbench_validation.peers.tap import Tap, tap
from lagbench_validation.processes import Command, Failed, Program
from lagbench_validation.quantiles import quantile

# Time limit beyond the time in which a program sends: JVM start, warm-up, transfer of captures.
_PATIENCE_S = 30
_RECEIVER_ENDS_S = 5

# Opening the tap delays packets for a moment.
_TAP_SETTLING_NS = 20_000_000

# Times of the day are compared modulo a quarter of an hour, because time zones differ; no run is as long.
_QUARTER_NS = 15 * 60 * 1_000_000_000


def make(peer: Peer, cell: Cell, length: Length, namespaces: Namespaces, work: Path) -> dict[str, float]:
    """Returns the metrics of a run by the names of METRICS. Raises CannotDo or Failed."""
    peer.check(cell)
    directory = work / "run"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    with counters(namespaces, cell.is_udp) as counts, nullcontext() if cell.flood else tap(namespaces, cell) as frames:
        run = _Run(peer, cell, length, directory, counts, frames)
        server_output, client_output = run.make(namespaces)
        stamps_ns = frames.at_ns() if frames else []
    try:
        report = peer.report(cell, directory, server_output, client_output)
    except (ValueError, KeyError, OSError) as e:
        raise Failed(f"its report is unreadable: {e}") from e
    begin_ns, end_ns = counting(run.samples, report, run.tapped_ns)
    metrics = _metrics(run.samples, cell, report, begin_ns, end_ns)
    if not cell.flood:
        if run.tapped_ns is None:
            raise Failed("it ended before its gaps were captured")
        _, end_ns = counting(run.samples, report)
        metrics.update(_gaps(stamps_ns, run.tapped_ns + _TAP_SETTLING_NS, end_ns))
    return metrics


class _Run:
    """A program's two sides and their samples."""

    def __init__(
        self, peer: Peer, cell: Cell, length: Length, directory: Path, counts: Counters, frames: Tap | None
    ) -> None:
        self._peer = peer
        self._cell = cell
        self._length = length
        self._directory = directory
        self._counts = counts
        self._frames = frames
        self._flowing_since_ns: int | None = None
        self.samples: list[Sample] = []
        self.tapped_ns: int | None = None  # when the tap was open

    def make(self, namespaces: Namespaces) -> tuple[str, str]:
        """Returns the output of server and client."""
        peer, cell = self._peer, self._cell
        address = ADDRESSES["b"]
        # A flood keeps both sides busy, so each has its own processors, as two hosts have. Otherwise the scheduler
        # would determine the rate.
        of_sender, of_receiver = processors_of_sides(apart=cell.flood or peer.apart)
        command = namespaces.command("b", *peer.server(cell, address))
        server = self._start("receiver", command, of_receiver, keep_input_open=True)
        client = None
        try:
            await_port(namespaces, "b", *peer.ready_port(cell), server)
            command = namespaces.command("a", *peer.client(cell, address, self._length.seconds(cell)))
            client = self._start("sender", command, of_sender)
            self._watch(server, client)
            client.await_success(0)
            if peer.ends_alone:
                server.await_end(_RECEIVER_ENDS_S)
        finally:
            if client is not None:
                client.end()
            server.end(peer.end_signal)
        return server.output(), client.output()

    def _start(self, name: str, command: Command, processors: Sequence[int], keep_input_open: bool = False) -> Program:
        return Program(name, command, directory=self._directory, processors=processors, keep_input_open=keep_input_open)

    def _watch(self, server: Program, client: Program) -> None:
        patience_s = self._length.seconds(self._cell) + _PATIENCE_S
        deadline = time.monotonic() + patience_s
        programs = (client, server)
        while not client.ended:
            begun_ns = self._begun_ns(client) if self.tapped_ns is None else None
            # All processes exist when the measured packets flow.
            if self.tapped_ns is None and (begun_ns is None or time.time_ns() < begun_ns):
                for program in programs:
                    program.find_children()
            self.samples.append(self._counts.sample(programs))
            if self._is_to_be_tapped(begun_ns):
                self.tapped_ns = time.time_ns()
                self._open_tap()
            if time.monotonic() > deadline:
                raise Failed(f"the program did not end within {patience_s} s")
            if self._frames is None or begun_ns is None or self.tapped_ns is not None:
                client.await_end(INTERVAL_S)
            else:
                client.await_end(until_next_sample_s(time.time_ns(), begun_ns, self._tap_at_ns(begun_ns)))

    def _open_tap(self) -> None:
        if self._frames is not None:
            self._frames.open()

    def _is_to_be_tapped(self, begun_ns: int | None) -> bool:
        return self._frames is not None and begun_ns is not None and time.time_ns() >= self._tap_at_ns(begun_ns)

    def _tap_at_ns(self, begun_ns: int) -> int:
        return begun_ns + round(self._length.undisturbed_s * 1e9)

    def _begun_ns(self, client: Program) -> int | None:
        """Returns about when the measured packets begin; None while that is unknown."""
        if (
            self._flowing_since_ns is None
            and len(self.samples) > 1
            and begins_to_flow(self.samples[-2], self.samples[-1], self._cell)
        ):
            self._flowing_since_ns = self.samples[-2].at_ns
        return self._peer.begun_ns(client.output, self._flowing_since_ns)


def _metrics(samples: Sequence[Sample], cell: Cell, report: Report, begin_ns: int, end_ns: int) -> dict[str, float]:
    window = steady(samples, cell, begin_ns, end_ns)
    if window is None:
        raise Failed("too few packets arrived")
    metrics = {"rate": window.rate, "cpu": window.cpu_ns}
    if window.loss is not None:
        metrics["loss"] = window.loss
    if not cell.flood:
        for name, values, percents in (
            ("lag", report.lags_ns, (50, 95, 99)),
            ("rtt", report.round_trips_ns, (50, 99)),
        ):
            if values:
                metrics.update(quantiles(name, values_within(report, values, begin_ns, end_ns), percents))
    if report.packet_threads_ns is not None:
        metrics["threads"] = report.packet_threads_ns
    return metrics


def values_within(report: Report, values: Sequence[int], begin_ns: int, end_ns: int) -> list[int]:
    """Returns the values of packets sent in an interval."""
    sent_ns = report.sent_ns or []
    origin_ns = sent_ns[0] if report.own_clock else begin_ns
    length_ns = end_ns - begin_ns
    return [value for at, value in zip(sent_ns, values, strict=True) if (at - origin_ns) % _QUARTER_NS < length_ns]


def quantiles(name: str, values: Sequence[int], percents: Sequence[int]) -> dict[str, float]:
    if not values:
        raise Failed("it reports no delays of the measured packets")
    ascending = sorted(values)
    return {f"{name}{percent}": quantile(ascending, percent / 100) for percent in percents}


def _gaps(stamps_ns: Sequence[int], begin_ns: int, end_ns: int) -> dict[str, float]:
    """Returns the metrics of the gaps between frames on the sending device."""
    measured = [at for at in stamps_ns if begin_ns <= at <= end_ns]
    if len(measured) < 100:
        raise Failed(f"only {len(measured)} packets of that size were sent in {(end_ns - begin_ns) / 1e6:.0f} ms")
    gaps_ns = [after - before for before, after in pairwise(measured)]
    return {**quantiles("gap", gaps_ns, (50, 99)), "gap_rate": 1e9 / statistics.fmean(gaps_ns)}
