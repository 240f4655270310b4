"""Gives runs of which one file is damaged to the reader in Python, which must read or refuse each."""

import argparse
import random
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import lagbench

_MEMORY = Path("/dev/shm")
_RUNS = "validation/fuzz/corpus/runs"
_DAMAGE_BYTES = 16
_OF_PACKETS = ("sender", "receiver", "sender-replies")
_EDGES = (b"-1", b"0", b"9223372036854775807", b"1e308", b"NaN", b"null", b"{}", b"[]", b"'", b"|O", b"\0", b"\xff" * 8)


def damage(content: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Returns the content after one to four damages, of the kinds that the targets in Java get."""
    for _ in range(chance.randrange(1, 5)):
        if len(content) < 2:
            return chance.randbytes(2)
        # The header of a capture, or the whole of a record.
        at = chance.randrange(min(len(content), 512) if chance.random() < 0.5 else len(content))
        end = at + chance.randrange(1, _DAMAGE_BYTES)
        match chance.randrange(5):
            case 0:
                content = content[:at] + chance.randbytes(1) + content[at + 1 :]
            case 1:
                content = content[:at]
            case 2:
                content = content[:at] + content[end:]
            case 3:
                content = content[:at] + chance.choice(_EDGES) + content[end:]
            case _:
                other = chance.choice(others)
                content = content[:at] + other[chance.randrange(len(other)) :]
    return content


def read(file: Path) -> None:
    """Reads a file of a run, and the packets to which it belongs."""
    run = lagbench.Run(file.parent)
    with suppress(lagbench.SessionError):
        if file.suffix == ".json":
            _ = run.state
        else:
            run.capture(file.stem).tobytes()
        if file.stem in _OF_PACKETS:
            run.packets()


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/validate fuzz python-runs", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    inputs, end = 0, time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="lagbench-fuzz-", dir=_MEMORY if _MEMORY.is_dir() else None) as directory:
        copy = shutil.copytree(options.home / _RUNS, Path(directory, "runs"))
        whole = {path: path.read_bytes() for path in sorted(copy.rglob("*")) if path.is_file()}
        paths, contents = list(whole), list(whole.values())
        while time.monotonic() < end:
            path = chance.choice(paths)
            damaged = damage(whole[path], contents, chance)
            path.write_bytes(damaged)
            try:
                read(path)
            except Exception:
                print(f"input {inputs}, {path.relative_to(copy)}: {damaged.hex()}")
                raise
            path.write_bytes(whole[path])
            inputs += 1
    print(f"stat::number_of_executed_units: {inputs}")


if __name__ == "__main__":
    main()
