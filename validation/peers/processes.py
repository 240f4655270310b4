"""Programs in a namespace: started, waited for, and ended by their process numbers."""

import os
import select
import signal
import subprocess
import time

from cells import Failed

_CPU_CLOCK = 2  # CLOCK_PROCESS_CPUTIME_ID as the kernel writes it into a process's clock: ~pid << 3 | 2
_LOOK_S = 0.005
_START_S = 10
_END_S = 5


class Program:
    """A running program, in a session of its own, with all that it starts."""

    def __init__(self, command, directory, name, processors, keep_open=False):
        self.name = name
        self._output = os.path.join(directory, f"{name}.out")
        self._pids = []
        with open(self._output, "wb") as output:
            self._process = subprocess.Popen(
                command, cwd=directory, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                stdin=subprocess.PIPE if keep_open else subprocess.DEVNULL,
                preexec_fn=lambda: os.sched_setaffinity(0, processors),
            )  # fmt: skip

    @property
    def ended(self):
        return self._process.poll() is not None

    @property
    def exit_code(self):
        return self._process.returncode

    def said(self):
        with open(self._output, encoding="utf-8", errors="replace") as output:
            return output.read()

    def find_children(self):
        """Looks which processes it has by now; it costs a program with many threads most, so it is not for every look."""
        waiting, self._pids = [self._process.pid], []
        while waiting:
            pid = waiting.pop()
            self._pids.append(pid)
            try:
                waiting += _children(pid)
            except OSError:
                pass  # it has ended meanwhile

    def cpu_ns(self):
        """CPU time of the processes that were found, by process number. User and system mode, exact."""
        found = {}
        for pid in self._pids:
            try:
                found[pid] = time.clock_gettime_ns(~pid << 3 | _CPU_CLOCK)
            except OSError:
                pass  # it has ended meanwhile
        return found

    def await_end(self, seconds):
        """Whether it ended in time. Waits without looking again and again, which would take CPU time from the programs."""
        if self.ended:
            return True
        ending = os.pidfd_open(self._process.pid)
        try:
            select.select([ending], [], [], seconds)
        finally:
            os.close(ending)
        return self.ended

    def end(self, with_signal=signal.SIGTERM):
        """Ends it and all of its session: asks, then kills."""
        if self._process.stdin:
            self._process.stdin.close()
        if not self.ended:
            self._signal(with_signal)
            self.await_end(_END_S)
        self._signal(signal.SIGKILL)  # and whatever it left behind
        self._process.wait()

    def _signal(self, number):
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            pass


def processors_of_sides(apart):
    """What the sender's side and the receiver's may run on: all there are, or half of them each."""
    processors = sorted(os.sched_getaffinity(0))
    half = len(processors) // 2
    return (processors[:half], processors[half:]) if apart and half else (processors, processors)


def _children(pid):
    children = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
            children += map(int, file.read().split())
    return children


def await_port(namespaces, side, protocol, port, program):
    """Waits until somebody is bound to a port (listens, with TCP) on one side."""
    deadline = time.monotonic() + _START_S
    while not _is_bound(namespaces, side, protocol, port):
        if program.ended:
            raise Failed(f"{program.name} ended: {_last_line(program.said())}")
        if time.monotonic() > deadline:
            raise Failed(f"{program.name} did not listen on {protocol} port {port} within {_START_S} s")
        time.sleep(_LOOK_S)


def _is_bound(namespaces, side, protocol, port):
    listening = "0A" if protocol == "tcp" else "07"
    with namespaces.entered(side):
        lines = []
        for table in (protocol, protocol + "6"):
            try:
                with open(f"/proc/thread-self/net/{table}", encoding="ascii") as file:
                    lines += file.readlines()[1:]
            except FileNotFoundError:
                pass  # no IPv6 here
    return any(fields[1].endswith(f":{port:04X}") and fields[3] == listening for fields in map(str.split, lines))


def _last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it said nothing"
