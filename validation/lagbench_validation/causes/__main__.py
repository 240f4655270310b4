"""Plants causes at known times and judges the ledgers of lagbench; scripts/validate causes starts it."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.causes.judge import NOT_EXPLAINED_MAX, WITHIN_MIN, Found
from lagbench_validation.causes.kinds import Kind, kinds
from lagbench_validation.causes.losses import LossKind
from lagbench_validation.causes.paths import PathKind, path_kinds
from lagbench_validation.causes.runs import NotObservedError, plant
from lagbench_validation.program import UNAVAILABLE, make_parser, run_main

_NAME = "causes"
_PLANTS, _SMOKE_PLANTS = 50, 10
_ROUNDS_MAX = 4


@dataclass(frozen=True)
class Judged:
    """The plants of a kind that delayed packets, and what lagbench found of them."""

    kind: Kind | PathKind | LossKind
    planted: int
    found: Sequence[Found]

    @property
    def within(self) -> int:
        return sum(found.is_within for found in self.found)

    @property
    def not_explained(self) -> float:
        excess_ns = sum(found.excess_ns for found in self.found)
        return sum(found.not_explained_ns for found in self.found) / max(1, excess_ns)

    def meets_goals(self) -> bool:
        return 0 < WITHIN_MIN * len(self.found) <= self.within and self.not_explained <= NOT_EXPLAINED_MAX

    def is_accounted(self) -> bool:
        """Returns whether each plant is named or not explained, however long: on a busy machine too."""
        return bool(self.found) and all(found.is_named or found.not_explained_ns > 0 for found in self.found)


def _judge(home: Path, kind: Kind | PathKind | LossKind, plants: int, rounds: int) -> Judged:
    """Makes runs until enough plants delayed packets."""
    planted, found = 0, list[Found]()
    for number in range(rounds):
        if len(found) < plants:
            of_run, delaying = plant(home, kind, plants, number)
            planted += of_run
            found += delaying
    return Judged(kind, planted, found)


def print_judged(judged: Sequence[Judged], holds: Callable[[Judged], bool]) -> bool:
    """Prints what was found of each kind; returns whether all kinds hold."""
    print(f"\n{'planted cause':28} {'engine':6} {'plants':>6} {'delaying':>8} {'within':>6} {'worst':>8}"
          f" {'not explained':>14}")  # fmt: skip
    met = 0
    for one in judged:
        worst = max((abs(found.error_ns) / max(1, found.planted_ns) for found in one.found), default=0.0)
        met += holds(one)
        print(f"{one.kind.title:28} {one.kind.engine:6} {one.planted:6} {len(one.found):8} {one.within:6} {worst:8.2%}"
              f" {one.not_explained:14.2%}{'' if holds(one) else '  missed'}")  # fmt: skip
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
        "one run with ten stops of the receiver, each of which a ledger names or does not explain",
    )
    parser.add_argument("--plants", type=int, default=_PLANTS, help="of each kind (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only kinds whose names contain this")
    options = parser.parse_args()
    everything: list[Kind | PathKind | LossKind] = [*kinds(), LossKind(), *path_kinds()]
    chosen = [kind for kind in everything if options.only in kind.title]
    judged: list[Judged] = []
    plants, rounds = (_SMOKE_PLANTS, 1) if options.smoke else (options.plants, _ROUNDS_MAX)
    try:
        for kind in chosen[:1] if options.smoke else chosen:
            judged.append(_judge(options.home, kind, plants, rounds))
            print(f"{kind.title}: {judged[-1].planted} plants", file=sys.stderr, flush=True)
    except NotObservedError as e:
        print(f"the ledgers need the observer, but waits are recorded by {e}", file=sys.stderr)
        return UNAVAILABLE
    finally:
        holds = bool(judged) and print_judged(judged, Judged.is_accounted if options.smoke else Judged.meets_goals)
    return 0 if holds else 1


if __name__ == "__main__":
    run_main(_NAME, main)
