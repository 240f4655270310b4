"""Runs the programs of a checkout against mutations from the protocol; scripts/validate rogue starts it."""

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from lagbench_validation.program import make_parser, run_main
from lagbench_validation.rogue import judge
from lagbench_validation.rogue.attacks import Verdict
from lagbench_validation.rogue.campaign import Campaign
from lagbench_validation.rogue.forms import read_forms
from lagbench_validation.rogue.mutations import Table
from lagbench_validation.rogue.session import Mutation, Pace

SMOKE_PROGRAMS = ("receiver-udp", "receiver-udp-key", "receiver-tcp")
SMOKE_AT_RECEIVERS = 160
SMOKE_OTHERS = (  # a JVM each
    "sender-udp/accepted/refused/OK",
    "sender-udp/counted/counted.counts.distinct/minus-one",
    "sender-udp/capture/file/empty",
    "sender-watching/interval/interval.received.lost/zero",
    "clock/hello/refused/OK",
    "doctor/host-is/host-is.host.lagbench/empty-text",
    "sweep/accepted/refused/OK",
)

_PROGRESS_S = 30


def _options() -> argparse.Namespace:
    parser = make_parser(
        "rogue",
        "Speaks lagbench's control protocol and data transports to real receivers, senders and other"
        " programs, and departs from them once in each session. A mutation fails if it makes a wrong exit code, a"
        " stack trace, a control character or a Java class in the output, a file outside the session, a peak of memory"
        f" above {judge.PEAK_MIB_MAX:.0f} MiB, a wait beyond {judge.END_S:.0f} s"
        " (more where the rogue is silent or slow), or a receiver that serves no honest sender"
        " after it. Exit code 0 only if none fails.",
        "a sample of the mutations",
    )
    parser.add_argument("--only", metavar="NAME", help="only the mutations whose names begin with NAME")
    parser.add_argument("--sample", metavar="N", type=int, help="only N mutations, which the seed selects")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=1, help="seed of samples and of random bytes (default: 1)"
    )
    parser.add_argument("--list", action="store_true", help="print the names of the mutations and exit")
    return parser.parse_args()


def _chosen(every: Sequence[Mutation], options: argparse.Namespace) -> list[Mutation]:
    chosen = [mutation for mutation in every if mutation.name.startswith(options.only or "")]
    selected = random.Random(options.seed)
    if options.smoke:
        at_receivers = [
            mutation for mutation in chosen if mutation.program in SMOKE_PROGRAMS and mutation.pace is not Pace.SLOW
        ]
        at_receivers = selected.sample(at_receivers, min(SMOKE_AT_RECEIVERS, len(at_receivers)))
        return at_receivers + [mutation for mutation in chosen if mutation.name in SMOKE_OTHERS]
    if options.sample is not None and options.sample < len(chosen):
        return selected.sample(chosen, options.sample)
    return chosen


class _Progress:
    """Prints each failure at once, and the campaign's progress from time to time."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._done = 0
        self._printed = time.monotonic()

    def report(self, verdict: Verdict) -> None:
        self._done += 1
        if verdict.wrong:
            print(f"FAILED  {verdict.mutation.name}: {'; '.join(verdict.wrong)}", flush=True)
        if time.monotonic() - self._printed > _PROGRESS_S:
            self._printed = time.monotonic()
            print(f"{self._done:,} of {self._count:,} mutations", file=sys.stderr, flush=True)


def _print_table(verdicts: Sequence[Verdict]) -> None:
    """Prints the mutations by program and step."""
    print(
        f"\n{'program':20} {'step':16} {'fields':>7} {'mutations':>10} {'failed':>7} {'longest s':>10} {'peak MiB':>9}"
    )
    groups = defaultdict(list)
    for verdict in verdicts:
        groups[verdict.mutation.program, verdict.mutation.step].append(verdict)
    for (program, step), some in sorted(groups.items()):
        fields = {verdict.mutation.part for verdict in some if "." in verdict.mutation.part}
        failed = sum(bool(verdict.wrong) for verdict in some)
        longest = max(verdict.seconds for verdict in some)
        peak = max(verdict.peak_mib for verdict in some)
        print(f"{program:20} {step:16} {len(fields):7} {len(some):10,} {failed:7} {longest:10.1f} {peak:9.0f}")


def main() -> int:
    options = _options()
    forms = read_forms(options.home)
    chosen = _chosen(Table(forms, options.seed).all(), options)
    if options.list:
        print("\n".join(mutation.name for mutation in chosen))
        return 0
    if not chosen:
        print(f"no mutation begins with '{options.only}'; see scripts/validate rogue --list", file=sys.stderr)
        return 2
    work = Path(tempfile.mkdtemp(prefix="lagbench-rogue-"))
    campaign = Campaign(options.home, work, forms.protocol, _Progress(len(chosen)).report)
    start = time.monotonic()
    try:
        campaign.run(chosen)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        _print_table(campaign.verdicts)
    for sentence in campaign.failures:
        print(f"FAILED  {sentence}")
    failed = sum(bool(verdict.wrong) for verdict in campaign.verdicts) + len(campaign.failures)
    passed = len(campaign.verdicts) - sum(bool(verdict.wrong) for verdict in campaign.verdicts)
    print(f"{len(campaign.verdicts):,} mutations in {time.monotonic() - start:.0f} s")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or passed < len(chosen) else 0


if __name__ == "__main__":
    run_main("rogue", main)
