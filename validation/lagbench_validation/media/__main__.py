"""Judges SRT and RIST, and which engine sends what; scripts/validate media starts it."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from lagbench_validation.media.ends import check_ends
from lagbench_validation.media.foreign import check_foreign
from lagbench_validation.media.identities import RIST, SRT, check_sums
from lagbench_validation.media.latencies import check_latencies
from lagbench_validation.media.shortfalls import check_shortfalls
from lagbench_validation.media.study import ROUND_TRIPS_MS, markdown, measure
from lagbench_validation.media.wires import check_wires
from lagbench_validation.program import make_parser, run_main

_SMOKE = ("srt",)
Judged = Iterator[tuple[str, list[str]]]


def _tools_missing(*names: str) -> str:
    return ", ".join(name for name in names if shutil.which(name) is None)


def _study(home: Path, work: Path) -> int:
    table = {}
    for round_trip_ms, path, points in measure(home, work):
        table[round_trip_ms, path] = points
        runs = sum(figures.runs for figures in points.values())
        print(f"round trip {round_trip_ms} ms, loss {path}: {runs} usable runs", flush=True)
    for round_trip_ms in ROUND_TRIPS_MS:
        print(f"\nround trip {round_trip_ms} ms\n", *markdown(table, round_trip_ms), sep="\n")
    print(f"\n{sum(len(points) for points in table.values())} points")
    return 0


def main() -> int:
    parser = make_parser(
        "media",
        "SRT and RIST over emulated links: the libraries' counters against the frames on both ends of the link and the"
        " captures, the effective latency of many connections, the limits, the programs of others at the other end;"
        " and each engine with each transport and traffic, seen by tshark. Needs root; for the last two srt-tools,"
        " rist-tools, ffmpeg and tshark (Debian packages). Takes about 40 minutes.",
        "a run over SRT",
    )
    parser.add_argument("--runs", type=int, default=200, metavar="N", help="runs of each transport (default: 200)")
    parser.add_argument("--connections", type=int, default=30, metavar="N", help="for each delay (default: 30)")
    parser.add_argument("--case", action="append", metavar="CASE",
                        help="srt, rist, latencies, shortfalls, ends, foreign or wires; may be repeated")  # fmt: skip
    parser.add_argument("--study", type=Path, metavar="DIR",
                        help="instead of the cases, what recovery costs over paths that lose packets, as a table, with"
                        " the sessions in DIR (35 minutes on an idle machine)")  # fmt: skip
    options = parser.parse_args()
    if options.study:
        return _study(options.home, options.study)
    home, runs, connections = options.home, 1 if options.smoke else options.runs, options.connections
    cases: dict[str, Callable[[Path], Judged]] = {
        "srt": lambda work: check_sums(SRT, runs, home, work),
        "rist": lambda work: check_sums(RIST, runs, home, work),
        "latencies": lambda work: (
            judged for transport in ("srt", "rist") for judged in check_latencies(transport, connections, home, work)
        ),
        "shortfalls": lambda work: check_shortfalls(home, work),
        "ends": lambda work: check_ends(home, work),
        "foreign": lambda work: check_foreign(home / "engines" / "target" / "native", work),
        "wires": lambda work: check_wires(home, work),
    }
    tools = {"foreign": ("srt-live-transmit", "ristsender", "ffmpeg"), "wires": ("tshark",)}
    chosen = options.case or (_SMOKE if options.smoke else tuple(cases))
    if unknown := [name for name in chosen if name not in cases]:
        parser.error(f"no case {unknown[0]}; there are {', '.join(cases)}")
    passed = failed = 0
    for name in chosen:
        if missing := _tools_missing(*tools.get(name, ())):
            print(f"{name}: skipped; not installed: {missing}", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="lagbench-media-") as work:
            for title, wrong in cases[name](Path(work)):
                print(f"{'FAILED' if wrong else 'ok'}  {title}", *wrong, sep="\n        ", flush=True)
                passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    run_main("media", main)
