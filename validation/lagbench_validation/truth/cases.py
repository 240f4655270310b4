"""The cases: the error of a clock, the path, and the source of synchronization."""

import random
from dataclasses import dataclass
from typing import Any

from lagbench_validation.namespaces import CABLE, SIDES, Link, relay

RATES_SEED = 1


@dataclass(frozen=True)
class Setting:
    """
    A state of the two hosts, with a run from each side in senders to the other. Side a has chrony's server, side
    b its client.
    """

    title: str
    faked: str = "b"  # the side whose clock is faked
    offset_us: int = 0
    rate_ppm: int = 0
    other_rate_ppm: int = 0  # of the other side's clock
    step_us: int = 0  # in the middle of the run
    noticed: bool = True  # whether the kernel notifies lagbench of the step
    one_boot_id: bool = False  # whether both sides report the same boot identifier, as cloned VMs do
    link: Link = CABLE
    chrony: bool = True
    transport: str = "udp"
    tapped: bool = False
    timestamping: bool = False  # whether to record the socket's stamps and compare them with the taps
    paper_bound: bool = False  # whether chrony's bound must be below the paper's figure
    senders: tuple[str, ...] = SIDES
    smoke: bool = False

    @property
    def has_exact_chrony(self) -> bool:
        """Returns whether chrony measures the clocks over a cable during the whole run, without a step."""
        return self.chrony and not self.link.relayed and self.step_us == 0

    def case(self, sending: str) -> str:
        """Returns the name of the case with one sending side."""
        return f"{self.title}, {sending} sends"


def _text(value: int, unit: str) -> str:
    return f"{value:+,} {unit}"


def _clock(faked: str, offset_us: int, rate_ppm: int, **others: Any) -> Setting:
    parts = []
    if offset_us:
        parts.append(_text(offset_us // 1000, "ms") if offset_us % 1000 == 0 else _text(offset_us, "µs"))
    if rate_ppm:
        parts.append(_text(rate_ppm, "ppm"))
    prefix = others.pop("prefix", "")
    title = f"{prefix}{faked}'s clock {' '.join(parts) or 'true'}"
    return Setting(title, faked=faked, offset_us=offset_us, rate_ppm=rate_ppm, **others)


def settings() -> list[Setting]:
    """Returns all settings, with those of --smoke marked."""
    found = [_clock("b", 0, 0, paper_bound=True), _clock("b", 50_000, 100, smoke=True)]
    for offset_us in (50_000, -50_000, 10_000, -10_000, 1_000, -1_000, 100, -100):
        found.append(_clock("b", offset_us, 0))
    for rate_ppm in (100, -100, 30, -30, 1):
        found.append(_clock("b", 0, rate_ppm))
    for offset_us, rate_ppm in ((-50_000, 100), (50_000, -100), (-50_000, -100), (1_000, 100), (-1_000, -100)):
        found.append(_clock("b", offset_us, rate_ppm))
    for offset_us, rate_ppm in ((50_000, 0), (-50_000, 0), (0, 100), (0, -100), (50_000, 100), (-50_000, -100)):
        found.append(_clock("a", offset_us, rate_ppm))
    found.append(_clock("b", -50_000, 100, prefix="TCP, ", transport="tcp"))

    for offset_us, rate_ppm in ((0, 0), (50_000, 100), (-50_000, -100), (1_000, 0)):
        found.append(_clock("b", offset_us, rate_ppm, prefix="no chrony, ", chrony=False))
    copies = {"chrony": False, "one_boot_id": True}
    found.append(_clock("b", -3_000, 0, prefix="copies, no chrony, ", senders=("a",), smoke=True, **copies))

    for there_ms, back_ms in ((5, 5), (250, 250), (10, 0), (0, 10)):
        prefix = f"{there_ms}/{back_ms} ms, "
        link = relay(there_ms, back_ms)
        found.append(_clock("b", 0, 0, prefix=prefix, link=link))
        found.append(_clock("b", -50_000, 30, prefix=prefix, link=link))
    found.append(_clock("b", 2_000, 0, prefix="5/5 ms, ", link=relay(5, 5), senders=("a",), smoke=True))
    found.append(_clock("b", 0, 0, prefix="no chrony, 10/0 ms, ", link=relay(10, 0), chrony=False))
    rates = random.Random(RATES_SEED)
    for _ in range(25):
        b_ppm, a_ppm = rates.randint(-500, 500), rates.randint(-500, 500)
        title = f"both clocks, a's {_text(a_ppm, 'ppm')}, b's {_text(b_ppm, 'ppm')}"
        found.append(Setting(title, rate_ppm=b_ppm, other_rate_ppm=a_ppm, link=relay(20, 20), chrony=False))

    found.append(Setting("b's clock steps +1 ms", step_us=1_000, senders=("a",)))
    found.append(Setting("b's clock steps -1 ms", step_us=-1_000, senders=("b",)))
    found.append(Setting("a's clock steps +1 ms", faked="a", step_us=1_000, senders=("a",)))
    found.append(Setting("no chrony, b's clock steps +1 ms", step_us=1_000, chrony=False, senders=("a",)))
    unnoticed: dict[str, Any] = {"chrony": False, "noticed": False}
    for faked, step_us, rate_ppm, smoke in (("b", -200, 30, True), ("b", 2_000, -100, False), ("a", -200, 0, False)):
        title = f"unnoticed, {faked}'s clock steps {_text(step_us, 'µs')} at {_text(rate_ppm, 'ppm')}"
        step = Setting(title, faked, step_us=step_us, rate_ppm=rate_ppm, senders=("a",), smoke=smoke, **unnoticed)
        found.append(step)

    found.append(_clock("b", 0, 0, prefix="tapped, ", tapped=True))
    found.append(_clock("b", -50_000, 100, prefix="tapped, ", tapped=True))
    stamped: dict[str, Any] = {"tapped": True, "timestamping": True}
    unsteered: dict[str, Any] = {"chrony": False, "senders": ("a",), "smoke": True}
    found.append(_clock("b", 0, 0, prefix="timestamping, no chrony, ", **unsteered, **stamped))
    found.append(_clock("b", -50_000, 100, prefix="timestamping, ", **stamped))
    return found
