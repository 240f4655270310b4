"""The results as text."""

from cells import METRICS, PACED_PER_SECOND

_NAME_COLUMNS = 22
_FLOOD_METRICS = ("rate", "loss", "cpu", "threads")
_PACED_METRICS = ("rate", "loss", "lag50", "lag95", "lag99", "rtt50", "rtt99", "gap50", "gap99", "cpu", "threads")
_RATIOS = {True: ("rate", "cpu"), False: ("lag50", "lag99", "gap99", "cpu")}

NOTES = """\
Each figure is the median of the rounds, with the least and the greatest of them in brackets.
packets/s and loss: of the steady part of each run, from the kernel's counters in the receiver's namespace (of UDP:
  datagrams taken by the application; of TCP: payload that came), not from what a program says of itself.
lag: one way, sent to received, as the program tells it. RTT is the round trip, in a column of its own: half of it is no
  one-way lag, since the way back and the answering program are in it.
gap: between packets as the kernel stamped them on the sending device, in rounds of their own; {interval} µs is right.
CPU: user and system time of all processes of both sides in the steady part, a packet received: a JVM's start and
  warm-up are not in it, what its compiler and collector do meanwhile is; of short runs that is more a packet than of long
  ones (the compiler is still at work some 30,000 packets after the start). "of it threads" are the two threads that send and
  receive, over all recorded packets, as lagbench records them; peers tell nothing of the kind.
÷C: ratio of the medians to lagbench's C twin that waits in the same way (the C floor).
lagbench records stamps alone (observe: nothing) unless the row says +causes. Every program that can is given 4 MiB of
  receive buffer for UDP: lagbench, iperf3, sockperf, MGEN, nuttcp and qperf; irtt and D-ITG have the kernel's default.
Every program makes a call of its own for each packet. In a flood over TCP qperf leaves Nagle's algorithm on, which
  gathers packets into segments: it is compared with the row of lagbench that does so too (nagle).
D-ITG and MGEN write their logs while paced and none in a flood, where they are faster so."""


def print_results(results, of_lagbench, reasons):
    for cell, rows in results.cells.items():
        metrics = _FLOOD_METRICS if cell.flood else _PACED_METRICS
        metrics = [metric for metric in metrics if any(row.values.get(metric) for row in rows.values())]
        print(f"\n{cell.transport.upper()}, {cell.packet_bytes} bytes, "
              f"{'flood' if cell.flood else f'{PACED_PER_SECOND:,} packets/s'}")  # fmt: skip
        table = [["", *(METRICS[metric][0] for metric in metrics), *(f"÷C {name}" for name in _RATIOS[cell.flood])]]
        footnotes = []
        for name, row in rows.items():
            cells = [_figure(row, metric) for metric in metrics] + [
                _ratio(results.ratio(cell, name, results.floor(cell, name), metric)) for metric in _RATIOS[cell.flood]
            ]
            kind = f" ({row.kind})" if name not in of_lagbench and row.kind != "flood" else ""
            table.append([name + kind, *cells])
            why = reasons.get((cell, name)) or (row.whys[-1] if row.whys else None)
            if why:
                missed = f" ({len(row.whys)} rounds)" if row.values and row.whys else ""
                footnotes.append(f"  – {name}: {why}{missed}")
        _print_table(table)
        print(*footnotes, sep="\n" if footnotes else "")
    print("\n" + NOTES.format(interval=1_000_000 // PACED_PER_SECOND))
    _print_verdicts(results, of_lagbench)


def _figure(row, metric):
    values = row.values.get(metric)
    if not values:
        return "–"
    _, unit, _ = METRICS[metric]
    texts = [_number(value / unit) for value in (row.median(metric), min(values), max(values))]
    return f"{texts[0]} [{texts[1]}–{texts[2]}]" if len(values) > 1 else texts[0]


def _number(value):
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.1f}"


def _ratio(value):
    return "–" if value is None else f"{value:.2f}"


def _print_table(table):
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    widths[0] = max(widths[0], _NAME_COLUMNS)
    for row in table:
        print(row[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(row[1:], widths[1:])), sep="  ")


def _print_verdicts(results, of_lagbench):
    print("\nJava to C (rate ≥ 0.98; lag Q50 ≤ 1.05, Q99 ≤ 1.10; gap Q99 ≤ 1.05; CPU ≤ 1.10, of all and of the threads)")
    judged = [(f"{cell.name} {name} {metric}", ratio, good) for cell, name, metric, ratio, good in results.java_to_c()]
    _print_judged(judged, "no cell has both")
    print("\nAgainst the best peer in each cell that waits in the same way and keeps the pace (rate ≥ 1; else ≤ 1)")
    judged = [
        (f"{cell.name} {name} {metric} to {best}", ratio, good)
        for cell, name, metric, best, ratio, good in results.against_peers(of_lagbench)
    ]
    _print_judged(judged, "no peer to compare with")


def _print_judged(judged, none):
    if not judged:
        print(f"  {none}")
        return
    for what, ratio, good in judged:
        print(f"  {'yes' if good else 'NO ':3}  {ratio:6.3f}  {what}")
    print(f"  {sum(good for _, _, good in judged)} of {len(judged)}")
