"""
Disturbs the path between two hosts, and judges the main causes of late packets by captures at both ends of the path.
"""

import csv
import json
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from lagbench.ledger import read_ledgers

from lagbench_validation.divisions import (
    Contradiction,
    contradictions,
    late_places,
    ledger_places,
    place_of,
    stage_places,
    usual_of,
    usual_of_usual_lags,
)
from lagbench_validation.namespaces import SIDES
from lagbench_validation.path_captures import (
    LAB_ADDRESSES,
    Lab,
    Seen,
    datagrams_ns,
    encrypted_ns,
    made_lab,
    messages_ns,
    stream_begin,
    streamed_ns,
    tapped,
)
from lagbench_validation.path_kinds import HELD, Cell, cells
from lagbench_validation.processes import Failed, Program, run
from lagbench_validation.quantiles import wilson
from lagbench_validation.truth.bench import Bench, Run
from lagbench_validation.truth.injection import TAIL_PERCENT, PeriodicDelays

_PACKETS = 4_000
_PACKET_BYTES = 992
_WARM_UP_PACKETS = 200
_BUSY = "while True: pass"

# A cell is run again until it has so many late packets, if there are rounds left.
LATE_MIN = 200

# The program fails if less is right of what the causes say, or more is blamed on a host that did nothing: of all cells
# together, or of one cell by the interval of its share.
RIGHT_MIN = 0.95
BLAMED_MAX = 0.01


class Late(NamedTuple):
    """A late packet: where it was late by the captures, and the cause that lagbench names."""

    where: str  # sender, path or receiver
    side: str
    cause: str

    @property
    def known(self) -> bool:
        """Whether the cause says where the packet was late."""
        return self.cause not in ("not-explained", "network-or-receiver", "")

    @property
    def right(self) -> bool:
        if self.where == "receiver":
            return self.known and self.side == "receiver"
        if self.where == "path":
            return self.side == "path" or self.cause in ("before-receiver", "retransmission")
        return self.cause in ("before-receiver", "sender-queue") or self.side == "sender"

    @property
    def blames_idle_host(self) -> bool:
        """Whether it names a host where the packet was not late."""
        if not self.known or self.right:
            return False
        return self.side in ("sender", "receiver") and self.side != self.where and self.cause != "retransmission"


def judge(
    rows: Sequence[Mapping[str, Any]], left_ns: Mapping[int, int], arrived_ns: Mapping[int, int], held: bool = False
) -> list[Late]:
    """
    Judges the packets of an export that are late and mostly at one place.

    :param left_ns: when each packet left the sender's host
    :param arrived_ns: when each reached the receiver's
    :param held: whether the receiver delivers packets after a fixed latency
    """
    parts: dict[int, tuple[int, int, int]] = {}
    named: dict[int, Mapping[str, Any]] = {}
    for row in rows:
        number = int(row["seq"])
        if row["received_ns"] and row["copy"] == "0" and number in left_ns and number in arrived_ns:
            sent_ns, received_ns = int(row["sent_ns"]), int(row["received_ns"])
            left, arrived = left_ns[number], arrived_ns[number]
            parts[number] = (left - sent_ns, arrived - left, received_ns - arrived)
            named[number] = row
    if len(parts) < len(rows) // 2:
        raise Failed(f"the captures have only {len(parts)} of {len(rows)} packets")
    # Lags next to the median lag wait longer than usual at one place or another.
    of_usual_lags = late_places(parts, usual_of_usual_lags(parts), held)
    return [
        Late(place, str(named[number]["cause_side"]), str(named[number]["cause"]))
        for number, place in late_places(parts, usual_of(parts), held).items()
        if of_usual_lags.get(number) == place
    ]


