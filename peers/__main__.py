"""Runs lagbench and its peers side by side and prints what came of them; scripts/compare-peers starts it."""

import argparse
import json
import os
import platform
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import trial
from cells import CannotDo, Failed, all_cells
from ditg import Ditg
from iperf3 import Iperf3
from irtt import Irtt
from lagbench import Lagbench
from mgen import Mgen
from namespaces import CABLE, remove_leftovers, two_namespaces
from netperf import Netperf
from nuttcp import Nuttcp
from printing import print_results
from qperf import Qperf
from results import Results
from sockperf import Sockperf

PREFIX = "peers"
QUICK = {"rounds": 1, "seconds": 1}
QUICK_CELLS = ("udp/24/8000", "udp/24/flood", "tcp/992/8000", "tcp/992/flood")

# Rounds with a tap are shorter: 8,000 gaps are enough for their 99 % quantile.
TAPPED_SECONDS = 1

# Some peers now and then begin before their other side is there.
_ATTEMPTS = 2

_PEERS = (Iperf3, Sockperf, Irtt, Ditg, Mgen, Nuttcp, Qperf, Netperf)


def _ours(home, key, with_hybrid):
    ours = []
    for implementation in ("java", "c"):
        for waits in ("sleep", *(["hybrid"] if with_hybrid else []), "spin", "flood", "flood nagle"):
            ours.append(Lagbench(home, key, implementation, waits))
    ours += [Lagbench(home, key, "java", waits, "causes") for waits in ("sleep", "flood")]
    if not _has_twin(home):
        for peer in ours:
            if peer.implementation == "c":
                peer.lacks("this build has no C twin")
    return ours


def _has_twin(home):
    said = subprocess.run([os.path.join(home, "scripts", "sender"), "--help"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=True).stdout  # fmt: skip
    return "--implementation" in said


def _options():
    parser = argparse.ArgumentParser(
        prog="scripts/compare-peers",
        description="Runs lagbench, its C twin and every peer that is installed side by side, in two network"
        " namespaces of this machine, in shuffled order; prints rates, loss, lags, gaps as the kernel saw them and CPU a"
        " packet, with the ratio to the C twin. As root. Takes about 50 minutes, with --quick about three.",
    )
    parser.add_argument("--rounds", type=int, metavar="N", help="how often each is run (default: 5)")
    parser.add_argument("--seconds", type=int, metavar="S", help="how long each sends (default: 2)")
    parser.add_argument("--peers", metavar="A,B", help="only these programs, such as java,c,iperf3 (default: all)")
    parser.add_argument("--cells", metavar="A,B", help="only cells with one of these in their names, such as udp/24")
    parser.add_argument("--quick", action="store_true", help="one round of one second, in four cells")
    parser.add_argument("--hybrid", action="store_true",
                        help="lagbench with pace hybrid too, which neither sleeps nor spins alone and has no peer")
    parser.add_argument("--no-gaps", action="store_true", help="leave out the rounds in which gaps are captured")
    parser.add_argument("--list", action="store_true", help="print programs and cells, and run nothing")
    parser.add_argument("--json", metavar="FILE", help="write all figures of all runs there as well")
    parser.add_argument("--append", action="store_true", help="count the runs that --json's FILE has, and add to them")
    parser.add_argument("--install", action="store_true", help="first install the peers that are Debian packages")
    parser.add_argument("--home", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.append and not options.json:
        parser.error("--append needs --json")
    for name, default in (("rounds", 5), ("seconds", 2)):
        if getattr(options, name) is None:
            setattr(options, name, QUICK[name] if options.quick else default)
        elif getattr(options, name) < 1:
            parser.error(f"--{name} takes 1 or more")
    return options


def _chosen_cells(options):
    wanted = options.cells.split(",") if options.cells else QUICK_CELLS if options.quick else [""]
    return [cell for cell in all_cells() if any(text in cell.name for text in wanted)]


def _chosen_peers(options, peers):
    if not options.peers:
        return peers
    wanted = [text.strip().lower() for text in options.peers.split(",")]
    return [peer for peer in peers if peer.name.lower() in wanted or peer.name.lower().split()[0] in wanted]


def _install():
    packages = [peer.package for peer in _PEERS if peer.package and peer().missing()]
    if packages:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "--quiet", *command], env=environment, stdin=subprocess.DEVNULL, check=True,
                           stdout=sys.stderr)  # fmt: skip


