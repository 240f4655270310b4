"""The pair of chronyd that scripts/validate clock-pair starts, a server on side a and a client on side b."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lagbench_validation.namespaces import ADDRESSES, Link, Namespaces
from lagbench_validation.processes import Failed, Program, run
from lagbench_validation.truth.bench import Environments

PATIENCE_S = 40
ASKING_INTERVAL_S = 0.05

Condition = Callable[[float, float, float], bool]  # of offset, last offset and uncertainty, in s


class ChronyPair:
    """Both running chronyd; chrony_pair() starts them."""

    def __init__(self, namespaces: Namespaces, client_began: float) -> None:
        self._namespaces = namespaces
        self._client_began = client_began

    def await_convergence(self, link: Link) -> None:
        """
        Waits until the client knows the server's clock: its last measurement was near the expected one, and its bound
        without the offset, which it does not correct under -x, is near the link's limit. Over a cable that is half of
        what the verdict accepts, since the bound grows until the next measurement.
        """
        allowance_s = 200e-6 if link.relayed else 5e-6
        path_s = (link.a_to_b_ms + link.b_to_a_ms) / 2e3

        def converged(_offset_s: float, last_offset_s: float, uncertainty_s: float) -> bool:
            return abs(last_offset_s) < allowance_s and uncertainty_s < path_s * 1.1 + allowance_s

        if not self._await(converged, PATIENCE_S):
            raise Failed(f"chronyd has not measured the other clock in {PATIENCE_S} s")

    def seconds_until_bound(self, bound_s: float, within_s: float) -> float | None:
        """Returns the seconds from the client's start until its bound was below bound_s; None after within_s."""

        def bounded(offset_s: float, last_offset_s: float, uncertainty_s: float) -> bool:
            return max(abs(offset_s), abs(last_offset_s)) + uncertainty_s < bound_s

        return time.monotonic() - self._client_began if self._await(bounded, within_s) else None

    def _await(self, condition: Condition, patience_s: float) -> bool:
        while time.monotonic() < self._client_began + patience_s:
            fields = _tracking(self._namespaces, "b")
            if fields is not None and fields[13] == "Normal":
                offset_s, last_offset_s, root_delay_s, root_dispersion_s = (float(fields[i]) for i in (4, 5, 10, 11))
                if condition(offset_s, last_offset_s, root_dispersion_s + root_delay_s / 2):
                    return True
            time.sleep(ASKING_INTERVAL_S)
        return False


@contextmanager
def chrony_pair(namespaces: Namespaces, clock_pair_program: Path, environments: Environments) -> Iterator[ChronyPair]:
    """Starts both daemons, each with the environment of its side, and waits until they reply."""
    address = ADDRESSES["a"]
    with ExitStack() as stack:
        for side, arguments in (("a", ("server", "--address", address)), ("b", ("client", "--server", address))):
            began = time.monotonic()
            command = namespaces.command(side, clock_pair_program, *arguments, environment=environments[side])
            daemon = Program("clock-pair", command)
            stack.callback(daemon.end)
            _await_reply(namespaces, side, daemon)
        yield ChronyPair(namespaces, began)


def _tracking(namespaces: Namespaces, side: str) -> list[str] | None:
    """Returns the fields of chronyc's tracking report as CSV; None while there is no reply."""
    try:
        reply = run(namespaces.command(side, "chronyc", "-n", "-c", "-h", "127.0.0.1", "tracking"))
    except Failed:
        return None
    fields = reply.strip().split(",")
    return fields if len(fields) == 14 else None


def _await_reply(namespaces: Namespaces, side: str, daemon: Program) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while _tracking(namespaces, side) is None:
        if daemon.ended:
            raise Failed(f"clock-pair ended: {daemon.last_lines()}")
        if time.monotonic() > deadline:
            raise Failed(f"chronyd on side {side} has not replied in {PATIENCE_S} s")
        time.sleep(ASKING_INTERVAL_S)
