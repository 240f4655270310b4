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
_SETTINGS = f"packet-bytes: {PACKET_BYTES}\npackets: 50\n"

# The networks that join the coordinator's host and a site, /30 each. The lab's own are of 10.139/16.
_MANAGEMENT = "10.140.0"

# No packet passes the agents' JVMs: the optimizing compiler would only take CPU time from other networks.
_JVM = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}

# Headers of UDP, IPv4 and Ethernet, and preamble, check sequence and gap (RFC 768, RFC 791, IEEE 802.3).
_OVERHEAD_BYTES = 66


@dataclass(frozen=True)
class Site:
    """A host of the network, and the rate, delay and queue of both directions of its link; 0 for the default queue."""

    name: str
    rate_kbit: int
    delay_us: int
    router: str = "left"
    queue_ms: int = 0

    @property
    def packet_us(self) -> float:
        """Returns how long a packet occupies the link."""
        return (PACKET_BYTES + _OVERHEAD_BYTES) * 8e3 / self.rate_kbit

    @property
    def yaml(self) -> str:
        """Returns its entry in the description of a network."""
        queue = f", queue: {self.queue_ms}ms" if self.queue_ms else ""
        link = f"router: {self.router}, rate: {self.rate_kbit}kbit, delay: {self.delay_us}us{queue}"
        return f"  - {{name: {self.name}, {link}}}\n"


class SiteNetwork:
    """An emulated network of sites. The coordinator runs on the host "sender"."""

    def __init__(self, home: Path, directory: Path, namespaces: Namespaces, addresses: Mapping[str, str]) -> None:
        self._lagbench = home / "scripts" / "lagbench"
        self.directory = directory
        self.namespaces = namespaces
        self.addresses = addresses
        self.key = make_key(directory)

    def agent(self, site: str, key: Path | None) -> Program:
        """Starts the agent of a site, with the key of the network or another key."""
        return Program(
            f"the agent of {site}",
            self.namespaces.command(
                site, self._lagbench, "serve", "--allow", "run,send-to-others", "--key-file", key or self.key,
                "--site", ",".join(f"{address}:{_PORT}" for address in self.addresses.values()),
                "--directory", self.directory / f"received-{site}", "--listen", f"{self.addresses[site]}:{_PORT}",
                environment=_JVM,
            ),
        )  # fmt: skip

    def manage(self, sites: Sequence[str]) -> None:
        """Joins the coordinator's host and each site by a cable for their control connections."""
        coordinator = self.namespaces.name("sender")
        for number, site in enumerate(sites):
            host, device = self.namespaces.name(site), f"manage{number}"
            near, far = (f"{_MANAGEMENT}.{4 * number + end}" for end in (1, 2))
            for command in (
                f"{coordinator} link add {device} type veth peer name manage netns {host}",
                f"{coordinator} address add {near}/30 dev {device}",
                f"{coordinator} link set {device} up",
                f"{host} address add {far}/30 dev manage",
                f"{host} link set manage up",
                f"{coordinator} route add {self.addresses[site]}/32 via {far}",
            ):
                run(["ip", "-n", *command.split()])

    def matrix(self, *arguments: object) -> Program:
        """Starts the coordinator."""
        return Program("matrix", self.namespaces.command("sender", self._lagbench, "matrix", *arguments))

    def file(self, name: str, sites: Sequence[str], pairs: Sequence[str] = (), budget_mb: int = 3) -> Path:
        """Writes a file of sites, with some pairs or all."""
        hosts = "".join(f"  - {{name: {site}, host: {self.addresses[site]}}}\n" for site in sites)
        chosen = f"pairs: [{', '.join(pairs)}]\n" if pairs else ""
        path = self.directory / f"{name}.yaml"
        path.write_text(f"{_SETTINGS}budget-mb: {budget_mb}\nkey-file: {self.key}\n{chosen}sites:\n{hosts}")
        return path


@contextmanager
def site_network(
    home: Path, directory: Path, sites: Sequence[Site], link: str = "", keys: Mapping[str, Path | None] | None = None
) -> Iterator[SiteNetwork]:
    """
    Creates a network with an agent on each site. At the end removes it with all programs on its hosts.

    :param directory: names the network
    :param link: the lines of the link between the routers
    :param keys: the sites with a key other than the network's, or, if the key is None, without an agent
    """
    directory.mkdir(exist_ok=True)
    lagbench = home / "scripts" / "lagbench"
    file = directory / "network.yaml"
    file.write_text(f"topology: dumbbell\n{link}sites:\n{''.join(site.yaml for site in sites)}")
    name = f"truth-{directory.name}"
    run([lagbench, "lab", "up", file, "--name", name], timeout_s=_LAB_SECONDS_MAX)
    try:
        (lab,) = json.loads(run([lagbench, "lab", "show", name, "--json"], timeout_s=_LAB_SECONDS_MAX))
        network = SiteNetwork(home, directory, Namespaces(f"lagbench-lab-{name}"), lab["addresses"])
        with ExitStack() as stack:
            agents = []
            others = keys or {}
            for site in sites:
                if site.name not in others or others[site.name] is not None:
                    agents.append(network.agent(site.name, others.get(site.name)))
                    stack.callback(agents[-1].end)
            for agent in agents:
                agent.await_text("^listening on ", _START_SECONDS_MAX)
            yield network
    finally:
        run([lagbench, "lab", "down", name], timeout_s=_LAB_SECONDS_MAX)


def await_matrix(matrix: Program) -> None:
    """Waits until a matrix has succeeded."""
    try:
        matrix.await_success(_MATRIX_SECONDS_MAX)
    finally:
        matrix.end(signal.SIGKILL)


def session(results: Path) -> Path:
    """Returns the only session directory."""
    (found,) = results.iterdir()
    return found
