"""Times lagbench, NumPy and DuckDB on the same captures. Called by scripts/compare-analysis, which says how."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import captures

HERE = os.path.dirname(os.path.abspath(__file__))
SERIES = ["lag", "sendDelay", "receiveDelay"]


def measured(command):
    """Standard output, wall seconds, CPU seconds and peak MiB of a command."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {process.returncode}")
        output.seek(0)
        return output.read(), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def of_lagbench(text):
    """The rows of the tables of the three series, numbers only, in ns."""
    rows = [line.split("|") for line in text.decode().splitlines() if line.startswith("| UDP")]
    found = [[float(cell.replace(",", "")) * 1e3 for cell in row[3:12]] for row in rows]
    return dict(zip(SERIES, found[:3]))


def agree(ours, theirs):
    """Whether figures are the same as far as tables print them: four digits, thousandths of a µs."""
    return all(abs(a - b) <= max(1, abs(b) / 1000) for name in SERIES for a, b in zip(ours[name], theirs[name]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lagbench", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--directory", default="/tmp")
    parser.add_argument("pairs", type=int, nargs="+")
    options = parser.parse_args()
    print(f"{'pairs':>12} {'program':<10} {'time/s':>9} {'least':>9} {'most':>9} {'CPU/s':>9} {'peak/MiB':>9} {'to lagbench':>12}")
    for pairs in options.pairs:
        session = tempfile.mkdtemp(prefix="lagbench-compare-", dir=options.directory)
        try:
            compare(options, pairs, session)
        finally:
            shutil.rmtree(session)


def compare(options, pairs, session):
    run = captures.write(session, pairs)
    commands = {
        "lagbench": [options.lagbench, "table", session, "--all-series", "--format", "markdown"],
        "NumPy": [sys.executable, os.path.join(HERE, "reckon_numpy.py"), run],
        "DuckDB": [sys.executable, os.path.join(HERE, "reckon_duckdb.py"), run],
    }
    found = {name: [] for name in commands}
    figures = {}
    for _ in range(options.rounds):
        for name, command in commands.items():
            output, *cost = measured(command)
            figures[name] = of_lagbench(output) if name == "lagbench" else json.loads(output)
            found[name].append(cost)
    own = statistics.median(cost[0] for cost in found["lagbench"])
    for name, costs in found.items():
        seconds = [cost[0] for cost in costs]
        print(
            f"{pairs:>12,} {name:<10} {statistics.median(seconds):>9.2f} {min(seconds):>9.2f} {max(seconds):>9.2f}"
            f" {statistics.median(cost[1] for cost in costs):>9.2f} {max(cost[2] for cost in costs):>9.0f}"
            f" {statistics.median(seconds) / own:>11.2f}×", flush=True)
    for name in ("NumPy", "DuckDB"):
        if not agree(figures["lagbench"], figures[name]):
            sys.exit(f"{name} does not agree with lagbench: {figures}")


main()
