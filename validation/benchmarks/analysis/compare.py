"""Times lagbench, NumPy and DuckDB on the same captures. Called by scripts/compare-analysis, which says how."""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from importlib.metadata import version

import captures

HERE = os.path.dirname(os.path.abspath(__file__))
SERIES = ["lag", "sendDelay", "receiveDelay"]
MOST_MIB = 1024


@dataclass
class Cost:
    """What one run of a program took."""

    seconds: float
    cpu_seconds: float
    resident_mib: float
    own_mib: float


class Failed(Exception):
    """A program that did not come to its end."""


class OwnMemory(threading.Thread):
    """The most memory a process has of its own, files that it maps left out; looked at every 10 ms."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.status = f"/proc/{pid}/status"
        self.mib = 0
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.01):
            try:
                with open(self.status) as file:
                    kib = [int(line.split()[1]) for line in file if line.startswith(("RssAnon", "RssShmem"))]
            except OSError:
                return
            self.mib = max(self.mib, sum(kib) / 1024)


def measured(command):
    """What a command printed, and its cost."""
    with tempfile.TemporaryFile() as output:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=output)
        own = OwnMemory(process.pid)
        own.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        own.ended.set()
        own.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Failed(f"ended with {process.returncode}")
        output.seek(0)
        return output.read(), Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, own.mib)


def of_lagbench(text):
    """The rows of the tables of the three series, each figure as it is printed, in µs."""
    rows = [line.split("|") for line in text.decode().splitlines() if line.startswith("| UDP")]
    found = [[cell.replace(",", "").strip() for cell in row[3:12]] for row in rows]
    return dict(zip(SERIES, found))


def disagreement(printed, theirs):
    """The first figure that is not, to the last digit printed, what the other found in ns; None if all are."""
    for series in SERIES:
        for place, (text, ns) in enumerate(zip(printed[series], theirs[series], strict=True)):
            unit = 10.0 ** -len(text.partition(".")[2])
            if abs(float(text) - ns / 1e3) > 0.5001 * unit:
                return f"figure {place} of {series} is {text} µs by lagbench and {ns} ns by the other"
    return None


def machine(java):
    with open("/proc/cpuinfo") as cpus:
        model = next((line.split(":", 1)[1].strip() for line in cpus if line.startswith("model name")), "unknown CPU")
    return (
        f"{model}, {os.cpu_count()} CPUs, {os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB,"
        f" Linux {platform.release()}; Java {java}, Python {platform.python_version()}, NumPy {version('numpy')},"
        f" DuckDB {version('duckdb')}"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lagbench", required=True)
    parser.add_argument("--java", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--directory", default="/tmp")
    parser.add_argument("pairs", type=int, nargs="+")
    options = parser.parse_args()
    print(machine(options.java))
    print(
        f"{options.rounds} rounds, the programs in turns, each from its start to its end; captures are in the page cache"
        " where that has room. CPU:\nuser and system, median. Memory: the most of all rounds.\n"
    )
    print(
        f"{'pairs':>11} {'program':<8} {'median/s':>8} {'least/s':>8} {'most/s':>8} {'CPU/s':>7}"
        f" {'resident/MiB':>12} {'own/MiB':>8} {'to lagbench':>11}",
        flush=True,
    )
    for pairs in options.pairs:
        session = tempfile.mkdtemp(prefix="lagbench-compare-", dir=options.directory)
        try:
            compare(options, pairs, session)
        finally:
            shutil.rmtree(session)


def compare(options, pairs, session):
    print(f"{pairs:,} pairs: making captures", file=sys.stderr)
    run = captures.write(session, pairs)
    commands = {
        "lagbench": [options.lagbench, "table", session, "--all-series", "--format", "markdown"],
        "NumPy": [sys.executable, os.path.join(HERE, "reckon_numpy.py"), run],
        "DuckDB": [sys.executable, os.path.join(HERE, "reckon_duckdb.py"), run],
    }
    costs = {name: [] for name in commands}
    failures = {}
    for round_number in range(1, options.rounds + 1):
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
                continue
            wrong = disagreement(printed, json.loads(output))
            if wrong:
                sys.exit(f"lagbench and {name} disagree: {wrong}")
    ours = statistics.median(cost.seconds for cost in costs["lagbench"])
    for name, of_one in costs.items():
        print(f"{pairs:>11,} {name:<8} {failures.get(name) or row(of_one, ours)}", flush=True)
    most = max(cost.resident_mib for cost in costs["lagbench"])
    if most > MOST_MIB:
        sys.exit(f"lagbench took {most:.0f} MiB, more than {MOST_MIB}.")


def row(costs, ours):
    """The figures of one program."""
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
