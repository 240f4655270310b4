"""One run of the bench: its receiver on one side, its sender on the other."""

import json
import os
import re
import subprocess
from dataclasses import dataclass

import capture
from namespaces import ADDRESSES

PORT = 5394
RUN_SECONDS_MAX = 180


class RunFailed(Exception):
    """The bench did not make the run; the message has what it said."""


@dataclass(frozen=True)
class Run:
    """What the bench kept of a run: run.json and the captures, columns by name."""

    record: dict
    sent: dict
    received: dict
    kernel: dict = None  # the kernel's transmit stamps, where stages were observed

    def stamps(self):
        """(sequence number, sent, received) of every packet that came, each clock's own ns."""
        sent_ns = dict(zip(self.sent["seq"], self.sent["sent_ns"]))
        return [(seq, sent_ns[seq], at) for seq, at in zip(self.received["seq"], self.received["received_ns"])]


class Bench:
    """The bench's programs as a user starts them."""

    def __init__(self, home, work):
        self._home = home
        self._work = work
        self._runs = os.path.join(work, "runs")
        self._received = os.path.join(work, "received")
        self._key = os.path.join(work, "key")
        with open(os.open(self._key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(32).hex().encode())

    def run(self, namespaces, sending, environments, name, options, started=lambda role, pid: None):
        """
        Makes a run from one side to the other, with more options for the sender. Tells the process of the receiver and
        of the sender when they are there.
        """
        receiving = "b" if sending == "a" else "a"
        address = f"{ADDRESSES[receiving]}:{PORT}"
        receiver = subprocess.Popen(
            namespaces.command(
                receiving, self._program("receiver"), "--listen", address, "--key-file", self._key,
                "--directory", self._received, "--runs", 1, "--end-with-stdin",
                environment=environments[receiving],
            ),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            if not re.match("listening on ", receiver.stdout.readline()):
                raise RunFailed("receiver: " + receiver.communicate()[1].strip())
            started("receiver", receiver.pid)
            self._send(namespaces, sending, environments[sending], address, name, options, started)
            # The end of its input would interrupt it, which may not have heard yet that the sender has gone.
            receiver.wait(timeout=30)
            _, said = receiver.communicate()
            if receiver.returncode != 0:
                raise RunFailed(f"receiver: exit code {receiver.returncode}: {said.strip()}")
        except subprocess.TimeoutExpired:
            raise RunFailed("receiver: still there 30 s after the run") from None
        finally:
            receiver.kill()
            receiver.communicate()
        return self._read(name)

    def table(self):
        """The lag summary of all runs, with corrected lags, as the bench prints it in JSON."""
        return json.loads(
            subprocess.run(
                [self._program("lagbench"), "table", self._runs, "--format", "json", "--clock", "corrected"],
                stdout=subprocess.PIPE, check=True, text=True,
            ).stdout
        )  # fmt: skip

    def exported(self, name, tail_percent):
        """The file with a run's packets and what made those of its tail late."""
        directory = os.path.join(self._work, f"export-{name}")
        subprocess.run(
            [self._program("lagbench"), "export", os.path.join(self._runs, name), "--format", "csv",
             "--tail", str(tail_percent), "--output", directory],
            stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip
        return os.path.join(directory, f"{name}.csv")

    def sender_capture(self, name):
        """Where a run's sender keeps its stamps."""
        return os.path.join(self._runs, name, "sender.npy")

    def _program(self, name):
        return os.path.join(self._home, "scripts", name)

    def _send(self, namespaces, sending, environment, address, name, options, started):
        sender = subprocess.Popen(
            namespaces.command(
                sending, self._program("sender"), "--receiver", address, "--key-file", self._key,
                "--directory", self._runs, "--name", name, *options, environment=environment,
            ),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            started("sender", sender.pid)
            _, said = sender.communicate(timeout=RUN_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            raise RunFailed(f"sender: not done in {RUN_SECONDS_MAX} s") from None
        finally:
            sender.kill()
            sender.communicate()
        if sender.returncode != 0:
            raise RunFailed(f"sender: exit code {sender.returncode}: {said.strip()}")

    def _read(self, name):
        directory = os.path.join(self._runs, name)
        kernel = os.path.join(directory, "sender-kernel.npy")
        with open(os.path.join(directory, "run.json")) as file:
            record = json.load(file)
        return Run(
            record,
            capture.read(self.sender_capture(name)),
            capture.read(os.path.join(directory, "receiver.npy")),
            capture.read(kernel) if os.path.exists(kernel) else None,
        )
