"""The pair of chronyd that scripts/clock-pair starts, a server on side a and a client on side b."""

import subprocess
import time
from contextlib import contextmanager

from namespaces import ADDRESSES

PATIENCE_S = 40
ASKING_INTERVAL_S = 0.05


class NotConverged(Exception):
    """The client did not find the server's clock in time."""


class ChronyPair:
    """Both daemons, running; made by chrony_pair()."""

    def __init__(self, namespaces, client_began):
        self._namespaces = namespaces
        self._client_began = client_began

    def await_convergence(self, path):
        """
        Waits until the client knows the server's clock: its last measurement was near what it expected, and its own
        bound, without the offset that it does not correct under -x, is near what the path allows.
        """
        allowance_s = 200e-6 if path.relayed else 10e-6
        path_s = (path.a_to_b_ms + path.b_to_a_ms) / 2e3

        def converged(offset_s, last_offset_s, uncertainty_s):
            return abs(last_offset_s) < allowance_s and uncertainty_s < path_s * 1.1 + allowance_s

        if not self._await(converged, PATIENCE_S):
            raise NotConverged(f"chronyd has not found the other clock in {PATIENCE_S} s")

    def seconds_until_bound(self, bound_s, within_s):
        """The time from the client's start until its bound is below this; None if that takes longer than within_s."""

        def bounded(offset_s, last_offset_s, uncertainty_s):
            return max(abs(offset_s), abs(last_offset_s)) + uncertainty_s < bound_s

        return time.monotonic() - self._client_began if self._await(bounded, within_s) else None

    def _await(self, condition, patience_s):
        while time.monotonic() < self._client_began + patience_s:
            fields = _tracking(self._namespaces, "b")
            if fields is not None and fields[13] == "Normal":
                offset_s, last_offset_s, root_delay_s, root_dispersion_s = (float(fields[i]) for i in (4, 5, 10, 11))
                if condition(offset_s, last_offset_s, root_dispersion_s + root_delay_s / 2):
                    return True
            time.sleep(ASKING_INTERVAL_S)
        return False


@contextmanager
def chrony_pair(namespaces, clock_pair_program, environments):
    """Starts both daemons, each with the environment of its side, and waits until they answer."""
    address = ADDRESSES["a"]
    processes = []
    try:
        for side, arguments in (("a", ["server", "--address", address]), ("b", ["client", "--server", address])):
            began = time.monotonic()
            processes.append(
                subprocess.Popen(
                    namespaces.command(side, clock_pair_program, *arguments, environment=environments[side]),
                    stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                )  # fmt: skip
            )
            _await_answer(namespaces, side, processes[-1])
        yield ChronyPair(namespaces, began)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.communicate()


def _tracking(namespaces, side):
    """The fields of chronyc's tracking report as CSV; None while there is no answer."""
    answer = subprocess.run(
        namespaces.command(side, "chronyc", "-n", "-c", "-h", "127.0.0.1", "tracking"), capture_output=True, text=True
    )
    fields = answer.stdout.strip().split(",")
    return fields if answer.returncode == 0 and len(fields) == 14 else None


def _await_answer(namespaces, side, process):
    deadline = time.monotonic() + PATIENCE_S
    while _tracking(namespaces, side) is None:
        if process.poll() is not None:
            raise NotConverged(f"clock-pair ended: {process.stderr.read().strip()}")
        if time.monotonic() > deadline:
            raise NotConverged(f"chronyd on side {side} has not answered in {PATIENCE_S} s")
        time.sleep(ASKING_INTERVAL_S)

