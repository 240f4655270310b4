"""What SRT and RIST count, what arrived, and what the link carried: sums that are exact, of RIST on an idle host."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lagbench_validation.key import make_key
from lagbench_validation.media.link import Flow, Parser, Taps, parse_rist, parse_srt
from lagbench_validation.media.pair import Ended, Pair
from lagbench_validation.peers.lab import Lab

PACKET_BYTES = 200
_SRT_HEADER_BYTES = 44  # with those of UDP and IP, as the library counts
_PACKETS = 1_000
_OPTIONS = (
    "--packet-bytes",
    PACKET_BYTES,
    "--packets",
    _PACKETS,
    "--mode",
    "sleep",
    "--interval",
    "500us",
    "--warm-up-packets",
    100,
)

Counters = Mapping[str, Any]


@dataclass(frozen=True)
class Sum:
    """Two numbers that must be equal. The first may exceed the second by at most the slack."""

    name: str
    left: int
    right: int
    slack: int = 0

    @property
    def holds(self) -> bool:
        return 0 <= self.left - self.right <= self.slack


@dataclass(frozen=True)
class Media:
    """A transport, and the sums that hold in its runs."""

    transport: str
    engine: str
    parse: Parser
    settings: tuple[dict[str, str], ...]
    sums: Callable[[Ended, Flow], Iterator[Sum]]


def _counters(ended: Ended) -> Counters:
    record = ended.record
    return {**record["sender"]["metadata"], **record["receiver"]["metadata"]}


def _lost(ended: Ended, flow: Flow) -> int:
    """The packets that the receiver did not get, with those of the warm-up, without the lead-out's."""
    record = ended.record
    sent = len(flow.first_copies) - _lead_out(ended)
    return int(sent - record["counts"]["distinct"] - record["receiver"]["metadata"]["warmUpReceived"])


def _lead_out(ended: Ended) -> int:
    return int(ended.record["sender"]["metadata"]["leadOutPackets"])


def _uncounted(ended: Ended, flow: Flow) -> int:
    """Lost first copies of the lead-out and of the opening: nobody counts which of these are delivered."""
    counted = flow.first_copies[: -_lead_out(ended)]
    return len(flow.first_copies_lost.difference(counted))


def _srt(ended: Ended, flow: Flow) -> Iterator[Sum]:
    counters = _counters(ended)
    sent = counters["srtPacketsSent"]
    yield Sum("sent = first copies on the link", sent, len(flow.first_copies))
    known = counters["srtPacketsReceived"] + counters["srtPacketsGivenUp"]
    end = flow.lost_at_end  # no later packet reveals these losses to the receiver
    yield Sum("sent = delivered + given up", sent, known, end)
    yield Sum("first copies lost on the link = lost", len(flow.first_copies_lost), counters["srtPacketsLost"], end)
    yield Sum("retransmitted = on the link", counters["srtPacketsRetransmitted"], flow.retransmitted)
    frames = len(flow.entered) * (PACKET_BYTES + _SRT_HEADER_BYTES)
    yield Sum("bytes = frames x (payload + 44)", counters["srtBytesSent"], frames)
    lost = _lost(ended, flow)
    yield Sum("given up = lost by our captures", counters["srtPacketsGivenUp"], lost, _uncounted(ended, flow))


def _rist(ended: Ended, flow: Flow) -> Iterator[Sum]:
    counters = _counters(ended)
    yield Sum("retransmitted = on the link", counters["ristPacketsRetransmitted"], flow.retransmitted)
    known = counters["ristPacketsRepaired"] + _lost(ended, flow)
    first_lost = len(flow.first_copies_lost)
    yield Sum("first copies lost = repaired + lost by our captures", first_lost, known, _uncounted(ended, flow))


SRT = Media(
    "srt", "libsrt", parse_srt,
    ({"latency": "12ms"}, {"latency": "25ms"}, {"latency": "60ms"}, {"latency": "60ms", "encryption": "aes-128"}),
    _srt,
)  # fmt: skip
RIST = Media(
    "rist",
    "librist",
    parse_rist,
    (
        {"profile": "simple", "buffer": "60ms", "rtt-min": "10ms"},
        {"profile": "simple", "buffer": "120ms"},
    ),
    _rist,
)


def check_sums(media: Media, runs: int, home: Path, work: Path) -> Iterator[tuple[str, list[str]]]:
    """Makes runs over a link that loses 1 to 6 % of the frames, and yields each with the sums that are not exact."""
    key = make_key(work)
    for first in range(0, runs, 10):
        loss = 1 + first // 10 % 6
        seed = first + 1
        network = f"{{name: media, delay: 5ms, loss: {loss}%, backend: relay, seed: {seed}}}"
        with (
            Lab(home, work, network, "media") as lab,
            Pair(home, key, work / f"{media.transport}-{first}", lab) as pair,
        ):
            for number in range(first, min(first + 10, runs)):
                settings = media.settings[number % len(media.settings)]
                with Taps(lab) as taps:
                    ended = pair.run(media.transport, media.engine, _OPTIONS, settings)
                    flow = taps.flow(media.parse)
                title = f"{media.transport} {number + 1:3}: seed {seed}, loss {loss} %, {settings}"
                if ended.exit_code != 0:
                    yield title, [ended.reason]
                    continue
                wrong = [f"{found.name}: {found.left} is not {found.right}" for found in media.sums(ended, flow)
                         if not found.holds]  # fmt: skip
                lost = f"{len(flow.first_copies_lost)} first copies lost, {_lost(ended, flow)} packets"
                yield f"{title}: {lost}", wrong
