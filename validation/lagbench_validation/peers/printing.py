"""The results as text."""

from collections.abc import Mapping, Sequence
from statistics import median

from lagbench_validation.peers.cells import INTERVAL_US, METRICS, PACED_PER_SECOND, Cell
from lagbench_validation.peers.lagbench import C_ENGINE, JAVA_ENGINES
from lagbench_validation.peers.peer import CONTROL
from lagbench_validation.peers.reasons import Reasons
from lagbench_validation.peers.results import JAVA_TO_C, Judged, Ratio, Results, Row
from lagbench_validation.quantiles import CONFIDENCE, FEWEST

_NAME_COLUMNS = 16
_FLOOD_METRICS = ("rate", "loss", "cpu", "threads")
_PACED_METRICS = ("rate", "loss", "lag50", "lag95", "lag99", "gap50", "gap99", "cpu", "threads", "rtt50", "rtt99")
_RATIOS = {True: ("rate", "cpu"), False: ("lag50", "lag95", "lag99", "gap99", "cpu")}

NOTES = """\
Each figure is the median of the rounds, with the least and the greatest of them in brackets. The programs of a cell run
  one after the other, in an order shuffled anew in each round; the rows of lagbench that differ in the engine alone
  follow each other.
Each ratio is the median of the ratios within a round, where what the machine does meanwhile falls on both. In brackets
  is its confidence interval of {confidence:.0f} % or more, by order statistics, whatever the distribution; fewer than
  {fewest} rounds with both have none.
packets/s and loss: of the steady part of each run, from the kernel's counters in the receiver's namespace (UDP:
  payload that came, less the datagrams that no application took; TCP: payload that came), not from what a program
  says of itself.
lag: one way, sent to received, as the program reports it. RTT is the round trip, in its own column: half of it is no
  one-way lag, since the way back and the answering program are in it.
gap: between packets as the kernel stamped them on the sending device, in the last part of each run, in which nothing
  else is measured, because capturing costs CPU; {interval} µs is right.
CPU: user and system time of all processes of both sides in the steady part, a packet received, by the kernel's clock of
  each process. A JVM's start and warm-up are not in it; what its compiler and collector do meanwhile is. "of it
  threads" are the two threads that send and receive, over all recorded packets, which lagbench alone records.
÷C: ratio to lagbench's C engine that waits in the same way. That of lag Q95 is no goal: fewer rounds tell it than tell
  that of lag Q99.
lagbench records stamps alone (observe: nothing). Every program that can has 4 MiB of receive buffer for UDP: lagbench,
  iperf3, sockperf, MGEN, nuttcp, qperf and netperf; irtt and D-ITG have the kernel's default. All send for as long.
Every program makes a call for each packet and sleeps until one comes, except rows of lagbench with "batch" or
  "offload": a call moves up to 32 packets there over UDP, 64 over TCP or with offload, and with a batch over UDP the
  receiver polls for the next (udp.batch, udp.busy-poll, tcp.batch, udp.offload). In a flood over TCP qperf leaves
  Nagle's algorithm on, which gathers packets into segments: it is compared with the row of lagbench that does so too.
In a flood, and in the rows "apart", each side has half of the processors to itself; else both have all. All run at nice
  -20. D-ITG and MGEN write their logs while paced and none in a flood, where they are faster so."""

VERDICTS = """\
met, MISSED: all of the interval is on that side of the goal. Of 100 that miss it chance calls {wrong:.0f} met at most,
  of 100 that meet it {wrong:.0f} MISSED at most; more beside the best of several peers, which is picked as the best.
met?, MISSED?: the ratio is on that side, but the interval is on both, or there is none (fewer than {fewest} rounds):
  these rounds do not tell. More may (--rounds, --pairs)."""

_SUMMARY = {"met": "met", "met?": "perhaps met", "MISSED?": "perhaps missed", "MISSED": "missed"}


def print_results(results: Results, lacking: Mapping[tuple[Cell, str], str], reasons: Reasons) -> None:
    for cell, rows in results.cells.items():
        print(f"\n{cell.transport.upper()}, {cell.packet_bytes} bytes, "
              f"{'flood' if cell.flood else f'{PACED_PER_SECOND:,} packets/s'}")  # fmt: skip
        _print_cell(results, cell)
        for name, row in rows.items():
            why = lacking.get((cell, name)) or (row.whys[-1] if row.whys else None)
            if why:
                failed = f" ({len(row.whys)} runs)" if row.values and row.whys else ""
                print(f"  – {name}: {why}{failed}")
    print("\n" + NOTES.format(interval=INTERVAL_US, confidence=100 * CONFIDENCE, fewest=FEWEST))
    print("\n" + VERDICTS.format(wrong=100 * (1 - CONFIDENCE) / 2, fewest=FEWEST))
    _print_to_floor("Java to C", list(results.to_floor(JAVA_ENGINES)))
    if control := list(results.to_floor([CONTROL])):
        _print_to_floor("Control, C to C: only chance tells them apart", control)
    _print_against_peers(results, list(results.against_peers()), reasons)


def _print_cell(results: Results, cell: Cell) -> None:
    rows = results.cells[cell]
    metrics = _FLOOD_METRICS if cell.flood else _PACED_METRICS
    shown = [metric for metric in metrics if any(row.values.get(metric) for row in rows.values())]
    ratios = _RATIOS[cell.flood]
    figures = [["", *(METRICS[metric][0] for metric in shown)]]
    of_floor = [["÷C", *(METRICS[metric][0].removesuffix(" µs") for metric in ratios)]]
    for name, row in rows.items():
        kind = f" ({row.kind})" if row.engine is None and row.kind != "flood" else ""
        figures.append([name + kind, *(_figure(row, metric) for metric in shown)])
        to_floor = [results.ratio(cell, name, results.floor(cell, name), metric) for metric in ratios]
        if row.engine != C_ENGINE and any(to_floor):
            of_floor.append([name, *map(_ratio, to_floor)])
    _print_table(figures)
    if len(of_floor) > 1:
        _print_table(of_floor)


def _figure(row: Row, metric: str) -> str:
    values = row.all(metric)
    if not values:
        return "–"
    _, unit, _ = METRICS[metric]
    middle, least, greatest = (_number(value / unit) for value in (median(values), min(values), max(values)))
    return middle if least == middle == greatest else f"{middle} [{least}–{greatest}]"


def _ratio(ratio: Ratio | None) -> str:
    if ratio is None:
        return "–"
    if ratio.interval is None:
        return f"{ratio.median:.3f}"
    least, greatest = ratio.interval
    return f"{ratio.median:.3f} [{least:.3f}–{greatest:.3f}]"


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
    print("\nlagbench to the best peer in each cell that waits in the same way and keeps the pace (rate ≥ 1; else ≤ 1)")
    _print_judged([of_peers[0] for of_peers in ranked], "no peer to compare with")
    better = [one for of_peers in ranked for one in of_peers if not one.met]
    print("\nWhere a peer is better (?: perhaps, since the interval has 1 in it or there is none)")
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
