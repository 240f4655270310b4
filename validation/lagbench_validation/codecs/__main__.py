"""Compares the codecs of transfers and the policies that choose codecs. Started by scripts/compare-codecs."""

import argparse
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from lagbench_validation.codecs import arms
from lagbench_validation.codecs.arms import Bench, Transfers
from lagbench_validation.codecs.conditions import Condition, Data, conditions, quick
from lagbench_validation.codecs.stream import compare_lags
from lagbench_validation.codecs.verdicts import GOALS, Verdict, schedule, verdicts
from lagbench_validation.key import make_key
from lagbench_validation.machine import describe
from lagbench_validation.peers.lab import Lab
from lagbench_validation.processes import Failed
from lagbench_validation.quantiles import FEWEST, median_interval


def _measure(options: argparse.Namespace, condition: Condition, data: Data, key: Path, work: Path) -> list[Verdict]:
    """Runs all codecs in shuffled order, prints their total times, and returns the verdicts on adaptive."""
    fixed = [codec for codec in (arms.QUICK_FIXED if options.quick else arms.FIXED) if _is_chosen(codec, options)]
    policies = [codec for codec in _policies(options) if _is_chosen(codec, options)]
    names = [*fixed, *policies, arms.ORACLE]
    measured = {name: Transfers([]) for name in names}
    with (
        Lab(options.home, work, condition.network, "codecs") as lab,
        Bench(options.home, key, lab, condition, data.file(condition), work) as bench,
    ):

        def transfer(codecs: Sequence[str]) -> None:
            for name in random.sample(codecs, len(codecs)):
                measured[name].add(bench.transfer(name, options.transfers or condition.transfers))

        transfer(fixed)
        bench.schedule(schedule({name: measured[name] for name in fixed}, bench.one_processor))
        transfer([*policies, arms.ORACLE])
        for _ in range(1, options.rounds):
            transfer(names)
    adaptive = measured["adaptive"].seconds
    print(f"\n{condition.name}: {condition.chunks} chunks of 16 KiB; total time in ms, and adaptive ÷ this")
    for name in names:
        seconds = measured[name].seconds
        ratios = [mine / its for mine, its in zip(adaptive, seconds, strict=True)]
        interval = median_interval(ratios)
        shown = f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else ""
        print(f"  {name:13} {1e3 * median(seconds):10.1f}  {median(ratios):.3f}{shown}")
    found = verdicts({name: measured[name] for name in fixed}, measured[arms.ORACLE], adaptive)
    print("  adaptive ÷ " + "; ".join(verdict.text for verdict in found), flush=True)
    return found


def _policies(options: argparse.Namespace) -> list[str]:
    policies = ["adaptive"] if options.quick else [*arms.POLICIES]
    return [*policies, arms.ZSTD_ADAPT] if shutil.which("zstd") else policies


def _is_chosen(codec: str, options: argparse.Namespace) -> bool:
    return not options.codecs or codec in ("none", "adaptive") or codec in options.codecs.split(",")


def _print_goals(of_conditions: Sequence[Sequence[Verdict]]) -> bool:
    print(f"\nGoals of adaptive in {len(of_conditions)} conditions")
    found = [verdict for of_condition in of_conditions for verdict in of_condition]
    for against, most in GOALS.items():
        ratios = [verdict.ratio for verdict in found if verdict.against == against]
        met = sum(verdict.holds for verdict in found if verdict.against == against)
        print(f"  at most {most:.2f} times {against}: met in {met} of {len(ratios)}, greatest ratio {max(ratios):.3f}")
    return all(verdict.holds for verdict in found)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/compare-codecs",
        description="Total times of compressed transfers over emulated links: each fixed codec, the policies paper,"
        " overlap, adoc and adaptive, and zstd --adapt, in shuffled order. Goals of adaptive: its total time"
        " is at most 1.10 times that of the oracle, 1.05 times that of the best fixed codec, 1.02 times that of none."
        " The oracle knows the best fixed codec of each chunk from the fixed codecs' runs. Then the lag of a"
        " one-way stream over another network, while transfers with and without compression use the processors. Exit"
        " code 1 if a goal is missed. Needs root; zstd (Debian package) is left out if it is not installed.",
    )
    parser.add_argument("--quick", action="store_true", help="3 conditions and fewer codecs, in about 4 minutes")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"rounds (default: {FEWEST}; 1 with --quick)")
    parser.add_argument("--transfers", type=int, metavar="N",
                        help="transfers of each run (default: 5 above 30 Mb/s or beside a flow, else 1)")  # fmt: skip
    parser.add_argument("--codecs", default="", metavar="LIST",
                        help="only these, none, adaptive and the oracle; for example zstd-1,zstd-3")  # fmt: skip
    parser.add_argument("--only", default="", metavar="TEXT", help="only conditions whose names contain this")
    parser.add_argument("--list", action="store_true", help="print the conditions and end")
    parser.add_argument("--home", required=True, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = set(filter(None, options.codecs.split(","))) - {*arms.FIXED, *arms.POLICIES, arms.ZSTD_ADAPT}
    if unknown:
        parser.error(f"no codec {', '.join(sorted(unknown))}; known: {', '.join([*arms.FIXED, *arms.POLICIES])}")
    options.rounds = options.rounds or (1 if options.quick else FEWEST)
    return options


def main() -> int:
    options = _options()
    chosen = [condition for condition in (quick() if options.quick else conditions()) if options.only in condition.name]
    if options.list or not chosen:
        print("\n".join(condition.name for condition in chosen) or "no condition has this name; see --list")
        return 0 if chosen else 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    work = Path(tempfile.mkdtemp(prefix="lagbench-codecs-"))
    print(describe())
    try:
        key = make_key(work)
        (work / "data").mkdir()
        data = Data(options.home / "scripts" / "lagbench", work / "data")
        found = [_measure(options, condition, data, key, work) for condition in chosen]
        is_met = _print_goals(found)
        compare_lags(options.home, key, data.file(quick()[1]), quick()[1], work)
    except Failed as e:
        print(f"compare-codecs: {e}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(work)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
