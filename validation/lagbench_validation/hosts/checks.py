"""What must hold of the hosts and of the dataset."""

import json
import math
import re
from pathlib import Path

import lagbench

from lagbench_validation.hosts.machines import Fleet, Host, files_of
from lagbench_validation.processes import Failed

Pair = tuple[str, str]
Cells = dict[Pair, dict[str, float | None]]

# What Debian, systemd, ssh and Ansible write on any use.
_OF_OTHERS = re.compile(
    r"etc/(\.pwd\.lock|hosts|hostname|machine-id)$"
    r"|root/\.(ssh|ansible|ansible_async)(/|$)"
    r"|var/(log|cache|tmp)/"
    r"|var/lib/(dpkg|apt|systemd)/|var/lib/private$"
)
_METRICS = ("lag.median", "loss", "roundTrip.median", "rate")


def ours(host: Host, debian: Path) -> list[str]:
    """Returns the files on a host that only lagbench can have written, without the packages' own records."""
    return sorted(name for name in files_of(host.upper, debian) if not _OF_OTHERS.match(name))


def packages(fleet: Fleet, host: Host) -> str:
    return fleet.ssh(host, "dpkg-query --show --showformat='${Package} ${db:Status-Abbrev}${Version}\\n'")


def matrix_of_json(text: str) -> tuple[Cells, dict[Pair, str]]:
    """Returns the cells of measured pairs in matrix.json, and the failures of the others."""
    cells: Cells = {}
    failures = {}
    for pair in json.loads(text)["pairs"]:
        key = (pair["from"], pair["to"])
        if pair["failure"] is not None:
            failures[key] = pair["failure"]
        else:
            cells[key] = {name: pair["metrics"].get(name) for name in _METRICS}
    return cells, failures


def matrix_of_dataset(directory: Path) -> Cells:
    """Returns the cells of the newest matrix in a dataset."""
    rows = lagbench.dataset(directory).matrix().rows
    return {(row["from_site"], row["to_site"]): {name: row.get(name) for name in _METRICS} for row in rows}


def differences(of_json: Cells, of_dataset: Cells) -> int:
    """Counts the cells of measured pairs that differ in 12 digits."""
    count = 0
    for pair, cells in of_json.items():
        for name, value in cells.items():
            found = of_dataset.get(pair, {}).get(name)
            if value is None or found is None:
                count += value is not found
            else:
                count += not math.isclose(found, value, rel_tol=1e-12)
    return count


def require_equal(of_json: Cells, directory: Path) -> int:
    """Fails unless a dataset's newest matrix is that of matrix.json; returns the number of cells."""
    of_dataset = matrix_of_dataset(directory)
    if count := differences(of_json, of_dataset):
        raise Failed(f"{count} cells of the dataset differ from matrix.json")
    swapped = {(end, start): cells for (start, end), cells in of_dataset.items()}
    if differences(of_json, swapped) < len(of_json):
        raise Failed("no check notices that from and to are swapped")
    return len(of_json) * len(_METRICS)
