"""One run of one program in one cell, looked at from outside."""

import os
import shutil
import statistics
import time
from contextlib import nullcontext

from cells import Failed, Outcome
from namespaces import ADDRESSES
from observer import INTERVAL_S, counters, steady
from processes import Program, await_port
from quantiles import quantile
from tap import tap

# What a program may take beyond the time in which it sends: a JVM's start, a warm-up, the fetching of captures.
_PATIENCE_S = 30
_RECEIVER_ENDS_S = 5

# Of the times of a program without a warm-up, what counts.
_FIRST, _LAST = 0.3, 0.9


def make(peer, cell, seconds, namespaces, work, tapped):
    """The figures of a run: those of the tap alone, or all others. Raises CannotDo or Failed."""
    peer.check(cell)
    directory = os.path.join(work, "run")
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory)
    with counters(namespaces, cell.is_udp) as counts, tap(namespaces, cell) if tapped else nullcontext() as frames:
        looks, server_said, client_said = _run(peer, cell, seconds, namespaces, directory, counts)
        stamps_ns = frames.at_ns() if tapped else []
    try:
        report = peer.report(cell, directory, server_said, client_said)
    except (ValueError, KeyError, OSError) as e:
        raise Failed(f"what it said cannot be read: {e}") from e
    return Outcome(_gaps(stamps_ns, report) if tapped else _figures(looks, cell, report))


def _run(peer, cell, seconds, namespaces, directory, counts):
    address = ADDRESSES["b"]
    server = Program(namespaces.command("b", *peer.server(cell, address)), directory, "receiver", keep_open=True)
    client = None
    try:
        await_port(namespaces, "b", *peer.ready_port(cell), server)
        client = Program(namespaces.command("a", *peer.client(cell, address, seconds)), directory, "sender")
        deadline = time.monotonic() + seconds + _PATIENCE_S
        looks = []
        while not client.ended:
            looks.append(counts.look((client, server)))
            if time.monotonic() > deadline:
                raise Failed(f"not done within {seconds + _PATIENCE_S} s")
            client.await_end(INTERVAL_S)
        if client.exit_code != 0:
            raise Failed(f"exit code {client.exit_code}: {client.said().strip()[-300:]}")
        if peer.ends_alone:
            server.await_end(_RECEIVER_ENDS_S)
    finally:
        if client is not None:
            client.end()
        server.end(peer.end_signal)
    return looks, server.said(), client.said()


def _figures(looks, cell, report):
    window = steady(looks, cell, report.begin_ns, report.end_ns)
    if window is None:
        raise Failed("no packets came for long enough")
    figures = {"rate": window.rate, "cpu": window.cpu_ns}
    if window.loss is not None:
        figures["loss"] = window.loss
    if not cell.flood:
        for name, values in (("lag", report.lags_ns), ("rtt", report.round_trips_ns)):
            figures.update(_quantiles(name, values, (50, 95, 99) if name == "lag" else (50, 99)))
    if report.packet_threads_ns is not None:
        figures["threads"] = report.packet_threads_ns
    return figures


def _quantiles(name, values, percents):
    if not values:
        return {}
    ascending = sorted(values)
    return {f"{name}{percent}": quantile(ascending, percent / 100) for percent in percents}


def _gaps(stamps_ns, report):
    """Between the frames that left, in the part that counts."""
    if report.begin_ns is not None:
        counting = [at for at in stamps_ns if report.begin_ns <= at <= report.end_ns]
    else:
        counting = stamps_ns[int(len(stamps_ns) * _FIRST) : int(len(stamps_ns) * _LAST)]
    if len(counting) < 100:
        raise Failed(f"only {len(counting)} packets of their size left")
    gaps_ns = [after - before for before, after in zip(counting, counting[1:])]
    return {**_quantiles("gap", gaps_ns, (50, 99)), "gap_rate": 1e9 / statistics.fmean(gaps_ns)}
