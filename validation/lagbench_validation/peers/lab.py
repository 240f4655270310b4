"""An emulated network for lagbench and other programs."""

import json
import os
from pathlib import Path
from typing import Any

from lagbench_validation.processes import Command, Failed, run


class Lab:
    """An emulated network with a host for the sender and a host for the receiver."""

    def __init__(self, home: Path, work: Path, network: str, maker: str = "transfers") -> None:
        self._network = network
        self._lagbench = home / "scripts" / "lagbench"
        self._name = f"{maker}-{os.getpid()}"
        self._file = work / "network.yaml"

    def __enter__(self) -> "Lab":
        self._file.write_text(self._network, "ascii")
        run([self._lagbench, "lab", "up", self._file, "--name", self._name])
        return self

    def __exit__(self, *_: object) -> None:
        run([self._lagbench, "lab", "down", self._name])

    def namespace(self, host: str) -> str:
        names = [line.split()[0] for line in run(["ip", "netns", "list"]).splitlines() if line.strip()]
        found = [name for name in names if self._name in name and name.endswith(host)]
        if len(found) != 1:
            raise Failed(f"the lab {self._name} has no namespace of the {host}")
        return found[0]

    def address(self, host: str) -> str:
        return str(self._device(host)["addr_info"][0]["local"])

    def device(self, host: str) -> str:
        """Returns the name of the host's device that has its address."""
        return str(self._device(host)["ifname"])

    def _device(self, host: str) -> Any:
        listed = json.loads(run(["ip", "-n", self.namespace(host), "-j", "-4", "address", "show", "scope", "global"]))
        return next(device for device in listed if device["addr_info"])

    def command(self, host: str, *words: object) -> Command:
        return ["ip", "netns", "exec", self.namespace(host), *words]
