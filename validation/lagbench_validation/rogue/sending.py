"""The rogue as a sender: a session with a real receiver."""

import array
import hashlib
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from lagbench_validation.rogue.packets import packets, send
from lagbench_validation.rogue.session import ControlSession, Left, Mutation
from lagbench_validation.rogue.wire import Channel, Ended, Message, proof, run_tag, session_key

CAPTURE_HEADER_BYTES = 256
STALL_MS = 1_000  # the shortest timeout, so that silence is short

STEPS = ("introduction", "proof", "offer", "connected", "begin", "done", "fetch", "leave")
"""What the rogue sends, in this order; the last is the end of the session."""


@dataclass(frozen=True)
class Offered:
    """The run that the rogue offers."""

    transport: str = "udp"
    engine: str = "java"
    packets: int = 5
    packet_bytes: int = 32
    name: str = "rogue"

    def message(self) -> Message:
        return {
            "type": "offer",
            "run": {
                "name": self.name,
                "point": {
                    "transport": self.transport,
                    "packetBytes": self.packet_bytes,
                    "packets": self.packets,
                    "warmUpPackets": 0,
                    "pace": {"mode": "spin", "intervalNs": 1_000, "burst": 1},
                    "traffic": {"kind": "one-way", "inFlight": 1, "replyTimeout": "PT1S", "transfer": None},
                    "settings": {"receive-buffer": "auto"},
                    "program": {"engine": self.engine, "settings": {}, "jvmOptions": "default"},
                    "observe": [],
                    "conditions": {"drain": "PT0.2S", "stallTimeout": f"PT{STALL_MS / 1_000}S"},
                },
                "repeat": 1,
                "stream": None,
            },
            "leadInPackets": 0,
            "leadOutPackets": 0,
            "nonce": os.urandom(16).hex(),
            "announced": {},
        }


@dataclass
class Replies:
    """The replies of a receiver to the rogue."""

    refusal: Message | None = None
    counted: Message | None = None
    received: list[int] = field(default_factory=list)  # sequence numbers in the fetched capture
    ended: str = ""


class SenderSession(ControlSession):
    """Acts as a sender."""

    def __init__(
        self,
        address: tuple[str, int],
        key: bytes | None,
        offered: Offered,
        mutation: Mutation | None,
        examples: Mapping[str, Message],
        patience_s: float,
    ) -> None:
        connected = socket.create_connection(address, patience_s)
        super().__init__(Channel(connected, "sender", "receiver", patience_s), mutation, examples)
        self.replies = Replies()
        self._key = key
        self._offered = offered

    def hold(self) -> Replies:
        """Holds the session to its end, or until the receiver or the mutation ends it."""
        try:
            self._speak()
        except Left:
            pass
        except Ended as e:
            self.replies.ended = str(e)
        finally:
            self.channel.close()
            for other in [*self.others, *([self.data] if self.data else [])]:
                with suppress(OSError):
                    other.close()
        return self.replies

    def _speak(self) -> None:
        hello = self._await("hello")
        self._introduce(hello)
        offer = self._offered.message()
        self.send_step("offer", offer)
        accepted = self._await("accepted")
        run = {
            "tag": run_tag(self.channel.key, offer["nonce"]),
            "size": self._offered.packet_bytes,
            "packets": self._offered.packets,
            "address": (self.channel.socket.getpeername()[0], int(accepted["announced"]["port"])),
        }
        if not self.mutates_at("connect", run):
            self._connect(run)
        self.send_step("connected", {"type": "connected"})
        self.send_step("begin", {"type": "begin"})
        self._await("begun")
        if self.data and not self.mutates_at("packets", run):
            send(self.data, packets(run))
        self.send_step("done", {"type": "done", "sent": self._offered.packets})
        self.replies.counted = self._await("counted")
        self.send_step("fetch", {"type": "fetch", "file": "receiver.npy"})
        self._take_capture(self._await("capture"))
        self.mutates_at("leave", {"type": "fetch", "file": "receiver.npy"})

    def _introduce(self, hello: Message) -> None:
        nonce = os.urandom(32).hex()
        self.send_step("introduction", {"type": "introduction", "protocol": hello["protocol"], "nonce": nonce})
        welcome = self._await("welcome")
        if self._key:
            if self.has_mutated:
                raise Left  # the receiver proves its key for the nonce that it got
            if proof(self._key, "receiver", hello["nonce"], nonce) not in welcome["proofs"]:
                raise ValueError("the receiver did not prove its key")
            self.send_step("proof", {"type": "proof", "proof": proof(self._key, "sender", hello["nonce"], nonce)})
            self.channel.key = session_key(self._key, hello["nonce"], nonce)

    def _connect(self, run: Message) -> None:
        if self._offered.transport == "tcp":
            self.data = socket.create_connection(run["address"], self.channel.patience_s)
        else:
            self.data = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.data.connect(run["address"])

    def _await(self, kind: str) -> Message:
        """Returns the next message of a type, and ignores others."""
        while True:
            message = self.channel.read()
            if message["type"] == "refused":
                self.replies.refusal = message
                raise Left
            if message["type"] == kind:
                return message

    def _take_capture(self, announced: Message) -> None:
        content = self.channel.read_bytes(announced["bytes"])
        if hashlib.sha256(content).hexdigest() != announced["sha256"]:
            raise ValueError("the receiver sent a capture with a wrong checksum")
        values = array.array("q", content[CAPTURE_HEADER_BYTES:])
        self.replies.received = list(values[::2])


def is_complete(replies: Replies, offered: Offered) -> bool:
    """Returns whether an honest run went to its end, with every packet counted and recorded once."""
    counts: Mapping[str, Any] = replies.counted["counts"] if replies.counted else {}
    return counts.get("received") == counts.get("distinct") == offered.packets and replies.received == list(
        range(offered.packets)
    )
