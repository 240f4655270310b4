"""The results as text."""

from cells import INTERVAL_US, METRICS, PACED_PER_SECOND
from intervals import CONFIDENCE, FEWEST
from peer import CONTROL
from results import JAVA_TO_C

_NAME_COLUMNS = 16
_FLOOD_METRICS = ("rate", "loss", "cpu", "threads")
_PACED_METRICS = ("rate", "loss", "lag50", "lag95", "lag99", "gap50", "gap99", "cpu", "threads", "rtt50", "rtt99")
_RATIOS = {True: ("rate", "cpu"), False: ("lag50", "lag95", "lag99", "gap99", "cpu")}

NOTES = """\
Each figure is the median of the rounds, with the least and the greatest of them in brackets. The programs of a cell run one
after the other, in an order shuffled anew in each round, a row of Java always beside the same row of C; with --control
those three follow each other.
Each ratio is the median of the ratios within a round, where what the machine does meanwhile falls on both. In brackets is
  where the median of rounds without end would be, with a confidence of {confidence:.0f} % or more (an interval by order
  statistics, whatever the distribution); fewer than {fewest} rounds with both have none.
packets/s and loss: of the steady part of each run, from the kernel's counters in the receiver's namespace (of UDP:
  datagrams taken by the application; of TCP: payload that came), not from what a program says of itself.
lag: one way, sent to received, as the program tells it. RTT is the round trip, in a column of its own: half of it is no
  one-way lag, since the way back and the answering program are in it.
gap: between packets as the kernel stamped them on the sending device, in the last part of each run, in which nothing else
  is measured, because capturing costs CPU; {interval} µs is right.
CPU: user and system time of all processes of both sides in the steady part, a packet received, by the kernel's clock of
  each process, the same for all: a JVM's start and warm-up are not in it, what its compiler and collector do meanwhile
  is. "of it threads" are the two threads that send and receive, over all recorded packets, as lagbench records them; peers
  tell nothing of the kind.
÷C: ratio to lagbench's C twin that waits in the same way (the C floor). That of lag Q95 is no goal: it is there since fewer
  rounds tell it than tell that of lag Q99.
lagbench records stamps alone (observe: nothing). Every program that can is given 4 MiB of receive buffer for UDP: lagbench,
  iperf3, sockperf, MGEN, nuttcp, qperf and netperf; irtt and D-ITG have the kernel's default. All send for as long.
Every program makes a call of its own for each packet and sleeps until one comes, but for rows of lagbench with "batch":
  a call moves up to 32 there, and the receiver looks for the next without sleeping (udp.batch, udp.busy-poll).
  In a flood over TCP qperf leaves Nagle's algorithm on, which gathers packets into segments: it is compared with the row of
  lagbench that does so too (nagle).
In a flood each side has half of the processors to itself, and in the rows "apart"; else, paced, both have all. All run
  before whatever else the machine does (nice -20).
D-ITG and MGEN write their logs while paced and none in a flood, where they are faster so."""

VERDICTS = """\
met, MISSED: all of the interval is on that side of the goal. Of 100 that miss it chance calls {wrong:.0f} met at most, of 100 that
  meet it {wrong:.0f} MISSED at most; more beside the best of several peers, which is picked for being ahead.
met?, MISSED?: the ratio is on that side, but the interval is on both, or there is none (fewer than {fewest} rounds): these rounds
  do not tell. More may (--rounds, --pairs)."""

_SUMMARY = {"met": "met", "met?": "perhaps met", "MISSED?": "perhaps missed", "MISSED": "missed"}


def print_results(results, lacking, reasons):
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
    _print_to_floor("Java to C", list(results.to_floor("java")))
    if control := list(results.to_floor(CONTROL)):
        _print_to_floor("Control, C to C: only chance tells them apart", control)
    _print_against_peers(results, list(results.against_peers()), reasons)


def _print_cell(results, cell):
    rows = results.cells[cell]
    metrics = _FLOOD_METRICS if cell.flood else _PACED_METRICS
    metrics = [metric for metric in metrics if any(row.values.get(metric) for row in rows.values())]
    ratios = _RATIOS[cell.flood]
    figures = [["", *(METRICS[metric][0] for metric in metrics)]]
    of_floor = [["÷C", *(METRICS[metric][0].removesuffix(" µs") for metric in ratios)]]
    for name, row in rows.items():
        kind = f" ({row.kind})" if row.implementation is None and row.kind != "flood" else ""
        figures.append([name + kind, *(_figure(row, metric) for metric in metrics)])
        to_floor = [results.ratio(cell, name, results.floor(cell, name), metric) for metric in ratios]
        if row.implementation != "c" and any(to_floor):
            of_floor.append([name, *map(_ratio, to_floor)])
    _print_table(figures)
    if len(of_floor) > 1:
        _print_table(of_floor)


def _figure(row, metric):
    values = row.all(metric)
    if not values:
        return "–"
    _, unit, _ = METRICS[metric]
    middle, least, greatest = (_number(value / unit) for value in (row.median(metric), min(values), max(values)))
    return middle if least == middle == greatest else f"{middle} [{least}–{greatest}]"


def _ratio(ratio):
    if ratio is None:
        return "–"
    if ratio.interval is None:
        return f"{ratio.median:.3f}"
    least, greatest = ratio.interval
    return f"{ratio.median:.3f} [{least:.3f}–{greatest:.3f}]"


def _number(value):
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.1f}"


def _print_table(table):
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    widths[0] = max(widths[0], _NAME_COLUMNS)
    for row in table:
        print("", row[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(row[1:], widths[1:])), sep="  ")


def _print_to_floor(title, judged):
    goals = "; ".join(
        f"{METRICS[metric][0].removesuffix(' µs')} {'≥' if METRICS[metric][2] else '≤'} {limit:.2f}"
        for metric, limit in JAVA_TO_C.items()
    )
    print(f"\n{title} ({goals})")
    _print_judged(judged, "no cell has both")


def _print_against_peers(results, ranked, reasons):
    print("\nlagbench to the best peer in each cell that waits in the same way and keeps the pace (rate ≥ 1; else ≤ 1)")
    _print_judged([of_peers[0] for of_peers in ranked], "no peer to compare with")
    better = [one for of_peers in ranked for one in of_peers if not one.met]
    print("\nWhere a peer is better (?: perhaps, since the interval has 1 in it or there is none)")
    for one in better:
        of_floor = results.ratio(one.cell, results.floor(one.cell, one.name), one.other, one.metric)
        print(f"{' ' if one.sure else '?'} {_judgement(one)}; C to it: {_ratio(of_floor)}")
        print(f"      {reasons.why(one.other, one.metric, one.cell.name)}")
    sure = sum(one.sure for one in better)
    print(f"  better {sure}, perhaps better {len(better) - sure}" if better else "  nowhere")


def _print_judged(judged, none):
    verdicts = [_verdict(one) for one in judged]
    for verdict, one in zip(verdicts, judged):
        print(f"  {verdict:7} {_judgement(one)}")
    if judged:
        summary = ", ".join(f"{words} {verdicts.count(verdict)}" for verdict, words in _SUMMARY.items())
        print(f"  of {len(judged)}: {summary}")
    else:
        print(f"  {none}")


def _verdict(one):
    return ("met" if one.met else "MISSED") + ("" if one.sure else "?")


def _judgement(one):
    return f"{_ratio(one.ratio):21}  {one.cell.name:14} {one.metric:6} {one.name} to {one.other}"
