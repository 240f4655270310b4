"""Compares the verdicts of lagbench matrix --bottlenecks with emulated networks whose bottlenecks are known."""

import json
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import NormalDist

from lagbench_validation.processes import Failed
from lagbench_validation.truth.load import Load, competing
from lagbench_validation.truth.sites import Site, SiteNetwork, await_matrix, session, site_network

# Sites a and b send, c and d receive: the pairs a/c and b/d. Each pair passes three tiers of links.
_SENDERS, _RECEIVERS = ("a", "b"), ("c", "d")
_PAIRS = ("a/c", "b/d")
_KINDS = ("Y", "two separate", "same load on separate queues", "three tiers", "varying load")
_OF_EACH_KIND = 12

# How many networks are measured at the same time: on two cores, more would delay each other's packets.
_AT_ONCE = 8

_RATE_MAX_KBIT = 100_000

# The payload of TCP of a pair, in MB. A loaded link would take a minute for more.
_BUDGET_MB, _LOADED_BUDGET_MB = 4, 1

# lagbench shows the first certain verdict.
_VERDICT = "verdict"
_REQUIRED = ("delays", "rates", _VERDICT)
SHARE_MIN = 0.95


@dataclass(frozen=True)
class Topology:
    """
    A network with two pairs of sites.

    :param shared: whether the pairs share their bottleneck
    :param link: the lines of the link between the routers
    """

    name: str
    shared: bool
    sites: Sequence[Site]
    link: str
    loads: Sequence[Load]

    @contextmanager
    def made(self, home: Path, work: Path) -> Iterator[SiteNetwork]:
        """Makes the network, with its agents and its competing traffic."""
        directory = work / self.name.replace(" ", "-").lower()
        with site_network(home, directory, self.sites, self.link) as network:
            network.manage([site.name for site in self.sites])
            with competing(network.namespaces, network.addresses, self.loads):
                yield network


@dataclass(frozen=True)
class Tested:
    """A topology and the verdict of each method: shared, apart or uncertain."""

    topology: Topology
    verdicts: dict[str, str]

    @property
    def truth(self) -> str:
        return "shared" if self.topology.shared else "apart"

    def wrong(self, method: str) -> bool:
        return self.verdicts[method] not in (self.truth, "uncertain")


@dataclass(frozen=True)
class TestedTopologies:
    """Networks of all kinds."""

    topologies: Sequence[Topology]

    @property
    def title(self) -> str:
        return f"bottleneck: {len(self.topologies)} networks"

    def check(self, home: Path, work: Path) -> tuple[str, list[str]]:
        """
        Tests the networks, several at the same time, and prints the verdicts on each.

        Returns a table of the methods, and those with too many wrong verdicts or networks that could not be tested.
        """
        tested: list[Tested] = []
        failed: list[str] = []
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for result in pool.map(lambda one: _test(one, home, work), self.topologies):
                if isinstance(result, Tested):
                    tested.append(result)
                else:
                    failed.append(result)
        rows = [f"{'method':10} {'right':>6} {'wrong':>6} {'uncertain':>12}   {'precision':24} recall"]
        for method in _REQUIRED:
            row, few = judge(method, tested)
            rows.append(row)
            failed += few
        return "\n".join([*rows, self.title]), failed


def _test(topology: Topology, home: Path, work: Path) -> Tested | str:
    """Tests a network. Returns the reason if that is impossible."""
    try:
        with topology.made(home, work) as network:
            verdicts = _verdicts(topology, network)
    except Failed as e:
        return f"{topology.name}: {e}"
    if not verdicts:
        return f"{topology.name}: there is no verdict"
    certain = [verdicts[method] for method in _REQUIRED if verdicts.get(method, "uncertain") != "uncertain"]
    verdicts[_VERDICT] = next(iter(certain), "uncertain")
    tested = Tested(topology, verdicts)
    print(f"{topology.name}: {tested.truth}, found {verdicts}", flush=True)
    return tested


def _verdicts(topology: Topology, network: SiteNetwork) -> dict[str, str]:
    """Returns the verdict of each method."""
    results = network.directory / "results"
    budget_mb = _LOADED_BUDGET_MB if topology.loads else _BUDGET_MB
    file = network.file("sites", [site.name for site in topology.sites], _PAIRS, budget_mb)
    await_matrix(network.matrix(file, "--bottlenecks", "--all-methods", "--output", results))
    sharings = json.loads((session(results) / "matrix.json").read_text())["sharings"]
    return {sharing["method"]: sharing["sharing"].lower() for sharing in sharings}


def judge(method: str, tested: Sequence[Tested]) -> tuple[str, list[str]]:
    """Returns a row with the precision and the recall of the verdicts "shared", and which of both are too small."""
    certain = [one for one in tested if one.verdicts[method] != "uncertain"]
    called = [one.topology.shared for one in certain if one.verdicts[method] == "shared"]
    shared = [one.verdicts[method] == "shared" for one in certain if one.topology.shared]
    wrong = sum(one.wrong(method) for one in certain)
    unknown = len(tested) - len(certain)
    row = f"{method:10} {len(certain) - wrong:6} {wrong:6} {unknown:4} ({unknown / max(1, len(tested)):4.0%})   "
    failed = []
    for name, values in (("precision", called), ("recall", shared)):
        low, high = wilson(sum(values), len(values))
        share = sum(values) / len(values) if values else math.nan
        row += f" {share:.3f} ({low:.3f} to {high:.3f}) "
        if not share >= SHARE_MIN:
            failed.append(f"{name} of {method}: {sum(values)} of {len(values)}")
    return row.rstrip(), failed


