"""Tests of what the faults do and judge."""

import tempfile
import unittest
from pathlib import Path

from lagbench_validation.faults.__main__ import _ROWS
from lagbench_validation.faults.actions import text_response
from lagbench_validation.faults.stage import whole_records

_HEADER = b"{'descr': [('seq', '<i8'), ('received_ns', '<i8')], 'fortran_order': False, 'shape': (%d,), }\n"

# A request of the version 2c for 1.3.6.1.2.1.1.1.0.
_REQUEST = bytes.fromhex("302602010104067075626c6963a019020101020100020100300e300c06082b060102010101000500")
_RESPONSE = bytes.fromhex("302a02010104067075626c6963a21d0201010201000201003012301006082b06010201010100040474657874")


class WholeRecordsTest(unittest.TestCase):
    def _numbers(self, *records: tuple[int, int]) -> list[int]:
        header = _HEADER % len(records)
        content = b"".join(value.to_bytes(8, "little", signed=True) for record in records for value in record)
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, "receiver.npy")
            path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + content)
            return whole_records(path, "receiver")

    def test_ends_at_record_that_was_never_written(self) -> None:
        self.assertEqual(self._numbers((0, 5), (2, 7), (0, 0), (0, 0)), [0, 2])

    def test_accepts_record_that_was_being_written(self) -> None:
        self.assertEqual(self._numbers((0, 5), (1, 0), (0, 0)), [0])

    def test_rejects_gap_between_records(self) -> None:
        with self.assertRaisesRegex(ValueError, "after the first missing one, 1"):
            self._numbers((0, 5), (0, 0), (2, 9))

    def test_rejects_record_that_is_there_twice(self) -> None:
        with self.assertRaisesRegex(ValueError, "torn"):
            self._numbers((0, 5), (1, 6), (1, 7))


class ActionsTest(unittest.TestCase):
    def test_answers_snmp_requests_by_text(self) -> None:
        self.assertEqual(text_response(_REQUEST), _RESPONSE)


class RowsTest(unittest.TestCase):
    def test_formats_commands_of_all_rows(self) -> None:
        for row in _ROWS.values():
            self.assertNotIn("{", " ".join(row.words(row.command)).replace("{rate:", "").replace("{every", ""))


if __name__ == "__main__":
    unittest.main()
