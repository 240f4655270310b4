"""
Hosts in systemd-nspawn: each boots its own systemd over one read-only installation of Debian, and reaches the others
by a bridge in a separate network namespace.
"""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lagbench_validation.processes import Failed, Program, run

NETWORK = "10.139.8"
CONTROLLER = f"{NETWORK}.1"
_DROPPED = "CAP_SYS_TIME,CAP_SYS_BOOT"  # hosts of a real fleet do not share the clock of this kernel
_PACKAGES = (
    *("ca-certificates", "dbus", "iproute2", "nftables", "openssh-server"),
    *("python3", "python3-apt", "systemd", "systemd-sysv"),
)
# The units that failed, and the last lines of their journals.
_WHY_DEGRADED = (
    "systemctl list-units --failed --no-legend --plain | while read -r unit rest; do"
    " echo $unit $rest; journalctl --no-pager --output cat --lines 5 --unit $unit; done"
)
_BOOT_S = 60
_SHUTDOWN_S = 30
_POLL_S = 0.05


@dataclass(frozen=True)
class Host:
    name: str
    address: str
    namespace: str
    directory: Path  # the folders upper, work and root of the host's overlay

    @property
    def upper(self) -> Path:
        """What differs from the installation."""
        return self.directory / "upper"


def install_debian(root: Path, mirror: str) -> None:
    """Installs Debian with what the hosts need, unless it is there."""
    done = root / "var/lib/lagbench-hosts-installed"
    if done.exists():
        return
    if root.exists():
        shutil.rmtree(root)
    run(["debootstrap", "--variant=minbase", f"--include={','.join(_PACKAGES)}", "bookworm", root, mirror])
    # The JRE's scripts need /proc, which debootstrap has unmounted.
    inside = "env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive"
    install = f"chroot {shlex.quote(str(root))} {inside} apt-get --quiet --yes --no-install-recommends install"
    proc = shlex.quote(str(root / "proc"))
    run(["unshare", "--mount", "sh", "-c", f"mount -t proc proc {proc} && {install} default-jre-headless"])
    # The overlay is mounted as it must be, and a remount fails now and then while several hosts boot.
    (root / "etc/systemd/system/systemd-remount-fs.service").symlink_to("/dev/null")
    done.touch()


