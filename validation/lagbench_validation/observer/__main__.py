"""Compares the kernel's observer with perf and dumpcap, and tries to break it; scripts/validate observer starts it."""

import sys
from collections.abc import Callable

from lagbench_validation.observer import arrivals
from lagbench_validation.observer.agreement import compare
from lagbench_validation.observer.kills import kill_often
from lagbench_validation.observer.rights import RefusedError, judge_rights, judge_root
from lagbench_validation.program import UNAVAILABLE, make_parser, run_main

_NAME = "observer"
_KILLS = 100


def main() -> int:
    parser = make_parser(
        _NAME,
        "Compares the waits of the observer with those that perf records of the same threads, and its departures and"
        " arrivals with what dumpcap captures at both ends of a link; starts runs without each of its rights, in other"
        " namespaces and at the same time; and kills runs, of which no BPF program may be left.",
        "an observed run and one that is captured",
    )
    parser.add_argument("--kills", type=int, default=_KILLS, help="of runs (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="PART", help="agreement, arrivals, rights or kills")
    options = parser.parse_args()
    try:
        held = [judge_root(options.home)]
    except RefusedError as e:
        print(f"this machine does not permit the observer: waits are recorded by {e}", file=sys.stderr)
        return UNAVAILABLE
    parts: dict[str, Callable[[], bool]] = {
        "agreement": lambda: compare(options.home),
        "arrivals": lambda: arrivals.compare(options.home),
        "rights": lambda: judge_rights(options.home),
        "kills": lambda: kill_often(options.home, options.kills),
    }
    if options.smoke:
        held.append(arrivals.compare(options.home, arrivals.SMOKE))
    else:
        held += [judge() for name, judge in parts.items() if options.only in name]
    print(f"{sum(held)} of {len(held)} parts of the observer hold")
    return 0 if all(held) else 1


if __name__ == "__main__":
    run_main(_NAME, main)
