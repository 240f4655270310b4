"""The results as text."""

from collections.abc import Mapping, Sequence
from statistics import median

from lagbench_validation.peers.cells import INTERVAL_US, METRICS, PACED_PER_SECOND, Cell
from lagbench_validation.peers.lagbench import C_ENGINE, JAVA_ENGINES
from lagbench_validation.peers.peer import CONTROL
from lagbench_validation.peers.reasons import Reasons
from lagbench_validation.peers.results import JAVA_TO_C, Judged, Ratio, Results, Row
from lagbench_validation.quantiles import CONFIDENCE, VALUES_MIN

_NAME_COLUMNS = 16
_FLOOD_METRICS = ("rate", "loss", "cpu", "threads")
_PACED_METRICS = ("rate", "loss", "lag50", "lag95", "lag99", "gap50", "gap99", "cpu", "threads", "rtt50", "rtt99")
_RATIOS = {True: ("rate", "cpu"), False: ("lag50", "lag95", "lag99", "gap99", "cpu")}

NOTES = """\
Each value is the median of the rounds, with min and max in brackets. The programs of a cell run one
  at a time, in an order shuffled anew in each round. Rows of lagbench that differ only in the engine are
  adjacent.
Each ratio is the median of the ratios within a round, where other load of the machine affects both. In brackets is its
  confidence interval of at least {confidence:.0f} % by order statistics; fewer than {count} common rounds have none.
packets/s, loss: of the steady part of each run, from the kernel's counters in the receiver's namespace, not from the
  program's report: payload that arrived, with UDP less the datagrams that no application received.
lag: one way, sent to received, as the program reports it. RTT is the round trip. Half of an RTT is no one-way lag: it
  includes the reply and the replying program.
gap: between packets by the kernel's stamps on the sending device, in the last part of each run. Capturing costs CPU, so
  nothing else is measured in that part. {interval} µs is exact.
CPU: user and system time of all processes of both sides in the steady part, per received packet. It excludes a JVM's
  start and warm-up, and includes its compiler and collector. "of it threads": the two threads that send and receive,
  over all recorded packets; only lagbench records it.
÷C: ratio to lagbench's C engine that waits in the same way. Lag Q95 has no goal; it needs fewer rounds than lag Q99.
lagbench records only stamps (observe: none). The receive buffer for UDP is 4 MiB for lagbench, iperf3, sockperf,
  MGEN, nuttcp, qperf and netperf; irtt and D-ITG have the kernel's default. All programs send for the same time.
Every program makes a call per packet, and its receiver sleeps until a packet arrives. Exceptions are rows of lagbench
  with "batch" or "offload": a call moves up to 32 packets over UDP, 64 over TCP or with offload, and with a batch over
  UDP the receiver polls (udp.batch, udp.busy-poll, tcp.batch, udp.offload). In a flood over TCP qperf leaves Nagle's
  algorithm on, which joins packets into segments: it is compared with the row of lagbench that does the same.
In a flood, and in the rows "apart", each side has half of the processors; otherwise both share all. All run at
  nice -20. D-ITG and MGEN write logs when paced, and none in a flood, where that makes them faster."""

VERDICTS = """\
met, MISSED: the whole interval is on that side of the goal. At most {wrong:.0f} of 100 verdicts are wrong by chance,
  more against the best of several peers, because it is selected as the best.
met?, MISSED?: the ratio is on that side, but the interval is on both, or there is none (fewer than {count} rounds):
  these rounds are not sufficient. More may be (--rounds, --pairs)."""

_SUMMARY = {"met": "met", "met?": "perhaps met", "MISSED?": "perhaps missed", "MISSED": "missed"}


def print_results(results: Results, missing: Mapping[tuple[Cell, str], str], reasons: Reasons) -> None:
    for cell, rows in results.cells.items():
        print(f"\n{cell.transport.upper()}, {cell.packet_bytes} bytes, "
              f"{'flood' if cell.flood else f'{PACED_PER_SECOND:,} packets/s'}")  # fmt: skip
        _print_cell(results, cell)
        for name, row in rows.items():
            why = missing.get((cell, name)) or (row.failures[-1] if row.failures else None)
            if why:
                failed = f" ({len(row.failures)} runs)" if row.values and row.failures else ""
                print(f"  – {name}: {why}{failed}")
    print("\n" + NOTES.format(interval=INTERVAL_US, confidence=100 * CONFIDENCE, count=VALUES_MIN))
    print("\n" + VERDICTS.format(wrong=100 * (1 - CONFIDENCE) / 2, count=VALUES_MIN))
    _print_to_floor("Java to C", list(results.to_floor(JAVA_ENGINES)))
    if control := list(results.to_floor([CONTROL])):
        _print_to_floor("Control, C to C: any difference is chance", control)
    _print_against_peers(results, list(results.against_peers()), reasons)


