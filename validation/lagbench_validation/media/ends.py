"""What remains of a run over SRT or RIST of which a side ends or vanishes: no process, all stamps, and a next run."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lagbench_validation.captures import is_written, read
from lagbench_validation.key import make_key
from lagbench_validation.media.pair import Pair
from lagbench_validation.peers.lab import Lab
from lagbench_validation.processes import Failed, Program, run

_PACKETS = 3_000
_LONG_LATENCY = "2s"
_SHORT_LATENCY = "100ms"  # a receiver has packets for so long after the path vanished
_GONE_S = 2.0
_STALL = "1s"  # what a run waits for a peer that says nothing
_NETWORK = "{name: media, delay: 1ms, backend: relay}"
_SLOW_NETWORK = "{name: media, delay: 200ms, backend: relay}"  # over which a handshake takes 0.8 s
_PATIENCE_S = 30
_POLL_S = 0.005
_SETTINGS = {"srt": "latency", "rist": "buffer"}


@dataclass(frozen=True)
class Phase:
    """A moment of a run: when so many packets are sent."""

    name: str
    packets: int


_CONNECTING = Phase("connecting", 0)
_PHASES = (Phase("connected", 1), Phase("sending", _PACKETS // 2), Phase("draining", _PACKETS))


def check_ends(home: Path, work: Path) -> Iterator[tuple[str, list[str]]]:
    key = make_key(work)
    for transport, setting in _SETTINGS.items():
        settings = {setting: _LONG_LATENCY}
        with Pair(home, key, work / transport) as pair:
            for with_signal in (signal.SIGTERM, signal.SIGKILL):
                for phase in _PHASES:
                    act = partial(_send_signal, with_signal)
                    yield _end(pair, transport, settings, phase, f"the sender gets {with_signal.name}", act)
            after = pair.run(transport, f"lib{transport}", _options(100), settings)
            yield (
                f"{transport}, the next run: {after.lost if after.exit_code == 0 else after.reason} lost",
                ([] if after.exit_code == 0 and after.lost == 0 else ["it fails"]),
            )
        yield from _vanish(home, key, work, transport, _NETWORK, _PHASES)
    yield from _vanish(home, key, work, "srt", _SLOW_NETWORK, (_CONNECTING,))


def _vanish(
    home: Path, key: Path, work: Path, transport: str, network: str, phases: Iterable[Phase]
) -> Iterator[tuple[str, list[str]]]:
    settings = {_SETTINGS[transport]: _SHORT_LATENCY}
    directory = work / f"{transport}-vanished-{len(list(work.iterdir()))}"
    with Lab(home, work, network, "media") as lab, Pair(home, key, directory, lab) as pair:
        for phase in phases:
            yield _end(pair, transport, settings, phase, "the path vanishes", partial(_set_device, lab, "down"))
            _set_device(lab, "up")


def _options(packets: int) -> tuple[object, ...]:
    return ("--packet-bytes", 200, "--packets", packets, "--warm-up-packets", 10, "--mode", "sleep",
            "--interval", "1ms", "--stall-timeout", _STALL)  # fmt: skip


def _end(
    pair: Pair, transport: str, settings: dict[str, str], phase: Phase, event: str, act: Callable[[int], object]
) -> tuple[str, list[str]]:
    directory, command = pair.command(transport, f"lib{transport}", _options(_PACKETS), settings)
    capture = directory / "sender.npy"
    sender = Program("sender", command)
    try:
        deadline = time.monotonic() + _PATIENCE_S
        while not _has_reached(phase, capture, transport):
            if sender.ended or time.monotonic() > deadline:
                raise Failed(f"the sender did not reach the phase {phase.name}: {sender.last_lines()}")
            time.sleep(_POLL_S)
        begun = time.monotonic()
        act(sender.pid)
        while _processes(f"lagbench-{transport}") and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        gone_s = time.monotonic() - begun
    finally:
        sender.end()
    sent = sum(1 for sent_ns in read(capture)["sent_ns"] if sent_ns > 0) if capture.exists() else 0
    title = f"{transport}, {phase.name}, {event}: no program after {gone_s:.2f} s, {sent} stamps kept"
    wrong = [f"later than {_GONE_S} s"] if gone_s > _GONE_S else []
    return title, wrong + ([f"fewer stamps than {phase.packets}"] if sent < phase.packets else [])


def _has_reached(phase: Phase, capture: Path, transport: str) -> bool:
    if phase is _CONNECTING:
        return len(_processes(f"lagbench-{transport}")) == 2  # both sides
    return is_written(capture, "sent_ns", phase.packets - 1)


def _set_device(lab: Lab, state: str, _: int = 0) -> None:
    run(["ip", "-n", lab.namespace("receiver"), "link", "set", lab.device("receiver"), state])


def _send_signal(number: signal.Signals, pid: int) -> None:
    os.kill(pid, number)


def _processes(program: str) -> list[int]:
    """Returns the processes of a program whose captures are of this validation."""
    found = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            words = (directory / "cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if Path(words[0].decode()).name == program and any(b"lagbench-media-" in word for word in words):
            found.append(int(directory.name))
    return found
