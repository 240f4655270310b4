"""Six hosts under systemd, set up, measured and cleared by the Ansible collection; scripts/validate hosts starts it."""

import argparse
import shutil
import socket
import sys
import time
from pathlib import Path

from lagbench_validation import machine
from lagbench_validation.hosts import checks, prometheus
from lagbench_validation.hosts.machines import Fleet, Host, install_debian, running_fleet
from lagbench_validation.hosts.playbooks import MONITORED_PORT, Playbooks
from lagbench_validation.namespaces import entered
from lagbench_validation.processes import Failed, Program, run
from lagbench_validation.program import run_main

NAMES = ("vienna", "graz", "linz", "wels", "steyr", "krems", "baden", "enns", "hall", "imst", "lienz", "tulln")
CONTROL, MONITOR, OCCUPIED, WITH_ARCHIVE, CUT = "vienna", "graz", "linz", "wels", "krems"
AGENT_PORT = 5394
STATE = "/var/lib/lagbench-matrix"
_CUT_RUNS = 10
_WAIT_S = 300
_SILENT_S = 2


class Validation:
    """The steps, in their order. Each raises Failed, or prints what holds."""

    def __init__(self, home: Path, folder: Path, debian: Path, fleet: Fleet, playbooks: Playbooks) -> None:
        self._home = home
        self._folder = folder
        self._debian = debian
        self._fleet = fleet
        self._playbooks = playbooks
        self._steps = 0
        self._began = time.monotonic()
        self._all = list(fleet.hosts.values())
        self._packages = {host.name: checks.packages(fleet, host) for host in self._all}

    def run(self) -> int:
        self.check_bare()
        self.install_with_failure()
        self.repeat()
        self.limit_port()
        self.reboot()
        self.measure()
        self.scrape()
        self.measure_cut()
        self.fail_on_installed()
        self.remove()
        return self._steps

    def check_bare(self) -> None:
        self._playbooks.play("install", "--check")
        self._require_clean(self._all)
        self._holds("--check succeeds on bare hosts, and changes nothing")

    def install_with_failure(self) -> None:
        occupied = self._fleet.hosts[OCCUPIED]
        self._occupy(occupied)
        outcome = self._playbooks.play("install", failing=frozenset({OCCUPIED}))
        self._require_clean([occupied])
        self._require(f"{AGENT_PORT}" in _message(outcome.output, OCCUPIED), "the reason of a failure is missing")
        installed = [host for host in self._all if host != occupied]
        for host in installed:
            found = checks.ours(host, self._debian)
            self._require("etc/lagbench.key" in found, f"{host.name}: the difference has no key, only {found}")
        self._release(occupied)
        self._holds(f"{len(installed)} hosts are installed; one whose port is occupied fails, and is as before")

    def repeat(self) -> None:
        outcome = self._playbooks.play("install")
        changed = {host for host, count in outcome.changed.items() if count}
        self._require(changed == {OCCUPIED}, f"an installation repeated on 5 hosts changes {changed}")
        outcome = self._playbooks.play("install", "--limit", OCCUPIED)
        self._require(not any(outcome.changed.values()), f"a second run changes {outcome.changed}")
        self._holds("a second run changes nothing")

    def limit_port(self) -> None:
        host = self._fleet.hosts[MONITOR]
        with entered(self._fleet.hub), socket.socket() as connection:
            connection.settimeout(_SILENT_S)
            try:
                connection.connect((host.address, AGENT_PORT))
            except TimeoutError:
                pass
            else:
                raise Failed("a host that is no site connects to the agent")
        self._fleet.ssh(self._fleet.hosts[CONTROL], f"timeout 5 bash -c '</dev/tcp/{host.address}/{AGENT_PORT}'")
        self._holds("a site connects to an agent, another host does not")

    def reboot(self) -> None:
        host = self._fleet.hosts[MONITOR]
        self._fleet.shut_down(host)
        self._fleet.boot(host)
        self._fleet.await_boot(host)
        self._fleet.ssh(host, "systemctl is-active lagbench-agent && nft list table inet lagbench_agent")
        self._holds("the agent and its rules are there after a reboot")

    def measure(self) -> None:
        self._playbooks.play("matrix")
        cells, failures = self._newest_matrix()
        count = len(self._all) * (len(self._all) - 1)
        self._require(len(cells) == count, f"{len(cells)} of {count} pairs were measured: {failures}")
        compared = checks.require_equal(cells, self._playbooks.dataset)
        self._holds(f"{count} pairs are measured; {compared} cells of the dataset are those of matrix.json")

    def scrape(self) -> None:
        text = self._fleet.ssh(self._fleet.hosts[CONTROL], f"cat {STATE}/lagbench.prom")
        monitor = f"{self._fleet.hosts[MONITOR].address}:{MONITORED_PORT}"
        pairs = len(self._all) * (len(self._all) - 1)
        directory = self._folder / "prometheus"
        self._holds(
            prometheus.scrape(self._home, directory, self._fleet, monitor, self._playbooks.live_key, text, pairs)
        )

    def measure_cut(self) -> None:
        program = self._playbooks.start("matrix")
        try:
            self._await_runs(program)
            self._fleet.set_link(self._fleet.hosts[CUT], "down")
            outcome = self._playbooks.finish(program)
        finally:
            program.end()
        self._fleet.set_link(self._fleet.hosts[CUT], "up")
        cells, failures = self._newest_matrix()
        others = (len(self._all) - 1) * (len(self._all) - 2)
        self._require(failures, "the host was cut too late")
        self._require(all(CUT in pair for pair in failures), f"pairs without {CUT} failed: {failures}")
        self._require(outcome.failed == {CONTROL}, "the playbook does not fail")
        is_named = f"{CUT} → " in outcome.output or f" → {CUT}" in outcome.output
        self._require(is_named, "the playbook does not name the pairs of the host")
        self._require(sum(CUT not in pair for pair in cells) == others, "a pair of other hosts is missing")
        compared = checks.require_equal(cells, self._playbooks.dataset)
        self._holds(
            f"a host that is cut in mid-run: {len(failures)} of its pairs fail and are named, the {others} of the"
            f" others are measured; {compared} cells of the dataset are those of matrix.json"
        )

    def _await_runs(self, matrix: Program) -> None:
        """Waits until a second matrix has a few runs."""
        control = self._fleet.hosts[CONTROL]
        begun = f"find $(ls -td {STATE}/sessions/*/ | head -n 1) -name run.json | wc -l"
        sessions = f"ls {STATE}/sessions | wc -l"
        deadline = time.monotonic() + _WAIT_S
        while int(self._fleet.ssh(control, sessions)) < 2 or int(self._fleet.ssh(control, begun)) < _CUT_RUNS:
            if matrix.ended or time.monotonic() > deadline:
                raise Failed(f"the matrix did not begin: {matrix.last_lines()}")
            time.sleep(0.2)

    def fail_on_installed(self) -> None:
        host = self._fleet.hosts[OCCUPIED]
        files = "/etc/lagbench-agent /etc/lagbench-agent.nft /etc/lagbench.key"
        before = self._fleet.ssh(host, f"sha256sum {files}")
        self._fleet.ssh(host, "systemctl stop lagbench-agent")
        self._occupy(host)
        more = '{"lagbench_agent_allowed": ["192.0.2.99"]}'
        self._playbooks.play("install", "--limit", OCCUPIED, "-e", more, failing=frozenset({OCCUPIED}))
        self._require(self._fleet.ssh(host, f"sha256sum {files}") == before, "files are changed after a failure")
        self._release(host)
        self._fleet.ssh(host, "systemctl restart lagbench-agent")
        self._holds("a failing change of an installed host restores its files")

    def remove(self) -> None:
        self._playbooks.play("remove", "-e", '{"lagbench_matrix_remove_sessions": true}')
        self._require_clean(self._all)
        for host in self._all:
            self._require(
                checks.packages(self._fleet, host) == self._packages[host.name],
                f"{host.name} has other packages than before",
            )
        outcome = self._playbooks.play("remove", "-e", '{"lagbench_matrix_remove_sessions": true}')
        self._require(not any(outcome.changed.values()), f"a second removal changes {outcome.changed}")
        self._holds("nothing of lagbench is left; a second removal changes nothing")

    def _newest_matrix(self) -> tuple[checks.Cells, dict[checks.Pair, str]]:
        newest = f"cat $(ls -td {STATE}/sessions/*/ | head -n 1)matrix.json"
        return checks.matrix_of_json(self._fleet.ssh(self._fleet.hosts[CONTROL], newest))

    def _occupy(self, host: Host) -> None:
        serve = f"python3 -m http.server {AGENT_PORT} --directory /run"
        self._fleet.ssh(host, f"systemd-run --quiet --unit=occupant --property=DynamicUser=yes {serve}")
        listens = f"ss --no-header --listening --tcp sport = :{AGENT_PORT}"
        self._fleet.ssh(host, f"timeout 20 sh -c 'until {listens} | grep -q .; do sleep 0.1; done'")

    def _release(self, host: Host) -> None:
        self._fleet.ssh(host, "systemctl stop occupant")

    def _require_clean(self, hosts: list[Host]) -> None:
        for host in hosts:
            found = checks.ours(host, self._debian)
            self._require(not found, f"{host.name} has {found}")

    def _require(self, holds: object, otherwise: str) -> None:
        if not holds:
            raise Failed(otherwise)

    def _holds(self, sentence: str) -> None:
        self._steps += 1
        print(f"{time.monotonic() - self._began:6.0f} s  {sentence}", flush=True)


