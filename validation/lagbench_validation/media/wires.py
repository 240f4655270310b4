"""Checks each engine with each transport and traffic: refused with a sentence, or recognized on the wire by tshark."""

import re
import socket
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lagbench_validation.key import make_key
from lagbench_validation.media.pair import Pair
from lagbench_validation.namespaces import entered
from lagbench_validation.packet_socket import PacketSocket, segment
from lagbench_validation.peers.lab import Lab
from lagbench_validation.peers.peer import PORT
from lagbench_validation.processes import Failed, run

_TRANSPORTS = ("udp", "tcp", "srt", "rist")
_TRAFFIC = ("one-way", "round-trip", "transfer")
_PACKETS = 200
_PACKET_BYTES = 240
_TRANSFER_BYTES = 24_000
_REFUSALS = (2, 5)  # wrong, or not on this machine
_LEAST_SHARE = 0.9  # the share of the frames with data that must have the protocol
_LEAST_FRAMES = 4  # a stream may join packets
_BUFFER_BYTES = 128 * 1024 * 1024
_FRAME_BYTES = 65_535
_PCAP_HEADER = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, _FRAME_BYTES, 1)  # stamps in ns, Ethernet
_NETWORK = "{name: media, delay: 1ms, backend: relay}"

# What tshark calls the packets of an engine, if not by the transport's name.
_PROTOCOLS = {
    "aeron": "aeron", "quic": "quic", "grpc": "http2", "onc-rpc": "rpc", "rmi": "rmi",
    "libsrt": "srt", "librist": "rtp",
}  # fmt: skip

# Protocols that tshark finds without being given the port.
_FOUND = ("udp", "tcp", "srt", "aeron")


def engines(pair: Pair) -> list[str]:
    """Returns the engines that lagbench lists when it refuses one."""
    ended = pair.run("udp", "none-of-them", (), {})
    found = re.search(r"there are ([a-z0-9, -]+)\.", ended.reason)
    if not found:
        raise Failed(f"lagbench did not list its engines: {ended.reason}")
    return found[1].split(", ")


def check_wires(home: Path, work: Path) -> Iterator[tuple[str, list[str]]]:
    key = make_key(work)
    with Lab(home, work, _NETWORK, "media") as lab, Pair(home, key, work / "wires", lab) as pair:
        for engine in engines(pair):
            for transport in _TRANSPORTS:
                for traffic in _TRAFFIC:
                    yield _check(lab, pair, engine, transport, traffic, work)


def _check(lab: Lab, pair: Pair, engine: str, transport: str, traffic: str, work: Path) -> tuple[str, list[str]]:
    title = f"{engine}, {transport}, {traffic}"
    with entered(lab.namespace("receiver")):
        tap = PacketSocket(_BUFFER_BYTES, lab.device("receiver"))
    try:
        tap.open()
        ended = pair.run(transport, engine, _options(transport, traffic), _settings(transport))
        if ended.exit_code in _REFUSALS:
            return f"{title}: refused: {ended.reason}", [] if ended.reason.endswith(".") else ["no sentence"]
        if ended.exit_code != 0:
            return title, [f"exit code {ended.exit_code}: {ended.reason}"]
        capture = work / "wires.pcap"
        ports = _write(capture, tap, lab)
    finally:
        tap.close()
    expected = _PROTOCOLS.get(engine, transport)
    seen = _seen(capture, lab.address("sender"), expected, ports)
    data = Counter({protocols: count for protocols, count in seen.items() if protocols not in ("udp", "tcp")})
    carried = sum(count for protocols, count in data.items() if _is(expected, protocols))
    described = ", ".join(f"{count} {protocols}" for protocols, count in seen.most_common(3))
    is_so = carried >= _LEAST_SHARE * data.total() and carried >= _LEAST_FRAMES
    return f"{title}: served; tshark sees {described}", [] if is_so else [f"not {expected}"]


def _is(expected: str, protocols: str) -> bool:
    """Returns whether a frame has the protocol, and above plain UDP or TCP nothing but data."""
    names = protocols.split(":")
    return names[-2:] == [expected, "data"] if expected in _TRANSPORTS[:2] else expected in names


def _options(transport: str, traffic: str) -> tuple[object, ...]:
    of_traffic: tuple[object, ...] = ("--packets", _PACKETS, "--mode", "sleep", "--interval", "1ms")
    if traffic == "transfer":
        of_traffic = ("--transfer-bytes", _TRANSFER_BYTES, "--transfers", _PACKETS * _PACKET_BYTES // _TRANSFER_BYTES)
    return ("--packet-bytes", _PACKET_BYTES, "--warm-up-packets", 0, "--traffic", traffic, *of_traffic)


def _settings(transport: str) -> dict[str, str]:
    return {"srt": {"latency": "20ms"}, "rist": {"buffer": "50ms", "rtt-min": "10ms", "profile": "simple"}}.get(
        transport, {}
    )


def _write(capture: Path, tap: PacketSocket, lab: Lab) -> list[tuple[str, int]]:
    """Writes the frames, and returns the receiver's port that most of the sender's are sent to."""
    source = lab.address("sender")
    ports: Counter[tuple[str, int]] = Counter()
    with capture.open("wb") as file:
        file.write(_PCAP_HEADER)
        for frame, at_ns in tap.frames(_FRAME_BYTES):
            found = segment(frame)
            if found:
                if found.source == source and found.port != PORT:
                    ports["udp" if found.protocol == socket.IPPROTO_UDP else "tcp", found.port] += 1
                file.write(struct.pack("<IIII", at_ns // 10**9, at_ns % 10**9, len(frame), len(frame)) + frame)
    if tap.missed():
        raise Failed("the tap's buffer was too small")
    return [port for port, _ in ports.most_common(1)]


def _seen(capture: Path, source: str, expected: str, ports: list[tuple[str, int]]) -> Counter[str]:
    """Returns how many of the sender's frames have which protocols."""
    decoded = [word for kind, port in ports for word in ("-d", f"{kind}.port=={port},{expected}")]
    guesses = ["--enable-heuristic", "aeron_udp", "--disable-heuristic", "udt_udp"]  # SRT has descended from UDT
    command = ["tshark", "-r", capture, *guesses, *([] if expected in _FOUND else decoded)]
    shown = f"ip.src=={source} and not tcp.port=={PORT}"
    lines = run([*command, "-Y", shown, "-T", "fields", "-e", "frame.protocols"]).splitlines()
    return Counter(line.removeprefix("eth:ethertype:ip:") for line in lines)