class Fleet:
    """Running hosts, by name."""

    def __init__(self, debian: Path, directory: Path, names: Sequence[str]) -> None:
        prefix = f"lagbench-hosts-{os.getpid()}"
        self.hub = f"{prefix}-hub"
        self.hosts = {
            name: Host(name, f"{NETWORK}.{10 + index}", f"{prefix}-{name}", directory / name)
            for index, name in enumerate(names)
        }
        self.key = directory / "ssh-key"
        self._debian = debian
        self._programs: dict[str, Program] = {}

    def start(self) -> None:
        """Makes the network, and boots all hosts."""
        self.key.parent.mkdir(parents=True)
        run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key])
        self._make_network()
        for host in self.hosts.values():
            self._prepare(host)
            self.boot(host)
        for host in self.hosts.values():
            self.await_boot(host)

    def boot(self, host: Host) -> None:
        quoted = {name: shlex.quote(str(host.directory / name)) for name in ("upper", "work", "root")}
        layers = f"lowerdir={self._debian},upperdir={quoted['upper']},workdir={quoted['work']}"
        nspawn = [
            *("systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "--link-journal=no"),
            *("--resolv-conf=off", "--timezone=off", "--console=pipe"),
            *(f"--drop-capability={_DROPPED}", "--capability=CAP_NET_ADMIN"),  # the latter for nftables
            f"--network-namespace-path=/run/netns/{host.namespace}",
            f"--hostname={host.name}",
            f"--directory={host.directory / 'root'}",
        ]
        # A separate group in each hierarchy: otherwise one host removes the group of another's unit of the same name.
        groups = [hierarchy / host.namespace for hierarchy in _control_groups()]
        for group in groups:
            group.mkdir(exist_ok=True)
        enter = " && ".join(f"echo $$ >{group}/cgroup.procs" for group in groups)
        script = f"{enter} && mount -t overlay overlay -o {layers} {quoted['root']} && exec {shlex.join(nspawn)}"
        # The mount is of this program alone, which ends with this process.
        command = ["setpriv", "--pdeathsig", "TERM", "unshare", "--mount", "sh", "-c", script]
        self._programs[host.name] = Program(host.name, command)

    def await_boot(self, host: Host) -> None:
        deadline = time.monotonic() + _BOOT_S
        while (state := self._ssh(host, "systemctl is-system-running --wait").strip()) != "running":
            if state in ("degraded", "stopping") or time.monotonic() > deadline:
                raise Failed(
                    f"{host.name}: {state or 'no ssh'} {self._ssh(host, _WHY_DEGRADED)}"
                    f": {self._programs[host.name].last_lines()}"
                )
            if self._programs[host.name].ended:
                raise Failed(f"{host.name} ended: {self._programs[host.name].last_lines()}")
            time.sleep(_POLL_S)

    def shut_down(self, host: Host) -> None:
        program = self._programs.pop(host.name)
        with contextlib.suppress(ProcessLookupError):
            os.kill(program.pid, signal.SIGTERM)  # nspawn has systemd shut down
        program.await_end(_SHUTDOWN_S)
        program.end()

    def set_link(self, host: Host, state: str) -> None:
        """Cuts a host from the others ("down"), or connects it ("up")."""
        run(["ip", "-n", self.hub, "link", "set", _port(host), state])

    def ssh(self, host: Host, command: str) -> str:
        """Runs a shell command on a host, and returns its output."""
        return run(self._ssh_command(host, command))

    def in_hub(self, *command: object) -> list[str]:
        """Returns a command line that runs on the controller, which the hosts can reach."""
        return ["ip", "netns", "exec", self.hub, *map(str, command)]

    def end(self) -> None:
        """Ends the hosts, and removes the network."""
        for program in self._programs.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(program.pid, signal.SIGTERM)
        for name in list(self._programs):
            self.shut_down(self.hosts[name])
        for namespace in (self.hub, *(host.namespace for host in self.hosts.values())):
            for hierarchy in _control_groups():
                _remove_groups(hierarchy / namespace)
            if Path("/run/netns", namespace).exists():
                for pid in run(["ip", "netns", "pids", namespace]).split():  # ssh keeps connections for a minute
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(pid), signal.SIGKILL)
                run(["ip", "netns", "delete", namespace])

    def ssh_options(self) -> list[str]:
        return [
            *("-i", str(self.key), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"),
            *("-o", "LogLevel=ERROR", "-o", "ConnectTimeout=5"),
        ]

    def _ssh_command(self, host: Host, command: str) -> list[str]:
        return self.in_hub("ssh", *self.ssh_options(), f"root@{host.address}", command)

    def _ssh(self, host: Host, command: str) -> str:
        return subprocess.run(self._ssh_command(host, command), capture_output=True, text=True, check=False).stdout

    def _make_network(self) -> None:
        run(["ip", "netns", "add", self.hub])
        hub = ("ip", "-n", self.hub)
        run([*hub, "link", "add", "hub", "type", "bridge"])
        run([*hub, "address", "add", f"{CONTROLLER}/24", "dev", "hub"])
        for device in ("lo", "hub"):
            run([*hub, "link", "set", device, "up"])
        for host in self.hosts.values():
            own = ("ip", "-n", host.namespace)
            run(["ip", "netns", "add", host.namespace])
            run([*own, "link", "add", "host0", "type", "veth", "peer", "name", _port(host), "netns", self.hub])
            run([*own, "address", "add", f"{host.address}/24", "dev", "host0"])
            for device in ("lo", "host0"):
                run([*own, "link", "set", device, "up"])
            run([*hub, "link", "set", _port(host), "master", "hub", "up"])

    def _prepare(self, host: Host) -> None:
        for name in ("upper", "work", "root"):
            (host.directory / name).mkdir(parents=True)
        etc = host.upper / "etc"
        etc.mkdir()
        (etc / "machine-id").write_text(f"{uuid.uuid4().hex}\n")
        (etc / "hostname").write_text(f"{host.name}\n")
        (etc / "hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {host.name}\n")
        ssh = host.upper / "root/.ssh"
        ssh.mkdir(parents=True)
        for directory in (ssh.parent, ssh):
            directory.chmod(0o700)
        (ssh / "authorized_keys").write_text(self.key.with_suffix(".pub").read_text())


@contextmanager
def running_fleet(debian: Path, directory: Path, names: Sequence[str]) -> Iterator[Fleet]:
    """Boots hosts. At the end, ends them, and removes their network."""
    fleet = Fleet(debian, directory, names)
    try:
        fleet.start()
        yield fleet
    finally:
        fleet.end()


def files_of(upper: Path, debian: Path) -> set[str]:
    """Returns what a host has that its installation does not: files and links, and folders of others than Debian."""
    found = set()
    for folder, folders, files in os.walk(upper):
        for name in (*folders, *files):
            path = Path(folder, name)
            relative = path.relative_to(upper)
            installed = debian / relative
            is_folder = path.is_dir() and not path.is_symlink()
            if is_folder != (installed.is_dir() and not installed.is_symlink()) or not is_folder:
                found.add(str(relative))
    return found


def _control_groups() -> list[Path]:
    """Returns the hierarchies of control groups that systemd uses: one, or the old and the new one."""
    root = Path("/sys/fs/cgroup")
    if (root / "cgroup.procs").exists():
        return [root]
    return [hierarchy for name in ("systemd", "unified") if (hierarchy := root / name).exists()]


def _remove_groups(group: Path) -> None:
    """Removes a control group without processes, and those in it."""
    for folder, _, _ in os.walk(group, topdown=False):
        with contextlib.suppress(OSError):  # a process that is ending is still in it
            Path(folder).rmdir()


def _port(host: Host) -> str:
    return f"to-{host.name}"
