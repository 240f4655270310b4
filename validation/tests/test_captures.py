"""Tests of the reader of captures."""

import os
import struct
import tempfile
import unittest
from pathlib import Path

from lagbench_validation import captures

NOON_NS = 1_700_000_000_000_000_000


class CapturesTest(unittest.TestCase):
    def _write(self, content: bytes) -> Path:
        with tempfile.NamedTemporaryFile(delete=False) as file:
            self.addCleanup(os.unlink, file.name)
            file.write(content)
        return Path(file.name)

    def test_reads_named_columns(self) -> None:
        header = b"{'descr': [('seq', '<i8'), ('sent_ns', '<i8')], 'fortran_order': False, 'shape': (2,), }\n"
        content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
        content += struct.pack("<6q", 0, NOON_NS, 1, NOON_NS + 5, 99, 99)
        columns = captures.read(self._write(content))
        self.assertEqual({name: list(values) for name, values in columns.items()},
                         {"seq": [0, 1], "sent_ns": [NOON_NS, NOON_NS + 5]})  # fmt: skip

    def test_returns_records_by_name(self) -> None:
        header = b"{'descr': [('seq', '<i8'), ('sent_ns', '<i8')], 'fortran_order': False, 'shape': (2,), }\n"
        content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<4q", 0, 7, 1, 9)
        self.assertEqual(captures.rows(self._write(content)), [{"seq": 0, "sent_ns": 7}, {"seq": 1, "sent_ns": 9}])

    def test_finds_records_of_an_unfinished_capture(self) -> None:
        header = b"{'descr': [('seq', '<i8'), ('sent_ns', '<i8')], 'fortran_order': False, 'shape': (3,), }\n"
        content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
        path = self._write(content + struct.pack("<6q", 0, NOON_NS, 1, NOON_NS + 5, 0, 0))
        self.assertEqual([captures.is_written(path, "sent_ns", record) for record in range(4)],
                         [True, True, False, False])  # fmt: skip
        self.assertFalse(captures.is_written(path.with_name("none"), "sent_ns", 0))
        self.assertFalse(captures.is_written(self._write(b"\0" * 512), "sent_ns", 0))

    def test_rejects_other_files(self) -> None:
        with self.assertRaises(ValueError):
            captures.read(self._write(b"PK\x03\x04 something else"))


if __name__ == "__main__":
    unittest.main()