def _run_disturbed(home: Path, work: Path, lab: Lab, cell: Cell) -> tuple[Run, Path, Mapping[str, Seen]]:
    options = ("--packet-bytes", _PACKET_BYTES, "--packets", _PACKETS, "--warm-up-packets", _WARM_UP_PACKETS,
               *cell.options)  # fmt: skip
    bench = Bench(home, work, LAB_ADDRESSES)
    capture = bench.sender_capture("run")
    acting = cell.delays(lab, lambda side, delay: PeriodicDelays(capture, side, delay, _PACKETS))

    def started(role: str, pid: int) -> None:
        for delays in acting:
            delays.started(role, pid)

    try:
        with cell.kind.disturbing(lab), tapped(lab) as seen:
            environments: Mapping[str, Mapping[str, str]] = {side: {} for side in SIDES}
            transport = "udp" if cell.transport == "quic" else cell.transport
            made = bench.run(lab, "a", environments, "run", transport, options, started)
    finally:
        for delays in acting:
            delays.intervals_ns()
    return made, bench.exported("run", TAIL_PERCENT), seen


def _divided(home: Path, work: Path, transport: str, made: Run) -> dict[str, dict[int, str]]:
    """Returns the main places of late packets by each division that lagbench has of their lags."""
    lagbench, runs = home / "scripts" / "lagbench", work / "runs" / "run"
    run([lagbench, "export", runs, "--format", "ledger", "--tail", TAIL_PERCENT, "--output", work / "ledgers"])
    (ledgers,) = (work / "ledgers").iterdir()
    explained = json.loads(run([lagbench, "explain", runs, "--json"]))["parts"]
    divided = {
        "ledger": ledger_places(read_ledgers(ledgers), transport in HELD),
        "explain": {
            int(part["packet"]): place_of(*part["packetCause"].split(":")[0].split("."))
            for part in explained
            if part["packetCause"]
        },
    }
    if made.kernel is not None:
        first_key = made.record["sender"]["metadata"]["firstRecordedKey"]
        sent_ns = dict(zip(made.sent["seq"], made.sent["sent_ns"], strict=True))
        key_step = _PACKET_BYTES if transport == "tcp" else 1
        divided["stamps"] = stage_places(made.kernel, first_key, key_step, sent_ns, made.received)
    return divided


def _stamps_ns(transport: str, made: Run, seen: Mapping[str, Seen]) -> tuple[dict[int, int], dict[int, int]]:
    """Returns when each packet left the sender's host and when it reached the receiver's, by sequence number."""
    left, arrived = seen["a"], seen["b"]
    sent_ns = dict(zip(made.sent["seq"], made.sent["sent_ns"], strict=True))
    if transport == "udp":
        return datagrams_ns(left, _PACKET_BYTES), datagrams_ns(arrived, _PACKET_BYTES)
    if transport == "quic":
        unsent = made.record["sender"]["metadata"]["quicPacketsNotSent"]
        if unsent != 0:
            raise Failed(f"QUIC did not send {unsent} packets, so that the order of datagrams shows no packet")
        return encrypted_ns(left, arrived, _PACKET_BYTES, _WARM_UP_PACKETS, sent_ns)
    if transport != "tcp":
        return messages_ns(left, sent_ns), messages_ns(arrived, sent_ns)
    begin = stream_begin(left, _PACKET_BYTES, sent_ns)
    return (
        streamed_ns(left, begin, _PACKET_BYTES, in_order=False),
        streamed_ns(arrived, begin, _PACKET_BYTES, in_order=True),
    )


def disturb(home: Path, cell: Cell) -> tuple[list[Late], list[Contradiction]]:
    """Makes the network and a run over it, judges its late packets, and compares the divisions of their lags."""
    name = f"paths-{os.getpid()}"
    with tempfile.TemporaryDirectory(prefix="lagbench-paths-") as directory:
        work = Path(directory)
        with made_lab(home, work, name, cell.kind.network) as lab:
            made, exported, seen = _run_disturbed(home, work, lab, cell)
        with exported.open(newline="") as file:
            rows = list(csv.DictReader(file))
        contradicting = contradictions(rows, _divided(home, work, cell.transport, made))
    return judge(rows, *_stamps_ns(cell.transport, made, seen), cell.transport in HELD), contradicting


