"""Emulated networks of sites with agents, between which lagbench matrix measures."""

import json
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.key import make_key
from lagbench_validation.namespaces import Namespaces
from lagbench_validation.processes import Program, run

_LAB_SECONDS_MAX = 120
_START_SECONDS_MAX = 180
_MATRIX_SECONDS_MAX = 1_800
_PORT = 5394

PACKET_BYTES = 200
_SETTINGS = f"packet-bytes: {PACKET_BYTES}\npackets: 50\nbudget-mb: 3\n"

# Headers of UDP, IPv4 and Ethernet, and preamble, check sequence and gap (RFC 768, RFC 791, IEEE 802.3).
_OVERHEAD_BYTES = 66


@dataclass(frozen=True)
class Site:
    """A host of the network, and the rate and delay of both directions of its link."""

    name: str
    rate_kbit: int
    delay_us: int
    router: str = "left"

    @property
    def packet_us(self) -> float:
        """Returns how long a packet occupies the link."""
        return (PACKET_BYTES + _OVERHEAD_BYTES) * 8e3 / self.rate_kbit


class SiteNetwork:
    """An emulated network of sites. The coordinator runs on the host "sender"."""

    def __init__(self, home: Path, directory: Path, namespaces: Namespaces, addresses: Mapping[str, str]) -> None:
        self._lagbench = home / "scripts" / "lagbench"
        self._directory = directory
        self._namespaces = namespaces
        self._addresses = addresses
        self.key = make_key(directory)

    def agent(self, site: str, key: Path, directory: Path) -> Program:
        """Starts the agent of a site."""
        return Program(
            f"the agent of {site}",
            self._namespaces.command(
                site, self._lagbench, "serve", "--agent", "--key-file", key, "--directory", directory,
                "--listen", f"{self._addresses[site]}:{_PORT}",
            ),
        )  # fmt: skip

    def matrix(self, *arguments: object) -> Program:
        """Starts the coordinator."""
        return Program("matrix", self._namespaces.command("sender", self._lagbench, "matrix", *arguments))

    def file(self, name: str, sites: Sequence[str]) -> Path:
        """Writes a file of sites."""
        hosts = "".join(f"  - {{name: {site}, host: {self._addresses[site]}}}\n" for site in sites)
        path = self._directory / f"{name}.yaml"
        path.write_text(f"{_SETTINGS}key-file: {self.key}\nsites:\n{hosts}")
        return path


@contextmanager
def site_network(
    home: Path, directory: Path, name: str, sites: Sequence[Site], link: str = ""
) -> Iterator[SiteNetwork]:
    """
    Makes a network, and removes it with all programs on its hosts.

    :param link: the lines of the link between the routers
    """
    lagbench = home / "scripts" / "lagbench"
    file = directory / "network.yaml"
    links = "".join(
        f"  - {{name: {site.name}, router: {site.router}, rate: {site.rate_kbit}kbit, delay: {site.delay_us}us}}\n"
        for site in sites
    )
    file.write_text(f"topology: dumbbell\n{link}sites:\n{links}")
    run([lagbench, "lab", "up", file, "--name", name], timeout_s=_LAB_SECONDS_MAX)
    try:
        (lab,) = json.loads(run([lagbench, "lab", "show", name, "--json"], timeout_s=_LAB_SECONDS_MAX))
        yield SiteNetwork(home, directory, Namespaces(f"lagbench-lab-{name}"), lab["addresses"])
    finally:
        run([lagbench, "lab", "down", name], timeout_s=_LAB_SECONDS_MAX)


@contextmanager
def site_agents(network: SiteNetwork, places: Mapping[str, tuple[Path, Path]]) -> Iterator[None]:
    """Runs an agent on each of some sites, with its key and its directory."""
    with ExitStack() as stack:
        agents = []
        for site, (key, directory) in places.items():
            agents.append(network.agent(site, key, directory))
            stack.callback(agents[-1].end)
        for agent in agents:
            agent.await_text("^listening on ", _START_SECONDS_MAX)
        yield


def await_matrix(matrix: Program) -> None:
    """Waits until a matrix has succeeded."""
    try:
        matrix.await_success(_MATRIX_SECONDS_MAX)
    finally:
        matrix.end(signal.SIGKILL)
