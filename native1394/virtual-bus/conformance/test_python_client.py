#!/usr/bin/env python3
"""A client of /dev/fw* in Python's standard library alone, written from linux/firewire-cdev.h.

An interpreter reaches the files through other functions than C programs do: os.open is open64 with close-on-exec, mmap
duplicates the descriptor and asks for its status first, listdir is readdir64, subprocess passes descriptors on.
"""

import array
import ctypes
import errno
import fcntl
import mmap
import os
import re
import select
import stat
import struct
import subprocess
import sys
import threading
import time
import unittest
from collections.abc import Iterable
from itertools import pairwise


def ioc(direction: int, number: int, size: int) -> int:
    return direction << 30 | size << 16 | ord("#") << 8 | number


WRITE, READ = 1, 2
GET_INFO = ioc(READ | WRITE, 0x00, 40)
SEND_REQUEST = ioc(WRITE, 0x01, 40)
ALLOCATE = ioc(READ | WRITE, 0x02, 32)
SEND_RESPONSE = ioc(WRITE, 0x04, 24)
CREATE_ISO_CONTEXT = ioc(READ | WRITE, 0x08, 32)
QUEUE_ISO = ioc(READ | WRITE, 0x09, 24)
START_ISO = ioc(WRITE, 0x0A, 16)
STOP_ISO = ioc(WRITE, 0x0B, 4)
GET_CYCLE_TIMER2 = ioc(READ | WRITE, 0x14, 24)

EVENT_BUS_RESET, EVENT_RESPONSE, EVENT_ISO_INTERRUPT, EVENT_REQUEST2 = 0, 1, 3, 6
WRITE_QUADLET, READ_QUADLET, READ_BLOCK, COMPARE_SWAP = 0, 4, 5, 0x12
CSR_BASE = 0xFFFFF0000000
INTERRUPT = 1 << 16


class Device:
    def __init__(self, path: str) -> None:
        self.path = path
        self.fd = os.open(path, os.O_RDWR)
        self.update()

    def update(self) -> None:
        reset = (ctypes.c_char * 40)()
        rom = (ctypes.c_char * 1024)()
        info = bytearray(struct.pack("IIQQQI4x", 5, 1024, ctypes.addressof(rom), ctypes.addressof(reset), 0xB05, 0))
        fcntl.ioctl(self.fd, GET_INFO, info, True)
        self.version, rom_length, _, _, _, self.card = struct.unpack("IIQQQI4x", info)
        self.rom = array.array("I", rom.raw[:rom_length])
        (
            _,
            _,
            self.node_id,
            self.local_node_id,
            self.bus_manager,
            self.resource_manager,
            self.root,
            self.generation,
        ) = struct.unpack_from("Q7I", reset.raw)

    def event(self, kind: int, timeout: float = 5.0) -> bytes:
        poller = select.epoll()
        poller.register(self.fd, select.EPOLLIN)
        while True:
            if not poller.poll(timeout):
                raise TimeoutError(f"no event of type {kind}")
            data = os.read(self.fd, 65536)
            (got,) = struct.unpack_from("I", data, 8)
            if got == kind:
                return data
            if got != EVENT_BUS_RESET:
                raise AssertionError(f"event of type {got}, not {kind}")

    def send(self, tcode: int, offset: int, payload: bytes, length: int) -> None:
        data = ctypes.create_string_buffer(payload, max(len(payload), 1))
        fcntl.ioctl(
            self.fd,
            SEND_REQUEST,
            struct.pack(
                "IIQQQI4x", tcode, length, offset, 0x7E57, ctypes.addressof(data) if payload else 0, self.generation
            ),
        )

    def response(self) -> tuple[int, bytes]:
        event = self.event(EVENT_RESPONSE)
        closure, _, rcode, length = struct.unpack_from("QIII", event)
        assert closure == 0x7E57
        return rcode, event[20 : 20 + length]

    def transact(self, tcode: int, offset: int, payload: bytes, length: int) -> tuple[int, bytes]:
        self.send(tcode, offset, payload, length)
        return self.response()

    def map(self, size: int) -> None:
        self.buffer = mmap.mmap(self.fd, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.buffer))

    def queue(self, values: Iterable[int], offset: int) -> int:
        words = array.array("I", values)
        address, count = words.buffer_info()
        request = bytearray(struct.pack("QQII", address, self.address + offset, 4 * count, 0))
        return int(fcntl.ioctl(self.fd, QUEUE_ISO, request, True))

    def close(self) -> None:
        os.close(self.fd)


