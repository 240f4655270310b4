"""
Datasets: `lagbench dataset`, `lagbench table`, DuckDB and Spark on captures that another program wrote;
scripts/validate dataset starts it.
"""

import argparse
import contextlib
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lagbench
import numpy as np
from lagbench.lags import STATISTICS, from_metrics

from lagbench_validation import machine
from lagbench_validation.analysis.cost import measured
from lagbench_validation.processes import Failed
from lagbench_validation.program import make_parser, run_main
from lagbench_validation.synthetic import SIZES, Numbers, write_bus, write_matrix, write_monitor, write_night

MIB_MAX = 300
MATRIX_HEAP_MIB = 48
BYTES_MAX = 9.0
SPREAD_NS = 1_000_000_000
PART = 1 << 20

# of the points of a dataset, by an engine, with the memory of a new process
TABLE = """
import json, sys, lagbench
print(json.dumps(list(map(dict, lagbench.dataset(*sys.argv[1:]).lag_table(["session"])))))
"""

Cells = dict[str, Any]
Group = tuple[str, int]


@dataclass(frozen=True)
class Variant:
    """How to compute the statistics of lags: right, or with a common error."""

    counts_copies: bool = False
    ranks_in_floats: bool = False
    trims_at_quantile: bool = False


WRONG = {
    "copies counted": Variant(counts_copies=True),
    "ranks in floating point": Variant(ranks_in_floats=True),
    "values at the quantile trimmed": Variant(trims_at_quantile=True),
}


def by_numpy(session: Path, variant: Variant) -> dict[Group, Cells]:
    """Computes the cells of each run from the captures, by NumPy and the integers of Python."""
    return {
        (session.name, size): _cells([_counted(session / "runs" / f"{index:04}-udp-{size}-r1", variant)], variant)
        for index, size in enumerate(SIZES, 1)
    }


def _counted(run: Path, variant: Variant) -> tuple[Cells, Numbers]:
    """Returns the packets that a run sent, received and lost, and the lags."""
    sent, received = np.load(run / "sender.npy", mmap_mode="r"), np.load(run / "receiver.npy", mmap_mode="r")
    seq = np.ascontiguousarray(received["seq"])
    packets, first = np.unique(seq, return_index=True)
    lags = received["received_ns"] - sent["sent_ns"][seq]
    counts = {"sent": len(sent), "received": len(seq), "lost": len(sent) - len(packets)}
    return counts, lags if variant.counts_copies else lags[first]


def _cells(runs: Sequence[tuple[Cells, Numbers]], variant: Variant) -> Cells:
    """Computes the cells of runs together."""
    ordered = np.sort(np.concatenate([lags for _, lags in runs]))
    n = len(ordered)
    result: Cells = {name: sum(counts[name] for counts, _ in runs) for name in ("sent", "received", "lost")}
    result |= {"n": n, "minimum": float(ordered[0]), "maximum": float(ordered[-1])}
    result["mean"], result["standardDeviation"] = moments(ordered)
    for percent, name in ((50, "median"), (95, "q95"), (99, "q99")):
        rank, rest = divmod((n - 1) * percent, 100)
        fraction = rest / 100
        if variant.ranks_in_floats:
            rank, fraction = int((n - 1) * (percent / 100)), (n - 1) * (percent / 100) % 1
        below, above = float(ordered[rank]), float(ordered[min(n - 1, rank + 1)])
        result[name] = below + fraction * (above - below)
        if percent > 50:
            largest = ordered[rank] - 1 if variant.trims_at_quantile else ordered[rank]
            kept = ordered[ordered <= largest]
            result[f"withoutQ{percent}.mean"], result[f"withoutQ{percent}.standardDeviation"] = moments(kept)
            result[f"withoutQ{percent}.dropped"] = n - len(kept)
    return result