class Comparison:
    """Runs of all programs in all cells."""

    def __init__(self, options, peers, cells, work):
        self._options = options
        self._work = work
        self.results = Results()
        self.reasons = {}  # (cell, row) -> why it has no figures
        self.runs = []
        self._plan = []
        for cell in cells:
            for peer in peers:
                self._consider(cell, peer)

    def _consider(self, cell, peer):
        ours = isinstance(peer, Lagbench)
        try:
            peer.check(cell)
        except CannotDo as e:
            if not ours:  # each of our rows is made for paced cells or for floods
                self.results.row(cell, peer)
                self.reasons[cell, peer.name] = str(e)
            return
        self.results.row(cell, peer)
        if why := peer.missing():
            self.reasons[cell, peer.name] = why
        else:
            self._plan.append((cell, peer))

    def count(self, runs):
        """Takes over runs of an earlier comparison, of the programs and cells of this one."""
        rows = {(cell.name, peer.name): self.results.row(cell, peer) for cell, peer in self._plan}
        for run in runs:
            if row := rows.get((run["cell"], run["program"])):
                row.add(run.get("figures", {}))
                row.whys += [run["why"]] if "why" in run else []
                self.runs.append(run)

    def run(self):
        tappings = [False] if self._options.no_gaps else [False, True]
        total = sum(len(self._order(tapped)) for tapped in tappings)
        begun = time.monotonic()
        done = 0
        for round_number in range(1, self._options.rounds + 1):
            for tapped in tappings:
                order = self._order(tapped)
                random.shuffle(order)
                for cell, peer in order:
                    why = self._run_one(round_number, cell, peer, tapped)
                    done += 1
                    left_s = (time.monotonic() - begun) / done * (total * self._options.rounds - done)
                    print(f"{done} of {total * self._options.rounds} runs, {left_s / 60:.0f} min left: {cell.name}"
                          f" {peer.name}{', gaps' if tapped else ''}{': ' + why if why else ''}",
                          file=sys.stderr, flush=True)  # fmt: skip

    def _order(self, tapped):
        """The runs of a round, not yet shuffled; what is recorded beside the stamps does not show in gaps."""
        return [
            (cell, peer) for cell, peer in self._plan
            if not tapped or not (cell.flood or isinstance(peer, Lagbench) and peer.records_causes)
        ]  # fmt: skip

    def _run_one(self, round_number, cell, peer, tapped):
        """Makes a run and keeps its figures; gives why it has none."""
        row = self.results.row(cell, peer)
        run = {"round": round_number, "cell": cell.name, "program": peer.name, "tapped": tapped}
        seconds = TAPPED_SECONDS if tapped else self._options.seconds
        for _ in range(_ATTEMPTS):
            try:
                # Namespaces of its own for each: nothing of one program is left to the next.
                with two_namespaces(CABLE, None, PREFIX) as namespaces:
                    outcome = trial.make(peer, cell, seconds, namespaces, self._work, tapped)
                row.add(outcome.figures)
                run["figures"] = outcome.figures
                run.pop("why", None)
                break
            except (Failed, OSError, RuntimeError, subprocess.SubprocessError) as e:
                run["why"] = str(e)
        if "why" in run:
            row.whys.append(run["why"])
        self.runs.append(run)
        return run.get("why")

    def as_json(self):
        return {
            "machine": {"kernel": platform.release(), "processors": os.cpu_count()},
            "units": {"rate": "packets/s", "loss": "fraction", "others": "ns"},
            "runs": self.runs,
            "reasons": [{"cell": cell.name, "program": name, "why": why} for (cell, name), why in self.reasons.items()],
            "medians": [
                {"cell": cell.name, "program": name, **{metric: row.median(metric) for metric in row.values}}
                for cell, rows in self.results.cells.items()
                for name, row in rows.items()
                if row.values
            ],
        }


def _write(path, content):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")


def main():
    options = _options()
    if options.install:
        _install()
    remove_leftovers(PREFIX)
    work = tempfile.mkdtemp(prefix="lagbench-compare-")
    try:
        key = os.path.join(work, "key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(32).hex().encode())
        peers = _chosen_peers(options, [*_ours(options.home, key, options.hybrid), *(peer() for peer in _PEERS)])
        cells = _chosen_cells(options)
        if options.list:
            print(*(f"{peer.name}: {peer.missing() or 'here'}" for peer in peers), *(c.name for c in cells), sep="\n")
            return 0
        if not peers or not cells:
            print("compare-peers: nothing has these names; see scripts/compare-peers --list", file=sys.stderr)
            return 2
        comparison = Comparison(options, peers, cells, work)
        if options.append and os.path.exists(options.json):
            with open(options.json, encoding="utf-8") as file:
                comparison.count(json.load(file)["runs"])
        try:
            comparison.run()
        finally:
            # What was measured is not lost with what was not.
            if options.json:
                _write(options.json, comparison.as_json())
        print_results(comparison.results, {peer.name for peer in peers if isinstance(peer, Lagbench)}, comparison.reasons)
    finally:
        shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
