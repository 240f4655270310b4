"""Plants causes at known times and judges the ledgers of lagbench; scripts/validate causes starts it."""

import os
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lagbench.ledger import read_ledgers

from lagbench_validation.causes.judge import NOT_EXPLAINED_MAX, WITHIN_MIN, Found, judge
from lagbench_validation.causes.kinds import Kind, Site, kinds
from lagbench_validation.causes.plant import schedule
from lagbench_validation.causes.planters import Planter
from lagbench_validation.namespaces import SIDES
from lagbench_validation.processes import Failed, run
from lagbench_validation.program import UNAVAILABLE, make_parser, run_main
from lagbench_validation.truth.bench import Bench

_NAME = "causes"
_PLANTS = 50
_LONGEST_MS, _GAP_MS = 20, 60
_PACKETS_PER_MS = 2
_ROUNDS_MAX = 4
_START_MS = 500
_OBSERVER = "the observer in the kernel"
_ADDRESSES = dict.fromkeys(SIDES, "127.0.0.1")


class _Pinned:
    """Two sides on this machine, each with its own processor."""

    def __init__(self, processors: tuple[int, int], planter: Planter) -> None:
        self._processors = dict(zip(SIDES, processors, strict=True))
        self._planter = planter

    def command(self, side: str, *arguments: object, environment: Mapping[str, str] | None = None) -> list[str]:
        variables = [f"{name}={value}" for name, value in (environment or {}).items()]
        words = ("taskset", "-c", self._processors[side], *self._planter.command(side), "env", *variables, *arguments)
        return list(map(str, words))


class _NotObservedError(Exception):
    """This machine does not permit the observer."""


@dataclass(frozen=True)
class Judged:
    """The plants of a kind that delayed packets, and what lagbench found of them."""

    kind: Kind
    planted: int
    found: Sequence[Found]


def _processors() -> tuple[int, int]:
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < len(SIDES):
        raise Failed("a machine with two processors is required")
    return allowed[0], allowed[1]


def _plant(home: Path, kind: Kind, plants: int, seed: int) -> tuple[int, list[Found]]:
    """Makes one run. Returns the number of its plants and what was found of those that delayed a packet."""
    with tempfile.TemporaryDirectory(prefix="lagbench-causes-") as directory:
        work = Path(directory)
        bench = Bench(home, work, _ADDRESSES)
        slots = list(schedule(plants, seed, _LONGEST_MS, _GAP_MS))
        processors = _processors()
        packets = (_START_MS + plants * (kind.plant_ms + 10)) * _PACKETS_PER_MS
        options = ("--transport", kind.transport, "--packet-bytes", 200, "--packets", packets,
                   "--warm-up-packets", 2_000, "--pace", f"sleep:{1_000 // _PACKETS_PER_MS}us",
                   "--observe", "causes", "--engine", kind.engine)  # fmt: skip
        with kind.planter(Site(work, bench.sender_capture("run"), kind.engine, processors, slots)) as planter:
            environments = {side: planter.environment(side) for side in SIDES}
            try:
                made = bench.run(_Pinned(processors, planter), "a", environments, "run", options, planter.started)
            finally:
                planted = planter.plants()
        run(
            [home / "scripts" / "lagbench", "export", work / "runs" / "run", "--format", "ledger", "--tail", 50,
             "--output", work / "export"]
        )  # fmt: skip
        (exported,) = (work / "export").iterdir()
        for side in ("sender", "receiver"):
            if made.record[side]["metadata"].get("waits") != _OBSERVER:
                raise _NotObservedError(str(made.record[side]["metadata"].get("waits")))
        median_ns = statistics.median(received_ns - sent_ns for _, sent_ns, received_ns in made.stamps())
        sent_ns = dict(zip(made.sent["seq"], made.sent["sent_ns"], strict=True))
        return len(planted), judge(planted, read_ledgers(exported), sent_ns, median_ns)


def _judge(home: Path, kind: Kind, plants: int) -> Judged:
    """Makes runs until enough plants delayed packets."""
    planted, found = 0, list[Found]()
    for number in range(_ROUNDS_MAX):
        if len(found) < plants:
            of_run, delaying = _plant(home, kind, plants, number)
            planted += of_run
            found += delaying
    return Judged(kind, planted, found)


def print_judged(judged: Sequence[Judged]) -> bool:
    """Prints what was found of each kind; returns whether all goals are met."""
    print(f"\n{'planted cause':28} {'engine':6} {'plants':>6} {'delaying':>8} {'within':>6} {'worst':>8}"
          f" {'not explained':>14}")  # fmt: skip
    met = 0
    for one in judged:
        within = sum(found.is_within for found in one.found)
        excess_ns = sum(found.excess_ns for found in one.found)
        unexplained = sum(found.not_explained_ns for found in one.found) / max(1, excess_ns)
        worst = max((abs(found.error_ns) / max(1, found.planted_ns) for found in one.found), default=0.0)
        holds = 0 < WITHIN_MIN * len(one.found) <= within and unexplained <= NOT_EXPLAINED_MAX
        met += holds
        print(f"{one.kind.title:28} {one.kind.engine:6} {one.planted:6} {len(one.found):8} {within:6} {worst:8.2%}"
              f" {unexplained:14.2%}{'' if holds else '  missed'}")  # fmt: skip
        for found in one.found:
            if not found.is_within:
                print(f"    planted {found.planted_ns / 1e3:.1f} µs, error {found.error_ns / 1e3:.1f} µs: {found.text}")
    print(f"{met} of {len(judged)} kinds of planted causes are in the ledgers, as parts of the right length")
    return 0 < met == len(judged)


def main() -> int:
    parser = make_parser(
        _NAME,
        "Plants causes at known times, and looks for them in the ledger of the slowest packet of each plant. A planted"
        f" part is within bounds if it is right to 5 % or 5 µs. Fails if less than {WITHIN_MIN:.0%} of a kind are, or"
        f" if more than {NOT_EXPLAINED_MAX:.0%} of the excess over the median is not explained. Delays by other"
        " programs are separate parts.",
        "one run with ten stops of the receiver",
    )
    parser.add_argument("--plants", type=int, default=_PLANTS, help="of each kind (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only kinds whose names contain this")
    options = parser.parse_args()
    chosen = [kind for kind in kinds() if options.only in kind.title]
    judged: list[Judged] = []
    try:
        for kind in chosen[:1] if options.smoke else chosen:
            judged.append(_judge(options.home, kind, 10 if options.smoke else options.plants))
            print(f"{kind.title}: {judged[-1].planted} plants", file=sys.stderr, flush=True)
    except _NotObservedError as e:
        print(f"the ledgers need the observer, but waits are recorded by {e}", file=sys.stderr)
        return UNAVAILABLE
    finally:
        holds = print_judged(judged)
    return 0 if holds else 1


if __name__ == "__main__":
    run_main(_NAME, main)
