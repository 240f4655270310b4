"""Files of another author: each is read as documented or refused with a SessionError."""

import json
import os
import random
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import cast

import lagbench
import numpy as np
from lagbench.dataset import Dataset
from lagbench.engines import Engine

I8 = "('{}', '<i8')"
SENT = ["seq", "scheduled_ns", "sent_ns", "returned_ns"]
RECEIVED = ["seq", "received_ns"]


def npy(fields: str, records: int, content: bytes = b"") -> bytes:
    text = f"{{'descr': [{fields}], 'fortran_order': False, 'shape': ({records},), }}".encode()
    return b"\x93NUMPY\x01\x00\xf6\x00" + text.ljust(245) + b"\n" + content


def capture(names: list[str], *records: tuple[int, ...]) -> bytes:
    numbers = np.array(records, "<i8").tobytes()
    return npy(", ".join(map(I8.format, names)), len(records), numbers)


class HostileFilesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.run_ = lagbench.Run(self.path)
        self._write("sender.npy", capture(SENT, (0, 1, 1, 1), (1, 2, 2, 2)))
        self._write("receiver.npy", capture(RECEIVED, (0, 5), (1, 6)))

    def _write(self, name: str, content: bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return path

    def _refused(self, text: str, read: Callable[[], object]) -> None:
        with self.assertRaisesRegex(lagbench.SessionError, text):
            read()

    def test_reads_declared_fields(self) -> None:
        self.assertEqual(self.run_.packets()["lag_ns"].tolist(), [4, 4])

    def test_refuses_objects_and_other_types(self) -> None:
        for kind in ("O", "|O", "|O8", "<i4", ">i8", "=i8", "<f8", "<u8", "|V0", "|S8", "<M8[ns]", "('<i8', (2,))"):
            with self.subTest(kind):
                fields = I8.format("seq") + f", ('sent_ns', {kind!r})"
                self._write("sender.npy", npy(fields, 1, bytes(range(1, 17))))
                self._refused("sender.npy cannot be read: its field sent_ns of type|header", self.run_.packets)

    def test_refuses_a_field_twice(self) -> None:
        self._write("sender.npy", capture([*SENT, "seq"], (0, 1, 1, 1, 0)))
        self._refused("sender.npy cannot be read: it has a field twice", self.run_.packets)

    def test_refuses_other_headers(self) -> None:
        good = npy(I8.format("seq") + ", " + I8.format("sent_ns"), 1, bytes(16))
        nested = npy(f"('seq', [{I8.format('sent_ns')}])", 1)
        deep = npy("[" * 100 + "]" * 100, 1)
        not_records = good.replace(b"[('seq', '<i8'), ('sent_ns', '<i8')]", b"'<i8'".ljust(36))
        for content in (
            b"",
            good[:5],
            good[:100],
            b"PK\x03\x04" + good[4:],
            good.replace(b"\x01\x00\xf6", b"\x02\x00\xf6"),
            good.replace(b"'seq'", b"'sent_ns'"),
            good.replace(b"(1,)", b"(-1,)"),
            good.replace(b"(1,)", b"(1,1)"),
            good.replace(b"(1,)", b"()"),
            good.replace(b"False", b"True "),
            good.replace(b"'seq'", b"'\xff\xfe'"),
            good.replace(b"'seq'", b"'key_'"),
            npy("", 1),
            nested,
            deep,
            not_records,
        ):
            with self.subTest(content[:60]):
                self._write("sender.npy", content)
                self._refused("sender.npy cannot be read: ", lambda: self.run_.capture("sender"))

    def test_maps_no_more_records_than_the_file_has(self) -> None:
        self._write("sender.npy", npy(I8.format("sent_ns"), 10**17, np.array([7, 8], "<i8").tobytes()))
        self.assertEqual(self.run_.capture("sender")["sent_ns"].tolist(), [7, 8])

    def test_refuses_captures_that_are_not_of_packets(self) -> None:
        self._write("receiver.npy", capture(["at_ns", "bus_ns"], (1, 2)))
        self._refused("receiver.npy is not a capture of packets: it has no field received_ns", self.run_.packets)
        self._write("receiver.npy", capture(RECEIVED, (0, 5), (-9, 6), (1, 7), (0, 8), (1, 9)))
        self._refused("receiver.npy .* negative sequence number", self.run_.packets)

    def test_refuses_pipes_without_waiting(self) -> None:
        for name in ("run.json", "sender.npy", "series.json", "summary.json"):
            (self.path / name).unlink(missing_ok=True)
            os.mkfifo(self.path / name)
        session = lagbench.Session(self.path)
        self._refused("run.json cannot be read: it is not a regular file", lambda: self.run_.record)
        self._refused("sender.npy cannot be read: it is not a regular file", self.run_.packets)
        self._refused("series.json cannot be read: it is not a regular file", lambda: session.series)
        self._refused("summary.json cannot be read: it is not a regular file", lambda: session.summary)

    def test_refuses_json_of_another_shape(self) -> None:
        for text in ("[]", "3", "null", '"x"', "[" * 100_000, "{", "\xff", "1" * 5000):
            with self.subTest(text[:9]):
                self._write("run.json", text.encode("latin1"))
                self._refused("run.json ", lambda: lagbench.Run(self.path).state)
        for content in ({}, {"state": 3}, {"state": None}):
            self._write("run.json", json.dumps(content).encode())
            self._refused("run.json has no state", lambda: lagbench.Run(self.path).state)
        indexes: list[object] = [{}, {"series": 3}, {"series": [3]}, {"series": [{}]}, {"series": None}]
        for index in indexes:
            self._write("series.json", json.dumps(index).encode())
            self._refused("series.json is not an index", lambda: lagbench.Session(self.path).series)

    def test_reads_records_whose_metadata_have_another_shape(self) -> None:
        self._write("receiver-drops.npy", capture(["seq", "dropped_ns", "reason"], (0, 5, 7)))
        shapes: list[object] = [None, 3, "x", [], [3], {}, {"metadata": None}, {"metadata": "x"}, {"metadata": [3]}]
        for shape in shapes:
            with self.subTest(shape):
                self._write("run.json", json.dumps({"sender": shape, "receiver": shape}).encode())
                run = lagbench.Run(self.path)
                self.assertIsNone(run.decision)
                self.assertEqual(run.drops()[0].reason, "reason 7")

    def test_refuses_datasets_of_another_shape(self) -> None:
        def read() -> object:
            return Dataset(self.path, cast(Engine, None))

        self._refused("is not a dataset: .*dataset.json cannot be read: .*No such file", read)
        for text in ("[]", "3", "null", "[" * 100_000, "{", "\xff", "1" * 5000):
            with self.subTest(text[:9]):
                self._write("dataset.json", text.encode("latin1"))
                self._refused("is not a dataset: .*dataset.json ", read)
        formats: list[object] = [None, 3, {}, "other"]
        for format_of in formats:
            self._write("dataset.json", json.dumps({"format": format_of}).encode())
            self._refused("dataset.json is of format ", read)
        (self.path / "dataset.json").unlink()
        os.mkfifo(self.path / "dataset.json")
        self._refused("dataset.json cannot be read: it is not a regular file", read)

    def test_refuses_series_of_another_shape(self) -> None:
        session = lagbench.Session(self.path)
        series = "('at', '<i8'), ('value', {}), ('state', '<i8')"
        self._write("series/a.2026-11-26.npy", npy(series.format("'<f8'"), 1, bytes(range(1, 25))))
        self.assertEqual(len(session.read_series("a")), 1)
        self._write("series/a.2026-11-26.npy", npy(series.format("'|O'"), 1, bytes(range(1, 25))))
        self._refused("its field value of type |O is not declared", lambda: session.read_series("a"))
        self._write("series/a.2026-11-26.npy", npy("('at', '<i8')", 1, bytes(8)))
        self._refused("a without at, value, state", lambda: session.read_series("a"))
        (self.path / "series/a.2026-11-26.npy").unlink()
        (self.path / "series/a.2026-11-26.npy").symlink_to("nowhere")
        self._refused("a.2026-11-26.npy cannot be read: ", lambda: session.read_series("a"))

    def test_reads_or_refuses_any_damage(self) -> None:
        chance = random.Random(52)
        for number in range(3000):
            name = chance.choice(["sender.npy", "receiver.npy"])
            whole = capture(SENT, (0, 1, 1, 1), (1, 2, 2, 2)) if name[0] == "s" else capture(RECEIVED, (0, 5), (1, 6))
            damaged = bytearray(whole)
            for _ in range(chance.randrange(1, 4)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            self._write(name, bytes(damaged[: chance.randrange(len(damaged) + 1)] if number % 3 == 0 else damaged))
            try:
                self.run_.packets()
            except lagbench.SessionError:
                continue
            self._write(name, whole)


if __name__ == "__main__":
    unittest.main()
