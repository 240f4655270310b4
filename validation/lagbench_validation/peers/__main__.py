"""Runs lagbench and its peers side by side and prints the results; scripts/validate peers starts it."""

import argparse
import json
import math
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from lagbench_validation.key import make_key
from lagbench_validation.namespaces import remove_leftovers
from lagbench_validation.peers.cells import Cell, Length, all_cells
from lagbench_validation.peers.comparison import MAKER, Comparison, Extent
from lagbench_validation.peers.ditg import Ditg
from lagbench_validation.peers.iperf3 import Iperf3
from lagbench_validation.peers.irtt import Irtt
from lagbench_validation.peers.lagbench import C_ENGINE, Lagbench, every_row
from lagbench_validation.peers.mgen import Mgen
from lagbench_validation.peers.netperf import Netperf
from lagbench_validation.peers.nuttcp import Nuttcp
from lagbench_validation.peers.owamp import Owamp
from lagbench_validation.peers.peer import Peer
from lagbench_validation.peers.printing import print_results
from lagbench_validation.peers.qperf import Qperf
from lagbench_validation.peers.reasons import Reasons
from lagbench_validation.peers.sockperf import Sockperf
from lagbench_validation.processes import run
from lagbench_validation.program import INTERRUPTED, make_parser, run_main

_QUICK_CELLS = ("udp/24/8000", "udp/24/flood", "tcp/992/8000", "tcp/992/flood")
_SMOKE_PEERS = ("java sleep", "c sleep", "iperf3")
_NICE = -20  # the highest priority
_PEERS: tuple[type[Peer], ...] = (Iperf3, Sockperf, Irtt, Ditg, Mgen, Nuttcp, Qperf, Netperf, Owamp)


def _options() -> argparse.Namespace:
    parser = make_parser(
        "peers",
        "Runs lagbench with each engine and every peer that is installed side by side, in two network"
        " namespaces of this machine, in shuffled order. Prints rates, loss, lags, the kernel's gaps and CPU time per"
        " packet, the ratios to the C engine, which goals are met and how certain that is, and where a peer is better."
        " Needs root. Takes about 50 minutes, with --quick about three; prints an estimate first.",
        "the engines java and c and the installed peers in one cell",
        "The same for all programs: two namespaces and a veth pair, made anew for each run; size, pace and"
        " duration of the packets; 4 MiB of receive buffer for UDP, if the program has an option for it; the kernel's"
        " counters for rates, loss, gaps and CPU time. A peer that spins is compared with lagbench spinning, one that"
        " sleeps with lagbench sleeping. validation/peers/README.md has the method.",
    )
    parser.add_argument("--rounds", type=int, metavar="N",
                        help="runs of each program in each cell (default: 5, the minimum for certainty)")  # fmt: skip
    parser.add_argument("--pairs", type=int, metavar="N",
                        help="runs of lagbench in each cell (default: as --rounds)")  # fmt: skip
    parser.add_argument("--minutes", type=float, metavar="M",
                        help="start no run that would end later; --append runs the rest")  # fmt: skip
    parser.add_argument("--control", action="store_true",
                        help="run the C engine twice in each round, to show how much of a ratio is chance")  # fmt: skip
    parser.add_argument("--seconds", type=int, default=2, metavar="S",
                        help="duration of a paced run (default: 2)")  # fmt: skip
    parser.add_argument("--flood-seconds", type=int, default=1, metavar="S",
                        help="duration of a flood (default: 1)")  # fmt: skip
    parser.add_argument("--peers", metavar="A,B", help="only these programs, such as java,c,iperf3 (default: all)")
    parser.add_argument(
        "--without", metavar="A,B", help="exclude programs with one of these in their names, such as hybrid"
    )
    parser.add_argument("--cells", metavar="A,B", help="only cells with one of these in their names, such as udp/24")
    parser.add_argument("--quick", action="store_true", help="one round, in four cells")
    parser.add_argument("--list", action="store_true", help="print programs and cells, and run nothing")
    parser.add_argument(
        "--json", metavar="FILE", type=Path, help="write all metrics of all runs to FILE after each run"
    )
    parser.add_argument(
        "--append",
        action="store_true",
        help="keep the runs in --json's FILE, and run the missing ones of --rounds",
    )
    parser.add_argument("--install", action="store_true", help="first install missing peers that are Debian packages")
    options = parser.parse_args()
    if options.append and not options.json:
        parser.error("--append needs --json")
    if options.rounds is None:
        options.rounds = 1 if options.quick or options.smoke else 5
    if options.pairs is None:
        options.pairs = options.rounds
    for name in ("rounds", "pairs", "seconds", "flood_seconds"):
        if getattr(options, name) < 1:
            parser.error(f"--{name.replace('_', '-')}: the minimum is 1")
    return options


def _chosen_cells(options: argparse.Namespace) -> list[Cell]:
    usual = _QUICK_CELLS[:1] if options.smoke else _QUICK_CELLS if options.quick else ("",)
    wanted = options.cells.split(",") if options.cells else usual
    return [cell for cell in all_cells() if any(text in cell.name for text in wanted)]


def _chosen_peers(options: argparse.Namespace, peers: list[Peer]) -> list[Peer]:
    wanted = options.peers.lower().split(",") if options.peers else _SMOKE_PEERS if options.smoke else None
    unwanted = options.without.lower().split(",") if options.without else []
    return [
        peer for peer in peers
        if (not wanted or peer.name.lower() in wanted or peer.name.lower().split()[0] in wanted)
        and not any(text in peer.name.lower() for text in unwanted)
    ]  # fmt: skip


def _install() -> None:
    packages = [peer.package for peer in _PEERS if peer.package and peer().missing()]
    if packages:
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            run(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", *command])


def _earlier_runs(options: argparse.Namespace) -> Any:
    if not options.append or not options.json.exists():
        return []
    return json.loads(options.json.read_text("utf-8"))["runs"]


def _compare(options: argparse.Namespace, work: Path) -> int:
    os.setpriority(os.PRIO_PROCESS, 0, _NICE)  # and of all programs that it starts
    every = [*every_row(options.home, make_key(work)), *(peer() for peer in _PEERS)]
    peers = _chosen_peers(options, every)
    if options.control:
        peers += [peer.control() for peer in peers if isinstance(peer, Lagbench) and peer.engine == C_ENGINE]
    cells = _chosen_cells(options)
    if options.list:
        print(*(f"{peer.name}: {peer.missing() or 'here'}" for peer in peers), *(cell.name for cell in cells), sep="\n")
        return 0
    if not peers or not cells:
        print("no program or cell has these names; see scripts/validate peers --list", file=sys.stderr)
        return 2
    reasons = Reasons.read()
    length = Length(options.seconds, options.flood_seconds)
    seconds = options.minutes * 60 if options.minutes is not None else math.inf
    extent = Extent(options.rounds, options.pairs, length, seconds)
    comparison = Comparison(peers, cells, extent, work, options.json)
    comparison.count(_earlier_runs(options))
    ended = 0
    try:
        comparison.run()
    except KeyboardInterrupt:
        print("interrupted; results of the runs so far:", file=sys.stderr)
        ended = INTERRUPTED
    print_results(comparison.results, comparison.missing, reasons)
    print(comparison.summary())
    return ended or int(comparison.has_failed)


def main() -> int:
    options = _options()
    if options.install:
        _install()
    remove_leftovers(MAKER)
    with tempfile.TemporaryDirectory(prefix="lagbench-peers-") as work:
        return _compare(options, Path(work))


if __name__ == "__main__":
    run_main("peers", main)
