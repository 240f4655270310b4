"""Tests of the comparison of codecs."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lagbench_validation.codecs import conditions
from lagbench_validation.codecs.bench import Transfers
from lagbench_validation.codecs.conditions import CHUNK_BYTES, Condition, Data
from lagbench_validation.codecs.verdicts import schedule, verdicts

_HEADER_BYTES = 40


class Conditions(unittest.TestCase):
    def test_has_thirty_conditions_with_all_rates_and_kinds(self) -> None:
        found = conditions.conditions()
        self.assertGreaterEqual(len(found), 30)
        self.assertEqual(len(found), len({condition.name for condition in found}))
        self.assertLessEqual({1, 10, 100, 1000}, {condition.rate_mbit for condition in found})
        self.assertLessEqual({"text", "random", "mixed", "changing"}, {condition.data for condition in found})
        self.assertTrue(any(condition.flow_mbit for condition in found))

    def test_files_have_the_size_of_a_transfer_and_no_part_twice(self) -> None:
        chosen = (Condition(100, "text"), Condition(10, "mixed"), Condition(10, "changing"), Condition(1, "text"))
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)

            def write(command: list[object]) -> str:
                size = int(str(command[-1]))
                for at, kind in enumerate(str(command[command.index("--data") + 1]).split(",")):
                    (directory / kind).write_bytes(b"".join(b"%08d%08d" % (at, i) for i in range(size // 16)))
                return ""

            with mock.patch.object(conditions, "run", side_effect=write):
                data = Data(Path("lagbench"), directory, chosen)
            for condition in chosen:
                content = data.file(condition).read_bytes()
                self.assertEqual(len(content), condition.chunks * CHUNK_BYTES, condition.name)
                parts = {content[at : at + 16] for at in range(0, len(content), 16)}
                self.assertEqual(len(parts), len(content) // 16, condition.name)
                kinds = {"text": 1, "changing": 3}.get(condition.data, 7)
                self.assertEqual(len({part[:8] for part in parts}), kinds, condition.name)


class Verdicts(unittest.TestCase):
    @staticmethod
    def _fixed() -> dict[str, Transfers]:
        # Transmission of a raw chunk with its header lasts 1 ms. There are two chunks; the second does not compress.
        half = (CHUNK_BYTES + _HEADER_BYTES) // 2 - _HEADER_BYTES
        return {
            "none": Transfers([0.002, 0.002, 0.002], [0.0, 0.0], [CHUNK_BYTES, CHUNK_BYTES]),
            "gzip-6": Transfers([0.0026, 0.0026, 0.0026], [0.0006, 0.002], [half, CHUNK_BYTES]),
        }

    def test_oracle_uses_the_best_codec_of_each_chunk(self) -> None:
        self.assertEqual(schedule(self._fixed(), one_processor=False), ["gzip-6", "none"])

    def test_oracle_with_one_processor_compresses_and_writes_in_turn(self) -> None:
        fixed = self._fixed()
        fixed["gzip-6"].write_s_per_byte = 0.0009 / (CHUNK_BYTES + _HEADER_BYTES)
        self.assertEqual(schedule(fixed, one_processor=True), ["none", "none"])
        self.assertEqual(schedule(fixed, one_processor=False), ["gzip-6", "none"])

    def test_goals_are_met_up_to_their_limits(self) -> None:
        for seconds, expected in ((0.0016, [True] * 3), (0.0019, [False, True, True]), (0.00206, [False, True, False]),
                                  (0.0022, [False, False, False])):  # fmt: skip
            found = verdicts(self._fixed(), Transfers([0.0016] * 3), [seconds] * 3)
            self.assertEqual([verdict.holds for verdict in found], expected, seconds)
            self.assertEqual([verdict.codec for verdict in found], ["oracle", "none", "none"])

    def test_a_faster_fixed_codec_replaces_the_oracle(self) -> None:
        found = verdicts(self._fixed(), Transfers([0.0021] * 3), [0.0022] * 3)
        self.assertEqual((found[0].against, found[0].codec), ("oracle", "none"))

    def test_interval_needs_five_rounds(self) -> None:
        fixed = {name: Transfers(5 * transfers.seconds[:1], transfers.compress_s, transfers.encoded_bytes)
                 for name, transfers in self._fixed().items()}  # fmt: skip
        found = verdicts(fixed, Transfers([0.0021] * 5), [0.0018, 0.0019, 0.0020, 0.0021, 0.0022])
        low, high = found[2].interval or (0, 0)
        self.assertAlmostEqual(low, 0.9)
        self.assertAlmostEqual(high, 1.1)
        self.assertIsNone(verdicts(self._fixed(), Transfers([0.0021] * 3), [0.002] * 3)[2].interval)


if __name__ == "__main__":
    unittest.main()
