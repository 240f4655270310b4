"""Times lagbench, NumPy and DuckDB on the same captures; scripts/validate analysis starts it."""

import argparse
import json
import platform
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from lagbench_validation import machine, synthetic
from lagbench_validation.analysis.cost import Cost, measured
from lagbench_validation.processes import Command, Failed
from lagbench_validation.program import make_parser, run_main

SERIES = ("lag", "sendDelay", "receiveDelay")
MIB_MAX = 1024
PAIRS = [1_000_000, 10_000_000, 100_000_000]


def of_lagbench(text: bytes) -> dict[str, list[str]]:
    """Returns the rows of the tables of the three series, each value as it is printed, in µs."""
    rows = [line.split("|") for line in text.decode().splitlines() if line.startswith("| udp")]
    # the first row is of lags, which have the lost share before them
    starts = [4] + [3] * (len(rows) - 1)
    found = [
        [cell.replace(",", "").strip() for cell in row[start : start + 9]]
        for start, row in zip(starts, rows, strict=True)
    ]
    return dict(zip(SERIES, found, strict=False))  # further series follow


def disagreement(printed: Mapping[str, Sequence[str]], theirs: Mapping[str, Sequence[float]]) -> str | None:
    """Returns the first value that differs from the other program's in a printed digit."""
    for series in SERIES:
        for index, (text, ns) in enumerate(zip(printed[series], theirs[series], strict=True)):
            unit = 10.0 ** -len(text.partition(".")[2])
            if abs(float(text) - ns / 1e3) > 0.5001 * unit:
                return f"value {index} of {series} is {text} µs by lagbench and {ns} ns by the other"
    return None


def _options() -> argparse.Namespace:
    parser = make_parser(
        "analysis",
        "Times lagbench, NumPy and DuckDB in turns on the same captures, each in a separate process: the transmit lag"
        " joined by sequence number, and both inter-packet delays, each with median, mean, standard deviation, Q95,"
        " Q99, and mean and deviation with Q95 and Q99 removed. Prints median, min and max of the time from start to"
        " end, the median CPU time, and the peak memory. Resident memory includes mapped files, own memory does not."
        " 100000000 pairs take about ten minutes, 4.8 GB of disk and the same amount of memory. Fails if a value"
        f" differs in a digit that lagbench prints, or if lagbench uses more than {MIB_MAX} MiB. NumPy and DuckDB are"
        " installed in .lagbench/python-sessions on first use.",
        "one round of 100000 pairs",
    )
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (default: %(default)s)")
    parser.add_argument(
        "--directory",
        default="/tmp",
        help="directory for captures, 48 bytes per pair, deleted at the end (default: %(default)s)",
    )
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument(
        "pairs", type=int, nargs="*", default=PAIRS, help="numbers of packet pairs (default: 10^6 10^7 10^8)"
    )
    options = parser.parse_args()
    if options.smoke:
        options.rounds, options.pairs = 1, [100_000]
    return options


def main() -> int:
    options = _options()
    print(
        f"{machine.describe()}; Java {options.java}, Python {platform.python_version()}, NumPy {version('numpy')},"
        f" DuckDB {version('duckdb')}"
    )
    print(
        f"{options.rounds} rounds, the programs in turns, each from its start to its end; captures are in the page"
        " cache as far as they fit. CPU:\nuser and system, median. Memory: maximum of all rounds.\n"
    )
    print(
        f"{'pairs':>11} {'program':<8} {'median/s':>8} {'min/s':>8} {'max/s':>8} {'CPU/s':>7}"
        f" {'resident/MiB':>12} {'own/MiB':>8} {'to lagbench':>11}",
        flush=True,
    )
    equal, share = 0, float("nan")
    try:
        for pairs in options.pairs:
            with tempfile.TemporaryDirectory(prefix="lagbench-analysis-", dir=options.directory) as session:
                compared, share = compare(options, pairs, Path(session))
                equal += compared
    finally:
        print(f"{equal} values equal to those of NumPy and DuckDB; lagbench takes {share:.2f} times NumPy's time")
    return 0


def compare(options: argparse.Namespace, pairs: int, session: Path) -> tuple[int, float]:
    """Prints the costs. Returns the number of equal values, and lagbench's time divided by NumPy's."""
    print(f"{pairs:,} pairs: making captures", file=sys.stderr)
    run = synthetic.write_flood(session, pairs)
    python = (sys.executable, "-B", "-m")
    lagbench = options.home / "scripts" / "lagbench"
    commands: dict[str, Command] = {
        "lagbench": [lagbench, "table", session, "--view", "paper", "--all-series", "--format", "markdown"],
        "NumPy": [*python, "lagbench_validation.analysis.numpy_metrics", run],
        "DuckDB": [*python, "lagbench_validation.analysis.duckdb_metrics", run],
    }
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    failures: dict[str, Failed] = {}
    equal = 0
    try:
        for round_number in range(1, options.rounds + 1):
            printed: dict[str, list[str]] = {}
            for name, command in commands.items():
                if name in failures:
                    continue
                try:
                    output, cost = measured(command)
                except Failed as failure:
                    if name == "lagbench":
                        raise Failed(f"lagbench {failure}") from failure
                    failures[name] = failure
                    continue
                print(f"{pairs:,} pairs, round {round_number}: {name} {cost.seconds:.2f} s", file=sys.stderr)
                costs[name].append(cost)
                if not printed:
                    printed = of_lagbench(output)
                elif wrong := disagreement(printed, json.loads(output)):
                    raise Failed(f"lagbench and {name} disagree: {wrong}")
                else:
                    equal += sum(map(len, printed.values()))
    finally:
        if costs["lagbench"]:
            ours = median_s(costs["lagbench"])
            for name, of_one in costs.items():
                if of_one or name in failures:
                    print(f"{pairs:>11,} {name:<8} {failures.get(name) or row(of_one, ours)}", flush=True)
    largest = max(cost.resident_mib for cost in costs["lagbench"])
    if largest > MIB_MAX:
        raise Failed(f"lagbench used {largest:.0f} MiB, more than {MIB_MAX}.")
    return equal, ours / median_s(costs["NumPy"]) if costs["NumPy"] else float("nan")


def median_s(costs: Sequence[Cost]) -> float:
    return statistics.median(cost.seconds for cost in costs)


def row(costs: Sequence[Cost], ours: float) -> str:
    """Returns the metrics of one program."""
    seconds = [cost.seconds for cost in costs]
    median = median_s(costs)
    return (
        f"{median:>8.2f} {min(seconds):>8.2f} {max(seconds):>8.2f}"
        f" {statistics.median(cost.cpu_seconds for cost in costs):>7.2f}"
        f" {max(cost.resident_mib for cost in costs):>12.0f} {max(cost.own_mib for cost in costs):>8.0f}"
        f" {median / ours:>10.2f}×"
    )


if __name__ == "__main__":
    run_main("analysis", main)