def _print_cell(results: Results, cell: Cell) -> None:
    rows = results.cells[cell]
    metrics = _FLOOD_METRICS if cell.flood else _PACED_METRICS
    shown = [metric for metric in metrics if any(row.values.get(metric) for row in rows.values())]
    ratios = _RATIOS[cell.flood]
    table = [["", *(METRICS[metric][0] for metric in shown)]]
    of_floor = [["÷C", *(METRICS[metric][0].removesuffix(" µs") for metric in ratios)]]
    for name, row in rows.items():
        kind = f" ({row.kind})" if row.engine is None and row.kind != "flood" else ""
        table.append([name + kind, *(_value(row, metric) for metric in shown)])
        to_floor = [results.ratio(cell, name, results.floor(cell, name), metric) for metric in ratios]
        if row.engine != C_ENGINE and any(to_floor):
            of_floor.append([name, *map(_ratio, to_floor)])
    _print_table(table)
    if len(of_floor) > 1:
        _print_table(of_floor)


def _value(row: Row, metric: str) -> str:
    values = row.all(metric)
    if not values:
        return "–"
    _, unit, _ = METRICS[metric]
    middle, low, high = (_number(value / unit) for value in (median(values), min(values), max(values)))
    return middle if low == middle == high else f"{middle} [{low}–{high}]"


def _ratio(ratio: Ratio | None) -> str:
    if ratio is None:
        return "–"
    if ratio.interval is None:
        return f"{ratio.median:.3f}"
    low, high = ratio.interval
    return f"{ratio.median:.3f} [{low:.3f}–{high:.3f}]"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.1f}"


def _print_table(table: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    widths[0] = max(widths[0], _NAME_COLUMNS)
    for row in table:
        print(
            "",
            row[0].ljust(widths[0]),
            *(text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)),
            sep="  ",
        )


def _print_to_floor(title: str, judged: Sequence[Judged]) -> None:
    goals = "; ".join(
        f"{METRICS[metric][0].removesuffix(' µs')} {'≥' if METRICS[metric][2] else '≤'} {limit:.2f}"
        for metric, limit in JAVA_TO_C.items()
    )
    print(f"\n{title} ({goals})")
    _print_judged(judged, "no cell has both")


def _print_against_peers(results: Results, ranked: Sequence[Sequence[Judged]], reasons: Reasons) -> None:
    print("\nlagbench ÷ the best peer with the same kind of wait that meets the pace, per cell (rate ≥ 1, others ≤ 1)")
    _print_judged([of_peers[0] for of_peers in ranked], "no peer to compare with")
    better = [one for of_peers in ranked for one in of_peers if not one.met]
    print("\nWhere a peer is better (?: perhaps, because the interval contains 1 or there is none)")
    for one in better:
        floor = results.floor(one.cell, one.name)
        of_floor = results.ratio(one.cell, floor, one.other, one.metric) if floor else None
        print(f"{' ' if one.sure else '?'} {_judgement(one)}; C to it: {_ratio(of_floor)}")
        print(f"      {reasons.why(one.other, one.metric, one.cell.name)}")
    sure = sum(one.sure for one in better)
    print(f"  better {sure}, perhaps better {len(better) - sure}" if better else "  nowhere")


def _print_judged(judged: Sequence[Judged], none: str) -> None:
    verdicts = [_verdict(one) for one in judged]
    for verdict, one in zip(verdicts, judged, strict=True):
        print(f"  {verdict:7} {_judgement(one)}")
    if judged:
        summary = ", ".join(f"{words} {verdicts.count(verdict)}" for verdict, words in _SUMMARY.items())
        print(f"  of {len(judged)}: {summary}")
    else:
        print(f"  {none}")


def _verdict(one: Judged) -> str:
    return ("met" if one.met else "MISSED") + ("" if one.sure else "?")


def _judgement(one: Judged) -> str:
    return f"{_ratio(one.ratio):21}  {one.cell.name:14} {one.metric:6} {one.name} to {one.other}"