def _message(output: str, host: str) -> str:
    return "\n".join(line for line in output.splitlines() if line.startswith(f"fatal: [{host}]"))


def _packages(home: Path, folder: Path) -> tuple[Path, Path]:
    """Returns package and archive of HEAD; builds them unless the folder has them."""
    commit = run(["git", "-C", home, "rev-parse", "--short=8", "HEAD"]).strip()
    if not list(folder.glob(f"lagbench_*{commit}*.deb")):
        shutil.rmtree(folder, ignore_errors=True)
        run([home / "scripts" / "package", folder])
    return _the_one(folder, "lagbench_*.deb"), _the_one(folder, "lagbench-*.tar.gz")


def _the_one(folder: Path, pattern: str) -> Path:
    found = list(folder.glob(pattern))
    if len(found) != 1:
        raise Failed(f"{folder} has {len(found)} files {pattern}, not one")
    return found[0]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/validate hosts",
        description="Boots hosts with systemd in containers (systemd-nspawn), and has the Ansible collection install"
        " agents and a monitor, measure matrices, also while a host is cut from the others, and remove all of it."
        " Compares the dataset with matrix.json, and the files of each host with those before. A Prometheus scrapes"
        " the monitor and the matrix. Needs root; the hosts reach only each other.",
    )
    parser.add_argument("--home", required=True, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--hosts", type=int, default=6, help="6 to 12 (default: %(default)s)")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian", help="of Debian (default: %(default)s)")
    parser.add_argument("--packages", type=Path, help="folder of the packages (default: those of HEAD, in FOLDER)")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="for Debian and packages; a later run uses them")
    options = parser.parse_args()
    if not 6 <= options.hosts <= len(NAMES):
        parser.error("--hosts: 6 to 12")
    return options


def main() -> int:
    options = _options()
    print(machine.describe())
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if options.packages:
        package, archive = _the_one(options.packages, "lagbench_*.deb"), _the_one(options.packages, "lagbench-*.tar.gz")
    else:
        package, archive = _packages(options.home, folder / "packages")
    install_debian(folder / "debian", options.mirror)
    work = folder / "run"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try:
        with running_fleet(folder / "debian", work / "hosts", NAMES[: options.hosts]) as fleet:
            playbooks = Playbooks(options.home, work, fleet)
            playbooks.write_inventory(package.resolve(), archive.resolve(), WITH_ARCHIVE, CONTROL, MONITOR)
            steps = Validation(options.home, work, folder / "debian", fleet, playbooks).run()
    except Failed:
        print(f"what the hosts and the playbooks wrote is in {work}", file=sys.stderr)
        raise
    except KeyboardInterrupt:
        shutil.rmtree(work)
        raise
    shutil.rmtree(work)
    print(f"{options.hosts} hosts, {steps} steps hold")
    return 0


if __name__ == "__main__":
    run_main("hosts", main)
