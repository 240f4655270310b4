"""Runs the playbooks of the collection as an administrator does: from a controller, by ssh, with a key in a vault."""

import json
import os
import re
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.hosts.machines import Fleet
from lagbench_validation.processes import Failed, Program, run

_RECAP = re.compile(r"^(\S+)\s+: ok=\d+\s+changed=(\d+)\s+unreachable=(\d+)\s+failed=(\d+)", re.MULTILINE)
_TIMEOUT_S = 900
GROUP = "lagbench"
MONITORED_PORT = 5396


@dataclass(frozen=True)
class Outcome:
    """What a playbook printed, and its counts of each host."""

    output: str
    changed: dict[str, int]
    failed: set[str]


class Playbooks:
    """The collection, installed in a folder, with an inventory of the fleet."""

    def __init__(self, home: Path, directory: Path, fleet: Fleet) -> None:
        self.dataset = directory / "dataset"
        self.live_key = secrets.token_hex(16)
        self._key = secrets.token_hex(16)
        self._fleet = fleet
        self._directory = directory
        self._programs = Path(sys.executable).parent
        self._environment = {
            "ANSIBLE_COLLECTIONS_PATH": str(directory / "collections"),
            "ANSIBLE_FORKS": "12",
            "ANSIBLE_HOME": str(directory / "ansible"),
            "ANSIBLE_PIPELINING": "1",
            "LC_ALL": "C.UTF-8",
            "PATH": f"{self._programs}:{os.environ['PATH']}",
        }
        collection = home / "packaging" / "ansible"
        self._run("ansible-galaxy", "collection", "build", "--output-path", directory, collection)
        built = next(directory.glob("lagbench-fleet-*.tar.gz"))
        self._run("ansible-galaxy", "collection", "install", "--offline", built)

    def write_inventory(self, package: Path, archive: Path, with_archive: str, control: str, monitor: str) -> None:
        """All hosts are sites; one has the archive, one runs the matrix, and one monitors the path to that."""
        hosts: dict[str, dict[str, object]] = {
            host.name: {"ansible_host": host.address} for host in self._fleet.hosts.values()
        }
        hosts[with_archive] |= {"lagbench_host_archive": str(archive), "lagbench_host_package": ""}
        hosts[monitor] |= {
            "lagbench_monitor_targets": [self._fleet.hosts[control].address],
            "lagbench_monitor_live_key": self.live_key,
            "lagbench_monitor_live_listen": self._fleet.hosts[monitor].address,
            "lagbench_monitor_live_port": MONITORED_PORT,
        }
        variables = {
            "ansible_user": "root",
            "ansible_ssh_common_args": " ".join(self._fleet.ssh_options()),
            "lagbench_host_package": str(package),
            "lagbench_matrix_dataset": str(self.dataset),
            "lagbench_matrix_settings": {"packets": 200, "interval": "1ms", "budget-mb": 5},
            "lagbench_matrix_openmetrics": "/var/lib/lagbench-matrix/lagbench.prom",
        }
        inventory = {
            "all": {"vars": variables},
            GROUP: {"hosts": hosts},
            "lagbench_control": {"hosts": {control: {}}},
            "lagbench_monitors": {"hosts": {monitor: {}}},
        }
        (self._directory / "hosts.yaml").write_text(json.dumps(inventory))
        password = self._directory / "vault-password"
        password.touch(0o600)
        password.write_text(secrets.token_hex(16))
        vault = self._directory / "vault.yaml"
        vault.write_text(json.dumps({"lagbench_host_key": self._key}))
        self._run("ansible-vault", "encrypt", "--vault-password-file", password, vault)

    def start(self, name: str, *options: str) -> Program:
        command = self._fleet.in_hub(
            *(self._programs / "ansible-playbook", "-i", self._directory / "hosts.yaml", "-v", "--diff"),
            *("--vault-password-file", self._directory / "vault-password", "-e", f"@{self._directory / 'vault.yaml'}"),
            *(*options, f"lagbench.fleet.{name}"),
        )
        return Program(f"playbook {name}", command, directory=self._directory, environment=self._environment)

    def finish(self, program: Program) -> Outcome:
        """Waits until a playbook ends. Fails if it printed a key."""
        try:
            if not program.await_end(_TIMEOUT_S):
                raise Failed(f"{program.name}: did not end within {_TIMEOUT_S} s")
        finally:
            program.end()
        output = program.output()
        (self._directory / "playbooks.log").open("a").write(output)
        if self._key in output or self.live_key in output:
            raise Failed(f"{program.name} prints the shared key or the live page's key")
        recap = _RECAP.findall(output)
        if not recap:
            raise Failed(f"{program.name}: {program.last_lines()}")
        return Outcome(
            output,
            {host: int(changed) for host, changed, _, _ in recap},
            {host for host, _, unreachable, failed in recap if int(unreachable) + int(failed) > 0},
        )

    def play(self, name: str, *options: str, failing: frozenset[str] = frozenset()) -> Outcome:
        """Runs a playbook, which must fail on exactly the named hosts."""
        outcome = self.finish(self.start(name, *options))
        if outcome.failed != failing:
            end = "\n".join(line for line in outcome.output.splitlines() if line.startswith(("fatal", "[ERROR]")))
            raise Failed(f"playbook {name} failed on {sorted(outcome.failed)}, not on {sorted(failing)}: {end}")
        return outcome

    def _run(self, program: str, *arguments: object) -> None:
        run(["env", *(f"{name}={value}" for name, value in self._environment.items()), program, *arguments])
