#!/usr/bin/env python3
"""What sendiso sends on one port, dumpiso (both libraw1394-tools) dumps from the other, in order and whole.

sendiso itself drops the packets still queued when it ends: 750, and on a busy machine a batch of 500 more. dumpiso has
1000 buffers, so it loses packets if it does not run for 125 ms. libraw1394 queues one buffer more than dumpiso has: the
oldest packet that dumpiso has not read is then overwritten by the next."""

import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise

CHANNEL, TAG, SY, COUNT, QUEUED_AT_END = 5, 1, 3, 16000, 1300
SKIPPED = 77

for tool in ("sendiso", "dumpiso"):
    if not shutil.which(tool):
        print(f"{tool} is missing: install libraw1394-tools")
        sys.exit(SKIPPED)


def payload(i: int) -> bytes:
    return struct.pack("<I", i) + bytes([i % 251]) * (4 * (i % 120))


def record(i: int) -> bytes:
    data = payload(i)
    return struct.pack("<IBBBx", len(data), CHANNEL, TAG, SY) + data


def overwritten(i: int, by: int) -> bytes:
    """Returns what dumpiso reads as packet i if a later packet overwrote it."""
    old, new = payload(i), payload(by)
    return (new + old[len(new) :])[: len(old)]


def records(dump: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    offset = 32
    while offset + 8 <= len(dump):
        length, channel, tag, sy = struct.unpack_from("<IBBB", dump, offset)
        yield channel, tag, sy, dump[offset + 8 : offset + 8 + length]
        offset += 8 + length


with tempfile.TemporaryDirectory() as directory:
    source, target = os.path.join(directory, "source"), os.path.join(directory, "target")
    with open(source, "wb") as file:
        file.write(b"1394 isodump v2\0" + struct.pack(">Q8x", 1 << CHANNEL))
        for i in range(COUNT):
            file.write(record(i))
    dumper = subprocess.Popen(["dumpiso", "-p", "1", "-c", str(CHANNEL), target], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not os.path.exists(target) or os.path.getsize(target) < 32:
            if dumper.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"dumpiso did not start: {dumper.returncode}")
            time.sleep(0.01)
        subprocess.run(["sendiso", "-p", "0", "-s", "400", source], check=True, timeout=60, stderr=subprocess.DEVNULL)
        size = -1
        while size != os.path.getsize(target):
            size = os.path.getsize(target)
            time.sleep(0.3)
        if dumper.poll() is not None:
            sys.exit(f"dumpiso ended by itself: {dumper.returncode}")
    finally:
        dumper.send_signal(signal.SIGKILL)
        dumper.wait()
    with open(target, "rb") as dumped:
        dump = dumped.read()

if dump[:24] != b"1394 isodump v2\0" + struct.pack(">Q", 1 << CHANNEL):
    sys.exit("the dump has another header")
received = list(records(dump))
if len(received) < COUNT // 2:
    sys.exit(f"only {len(received)} of {COUNT} packets")
numbers: list[int] = []
for *stream, data in received:
    number = struct.unpack_from("<I", data)[0]
    if data != payload(number):
        before = range(numbers[-1] + 1 if numbers else 0, number)
        number = next((i for i in before if data == overwritten(i, number)), None)
    if stream != [CHANNEL, TAG, SY] or number is None:
        sys.exit(f"after {numbers[-1:]} came {stream} with {len(data)} bytes {data[:8].hex()}")
    numbers.append(number)
if any(after <= before for before, after in pairwise(numbers)):
    sys.exit("packets are out of order")
if numbers[-1] < COUNT - QUEUED_AT_END:
    sys.exit(f"the last packet is {numbers[-1]} of {COUNT}")
lost = numbers[-1] - numbers[0] + 1 - len(numbers)
print(f"{len(received)} packets from number {numbers[0]} on, {lost} lost in between, of {COUNT}")
