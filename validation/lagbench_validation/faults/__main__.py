"""Injects the faults of the table, each in its own namespaces, and judges what the programs did."""

import argparse
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.faults import files, rows
from lagbench_validation.faults.kills import SESSION_KILLS, KilledSweep
from lagbench_validation.faults.row import perform
from lagbench_validation.faults.stage import Stage
from lagbench_validation.processes import Failed, Program
from lagbench_validation.program import make_parser, run_main

_NAME = "faults"
_ROWS = {row.name: row for row in [*rows.ROWS, *files.ROWS]}
# A fault of each place: a process, the command alone, a disk, another host. The Java tests have their variants.
_SMOKE = ("kill -9 of the sending C engine", "YAML syntax", "disk full at the start", "forged source")
_NAMESPACES = ("unshare", "--net", "--ipc", "--mount", "--")
_JOB_S = 900


@dataclass(frozen=True)
class _Job:
    """A row or some kills, in separate namespaces."""

    name: str
    options: tuple[str, ...]
    kills: int = 0


@dataclass(frozen=True)
class _Verdict:
    """What a job has shown."""

    wrong: list[str]
    in_flight: int


def _options() -> argparse.Namespace:
    parser = make_parser(
        _NAME,
        "Makes faults while the real programs run: kills, stops, peers that are not lagbench, networks that fail, full"
        " disks, invalid files. Judges each by a rule that was written before: the exit code, the sentence, what was"
        " kept, and what was left behind. Needs root: each row has its own network, shared memory and /run.",
        "some rows",
    )
    parser.add_argument("--only", metavar="PATTERN", default="", help="only the rows in whose names PATTERN is found")
    parser.add_argument("--list", action="store_true", help="print the names of the rows and exit")
    parser.add_argument(
        "--kills",
        metavar="N",
        type=int,
        help="instead of the rows: kill -9 of N random processes of sweeps at random moments while packets flow",
    )
    parser.add_argument(
        "--together",
        action="store_true",
        help="with --kills: each is of all processes at once, like a power failure; what remains is read by table,"
        " export, Python and --resume",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, help="seed of the random kills (default: a random one, which is printed)"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        default=len(os.sched_getaffinity(0)),
        help="jobs at a time (default: %(default)s)",
    )
    parser.add_argument("--inside", metavar="DIRECTORY", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _inside(options: argparse.Namespace) -> int:
    """Executes one row, or the kills of one sweep, in the namespaces of this process, and prints a verdict as JSON."""
    stage = Stage(options.home, options.inside)
    wrong: list[str] = []
    in_flight = 0
    try:
        if options.kills:
            killed = KilledSweep(stage, options.seed, together=options.together)
            wrong.extend(killed.wrong(options.kills))
            in_flight = len(killed.kills)
        else:
            row = _ROWS[options.only]
            wrong.extend(perform(row, stage))
            in_flight = int(row.is_in_flight)
    except Failed as e:
        wrong.append(str(e))
    finally:
        stage.close()
    print(json.dumps([wrong, in_flight]))
    return 0


def _perform(job: _Job, home: Path, directory: Path, running: list[Program]) -> _Verdict:
    directory.mkdir()
    directory.chmod(0o1777)  # some programs are those of another user, who must not replace a key
    program = (sys.executable, "-B", "-m", "lagbench_validation.faults", "--home", home, "--inside", directory)
    inside = Program(job.name, [*_NAMESPACES, *program, *job.options])
    running.append(inside)
    try:
        ended = inside.await_end(_JOB_S)
    finally:
        running.remove(inside)
        inside.end()
    if not ended or inside.exit_code != 0:
        return _Verdict([inside.last_lines()], 0)
    return _Verdict(*json.loads(inside.output().splitlines()[-1]))


def _perform_all(jobs: Sequence[_Job], options: argparse.Namespace, verdicts: list[_Verdict]) -> None:
    with tempfile.TemporaryDirectory(prefix="lf-") as work, ThreadPoolExecutor(options.jobs) as pool:
        Path(work).chmod(0o755)
        start = time.monotonic()
        running: list[Program] = []
        futures = {
            pool.submit(_perform, job, options.home, Path(work, str(number)), running): job
            for number, job in enumerate(jobs)
        }
        try:
            for future in as_completed(futures):
                verdicts.append(future.result())
                for wrong in verdicts[-1].wrong:
                    print(f"FAILED  {futures[future].name}: {wrong}", flush=True)
                done = f"{len(verdicts)} of {len(jobs)}, {time.monotonic() - start:.0f} s: {futures[future].name}"
                print(done, file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for inside in list(running):
                os.kill(inside.pid, signal.SIGTERM)
            raise


def _jobs(options: argparse.Namespace) -> list[_Job]:
    if options.kills:
        seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
        print(f"seed {seed}", flush=True)
        together = ("--together",) if options.together else ()
        return [
            _Job(
                f"kills of seed {seed + first}", ("--kills", str(count), "--seed", str(seed + first), *together), count
            )
            for first in range(0, options.kills, SESSION_KILLS)
            for count in [min(SESSION_KILLS, options.kills - first)]
        ]
    return [
        _Job(name, ("--only", name))
        for name, row in _ROWS.items()
        if re.search(options.only, name) and (not options.smoke or row.fault in _SMOKE)
    ]


def main() -> int:
    options = _options()
    if options.inside:
        return _inside(options)
    jobs = _jobs(options)
    if options.list:
        print("\n".join(job.name for job in jobs))
        return 0
    verdicts: list[_Verdict] = []
    try:
        _perform_all(jobs, options, verdicts)
    finally:
        in_flight = sum(verdict.in_flight for verdict in verdicts)
        failed = sum(bool(verdict.wrong) for verdict in verdicts)
        passed = (in_flight if options.kills else len(verdicts)) - failed
        print(
            f"{len(verdicts)} of {len(jobs)} {'sweeps' if options.kills else 'rows'}; {in_flight} while packets flowed"
        )
        print(f"{max(0, passed)} passed, {failed} failed, 0 skipped")
    return 1 if failed or not verdicts else 0


if __name__ == "__main__":
    run_main(_NAME, main)