def wilson(right: int, tests: int) -> tuple[float, float]:
    """Returns the 95 % confidence interval of a share (Wilson, 1927)."""
    if tests == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.975)
    middle = (right + z * z / 2) / (tests + z * z)
    width = z / (tests + z * z) * math.sqrt(right * (tests - right) / tests + z * z / 4)
    return max(0.0, middle - width), min(1.0, middle + width)


def bottlenecks() -> TestedTopologies:
    """Returns the case with all networks. `--smoke` skips it."""
    numbers = range(1, _OF_EACH_KIND + 1)
    return TestedTopologies([topology(kind, number) for number in numbers for kind in _KINDS])


def topology(kind: str, number: int) -> Topology:
    """Returns a network with random rates, delays, queues and loads, which are the same for the same number."""
    random = Random(f"{kind} {number}")
    loaded = kind not in ("Y", "two separate") or number % 2 == 0
    if kind == "Y" or (kind == "varying load" and number % 2 == 0) or (kind == "three tiers" and number % 2 == 0):
        tiers = ("middle", "middle")
    elif kind == "three tiers":
        tiers = ("up", "up") if number % 4 == 1 else ("down", "down")
    else:
        tiers = (random.choice(("up", "down")), random.choice(("up", "down")))
    builder = _Builder(random, f"{kind} {number}", (4_000, 12_000) if loaded else (5_000, 25_000))
    if kind == "same load on separate queues":
        builder.equalize()
        tiers = (tiers[0], tiers[0])
    return builder.build(tiers, loaded, steady=kind == "three tiers", varying=kind == "varying load")


class _Builder:
    """Draws the links and the loads of a network. The links that are no bottleneck have at least 1.5 times the rate."""

    def __init__(self, random: Random, name: str, rates_kbit: tuple[int, int]) -> None:
        self._random = random
        self._name = name
        self._rates = [round(math.exp(random.uniform(*map(math.log, rates_kbit)))) for _ in _PAIRS]
        self._delays_us = [round(random.uniform(500, 20_000)) for _ in _PAIRS]
        self._queues_ms = [round(random.uniform(40, 150)) for _ in _PAIRS]
        self._shares = [random.uniform(0.7, 0.9) for _ in _PAIRS]
        self._bursts_ms = [random.uniform(80, 250) for _ in _PAIRS]

    def equalize(self) -> None:
        """Gives both pairs the same link and load."""
        for values in (self._rates, self._delays_us, self._queues_ms):
            values[1] = values[0]
        for shares in (self._shares, self._bursts_ms):
            shares[1] = shares[0]

    def build(self, tiers: tuple[str, str], loaded: bool, steady: bool, varying: bool) -> Topology:
        """
        Returns the network.

        :param tiers: the tier of each pair's bottleneck
        :param loaded: whether there is competing traffic in bursts at the bottlenecks
        :param steady: whether there is little constant traffic at the other tiers
        """
        shared = tiers[0] == "middle"
        rates = self._rates[:1] * len(_PAIRS) if shared else self._rates
        middle_kbit = rates[0] if shared else self._faster(sum(rates), 1.5, 2)
        sites: list[Site] = []
        loads: list[Load] = []
        for i, (sender, receiver) in enumerate(zip(_SENDERS, _RECEIVERS, strict=True)):
            for tier, site, router in (("up", sender, "left"), ("down", receiver, "right")):
                narrow = tiers[i] == tier
                rate = rates[i] if narrow else self._faster(rates[i], 2, 3)
                delay_us = self._delays_us[i] if narrow else self._other_delay_us()
                sites.append(Site(site, rate, delay_us, router, self._queues_ms[i]))
                ends = (site, "rival-sender") if tier == "up" else ("rival-receiver", site)
                if narrow and loaded:
                    loads.append(self._load(ends, rate, i, varying))
                elif steady:
                    loads.append(self._steady(ends, rate))
        ends = ("rival-sender", "rival-receiver")
        if shared and loaded:
            loads.append(self._load(ends, middle_kbit, 0, varying))
        elif steady:
            loads.append(self._steady(ends, middle_kbit))
        link = f"rate: {middle_kbit}kbit\nqueue: {self._queues_ms[0]}ms\ndelay: {self._delays_us[0]}us\n"
        return Topology(self._name, shared, sites, link, loads)

    def _faster(self, kbit: float, low: float, high: float) -> int:
        return min(_RATE_MAX_KBIT, round(kbit * self._random.uniform(low, high)))

    def _other_delay_us(self) -> int:
        return round(self._random.uniform(200, 5_000))

    def _load(self, ends: tuple[str, str], kbit: int, pair: int, varying: bool) -> Load:
        mean_kbit = kbit * (1 if varying else self._shares[pair])
        return Load(*ends, mean_kbit, f"{self._name}, {ends}", self._bursts_ms[pair], varying)

    def _steady(self, ends: tuple[str, str], kbit: int) -> Load:
        return Load(*ends, kbit * self._random.uniform(0.05, 0.1), f"{self._name}, {ends}")
