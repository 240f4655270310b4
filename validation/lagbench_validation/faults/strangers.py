"""Peers without a key that crowd the control port of a receiver as long as a row lasts."""

import json
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from lagbench_validation.faults.peers import PORT
from lagbench_validation.faults.row import Fault
from lagbench_validation.faults.stage import START_S, Stage
from lagbench_validation.processes import Failed

COUNT = 200

_PATIENCE_S = 30
_AGAIN_S = 5  # 200 strangers then make 10 to 40 connections a second
_SLOW_S = 0.2
_GARBAGE_BYTES = 700
_NONCE = "a1" * 32
_INTRODUCTION = {"type": "introduction", "protocol": 1, "nonce": _NONCE}


def silent(_: socket.socket) -> None:
    """Says nothing."""


def slow(connected: socket.socket) -> None:
    """Says a byte from time to time."""
    for byte in json.dumps(_INTRODUCTION).encode():
        connected.sendall(bytes([byte]))
        time.sleep(_SLOW_S)


def garbage(connected: socket.socket) -> None:
    connected.sendall(os.urandom(_GARBAGE_BYTES))


def introduced(connected: socket.socket) -> None:
    """Begins the handshake, and owes the proof of a key."""
    with connected.makefile("rb") as lines:
        hello = json.loads(lines.readline())
    connected.sendall(json.dumps(_INTRODUCTION | {"protocol": hello["protocol"]}).encode() + b"\n")


def crowd(act: Callable[[socket.socket], None], addresses: int) -> Fault:
    """Connects strangers from some addresses, and each again after its connection was closed."""

    def fault(stage: Stage) -> None:
        arrived = threading.Semaphore(0)

        def visit(address: str) -> None:
            while True:
                with (
                    suppress(OSError, ValueError),
                    socket.create_connection(("127.0.0.1", PORT), _PATIENCE_S, (address, 0)) as connected,
                ):
                    arrived.release()
                    act(connected)
                    while connected.recv(1 << 12):
                        pass
                time.sleep(_AGAIN_S)

        for number in range(COUNT):
            address = f"127.0.1.{1 + number % addresses}"
            threading.Thread(target=visit, args=(address,), daemon=True).start()
        deadline = time.monotonic() + START_S
        for _ in range(COUNT):
            if not arrived.acquire(timeout=max(0, deadline - time.monotonic())):
                raise Failed(f"fewer than {COUNT} strangers have connected: {stage.programs['serve'].last_lines()}")

    return fault
