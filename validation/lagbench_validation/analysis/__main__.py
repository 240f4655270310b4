"""Times lagbench, NumPy and DuckDB on the same captures; scripts/compare-analysis starts it."""

import argparse
import json
import platform
import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from lagbench_validation import machine
from lagbench_validation.analysis import synthetic
from lagbench_validation.analysis.cost import Cost, measured
from lagbench_validation.processes import Command, Failed

SERIES = ("lag", "sendDelay", "receiveDelay")
MIB_MAX = 1024


def of_lagbench(text: bytes) -> dict[str, list[str]]:
    """Returns the rows of the tables of the three series, each figure as it is printed, in µs."""
    rows = [line.split("|") for line in text.decode().splitlines() if line.startswith("| UDP")]
    # the first row is of lags, which have the lost share before them
    starts = [4] + [3] * (len(rows) - 1)
    found = [
        [cell.replace(",", "").strip() for cell in row[start : start + 9]]
        for start, row in zip(starts, rows, strict=True)
    ]
    return dict(zip(SERIES, found, strict=False))  # further series follow


def disagreement(printed: Mapping[str, Sequence[str]], theirs: Mapping[str, Sequence[float]]) -> str | None:
    """Returns the first figure that differs from the other program's in a printed digit."""
    for series in SERIES:
        for place, (text, ns) in enumerate(zip(printed[series], theirs[series], strict=True)):
            unit = 10.0 ** -len(text.partition(".")[2])
            if abs(float(text) - ns / 1e3) > 0.5001 * unit:
                return f"figure {place} of {series} is {text} µs by lagbench and {ns} ns by the other"
    return None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lagbench", required=True)
    parser.add_argument("--java", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--directory", default="/tmp")
    parser.add_argument("pairs", type=int, nargs="+")
    options = parser.parse_args()
    print(
        f"{machine.describe()}; Java {options.java}, Python {platform.python_version()}, NumPy {version('numpy')},"
        f" DuckDB {version('duckdb')}"
    )
    print(
        f"{options.rounds} rounds, the programs in turns, each from its start to its end; captures are in the page"
        " cache as far as they fit. CPU:\nuser and system, median. Memory: maximum of all rounds.\n"
    )
    print(
        f"{'pairs':>11} {'program':<8} {'median/s':>8} {'least/s':>8} {'most/s':>8} {'CPU/s':>7}"
        f" {'resident/MiB':>12} {'own/MiB':>8} {'to lagbench':>11}",
        flush=True,
    )
    for pairs in options.pairs:
        session = Path(tempfile.mkdtemp(prefix="lagbench-compare-", dir=options.directory))
        try:
            compare(options.lagbench, options.rounds, pairs, session)
        finally:
            shutil.rmtree(session)


def compare(lagbench: str, rounds: int, pairs: int, session: Path) -> None:
    print(f"{pairs:,} pairs: making captures", file=sys.stderr)
    run = synthetic.write(session, pairs)
    figures = (sys.executable, "-B", "-m")
    commands: dict[str, Command] = {
        "lagbench": [lagbench, "table", session, "--view", "paper", "--all-series", "--format", "markdown"],
        "NumPy": [*figures, "lagbench_validation.analysis.numpy_figures", run],
        "DuckDB": [*figures, "lagbench_validation.analysis.duckdb_figures", run],
    }
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    failures: dict[str, Failed] = {}
    for round_number in range(1, rounds + 1):
        printed = None
        for name, command in commands.items():
            if name in failures:
                continue
            try:
                output, cost = measured(command)
            except Failed as failure:
                if name == "lagbench":
                    sys.exit(f"lagbench {failure}")
                failures[name] = failure
                continue
            print(f"{pairs:,} pairs, round {round_number}: {name} {cost.seconds:.2f} s", file=sys.stderr)
            costs[name].append(cost)
            if printed is None:
                printed = of_lagbench(output)
            elif wrong := disagreement(printed, json.loads(output)):
                sys.exit(f"lagbench and {name} disagree: {wrong}")
    ours = statistics.median(cost.seconds for cost in costs["lagbench"])
    for name, of_one in costs.items():
        print(f"{pairs:>11,} {name:<8} {failures.get(name) or row(of_one, ours)}", flush=True)
    most = max(cost.resident_mib for cost in costs["lagbench"])
    if most > MIB_MAX:
        sys.exit(f"lagbench took {most:.0f} MiB, more than {MIB_MAX}.")


def row(costs: Sequence[Cost], ours: float) -> str:
    """Returns the figures of one program."""
    seconds = [cost.seconds for cost in costs]
    median = statistics.median(seconds)
    return (
        f"{median:>8.2f} {min(seconds):>8.2f} {max(seconds):>8.2f}"
        f" {statistics.median(cost.cpu_seconds for cost in costs):>7.2f}"
        f" {max(cost.resident_mib for cost in costs):>12.0f} {max(cost.own_mib for cost in costs):>8.0f}"
        f" {median / ours:>10.2f}×"
    )


if __name__ == "__main__":
    main()
