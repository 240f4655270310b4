"""The rogue as a receiver: sessions with real senders."""

import os
import select
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from lagbench_validation.packet_header import PacketHeader
from lagbench_validation.rogue.files import announcement, capture
from lagbench_validation.rogue.session import ControlSession, Left, Mutation
from lagbench_validation.rogue.wire import Channel, Ended, Message, proof, session_key

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

_LATE_S = 0.5


def clock_readings() -> Message:
    """Returns readings of two clocks of this kernel, which prove that two programs share it."""
    before_ns, realtime_ns, after_ns = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
    return {"realtimeNs": realtime_ns, "monotonicNs": before_ns, "bracketNs": 2 * (after_ns - before_ns)}


class ReceiverSession(ControlSession):
    """Acts as a receiver for one sender."""

    def __init__(
        self,
        connected: socket.socket,
        protocol: int,
        key: bytes | None,
        is_other_kernel: bool,
        mutation: Mutation | None,
        examples: Mapping[str, Message],
        patience_s: float,
    ) -> None:
        super().__init__(Channel(connected, "receiver", "sender", patience_s), mutation, examples)
        self._protocol = protocol
        self._key = key
        self._is_other_kernel = is_other_kernel
        self._offer: Message = {}
        self._is_watched = False
        self._is_over = False  # afterwards, a receiver sends only replies
        self._stamps: list[tuple[int, int]] = []
        self._reader: threading.Thread | None = None

    def hold(self) -> None:
        """Takes part in the session until it ends."""
        try:
            self._greet()
            while True:
                self._reply(self.channel.read())
        except (Left, Ended):
            pass
        finally:
            self.channel.close()
            for other in [*self.others, *([self.data] if self.data else [])]:
                with suppress(OSError):
                    other.close()

    def _greet(self) -> None:
        nonce = os.urandom(32).hex()
        self.send_step("hello", {**self.examples["hello"], "protocol": self._protocol, "nonce": nonce,
                           "keyNeeded": self._key is not None})  # fmt: skip
        introduction = self.channel.read()
        proofs = [proof(self._key, "receiver", nonce, introduction["nonce"])] if self._key else []
        self.send_step("welcome", {"type": "welcome", "proofs": proofs})
        if self._key:
            self.channel.read()  # the sender's proof
            self.channel.key = session_key(self._key, nonce, introduction["nonce"])

    def _reply(self, message: Message) -> None:
        match message["type"]:
            case "ping":
                now = time.time_ns()
                self.send_step(
                    "pong", {"type": "pong", "sentNs": message["sentNs"], "receivedNs": now, "repliedNs": now}
                )
            case "ask":
                self._report(message["question"])
            case "open-exchange":
                self.send_step("exchange-opened", {"type": "exchange-opened", "port": -1})
            case "offer":
                self._accept(message)
            case "alive" if not self._is_over:
                self.channel.send(message)
            case "watch":
                self._is_watched = True
            case "begin":
                self.send_step("begun", {"type": "begun"})
                if self._is_watched:
                    self.send_step("interval", self.examples["interval"])
            case "done":
                self._await_packets(message["sent"])
                self._is_over = True
                self.send_step("counted", self._counted())
            case "fetch":
                self._send_capture()

    def _report(self, question: str) -> None:
        match question:
            case "CLOCK":
                self.send_step("clock-is", self._clock())
            case "READINGS":
                self.send_step("readings-are", {"type": "readings-are", "readings": clock_readings()})
            case "HOST":
                self.send_step("host-is", self.examples["host-is"])
            case "LOAD":
                self.send_step("load-is", self.examples["load-is"])
            case "OBSERVER":
                self.send_step("observer-is", self.examples["observer-is"])

    def _clock(self) -> Message:
        known = self.examples["clock-is"]
        if self._is_other_kernel:
            return known
        state = {**known["state"], "atNs": time.time_ns(), "bootId": BOOT_ID.read_text("ascii").strip(),
                 "source": "NO_DAEMON", "tracking": None, "boundNs": None}  # fmt: skip
        return {"type": "clock-is", "state": state}

    def _accept(self, offer: Message) -> None:
        self._offer = offer
        kind = socket.SOCK_STREAM if offer["run"]["point"]["transport"] == "tcp" else socket.SOCK_DGRAM
        self.data = socket.socket(socket.AF_INET, kind)
        self.data.bind((self.channel.socket.getsockname()[0], 0))
        if kind == socket.SOCK_STREAM:
            self.data.listen()
        self._reader = threading.Thread(target=self._receive_packets, args=(self.data,), daemon=True)
        self._reader.start()
        port = str(self.data.getsockname()[1])
        self.send_step("accepted", {**self.examples["accepted"], "announced": {"port": port}})

    def _receive_packets(self, data: socket.socket) -> None:
        """Receives packets until the socket is closed; for a separate thread."""
        size = self._offer["run"]["point"]["packetBytes"]
        with suppress(OSError, ValueError):
            if data.type == socket.SOCK_STREAM:
                data, _ = data.accept()
                self.others.append(data)
            kept = b""
            while select.select([data], [], [], self.channel.patience_s)[0]:
                found = data.recv(1 << 16)
                if not found:
                    return
                kept += found
                while len(kept) >= size:
                    seq = PacketHeader.read(kept).sequence
                    if 0 <= seq < self._offer["run"]["point"]["packets"]:
                        self._stamps.append((seq, time.time_ns()))
                    kept = kept[size:]

    def _await_packets(self, count: int) -> None:
        deadline = time.monotonic() + _LATE_S
        while len(self._stamps) < count and time.monotonic() < deadline:
            time.sleep(0.001)

    def _counted(self) -> Message:
        counted = self.examples["counted"]
        received = len(self._stamps)
        return {**counted, "captureRecords": received,
                "counts": {**counted["counts"], "received": received, "distinct": received}}  # fmt: skip

    def _send_capture(self) -> None:
        self.content = capture(self._stamps)
        self.send_step("capture", announcement(self.content))
        if not self.mutates_at("bytes", {"type": "capture"}):
            self.channel.send_raw(self.content)


class RogueReceiver:
    """Listens, and holds each session on a separate thread with the same mutation."""

    def __init__(
        self,
        protocol: int,
        key: bytes | None,
        is_other_kernel: bool,
        mutation: Mutation | None,
        examples: Mapping[str, Message],
        patience_s: float,
    ) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._sessions: list[ReceiverSession] = []
        self._arguments = (protocol, key, is_other_kernel, mutation, examples, patience_s)
        self._slow_s = patience_s
        self._thread = threading.Thread(target=self._accept_all, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def has_mutated(self) -> bool:
        return any(session.has_mutated for session in self._sessions)

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept_all(self) -> None:
        with suppress(OSError):
            while True:
                connected, _ = self._socket.accept()
                session = ReceiverSession(connected, *self._arguments)
                session.slow_s = self._slow_s
                self._sessions.append(session)
                threading.Thread(target=session.hold, daemon=True).start()
