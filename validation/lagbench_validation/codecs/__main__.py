"""Compares the codecs of transfers and the policies that choose codecs. Started by scripts/validate codecs."""

import argparse
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from lagbench_validation.codecs.bench import (
    FIXED,
    ORACLE,
    POLICIES,
    QUICK_FIXED,
    SMOKE_FIXED,
    ZSTD_ADAPT,
    Bench,
    Transfers,
)
from lagbench_validation.codecs.conditions import CHUNK_BYTES, Condition, Data, conditions, quick, smoke
from lagbench_validation.codecs.stream import compare_lags
from lagbench_validation.codecs.verdicts import GOALS, Verdict, schedule, verdicts
from lagbench_validation.key import make_key
from lagbench_validation.machine import describe
from lagbench_validation.peers.lab import Lab
from lagbench_validation.program import make_parser, run_main
from lagbench_validation.quantiles import VALUES_MIN, median_interval


def _measure(
    options: argparse.Namespace, condition: Condition, data: Data, key: Path, work: Path
) -> tuple[list[Verdict], float]:
    """Runs all codecs in shuffled order. Returns the verdicts on adaptive and the largest compression ratio."""
    every = SMOKE_FIXED if options.smoke else QUICK_FIXED if options.quick else FIXED
    fixed = [codec for codec in every if _is_chosen(codec, options)]
    policies = [codec for codec in _policies(options) if _is_chosen(codec, options)]
    names = [*fixed, *policies, ORACLE]
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
        transfer([*policies, ORACLE])
        for _ in range(1, options.rounds):
            transfer(names)
    adaptive = measured["adaptive"].seconds
    print(f"\n{condition.name}: {condition.chunks} chunks of 16 KiB; total time in ms, and adaptive ÷ this")
    largest = 1.0
    for name in names:
        seconds = measured[name].seconds
        ratios = [mine / its for mine, its in zip(adaptive, seconds, strict=True)]
        interval = median_interval(ratios)
        shown = f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else ""
        if encoded := measured[name].encoded_bytes:
            compression = condition.chunks * CHUNK_BYTES / sum(encoded)
            largest = max(largest, compression)
            shown += f"  compression ratio {compression:.2f}"
        print(f"  {name:13} {1e3 * median(seconds):10.1f}  {median(ratios):.3f}{shown}")
    found = verdicts({name: measured[name] for name in fixed}, measured[ORACLE], adaptive)
    print("  adaptive ÷ " + "; ".join(verdict.text for verdict in found), flush=True)
    return found, largest


def _policies(options: argparse.Namespace) -> list[str]:
    policies = ["adaptive"] if options.quick or options.smoke else [*POLICIES]
    return [*policies, ZSTD_ADAPT] if shutil.which("zstd") and not options.smoke else policies


def _is_chosen(codec: str, options: argparse.Namespace) -> bool:
    return not options.codecs or codec in ("none", "adaptive") or codec in options.codecs.split(",")


def _print_goals(of_conditions: Sequence[Sequence[Verdict]]) -> bool:
    print(f"\nGoals of adaptive in {len(of_conditions)} conditions")
    found = [verdict for of_condition in of_conditions for verdict in of_condition]
    for against, goal in GOALS.items():
        ratios = [verdict.ratio for verdict in found if verdict.against == against]
        met = sum(verdict.holds for verdict in found if verdict.against == against)
        print(f"  at most {goal:.2f} times {against}: met in {met} of {len(ratios)}, largest ratio {max(ratios):.3f}")
    return all(verdict.holds for verdict in found)


def _options() -> argparse.Namespace:
    parser = make_parser(
        "codecs",
        "Total times of compressed transfers over emulated links: each fixed codec, the policies paper,"
        " overlap, adoc and adaptive, and zstd --adapt, in shuffled order. Goals of adaptive: its total time"
        " is at most 1.10 times that of the oracle, 1.05 times that of the best fixed codec, 1.02 times that of none."
        " The oracle knows the best fixed codec of each chunk from the fixed codecs' runs. Then the lag of a"
        " one-way stream over another network, while transfers with and without compression use the processors. Exit"
        " code 1 if a goal is missed. Needs root; zstd (Debian package) is left out if it is not installed.",
        "one condition, two codecs, adaptive and the oracle, without judging the goals",
    )
    parser.add_argument("--quick", action="store_true", help="3 conditions and fewer codecs, in about 4 minutes")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"rounds (default: {VALUES_MIN}; 1 with --quick)")
    parser.add_argument("--transfers", type=int, metavar="N",
                        help="transfers of each run (default: 5 above 30 Mb/s or with a flow, else 1)")  # fmt: skip
    parser.add_argument("--codecs", default="", metavar="LIST",
                        help="only these, none, adaptive and the oracle; for example zstd-1,zstd-3")  # fmt: skip
    parser.add_argument("--only", default="", metavar="TEXT", help="only conditions whose names contain this")
    parser.add_argument("--list", action="store_true", help="print the conditions and end")
    options = parser.parse_args()
    unknown = set(filter(None, options.codecs.split(","))) - {*FIXED, *POLICIES, ZSTD_ADAPT}
    if unknown:
        parser.error(f"unknown codec {', '.join(sorted(unknown))}; known: {', '.join([*FIXED, *POLICIES])}")
    options.rounds = options.rounds or (1 if options.quick or options.smoke else VALUES_MIN)
    return options


def main() -> int:
    options = _options()
    every = smoke() if options.smoke else quick() if options.quick else conditions()
    chosen = [condition for condition in every if options.only in condition.name]
    if options.list or not chosen:
        print("\n".join(condition.name for condition in chosen) or "no condition has this name; see --list")
        return 0 if chosen else 2
    print(describe())
    found: list[list[Verdict]] = []
    largest = 1.0
    with tempfile.TemporaryDirectory(prefix="lagbench-codecs-") as directory:
        work = Path(directory)
        key = make_key(work)
        data = Data(options.home / "scripts" / "lagbench", work / "data", chosen)
        try:
            for condition in chosen:
                verdicts_here, compression = _measure(options, condition, data, key, work)
                found.append(verdicts_here)
                largest = max(largest, compression)
            if not options.smoke:
                compare_lags(options.home, key, data.file(quick()[1]), quick()[1], work)
        finally:
            is_met = bool(found) and _print_goals(found)
            print(f"{len(found)} conditions; the largest compression ratio is {largest:.2f}")
    return 0 if (largest > 1 if options.smoke else is_met) else 1


if __name__ == "__main__":
    run_main("codecs", main)
