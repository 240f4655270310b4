"""Creates a session of one run with synthetic captures in lagbench's format."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

HEADER_BYTES = 256
CHUNK = 1 << 20
EPOCH_NS = 1_790_000_000_000_000_000
INTERVAL_NS = 10_000


def header(fields: Sequence[str], records: int) -> bytes:
    descr = ", ".join(f"('{field}', '<i8')" for field in fields)
    text = f"{{'descr': [{descr}], 'fortran_order': False, 'shape': ({records},), }}"
    size = HEADER_BYTES - 10
    return b"\x93NUMPY\x01\x00" + size.to_bytes(2, "little") + text.ljust(size - 1).encode() + b"\n"


def write(directory: Path, pairs: int) -> Path:
    """
    Writes a flood of packets about 10 µs apart with lags of about 20 µs. One in 30,000 is up to 5 ms late and delays
    the packets after it. Returns the run's directory.
    """
    run = directory / "runs" / "0001-udp-396-r1"
    run.mkdir(parents=True)
    random = np.random.default_rng(1)
    with (run / "sender.npy").open("wb") as sender, (run / "receiver.npy").open("wb") as receiver:
        sender.write(header(["seq", "scheduled_ns", "sent_ns", "returned_ns"], pairs))
        receiver.write(header(["seq", "received_ns"], pairs))
        received_until = EPOCH_NS
        for first in range(0, pairs, CHUNK):
            seq = np.arange(first, min(pairs, first + CHUNK), dtype=np.int64)
            sent = EPOCH_NS + seq * INTERVAL_NS + random.integers(0, INTERVAL_NS // 2, seq.size)
            lag = (15_000 + random.exponential(5_000, seq.size)).astype(np.int64)
            late = random.random(seq.size) < 1 / 30_000
            lag[late] += random.integers(0, 5_000_000, np.count_nonzero(late))
            received = np.maximum.accumulate(np.maximum(sent + lag, received_until))
            received_until = received[-1]
            np.column_stack([seq, sent, sent, sent + 900]).tofile(sender)
            np.column_stack([seq, received]).tofile(receiver)
    side = {"host": "here", "bootId": "boot", "java": "17", "metadata": {}}
    record = {
        "format": "lagbench-run-1",
        "name": "0001-udp-396-r1",
        "transport": "udp",
        "transportTitle": "UDP/IP",
        "engine": "java",
        "packetBytes": 396,
        "packets": pairs,
        "warmUpPackets": 0,
        "repeat": 1,
        "paceMode": "flood",
        "paceIntervalNs": 0,
        "settings": {},
        "state": "COMPLETE",
        "startedAt": "2026-09-21T00:00:00Z",
        "endedAt": "2026-09-21T00:00:01Z",
        "sender": side,
        "receiver": side,
        "counts": {
            "received": pairs,
            "distinct": pairs,
            "duplicated": 0,
            "reordered": 0,
            "foreign": 0,
            "unrecorded": 0,
            "kernelDrops": 0,
        },
        "clock": None,
    }
    (run / "run.json").write_text(json.dumps(record))
    return run
