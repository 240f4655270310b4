"""Creates sessions with synthetic captures in lagbench's format."""

import json
import shutil
import uuid
from collections.abc import Container, Iterable, Iterator
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

HEADER_BYTES = 256
CHUNK = 1 << 20
EPOCH_NS = 1_790_000_000_000_000_000
DAY_NS = 86_400_000_000_000
SIZES = (24, 396, 992)
FLOOD_INTERVAL_NS = 10_000
NIGHT_INTERVAL_NS = 50_000
CALL_NS = 900
CYCLE_NS = 125_000

Numbers = np.ndarray[Any, np.dtype[np.int64]]


def write_flood(session: Path, pairs: int) -> Path:
    """
    Writes a flood of packets about 10 µs apart with lags of about 20 µs. One in 30,000 is up to 5 ms late and delays
    the packets after it. Returns the run's directory.
    """
    random = np.random.default_rng(1)

    def blocks() -> Iterator[tuple[Numbers, Numbers, Numbers, Numbers]]:
        received_until = np.int64(EPOCH_NS)
        for first in range(0, pairs, CHUNK):
            seq = np.arange(first, min(pairs, first + CHUNK), dtype=np.int64)
            sent = EPOCH_NS + seq * FLOOD_INTERVAL_NS + random.integers(0, FLOOD_INTERVAL_NS // 2, seq.size)
            lag = (15_000 + random.exponential(5_000, seq.size)).astype(np.int64)
            late = random.random(seq.size) < 1 / 30_000
            lag[late] += random.integers(0, 5_000_000, np.count_nonzero(late))
            received = np.maximum.accumulate(np.maximum(sent + lag, received_until))
            received_until = received[-1]
            yield seq, sent, seq, received

    return _write_run(session, "0001-udp-396-r1", 396, (pairs, pairs, pairs), blocks())


def write_night(results: Path, number: int, packets: int, spread_ns: int = 0) -> Path:
    """
    Writes a session with a run of each size: losses, copies, reordering, stalls, and negative lags. Returns its
    directory.

    :param spread_ns: if not 0, lags are uniform below it
    """
    generator = np.random.default_rng(number)
    session = results / f"night-2026{1 + number // 28 % 12:02}{1 + number % 28:02}T000000Z"
    if number >= 28 * 12:
        session = session.with_name(f"{session.name}-{number}")
    for index, size in enumerate(SIZES, 1):
        seq = np.arange(packets, dtype=np.int64)
        sent = EPOCH_NS + number * DAY_NS + seq * NIGHT_INTERVAL_NS + generator.integers(0, 2_000, packets)
        lag = generator.lognormal(10, 0.5, packets).astype(np.int64) // (1 if index > 1 else 512) - 3_000
        stalled = generator.random(packets) < 1 / 500
        lag[stalled] += (generator.pareto(1.5, np.count_nonzero(stalled)) * 100_000).astype(np.int64).clip(0, 1 << 32)
        if spread_ns:
            lag = generator.integers(0, spread_ns, packets)
        arrived = generator.random(packets) > 0.01
        copied = arrived & (generator.random(packets) < 0.005)
        copy_delay = generator.integers(1, 400_000, np.count_nonzero(copied))
        arrivals = np.concatenate([seq[arrived], seq[copied]])
        times = np.concatenate([(sent + lag)[arrived], (sent + lag)[copied] + copy_delay])
        order = np.argsort(times, kind="stable")
        counts = (packets, len(arrivals), int(np.count_nonzero(arrived)))
        blocks = [(seq, sent, arrivals[order], times[order])]
        _write_run(session, f"{index:04}-udp-{size}-r1", size, counts, blocks)
    _identify(session)
    return session


def write_bus(results: Path) -> Path:
    """Writes a session with a run over IEEE-1394, whose receiver records bus cycles. Returns its directory."""
    seq = np.arange(1_000, dtype=np.int64)
    sent = EPOCH_NS + seq * CYCLE_NS
    session = results / "bus-20260101T000000Z"
    counts = (seq.size, seq.size, seq.size)
    _write_run(session, "0001-ieee1394-24-r1", 24, counts, [(seq, sent, seq, sent + CYCLE_NS)], "ieee1394")
    _identify(session)
    return session


def write_matrix(results: Path, session: Path, sites: Iterable[str] = ("vienna", "graz")) -> Path:
    """Writes a matrix of sites with the runs of a session in each pair. Returns its directory."""
    matrix = results / "mesh-20260102T000000Z"
    for start, end in permutations(sites, 2):
        _identify(shutil.copytree(session, matrix / "pairs" / start / end))
    (matrix / "sites.yaml").write_text("sites: []\n")
    _identify(matrix)
    return matrix


def write_monitor(results: Path) -> Path:
    """Writes a monitor's session with two series and no runs. Returns its directory."""
    session = results / "monitor-20260103T000000Z"
    (session / "series").mkdir(parents=True)
    day = datetime.fromtimestamp(EPOCH_NS // 1_000_000_000, UTC).date()
    series = []
    for name in ("loss", "rtt"):
        series.append(
            {"name": name, "title": name, "unit": "ms", "everyNs": CYCLE_NS, "domain": "any", "target": "::1"}
        )
        records = np.zeros(500, [("at", "<i8"), ("value", "<f8"), ("state", "<i8")])
        records["at"] = EPOCH_NS + np.arange(records.size) * CYCLE_NS
        records["value"] = records["at"] % 7
        with (session / "series" / f"{name}.{day}.npy").open("wb") as file:
            file.write(_header("at value state", records.size, floats={"value"}))
            records.tofile(file)
    (session / "series.json").write_text(
        json.dumps({"format": "lagbench-series-1", "startNs": EPOCH_NS, "series": series})
    )
    _identify(session)
    return session


def _identify(session: Path) -> None:
    """Gives a session an identity."""
    created = f"{datetime.fromtimestamp(EPOCH_NS // 1_000_000_000, UTC):%Y-%m-%dT%H:%M:%SZ}"
    identity = {"format": "lagbench-session-1", "id": str(uuid.uuid4()), "createdAt": created}
    (session / "session.json").write_text(json.dumps(identity))


def _write_run(
    session: Path,
    name: str,
    size: int,
    counts: tuple[int, int, int],
    blocks: Iterable[tuple[Numbers, Numbers, Numbers, Numbers]],
    transport: str = "udp",
) -> Path:
    """
    Writes the captures and the record of a run, and returns its directory.

    :param counts: the packets sent, those received with copies, and without
    :param blocks: sequence numbers and stamps of packets sent, and of arrivals
    """
    sent, received, distinct = counts
    run = session / "runs" / name
    run.mkdir(parents=True)
    with (run / "sender.npy").open("wb") as sender, (run / "receiver.npy").open("wb") as receiver:
        sender.write(_header("seq scheduled_ns sent_ns returned_ns", sent))
        receiver.write(_header("seq received_ns bus_cycle" if transport == "ieee1394" else "seq received_ns", received))
        for seq, sent_ns, arrivals, received_ns in blocks:
            np.column_stack([seq, sent_ns, sent_ns, sent_ns + CALL_NS]).tofile(sender)
            cycles = [received_ns // CYCLE_NS % 8_000] if transport == "ieee1394" else []
            np.column_stack([arrivals, received_ns, *cycles]).tofile(receiver)
    side = {"host": "here", "bootId": "boot", "java": "17", "metadata": {}}
    record = {
        "format": "lagbench-run-2",
        "run": {
            "name": name,
            "point": {
                "transport": transport,
                "packetBytes": size,
                "packets": sent,
                "warmUpPackets": 0,
                "settings": {},
                "program": {"engine": "java", "settings": {}, "jvmOptions": ""},
                "traffic": {"kind": "one-way", "inFlight": 1, "replyTimeout": "PT1S"},
                "pace": {"mode": "flood", "intervalNs": 0, "burst": 1},
                "observe": [],
            },
            "repeat": 1,
        },
        "transportTitle": transport,
        "state": "COMPLETE",
        "startedAt": "2026-09-21T00:00:00Z",
        "endedAt": "2026-09-21T00:00:01Z",
        "sender": side,
        "receiver": side,
        "counts": {
            "received": received,
            "distinct": distinct,
            "duplicated": received - distinct,
            **dict.fromkeys(("reordered", "foreign", "unrecorded", "kernelDrops"), 0),
        },
        "clock": None,
    }
    (run / "run.json").write_text(json.dumps(record))
    return run


def _header(fields: str, records: int, floats: Container[str] = ()) -> bytes:
    descr = ", ".join(f"('{field}', '<{'f8' if field in floats else 'i8'}')" for field in fields.split())
    text = f"{{'descr': [{descr}], 'fortran_order': False, 'shape': ({records},), }}"
    size = HEADER_BYTES - 10
    return b"\x93NUMPY\x01\x00" + size.to_bytes(2, "little") + text.ljust(size - 1).encode() + b"\n"