def node_files() -> list[str]:
    return sorted(f"/dev/{name}" for name in os.listdir("/dev") if re.fullmatch(r"fw\d+", name))


def crc16(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = crc << 1 ^ (0x1021 if crc & 0x8000 else 0)
            crc &= 0xFFFF
    return crc


class Client(unittest.TestCase):
    def setUp(self) -> None:
        self.devices = [Device(path) for path in node_files()]
        for device in self.devices:
            self.addCleanup(device.close)
        locals_ = sorted((d for d in self.devices if d.node_id == d.local_node_id), key=lambda d: d.card)
        if len(locals_) < 2:
            self.skipTest("needs two cards on one bus")
        self.a, self.b = locals_[:2]
        self.b_from_a = next(d for d in self.devices if d.card == self.a.card and d.node_id == self.b.node_id)

    def test_files_are_character_devices(self) -> None:
        for path in node_files():
            self.assertTrue(stat.S_ISCHR(os.stat(path).st_mode))
            self.assertTrue(os.access(path, os.R_OK | os.W_OK))
        self.assertTrue(stat.S_ISCHR(os.fstat(self.a.fd).st_mode))
        self.assertFalse(os.isatty(self.a.fd))

    def test_rom_is_valid_and_identical_over_the_bus(self) -> None:
        for device in self.devices:
            rom = device.rom
            self.assertEqual(rom[1], 0x31333934)
            length = rom[0] >> 16 & 0xFF
            self.assertEqual(rom[0] & 0xFFFF, crc16(struct.pack(f">{length}I", *rom[1 : 1 + length])))
            length = rom[5] >> 16
            self.assertEqual(rom[5] & 0xFFFF, crc16(struct.pack(f">{length}I", *rom[6 : 6 + length])))
            rcode, data = device.transact(READ_BLOCK, CSR_BASE + 0x400, b"", 4 * len(rom))
            self.assertEqual((rcode, data), (0, struct.pack(f">{len(rom)}I", *rom)))

    def test_bandwidth_is_locked_at_the_resource_manager(self) -> None:
        manager = next(d for d in self.devices if d.node_id == d.resource_manager)
        register = CSR_BASE + 0x220
        rcode, available = manager.transact(READ_QUADLET, register, b"", 4)
        self.assertEqual(rcode, 0)
        (before,) = struct.unpack(">I", available)
        self.assertEqual(
            manager.transact(COMPARE_SWAP, register, struct.pack(">II", before, before - 100), 8), (0, available)
        )
        self.assertEqual(manager.transact(READ_QUADLET, register, b"", 4), (0, struct.pack(">I", before - 100)))
        self.assertEqual(
            manager.transact(COMPARE_SWAP, register, struct.pack(">II", before - 100, before), 8),
            (0, struct.pack(">I", before - 100)),
        )

    def test_a_request_is_served_by_a_thread(self) -> None:
        region = CSR_BASE + 0x10000
        fcntl.ioctl(self.b.fd, ALLOCATE, bytearray(struct.pack("QQIIQ", region, 1, 8, 0, region + 8)), True)

        def serve() -> None:
            event = self.b.event(EVENT_REQUEST2)
            _, _, tcode, offset, source, _, _, _, handle, length = struct.unpack_from("QIIQIIIIII", event)
            self.assertEqual((tcode, offset, source, length), (READ_QUADLET, region + 4, self.a.node_id, 4))
            data = ctypes.create_string_buffer(b"pong", 4)
            fcntl.ioctl(self.b.fd, SEND_RESPONSE, struct.pack("IIQI4x", 0, 4, ctypes.addressof(data), handle))

        server = threading.Thread(target=serve)
        server.start()
        self.assertEqual(self.b_from_a.transact(READ_QUADLET, region + 4, b"", 4), (0, b"pong"))
        server.join()

    def test_a_stream_arrives_in_order_and_whole(self) -> None:
        count, size = 800, 992
        for device, kind, header in ((self.a, 0, 0), (self.b, 1, 8)):
            context = bytearray(struct.pack("IIIIQI4x", kind, header, 5, 2, 0, 0))
            fcntl.ioctl(device.fd, CREATE_ISO_CONTEXT, context, True)
            device.map(count * 1024)
        for i in range(count):
            self.a.buffer[i * 1024 : i * 1024 + size] = struct.pack(">I", i) + bytes([i % 251]) * (size - 4)
            self.assertEqual(self.a.queue([size], i * 1024), 1)
            self.assertEqual(self.b.queue([1024 | 8 << 24 | (INTERRUPT if i % 80 == 79 else 0)], i * 1024), 1)
        fcntl.ioctl(self.b.fd, START_ISO, struct.pack("iIII", -1, 0, 15, 0))
        fcntl.ioctl(self.a.fd, START_ISO, struct.pack("iIII", -1, 0, 0, 0))
        cycles = []
        for _ in range(count // 80):
            event = self.b.event(EVENT_ISO_INTERRUPT)
            (length,) = struct.unpack_from("I", event, 16)
            self.assertEqual(length, 80 * 8)
            for i in range(80):
                header, timestamp = struct.unpack_from(">II", event, 20 + 8 * i)
                self.assertEqual(header, size << 16 | 5 << 8 | 0xA0)
                cycles.append((timestamp >> 13 & 7) * 8000 + (timestamp & 0x1FFF))
        self.assertTrue(all((after - before) % 64000 == 1 for before, after in pairwise(cycles)))
        for i in range(count):
            self.assertEqual(
                self.b.buffer[i * 1024 : i * 1024 + size], struct.pack(">I", i) + bytes([i % 251]) * (size - 4)
            )
        for device in (self.a, self.b):
            fcntl.ioctl(device.fd, STOP_ISO, struct.pack("I", 0))

    def test_the_cycle_timer_counts_8000_a_second(self) -> None:
        def read() -> tuple[int, int]:
            timer = bytearray(struct.pack("qiiI4x", 0, 0, time.CLOCK_MONOTONIC_RAW, 0))
            fcntl.ioctl(self.a.fd, GET_CYCLE_TIMER2, timer, True)
            seconds, nanoseconds, _, value = struct.unpack("qiiI4x", timer)
            return (
                seconds * 10**9 + nanoseconds,
                ((value >> 25) * 8000 + (value >> 12 & 0x1FFF)) * 3072 + (value & 0xFFF),
            )

        first = read()
        time.sleep(0.5)
        second = read()
        ticks = (second[1] - first[1]) % (128 * 24576000)
        self.assertAlmostEqual(ticks / (second[0] - first[0]) * 1e9 / 24576000, 1, delta=1e-3)

    def test_errors_have_the_kernels_numbers(self) -> None:
        for request, argument, expected in (
            (ioc(READ, 0x7F, 4), bytearray(4), errno.ENOTTY),
            (STOP_ISO, struct.pack("I", 0), errno.EINVAL),
            (ALLOCATE, bytearray(struct.pack("QQIIQ", CSR_BASE, 0, 4, 0, CSR_BASE + 4)), errno.EBUSY),
        ):
            with self.assertRaises(OSError) as refusal:
                fcntl.ioctl(self.a.fd, request, argument)
            self.assertEqual(refusal.exception.errno, expected)
        with self.assertRaises(OSError) as refusal:
            os.write(self.a.fd, b"x")
        self.assertEqual(refusal.exception.errno, errno.EINVAL)

    def test_a_subprocess_uses_an_inherited_descriptor(self) -> None:
        info = "bytearray(struct.pack('IIQQQI4x', 5, 0, 0, 0, 0, 0))"
        script = f"import fcntl, struct; fcntl.ioctl({self.a.fd}, {GET_INFO}, {info})"
        subprocess.run([sys.executable, "-c", script], pass_fds=[self.a.fd], check=True)

    def test_a_python_opened_file_object_works(self) -> None:
        with open(self.a.path, "r+b", buffering=0) as file:
            info = bytearray(struct.pack("IIQQQI4x", 5, 0, 0, 0, 0, 0))
            fcntl.ioctl(file, GET_INFO, info, True)
            self.assertEqual(struct.unpack_from("I", info, 32)[0], self.a.card)


if __name__ == "__main__":
    unittest.main()
