"""Runs lagbench and its peers side by side and prints what came of them; scripts/compare-peers starts it."""

import argparse
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from cells import Length, all_cells
from comparison import PREFIX, Comparison, Extent
from ditg import Ditg
from iperf3 import Iperf3
from irtt import Irtt
from lagbench import every_row
from mgen import Mgen
from namespaces import remove_leftovers
from netperf import Netperf
from nuttcp import Nuttcp
from owamp import Owamp
from printing import print_results
from qperf import Qperf
from reasons import Reasons
from sockperf import Sockperf

_QUICK_CELLS = ("udp/24/8000", "udp/24/flood", "tcp/992/8000", "tcp/992/flood")
_FIRST = -20  # the nice value: what else the machine does comes after
_PEERS = (Iperf3, Sockperf, Irtt, Ditg, Mgen, Nuttcp, Qperf, Netperf, Owamp)


def _options():
    parser = argparse.ArgumentParser(
        prog="scripts/compare-peers",
        description="Runs lagbench, its C twin and every peer that is installed side by side, in two network"
        " namespaces of this machine, in shuffled order; prints rates, loss, lags, gaps as the kernel saw them and CPU a"
        " packet, with the ratio to the C twin, what of it met the goals and how sure that is, and where a peer is better. As"
        " root. Takes about 50 minutes, with --quick about three; it says so first.",
        epilog="What is the same for all: the path, two namespaces and a veth pair, made anew for each run; the packets'"
        " size, pace and how long they are sent; 4 MiB of receive buffer for UDP, where a program can be told; counters"
        " of the kernel for rates, loss, gaps and CPU, of which the processes' on both sides count from the first to the"
        " last packet of the steady part. A peer that spins is compared with lagbench spinning, one that sleeps with"
        " lagbench sleeping. validation/peers/README.md says more.",
    )
    parser.add_argument("--rounds", type=int, metavar="N",
                        help="how often each is run (default: 5, the fewest that can make a verdict sure)")  # fmt: skip
    parser.add_argument("--pairs", type=int, metavar="N",
                        help="how often lagbench and its twin in C are run (default: as often as all)")  # fmt: skip
    parser.add_argument("--minutes", type=float, metavar="M",
                        help="begin no run that would end later; the rest can be made with --append")  # fmt: skip
    parser.add_argument("--control", action="store_true",
                        help="run the C twin a second time in each round, to tell what of the ratios is chance")  # fmt: skip
    parser.add_argument("--seconds", type=int, default=2, metavar="S",
                        help="how long each sends at a pace (default: 2)")  # fmt: skip
    parser.add_argument("--flood-seconds", type=int, default=1, metavar="S",
                        help="how long each sends as fast as it can (default: 1)")  # fmt: skip
    parser.add_argument("--peers", metavar="A,B", help="only these programs, such as java,c,iperf3 (default: all)")
    parser.add_argument("--without", metavar="A,B", help="leave out programs with one of these in their names: hybrid")
    parser.add_argument("--cells", metavar="A,B", help="only cells with one of these in their names, such as udp/24")
    parser.add_argument("--quick", action="store_true", help="one round, in four cells")
    parser.add_argument("--list", action="store_true", help="print programs and cells, and run nothing")
    parser.add_argument("--json", metavar="FILE", help="write all figures of all runs there as well, after each run")
    parser.add_argument("--append", action="store_true",
                        help="take over the runs that --json's FILE has, and make those that are lacking of --rounds")
    parser.add_argument("--install", action="store_true", help="first install the peers that are Debian packages")
    parser.add_argument("--home", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.append and not options.json:
        parser.error("--append needs --json")
    if options.rounds is None:
        options.rounds = 1 if options.quick else 5
    if options.pairs is None:
        options.pairs = options.rounds
    for name in ("rounds", "pairs", "seconds", "flood_seconds"):
        if getattr(options, name) < 1:
            parser.error(f"--{name.replace('_', '-')} takes 1 or more")
    return options


def _chosen_cells(options):
    wanted = options.cells.split(",") if options.cells else _QUICK_CELLS if options.quick else [""]
    return [cell for cell in all_cells() if any(text in cell.name for text in wanted)]


def _chosen_peers(options, peers):
    wanted = options.peers.lower().split(",") if options.peers else None
    unwanted = options.without.lower().split(",") if options.without else []
    return [
        peer for peer in peers
        if (not wanted or peer.name.lower() in wanted or peer.name.lower().split()[0] in wanted)
        and not any(text in peer.name.lower() for text in unwanted)
    ]  # fmt: skip


def _install():
    packages = [peer.package for peer in _PEERS if peer.package and peer().missing()]
    if packages:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "--quiet", *command], env=environment, stdin=subprocess.DEVNULL, check=True,
                           stdout=sys.stderr)  # fmt: skip


def _end_once(*_):
    """The first signal ends the comparison; whatever cleans up after it is not broken off by another."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _earlier_runs(options):
    if not options.append or not os.path.exists(options.json):
        return []
    with open(options.json, encoding="utf-8") as file:
        return json.load(file)["runs"]


def _compare(options, work):
    os.setpriority(os.PRIO_PROCESS, 0, _FIRST)  # and so do all programs that it starts
    key = os.path.join(work, "key")
    with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(os.urandom(32).hex().encode())
    peers = _chosen_peers(options, [*every_row(options.home, key), *(peer() for peer in _PEERS)])
    if options.control:
        peers += [peer.control() for peer in peers if peer.implementation == "c"]
    cells = _chosen_cells(options)
    if options.list:
        print(*(f"{peer.name}: {peer.missing() or 'here'}" for peer in peers), *(c.name for c in cells), sep="\n")
        return 0
    if not peers or not cells:
        print("compare-peers: nothing has these names; see scripts/compare-peers --list", file=sys.stderr)
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
        print("compare-peers: interrupted; what follows is of the runs so far", file=sys.stderr)
        ended = 130
    print_results(comparison.results, comparison.lacking, reasons)
    return ended


def main():
    options = _options()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end_once)
    try:
        if options.install:
            _install()
        remove_leftovers(PREFIX)
        work = tempfile.mkdtemp(prefix="lagbench-compare-")
        try:
            return _compare(options, work)
        finally:
            shutil.rmtree(work)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