def _share(part: int, whole: int) -> str:
    low, high = wilson(part, whole)
    return f"{part / whole:6.1%} ({low:.1%} to {high:.1%})" if whole else "none"


def print_judged(title: str, late: Sequence[Late]) -> None:
    known = [one for one in late if one.known]
    right, blamed = sum(one.right for one in known), sum(one.blames_idle_host for one in late)
    where = Counter(one.where for one in late)
    print(f"{title:48} {len(late):6}  {where['sender']:6} {where['path']:6} {where['receiver']:6}"
          f"  {_share(right, len(known)):26} {_share(len(late) - len(known), len(late)):26}"
          f" {_share(blamed, len(late)):26} {os.getloadavg()[0]:4.1f}", flush=True)  # fmt: skip


def _certainly_wrong(late: Sequence[Late]) -> bool:
    """Whether certainly less of a cell is right, or more of it is blamed on an idle host, than may be."""
    known = [one for one in late if one.known]
    return (len(known) > 0 and wilson(sum(one.right for one in known), len(known))[1] < RIGHT_MIN) or (
        len(late) > 0 and wilson(sum(one.blames_idle_host for one in late), len(late))[0] > BLAMED_MAX
    )


@contextmanager
def _busy(programs: int) -> Iterator[None]:
    """Keeps processors busy with other programs."""
    with ExitStack() as started:
        for _ in range(programs):
            started.callback(Program("busy", [sys.executable, "-c", _BUSY]).end, signal.SIGKILL)
        yield


def judge_paths(home: Path, only: str, rounds: int, busy: int, smoke: bool = False) -> bool:
    """Runs each kind, prints what it found, and returns whether the causes are as right as they must be.

    A cause that is of another place than the ledger, the stamps or the explanation of the same packet is wrong.

    :param rounds: the most runs of a cell, which ends when it has LATE_MIN late packets
    :param busy: the number of other programs that load the processors
    """
    print(f"{'disturbance, transport, engine, observation':48} {'late':>6}  {'sender':>6} {'path':>6} {'receiv':>6}"
          f"  {'right where known':26} {'unknown':26} {'blamed on an idle host':26} load")  # fmt: skip
    found: list[Late] = []
    wrong: Counter[tuple[str, Late]] = Counter()
    contradicted: Counter[tuple[str, ...]] = Counter()
    failed, cells_wrong = 0, 0
    with _busy(busy):
        for cell in cells(only)[: 1 if smoke else None]:
            late: list[Late] = []
            for _ in range(rounds):
                if len(late) >= LATE_MIN:
                    break
                try:
                    judged, contradicting = disturb(home, cell)
                except Failed as failure:
                    failed += 1
                    print(f"not judged: {cell.title}: {failure}", flush=True)
                    continue
                late += judged
                contradicted.update((cell.title, *one[1:]) for one in contradicting)
            found += late
            cells_wrong += _certainly_wrong(late)
            wrong.update((cell.title, one) for one in late if one.known and not one.right)
            print_judged(cell.title, late)
    print_judged("all", found)
    for (title, one), number in sorted(wrong.items(), key=lambda item: -item[1]):
        print(f"{number} packets of {title}: late at the {one.where}, attributed to {one.side} {one.cause}")
    for (title, cause, division, place), number in sorted(contradicted.items(), key=lambda item: -item[1]):
        print(f"{number} packets of {title}: attributed to {cause}, by the {division} late at the {place}")
    print(f"{cells_wrong} cells are certainly worse than {RIGHT_MIN:.0%} right or {BLAMED_MAX:.0%} blamed")
    print(f"{contradicted.total()} causes contradict the ledger, the stamps or the explanation of the same packet")
    known = [one for one in found if one.known]
    return (
        contradicted.total() == 0
        and failed == cells_wrong == 0
        and len(known) > 0
        and sum(one.right for one in known) >= RIGHT_MIN * len(known)
        and sum(one.blames_idle_host for one in found) <= BLAMED_MAX * len(found)
    )
