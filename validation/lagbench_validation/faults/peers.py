"""What is at the other end: lagbench serve, programs that are not lagbench, or nothing."""

import json
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PORT = 5394

_SLOW_S = 0.2
_LIBRARIES = "native1394/target/native"


@dataclass(frozen=True)
class Peer:
    """
    A kind of peer.

    :param address: the words of the command line that name it
    :param serve: the words after scripts/ of the program that is the peer
    :param prefix: words before that program
    :param ready: a pattern of its output
    :param setup: a shell command before it
    :param act: what a program that is not lagbench does with a connection
    :param bus: whether all programs use the bus in the directory bus
    """

    name: str
    address: str = ""
    serve: str = ""
    prefix: str = ""
    ready: str = "^listening on "
    setup: str = ""
    act: Callable[[socket.socket], None] | None = None
    bus: bool = False

    def environment(self, home: Path, work: Path) -> str:
        """Returns the words before other programs."""
        if not self.bus:
            return ""
        native = home / _LIBRARIES
        return (
            f"env LAGBENCH_BUS_DIR={work}/bus LAGBENCH_BUSD={native}/lagbench-busd"
            f" LD_PRELOAD={native}/liblagbench_bus_shim.so"
        )


def _send(data: bytes) -> Callable[[socket.socket], None]:
    def act(connected: socket.socket) -> None:
        with suppress(OSError):
            connected.sendall(data)

    return act


def _reset(connected: socket.socket) -> None:
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connected.close()


def _trickle(connected: socket.socket) -> None:
    with suppress(OSError):
        while True:
            connected.sendall(b"x")
            time.sleep(_SLOW_S)


_OTHER_VERSION = {"type": "hello", "protocol": 1 << 20, "nonce": "a1" * 32, "keyNeeded": False}
_SERVE = "lagbench serve --directory received --listen 127.0.0.1"
_VETH = (
    "ip link add d0 type veth peer name d1; ip link set d0 up; ip link set d1 up; ip address add 192.0.2.8/24 dev d0;"
)
_THERE = (
    "ip netns add there; ip link add d0 type veth peer name d0 netns there; ip address add 192.0.2.8/24 dev d0;"
    " ip link set d0 up; ip -n there address add 192.0.2.7/24 dev d0; ip -n there link set lo up;"
    " ip -n there link set d0 up; (umask 077; echo 0123456789abcdef0123456789abcdef >key)"
)
_BEHIND = _THERE.replace("type veth peer name d0 netns there", "type veth peer name m0").replace(
    "ip netns add there;",
    "ip netns add there; ip link add m1 type veth peer name d0 netns there;"
    # a program forwards between m0 and m1, which are not devices of this host
    " ip -n there link set d0 gso_max_segs 1;",
) + ("; for device in m0 m1; do ip link set $device arp off up; done; ip link set d0 gso_max_segs 1")

LOCAL = Peer("local")
NO_PEER = Peer("–")
SERVE = Peer("serve", "127.0.0.1", _SERVE)
REVERSE = Peer("serve, reverse", "127.0.0.1 --reverse", _SERVE)
BOTH = Peer("serve, both", "127.0.0.1 --bidirectional", _SERVE)
KEYED = Peer(
    "serve with key",
    "127.0.0.1",
    f"{_SERVE} --key-file there.key",
    setup="umask 077; for side in there here; do head -c 32 /dev/urandom | base64 >$side.key; done",
)
SHARED_KEY = Peer(
    "serve with shared key",
    "127.0.0.1 --key-file shared.key",
    f"{_SERVE} --key-file shared.key",
    setup="umask 077; head -c 32 /dev/urandom | base64 >shared.key",
)
HOST = Peer(
    "host",
    "192.0.2.7 --key-file key",
    "lagbench serve --directory received --listen 192.0.2.7 --key-file key",
    "ip netns exec there env LAGBENCH_BOOT_ID=11111111-1111-1111-1111-111111111111",
    setup=_THERE,
)
ON_PATH = Peer(
    "host behind another",
    HOST.address,
    HOST.serve,
    HOST.prefix,
    setup=_BEHIND,
)
BUS = Peer("bus", "", "lagbench bus --directory bus", ready="Ctrl-C to end the bus", bus=True)
NOBODY = Peer("nobody", "127.0.0.1")
SILENT = Peer("silent", "127.0.0.1", act=lambda _: None)
TEXT = Peer("text", "127.0.0.1", act=_send(b"220 mail.example ESMTP\r\n"))
RANDOM = Peer("random bytes", "127.0.0.1", act=_send(bytes(range(256)) * 512))
RESETS = Peer("resets", "127.0.0.1", act=_reset)
TRICKLE = Peer("slow bytes", "127.0.0.1", act=_trickle)
OTHER_VERSION = Peer("other version", "127.0.0.1", act=_send(json.dumps(_OTHER_VERSION).encode() + b"\n"))
BLACK_HOLE = Peer("black hole", "192.0.2.7", setup=f"{_VETH} ip neighbor add 192.0.2.7 lladdr 02:00:00:00:00:07 dev d0")
NO_NEIGHBOR = Peer("no neighbor", "192.0.2.7", setup=_VETH)
NO_ROUTE = Peer("no route", "192.0.2.7")
