"""The effective latency that lagbench prints for many connections, less the latency and the delay that were set."""

import json
import statistics
from collections.abc import Iterator
from pathlib import Path

from lagbench_validation.processes import Failed, run

_LATENCY_MS = {"srt.latency": 50, "rist.buffer": 50}
_DELAYS_MS = (0, 10, 50)
_LARGEST_EXCESS_MS = 3.0
_SMALLEST_EXCESS_MS = -0.1  # libsrt's clock has whole microseconds, and a packet that opens may be early
_EXPERIMENT = """\
transports: [{transport}]
packet-bytes: 200
packets: 200
warm-up-packets: 20
pace: {{mode: sleep, interval: 1ms}}
observe: none
repeats: {repeats}
{lab}
{transport}: {{{setting}}}
"""


def check_latencies(transport: str, connections: int, home: Path, work: Path) -> Iterator[tuple[str, list[str]]]:
    """Makes connections over paths of several delays. Yields each path, and the connections outside the bounds."""
    name, latency_ms = next((key, ms) for key, ms in _LATENCY_MS.items() if key.startswith(transport))
    setting = f"{name.partition('.')[2]}: {latency_ms}ms" + (", rtt-min: 20ms" if transport == "rist" else "")
    for delay_ms in _DELAYS_MS:
        lab = f"lab: {{name: media, delay: {delay_ms}ms, backend: relay}}" if delay_ms else ""
        file = work / "latencies.yaml"
        file.write_text(_EXPERIMENT.format(transport=transport, repeats=connections, lab=lab, setting=setting), "ascii")
        output = work / f"latencies-{transport}-{delay_ms}"
        run([home / "scripts" / "lagbench", "sweep", file, "--output", output, "--quiet", "--no-report"])
        excess = _excess_ms(output, latency_ms + delay_ms)
        if len(excess) != connections:
            raise Failed(f"{len(excess)} of {connections} connections have an effective latency")
        outside = [f"{ms:.2f} ms" for ms in excess if not _SMALLEST_EXCESS_MS <= ms <= _LARGEST_EXCESS_MS]
        yield (
            f"{transport}, latency {latency_ms} ms, delay {delay_ms} ms: effective latency less both of {connections}"
            f" connections: {min(excess):.2f} to {max(excess):.2f} ms, median {statistics.median(excess):.2f} ms",
            [f"outside {_SMALLEST_EXCESS_MS} to {_LARGEST_EXCESS_MS} ms: {', '.join(outside)}"] if outside else [],
        )


def _excess_ms(output: Path, expected_ms: float) -> list[float]:
    summary = json.loads(next(output.glob("*/summary.json")).read_text("utf-8"))
    return [
        run["metrics"]["recovery.effectiveLatency"] / 1000 - expected_ms
        for point in summary["points"]
        for run in point["runs"]
    ]
