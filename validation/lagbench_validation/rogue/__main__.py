"""Runs the programs of a checkout against mutations from the protocol; scripts/validate rogue starts it."""

import argparse
import os
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
from lagbench_validation.rogue.ports import CASES, DATAGRAMS, SIMPLE, Origin, PortCampaign
from lagbench_validation.rogue.session import Mutation, Pace

SMOKE_PROGRAMS = ("receiver-udp", "receiver-udp-key", "receiver-tcp")
SMOKE_AT_RECEIVERS = 60
SMOKE_OTHERS = (  # a JVM each
    "sender-udp/accepted/refused/OK",
    "sender-udp/counted/counted.counts.distinct/minus-one",
    "sender-udp/capture/file/empty",
    "sender-watching/interval/interval.received.lost/zero",
    "clock/hello/refused/OK",
    "doctor/host-is/host-is.host.lagbench/empty-text",
    "sweep/accepted/refused/OK",
)

SMOKE_CASES = (SIMPLE,)
SMOKE_ORIGINS = (Origin.NEIGHBOR,)
SMOKE_DATAGRAMS = 1_000
ORIGINS = (Origin.STRANGER, Origin.NEIGHBOR, Origin.PEER, Origin.NOBODY)

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
    parser.add_argument(
        "--only", metavar="NAME", help="only the mutations, or runs of --ports, whose names begin with NAME"
    )
    parser.add_argument("--sample", metavar="N", type=int, help="only N mutations, which the seed selects")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=1, help="seed of samples and of random bytes (default: 1)"
    )
    parser.add_argument("--ports", action="store_true", help="only the attacks on the ports of runs; needs root")
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


def _attack_ports(options: argparse.Namespace, work: Path) -> list[int]:
    """Attacks the ports of runs, and returns how many runs passed, failed and were skipped."""
    if os.geteuid() != 0:
        print("the ports of runs: skipped, because network namespaces need root")
        return [0, 0, 1]
    counts = [0, 0, 0]
    cases, origins = (SMOKE_CASES, SMOKE_ORIGINS) if options.smoke else (CASES, ORIGINS)
    campaign = PortCampaign(options.home, work, options.seed, SMOKE_DATAGRAMS if options.smoke else DATAGRAMS)
    print(f"\n{'run':50} {'attacked by':42} {'ports':>5} {'sent':>8} {'threads':>7} {'MiB':>6}")
    for outcome in campaign.attack([case for case in cases if case.name.startswith(options.only or "")], origins):
        counts[1 if outcome.wrong else 0 if outcome.is_available else 2] += 1
        threads, mib = (max((use[at] for use in outcome.use.values()), default=0) for at in (0, 1))
        print(f"{outcome.case.name:50} {outcome.origin.value:42} {outcome.ports:5} {outcome.sent:8,} {threads:7}"
              f" {mib:6.0f}", flush=True)  # fmt: skip
        for wrong in outcome.wrong:
            print(f"FAILED  {outcome.case.name}, {outcome.origin.value}: {wrong}", flush=True)
    return counts


def _mutate(options: argparse.Namespace, chosen: Sequence[Mutation], protocol: int, work: Path) -> list[int]:
    """Tries mutations, and returns how many passed, failed and were skipped."""
    campaign = Campaign(options.home, work, protocol, _Progress(len(chosen)).report)
    start = time.monotonic()
    try:
        campaign.run(chosen)
    finally:
        _print_table(campaign.verdicts)
    for sentence in campaign.failures:
        print(f"FAILED  {sentence}")
    wrong = sum(bool(verdict.wrong) for verdict in campaign.verdicts)
    print(f"{len(campaign.verdicts):,} mutations in {time.monotonic() - start:.0f} s")
    return [len(campaign.verdicts) - wrong, wrong + len(campaign.failures), 0]


def main() -> int:
    options = _options()
    forms = read_forms(options.home)
    chosen = [] if options.ports else _chosen(Table(forms, options.seed).all(), options)
    if options.list:
        print("\n".join(mutation.name for mutation in chosen))
        return 0
    if not chosen and not options.ports:
        print(f"no mutation begins with '{options.only}'; see scripts/validate rogue --list", file=sys.stderr)
        return 2
    work = Path(tempfile.mkdtemp(prefix="lagbench-rogue-"))
    passed = failed = skipped = 0
    try:
        is_whole = options.only is None and options.sample is None
        parts = [_mutate(options, chosen, forms.protocol, work)] if chosen else []
        parts += [_attack_ports(options, work)] if options.ports or is_whole else []
        passed, failed, skipped = map(sum, zip(*parts, strict=True))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed < len(chosen) else 0


if __name__ == "__main__":
    run_main("rogue", main)
