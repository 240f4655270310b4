#!/usr/bin/env python3
"""dvcont (libavc1394-tools) finds a tape recorder by its unit directory and requests its state over FCP.

This script acts as the recorder: an AV/C unit directory in the ROM, and answers to the commands that arrive.
"""

import ctypes
import fcntl
import os
import select
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Sequence

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from test_python_client import (
    ALLOCATE,
    CSR_BASE,
    EVENT_BUS_RESET,
    EVENT_REQUEST2,
    EVENT_RESPONSE,
    READ,
    SEND_RESPONSE,
    WRITE,
    Device,
    ioc,
    node_files,
)

SKIPPED = 77
ADD_DESCRIPTOR = ioc(READ | WRITE, 0x06, 32)
FCP_COMMAND, FCP_RESPONSE, WRITE_BLOCK = CSR_BASE + 0xB00, CSR_BASE + 0xD00, 1
UNIT_DIRECTORY = struct.pack("III", 2 << 16, 0x1200A02D, 0x13010001)  # 1394 Trade Association, AV/C
STABLE, NOT_IMPLEMENTED = 0x0C, 0x08
ANSWERS = {
    0x31: bytes([STABLE, 0xFF, 0x31, 0x07, 0x20, 0xFF, 0xFF, 0xFF]),  # subunits: one tape recorder
    0xD0: bytes([STABLE, 0x20, 0xC3, 0x75]),  # transport: playing forward
    0x51: bytes([STABLE, 0x20, 0x51, 0x71, 0x12, 0x34, 0x56, 0x07]),  # time code 07:56:34.12
}


def serve(devices: Sequence[Device]) -> None:
    """Answers the requests that are waiting."""
    poller = select.poll()
    for device in devices:
        poller.register(device.fd, select.POLLIN)
    by_fd = {device.fd: device for device in devices}
    for fd, _ in poller.poll(50):
        event = os.read(fd, 4096)
        (kind,) = struct.unpack_from("I", event, 8)
        if kind == EVENT_BUS_RESET:
            by_fd[fd].update()
        elif kind == EVENT_REQUEST2:
            _, _, _, _, source, _, card, _, handle, length = struct.unpack_from("QIIQIIIIII", event)
            fcntl.ioctl(fd, SEND_RESPONSE, struct.pack("IIQI4x", 0, 0, 0, handle))
            command = event[48 : 48 + length]
            answer = ANSWERS.get(command[2], bytes([NOT_IMPLEMENTED]) + command[1:])
            for device in devices:
                if device.card == card and device.node_id == source:
                    device.send(WRITE_BLOCK, FCP_RESPONSE, answer, len(answer))
        elif kind != EVENT_RESPONSE:
            sys.exit(f"event of type {kind}")


if not shutil.which("dvcont"):
    print("dvcont is missing: install libavc1394-tools")
    sys.exit(SKIPPED)
devices = [Device(path) for path in node_files()]
local = next(device for device in devices if device.node_id == device.local_node_id)
fcntl.ioctl(local.fd, ALLOCATE, bytearray(struct.pack("QQIIQ", FCP_COMMAND, 0, 0x200, 0, FCP_COMMAND + 0x200)), True)
data = ctypes.create_string_buffer(UNIT_DIRECTORY, len(UNIT_DIRECTORY))
fcntl.ioctl(
    local.fd,
    ADD_DESCRIPTOR,
    bytearray(struct.pack("IIQII8x", 0, 0xD1000000, ctypes.addressof(data), len(UNIT_DIRECTORY) // 4, 0)),
    True,
)
deadline = time.monotonic() + 15
while any(0x1200A02D not in device.rom for device in devices):
    serve(devices)
    if time.monotonic() > deadline:
        sys.exit("the unit directory does not show in every ROM")
    for device in devices:
        device.update()
while select.select([device.fd for device in devices], [], [], 0.5)[0]:
    serve(devices)  # until the bus is quiet

for request, expected in (("status", "Playing"), ("timecode", "07:56:34:12")):
    run = subprocess.Popen(["dvcont", request], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    deadline = time.monotonic() + 20
    while run.poll() is None:
        if time.monotonic() > deadline:
            run.kill()
            sys.exit("dvcont does not end")
        serve(devices)
    output = run.communicate()[0].strip()
    print(output)
    if run.returncode != 0 or output != expected:
        sys.exit(f"dvcont {request} ended with {run.returncode}")
