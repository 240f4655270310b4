#!/usr/bin/env python3
"""libhinawa (gir1.2-hinawa-3.0, python3-gi) reads ROMs, exchanges requests, and sends FCP frames over the two cards."""

import os
import re
import sys
import threading
from collections.abc import Sequence
from typing import Any

SKIPPED = 77
DISTRIBUTIONS_PYTHON = "/usr/bin/python3"  # the interpreter that python3-gi belongs to

try:
    import gi

    gi.require_version("Hinawa", "3.0")
    from gi.repository import GLib, Hinawa
except (ImportError, ValueError) as absence:
    if os.path.exists(DISTRIBUTIONS_PYTHON) and not os.environ.get("HINAWA_JUDGE_AGAIN"):
        os.environ["HINAWA_JUDGE_AGAIN"] = "1"
        os.execv(DISTRIBUTIONS_PYTHON, [DISTRIBUTIONS_PYTHON, __file__])
    print(absence)
    sys.exit(SKIPPED)

UNIT_SPACE = 0xFFFFF0010000
FCP_COMMAND, FCP_RESPONSE = 0xFFFFF0000B00, 0xFFFFF0000D00
TIMEOUT_MS = 2000


def open_nodes() -> list[Any]:
    loop, nodes = GLib.MainLoop(), []
    for name in sorted(os.listdir("/dev")):
        if re.fullmatch(r"fw\d+", name):
            node = Hinawa.FwNode.new()
            node.open(f"/dev/{name}")
            node.create_source().attach(loop.get_context())
            nodes.append(node)
    threading.Thread(target=loop.run, daemon=True).start()
    return nodes


def number(node: Any, name: str) -> Any:
    return node.get_property(name)


def transact(node: Any, tcode: Any, address: int, length: int, data: Sequence[int] = ()) -> bytes:
    frame = list(data) + [0] * (length - len(data))
    return bytes(Hinawa.FwReq.new().transaction_sync(node, tcode, address, length, frame, TIMEOUT_MS)[:length])


nodes = open_nodes()
a, b = sorted(
    (node for node in nodes if number(node, "node-id") == number(node, "local-node-id")),
    key=lambda node: number(node, "node-id"),
)
b_from_a, a_from_b = sorted(
    (node for node in nodes if number(node, "node-id") != number(node, "local-node-id")),
    key=lambda node: number(node, "local-node-id"),
)
assert number(b_from_a, "node-id") == number(b, "node-id")

# The ROM from the kernel equals the ROM over the bus.
for node in nodes:
    rom = bytes(node.get_config_rom())
    assert rom[4:8] == b"1394", rom[:8]
    read = b"".join(
        transact(node, Hinawa.FwTcode.READ_QUADLET_REQUEST, 0xFFFFF0000400 + i, 4) for i in range(0, len(rom), 4)
    )
    assert read == rom, (read.hex(), rom.hex())

# A register served by a handler at the other node.
asked: list[tuple[Any, int, int, int, bytes]] = []


def answer(
    response: Any,
    tcode: Any,
    offset: int,
    source: int,
    destination: int,
    card: int,
    generation: int,
    frame: Sequence[int],
    length: int,
) -> Any:
    asked.append((tcode, offset, source, destination, bytes(frame[:length])))
    if tcode == Hinawa.FwTcode.READ_BLOCK_REQUEST:
        response.set_resp_frame(list(b"hinawa!?"))
    return Hinawa.FwRcode.COMPLETE


responder = Hinawa.FwResp.new()
responder.connect("requested2", answer)
responder.reserve(b, UNIT_SPACE, 8)
assert transact(b_from_a, Hinawa.FwTcode.READ_BLOCK_REQUEST, UNIT_SPACE, 8) == b"hinawa!?"
transact(b_from_a, Hinawa.FwTcode.WRITE_BLOCK_REQUEST, UNIT_SPACE, 8, b"12345678")
expected = (UNIT_SPACE, number(a, "node-id"), number(b, "node-id"))
assert [entry[1:4] for entry in asked] == [expected, expected], asked
assert asked[1][0] == Hinawa.FwTcode.WRITE_BLOCK_REQUEST and asked[1][4] == b"12345678", asked
try:
    Hinawa.FwResp.new().reserve(a, UNIT_SPACE, 8)
    raise AssertionError("a range was reserved twice")
except GLib.Error as error:
    assert error.matches(Hinawa.fw_resp_error_quark(), Hinawa.FwRespError.ADDR_SPACE_USED), error
responder.release()
try:
    transact(b_from_a, Hinawa.FwTcode.READ_QUADLET_REQUEST, UNIT_SPACE, 4)
    raise AssertionError("a released range still answers")
except GLib.Error as error:
    assert error.matches(Hinawa.fw_req_error_quark(), Hinawa.FwReqError.ADDRESS_ERROR), error


# AV/C: a target at node b that accepts UNIT INFO, a controller at node a.
def serve(
    target: Any,
    tcode: Any,
    offset: int,
    source: int,
    destination: int,
    card: int,
    generation: int,
    frame: Sequence[int],
    length: int,
) -> Any:
    command = bytes(frame[:length])
    reply = bytes([0x0C]) + command[1:3] + b"\x07" + command[4:]
    threading.Thread(
        target=transact, args=(a_from_b, Hinawa.FwTcode.WRITE_BLOCK_REQUEST, FCP_RESPONSE, len(reply), reply)
    ).start()
    return Hinawa.FwRcode.COMPLETE


target = Hinawa.FwResp.new()
target.connect("requested2", serve)
target.reserve(b, FCP_COMMAND, 0x200)
controller = Hinawa.FwFcp.new()
controller.bind(b_from_a)
reply = controller.avc_transaction([0x01, 0xFF, 0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0] * 8, TIMEOUT_MS)
assert bytes(reply) == bytes([0x0C, 0xFF, 0x30, 0x07, 0xFF, 0xFF, 0xFF, 0xFF]), bytes(reply).hex()
controller.unbind()
target.release()
print(f"{len(nodes)} nodes, {len(asked)} requests served, FCP answered")