def moments(values: Numbers) -> tuple[float, float]:
    n, total, squares = len(values), 0, 0
    for part in np.array_split(values, 1 + n // PART):
        integers = part.astype(object)
        total, squares = total + int(integers.sum()), squares + int((integers * integers).sum())
    return total / n, math.sqrt((n * squares - total * total) / (n * (n - 1)))


def by_table(home: Path, session: Path) -> dict[Group, Cells]:
    """Returns the cells that `lagbench table` has."""
    cells = {}
    for point in json.loads(text_of(home, "table", session, "--format", "json"))["points"]:
        result = {name: point["metrics"][f"packets.{name}"] for name in ("sent", "received", "lost")}
        result |= from_metrics(point["metrics"], "lag")
        cells[session.name, point["point"]["packetBytes"]] = result
    return cells


def by_engine(directory: Path, engine: str) -> dict[Group, Cells]:
    """Returns the cells of the table of a dataset."""
    table = lagbench.dataset(directory, engine).lag_table(["session", "packet_bytes"])
    return {(row.pop("session"), row.pop("packet_bytes")): row for row in map(dict, table)}


def differences(ours: dict[Group, Cells], theirs: dict[Group, Cells], in_us: bool = False) -> int:
    """Returns the number of cells that differ in a bit."""
    names = ("sent", "received", "lost", *STATISTICS)
    counts = {"sent", "received", "lost", "n", "withoutQ95.dropped", "withoutQ99.dropped"}
    found = len(names) * len(ours.keys() ^ theirs.keys())
    for group in ours.keys() & theirs.keys():
        for name in names:
            value = ours[group][name] / 1e3 if in_us and name not in counts else ours[group][name]
            found += value != theirs[group][name]
    return found


def killed(home: Path, directory: Path, session: Path, kills: int) -> None:
    """Kills exports of a session that has a new run each time; a reader finds the runs of before or those of after."""
    generator = random.Random(1)
    text_of(home, "dataset", directory, session)
    seconds = min(timed(lambda: text_of(home, "dataset", directory, session)) for _ in range(2))
    runs = session / "runs"
    expected = list(lagbench.dataset(directory).lag_table(["run"]))
    for kill in range(kills):
        added = runs / f"{10 + kill:04}-udp-24-r{2 + kill}"
        subprocess.run(["cp", "-r", runs / "0001-udp-24-r1", added], check=True)
        record = json.loads((added / "run.json").read_text()) | {"name": added.name, "repeat": 2 + kill}
        (added / "run.json").write_text(json.dumps(record))
        command = [*map(str, (home / "scripts" / "lagbench", "dataset", directory, session))]
        export = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        with contextlib.suppress(subprocess.TimeoutExpired):
            export.wait(seconds * generator.uniform(0.5, 1.1))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(export.pid, signal.SIGKILL)
        export.wait()
        found = list(lagbench.dataset(directory).lag_table(["run"]))
        after = expected + [row | {"run": added.name} for row in expected if row["run"] == "0001-udp-24-r1"]
        if found not in (expected, sorted(after, key=lambda row: str(row["run"]))):
            raise Failed(f"after kill {kill} a reader found {[row['run'] for row in found]}")
        if found != expected:
            expected = found
        else:
            subprocess.run(["rm", "-r", added], check=True)


def timed(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def schemas(home: Path, directory: Path, session: Path) -> str:
    """
    Checks that readers find by default the same columns and rows in all files of a table, those of a session of
    IEEE-1394, a matrix and a monitor among them, and returns the readers.
    """
    import pandas
    import polars
    import pyarrow.dataset

    others = [write_bus(directory), write_matrix(directory, session), write_monitor(directory)]
    text_of(home, "dataset", directory / "data", session, *others)
    data = directory / "data"
    by_engines = {"DuckDB": lagbench.dataset(data), "Spark": lagbench.dataset(data, "spark")}
    for table in ("runs", "packets", "lags", "metrics", "series"):
        found: dict[str, tuple[Iterable[str], int]] = {
            name: (*opened.sql(f"SELECT * FROM {table} LIMIT 1"), len(opened.sql(f"SELECT 1 AS row FROM {table}")))
            for name, opened in by_engines.items()
        }
        scanned = polars.scan_parquet(data / table)
        arrow = pyarrow.dataset.dataset(data / table, format="parquet")
        frame = pandas.read_parquet(data / table)
        found["Polars"] = (scanned.collect_schema().names(), len(scanned.collect()))
        found["pyarrow"] = (arrow.schema.names, arrow.count_rows())
        found["pandas"] = (list(frame.columns), len(frame))
        shapes = {(frozenset(columns) - {"date"}, rows) for columns, rows in found.values()}
        if len(shapes) != 1:
            raise Failed(f"readers find different columns or rows of {table}: {found}")
    return ", ".join(found)


def many_pairs(home: Path, directory: Path, sites: int) -> str:
    """Exports a matrix in a heap that has no room for all pairs, and returns what that needed."""
    session = write_night(directory, 0, 300)
    matrix = write_matrix(directory, session, [f"site{site}" for site in range(sites)])
    export = [home / "scripts" / "lagbench", "dataset", directory / "data"]
    (single, _), (output, cost) = (
        measured(["env", f"JDK_JAVA_OPTIONS=-Xmx{MATRIX_HEAP_MIB}m", *export, path]) for path in (session, matrix)
    )
    pairs, (rows, rows_of_all) = sites * (sites - 1), (int(text.split()[-2]) for text in (single, output))
    if rows_of_all != pairs * rows:
        raise Failed(f"{pairs} pairs of {rows} rows have {rows_of_all} rows")
    return f"{pairs} pairs: {cost.cpu_seconds / pairs:.2f} s of CPU each, {cost.own_mib:.0f} MiB"


def spread(home: Path, directory: Path, packets: int, engines: Sequence[str]) -> str:
    """Compares the table of one point whose lags are spread over a second; Spark has a heap of 1 GB."""
    session = write_night(directory, 0, packets, SPREAD_NS)
    text_of(home, "dataset", directory / "data", session)
    right = Variant()
    runs = [_counted(session / "runs" / f"{index:04}-udp-{size}-r1", right) for index, size in enumerate(SIZES, 1)]
    expected = {(session.name, 0): _cells(runs, right)}
    needed = []
    for engine in engines:
        environment = ["env", "PYSPARK_SUBMIT_ARGS=--driver-memory 1g pyspark-shell"]
        output, cost = measured([*environment, sys.executable, "-c", TABLE, directory / "data", engine])
        (row,) = json.loads(next(line for line in output.splitlines() if line.startswith(b"[{")))  # a JVM prints too
        if differences(expected, {(row["session"], 0): row}):
            raise Failed(f"a cell of lags spread over {SPREAD_NS / 1e9:.0f} s differs by {engine}: {row}")
        # not the resident memory, whose peak includes that of this program before the other one is executed
        if engine == "duckdb" and cost.own_mib > MIB_MAX:
            raise Failed(f"lags spread over {SPREAD_NS / 1e9:.0f} s need {cost.own_mib:.0f} MiB")
        of_process = f"{cost.cpu_seconds:.1f} s of CPU, {cost.own_mib:.0f} MiB"  # without Spark's JVM
        needed.append(f"duckdb {of_process}" if engine == "duckdb" else f"{engine} in {cost.seconds:.0f} s")
    return f"{expected[session.name, 0]['n']:,} lags: no cell differs; {', '.join(needed)}"


def text_of(home: Path, *arguments: object) -> str:
    command = [home / "scripts" / "lagbench", *arguments]
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def _options() -> argparse.Namespace:
    parser = make_parser(
        "dataset",
        "Writes sessions with losses, copies, reordering and negative lags, adds them to a dataset, and compares each"
        " cell of the lag table by NumPy, lagbench table, DuckDB and Spark, bit for bit; wrong variants must differ."
        " Then reads the files with other programs, computes a point whose lags are spread over a second, exports a"
        " matrix in a small heap, and kills exports while a reader looks.",
        "3 sessions of 3 runs of 2000 packets, 3 kills, without Spark and other readers",
    )
    parser.add_argument("--sessions", type=int, default=200, help="number of sessions (default: %(default)s)")
    parser.add_argument("--packets", type=int, default=167_000, help="packets of each run (default: %(default)s)")
    parser.add_argument(
        "--spread", type=int, default=6_700_000, help="packets of each of 3 runs in a wide point (default: %(default)s)"
    )
    parser.add_argument("--kills", type=int, default=200, help="number of killed exports (default: %(default)s)")
    parser.add_argument("--directory", default="/tmp", help="where captures are kept meanwhile (default: %(default)s)")
    parser.add_argument("--sites", type=int, default=32, help="sites of a matrix (default: %(default)s)")
    options = parser.parse_args()
    if options.smoke:
        options.sessions, options.packets, options.kills, options.sites = 2, 2_000, 1, 4
        options.spread = 2_000
    return options


def main() -> int:
    options = _options()
    print(machine.describe())
    with tempfile.TemporaryDirectory(prefix="lagbench-dataset-", dir=options.directory) as directory:
        return validate(options, Path(directory))


def validate(options: argparse.Namespace, directory: Path) -> int:
    sessions = [write_night(directory / "results", number, options.packets) for number in range(options.sessions)]
    rows, cpu, mib = 0, 0.0, 0.0
    for start in range(0, len(sessions), 50):
        batch: Sequence[Path] = sessions[start : start + 50]
        command = [options.home / "scripts" / "lagbench", "dataset", directory / "data", *batch]
        output, cost = measured(command)
        rows += sum(int(line.split()[-2]) for line in output.decode().splitlines())
        cpu, mib = cpu + cost.cpu_seconds, max(mib, cost.resident_mib)
    stored = sum(file.stat().st_size for file in (directory / "data" / "packets").rglob("*.parquet"))
    print(f"{rows:,} rows: {cpu / rows * 1e6:.2f} µs of CPU and {stored / rows:.2f} bytes a row, {mib:.0f} MiB")
    right = {group: cells for session in sessions for group, cells in by_numpy(session, Variant()).items()}
    cells = len(right) * (3 + len(STATISTICS))
    of_table = {group: row for session in sessions for group, row in by_table(options.home, session).items()}
    found = {"lagbench table": differences(right, of_table, in_us=True)}
    engines = ("duckdb",) if options.smoke else ("duckdb", "spark")
    for engine in engines:
        found[engine] = differences(right, by_engine(directory / "data", engine))
    for name, count in found.items():
        print(f"{name}: {count} of {cells} cells differ from NumPy", flush=True)
    for name, variant in WRONG.items():
        wrong = {group: row for session in sessions[:20] for group, row in by_numpy(session, variant).items()}
        caught = differences(wrong, {group: right[group] for group in wrong})
        print(f"wrong variant, {name}: {caught} cells differ")
        if caught == 0 and not (options.smoke and variant.ranks_in_floats):
            raise Failed(f"no cell differs with the wrong variant, {name}")
    if not options.smoke:
        print(f"one schema: {schemas(options.home, directory / 'schema', sessions[0])}")
    print(f"lags over 1 s: {spread(options.home, directory / 'spread', options.spread, engines)}", flush=True)
    print(f"matrix in a heap of {MATRIX_HEAP_MIB} MiB: {many_pairs(options.home, directory / 'pairs', options.sites)}")
    killed(options.home, directory / "killed", sessions[0], options.kills)
    if any(found.values()) or (not options.smoke and (mib > MIB_MAX or stored / rows > BYTES_MAX)):
        raise Failed("a cell differs, or the export needs too much")
    print(f"{options.kills} exports killed; 0 of {cells * len(found)} cells differ")
    return 0


if __name__ == "__main__":
    run_main("dataset", main)
