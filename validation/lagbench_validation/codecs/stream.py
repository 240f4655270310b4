"""Measures the lag of a one-way stream while compressed and uncompressed transfers use the same processors."""

import signal
from pathlib import Path

import lagbench

from lagbench_validation.codecs.bench import Bench
from lagbench_validation.codecs.conditions import Condition
from lagbench_validation.peers.lab import Lab
from lagbench_validation.peers.peer import PORT
from lagbench_validation.processes import Program
from lagbench_validation.quantiles import quantile

_CONCURRENT = ("nothing", "none", "zstd-3", "adaptive")
_TRANSFERS = 4
_PACKETS = 3_000
_START_S = 60
_PATIENCE_S = 120
_NETWORK = "{name: stream, delay: 1ms}"


def compare_lags(home: Path, key: Path, data: Path, condition: Condition, work: Path) -> None:
    """Prints the lag of a UDP stream of 1,000 packets/s during transfers with each codec over another network."""
    print(f"\nLag in us of a UDP stream on other links, during transfers ({condition.name}) by")
    with (
        Lab(home, work, _NETWORK, "stream") as lab,
        Lab(home, work, condition.network, "others") as other,
        Bench(home, key, other, condition, data, work) as bench,
    ):
        for codec in _CONCURRENT:
            lags_us = _stream(home, key, lab, work, bench, codec)
            shown = "  ".join(f"{name} {quantile(lags_us, p):8.1f}" for name, p in (("median", 0.5), ("Q95", 0.95)))
            print(f"  {codec:10} {shown}  {len(lags_us)} packets", flush=True)


def _stream(home: Path, key: Path, lab: Lab, work: Path, bench: Bench, codec: str) -> list[float]:
    to = f"{lab.address('receiver')}:{PORT}"
    scripts = home / "scripts"
    receiver = Program(
        "receiver",
        lab.command("receiver", scripts / "receiver", "--listen", to, "--key-file", key, "--directory",
                    f"stream-received-{codec}", "--runs", 1, "--end-with-stdin"),
        directory=work,
        keep_input_open=True,
    )  # fmt: skip
    sender = None
    try:
        receiver.await_text(rf":{PORT}", _START_S)
        sender = Program(
            "sender",
            lab.command("sender", scripts / "sender", "udp", to, "--key-file", key, "--directory", ".",
                        "--name", f"stream-{codec}", "--packets", _PACKETS,
                        "--warm-up-packets", 500, "--mode", "hybrid", "--interval", "1ms", "--observe", "none"),
            directory=work,
        )  # fmt: skip
        while codec != "nothing" and not sender.ended:
            bench.transfer(codec, _TRANSFERS)
        sender.await_success(_PATIENCE_S)
    finally:
        if sender is not None:
            sender.end()
        receiver.end(signal.SIGINT)
    lags_ns = lagbench.Run(work / f"stream-{codec}").packets()["lag_ns"]
    return [lag_ns / 1e3 for lag_ns in sorted(lags_ns.compressed().tolist())]
