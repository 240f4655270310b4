"""The comparison of ledgers with planted causes."""

import itertools
import unittest

from lagbench import Drop
from lagbench.ledger import Ledger, Part
from lagbench_validation.causes.judge import judge
from lagbench_validation.causes.losses import Dropped, judge_losses
from lagbench_validation.causes.plant import Plant, Span, schedule

MS = 1_000_000
SENT_NS = {7: 10 * MS, 8: 12 * MS, 9: 40 * MS}


def stopped(begin_ns: int, end_ns: int) -> Plant:
    return [Span(("receiver.stall",), (), (begin_ns, begin_ns), (end_ns, end_ns))]


def ledger(packet: int, *parts: tuple[str, str, str, int]) -> Ledger:
    found = [Part(side, part, program, "event", 0, ns) for side, part, program, ns in parts]
    return Ledger(packet, sum(part.ns for part in found), found)


class JudgeTest(unittest.TestCase):
    def test_judges_slowest_packet_of_each_plant(self) -> None:
        ledgers = [ledger(7, ("receiver", "stall", "", 10 * MS)), ledger(8, ("receiver", "stall", "", 8 * MS))]
        (found,) = judge([stopped(9 * MS, 20 * MS), stopped(60 * MS, 70 * MS)], ledgers, SENT_NS, 0.5 * MS)
        self.assertEqual((found.packet, found.planted_ns, found.error_ns), (7, 10 * MS, 0))
        self.assertEqual(found.excess_ns, 9.5 * MS)
        self.assertTrue(found.is_within)

    def test_finds_wrong_length_and_wrong_name(self) -> None:
        plants = [stopped(10 * MS, 20 * MS)]
        long = ledger(7, ("receiver", "stall", "", 11 * MS), ("", "not-explained", "", MS))
        (found,) = judge(plants, [long], SENT_NS, 0)
        self.assertEqual((found.error_ns, found.not_explained_ns), (MS, MS))
        self.assertFalse(found.is_within)
        (found,) = judge(plants, [ledger(7, ("sender", "stall", "", 10 * MS))], SENT_NS, 0)
        self.assertFalse(found.is_named)

    def test_accepts_what_lies_between_the_stamps(self) -> None:
        waits = Span(("receiver.run-queue",), ("hog",), (9 * MS, 11 * MS), (20 * MS, 22 * MS))
        for ns, is_within in ((12 * MS, True), (9 * MS, True), (8 * MS, False), (13 * MS, False)):
            parts = (("receiver", "run-queue", "hog", ns), ("receiver", "run-queue", "other", 14 * MS - ns))
            (found,) = judge([[waits]], [ledger(7, *parts)], SENT_NS, 0)
            self.assertEqual(found.is_within, is_within, ns)

    def test_adds_plants_that_one_packet_met(self) -> None:
        plants = [stopped(11 * MS, 15 * MS), stopped(17 * MS, 20 * MS), stopped(30 * MS, 40 * MS)]
        parts = (("receiver", "stall", "", 7 * MS), ("receiver", "run-queue", "other", 4 * MS))
        found = judge(plants, [ledger(7, *parts)], SENT_NS, 0)
        self.assertEqual([(one.planted_ns, one.error_ns) for one in found], [(7 * MS, 0), (7 * MS, 0)])

    def test_schedules_disjoint_slots(self) -> None:
        slots = list(schedule(50, 3, longest_ms=20, gap_ms=60))
        self.assertEqual(len(slots), 50)
        for slot, following in itertools.pairwise(slots):
            self.assertGreaterEqual(following.begin_ns, slot.begin_ns + slot.duration_ns + 30 * MS)
            self.assertTrue(2 * MS <= slot.duration_ns <= 20 * MS)


class LossesTest(unittest.TestCase):
    STOPS = stopped(10 * MS, 20 * MS)

    def test_names_each_lost_packet_by_its_drop(self) -> None:
        arrived = {4: 11 * MS, 5: 12 * MS, 6: 13 * MS, 7: 14 * MS}
        drops = {
            4: Drop(11 * MS + 1_000, "SOCKET_RCVBUFF"),
            5: Drop(12 * MS - 1_000, "SOCKET_RCVBUFF"),  # before it arrived
            6: Drop(13 * MS + 1_000, "NO_SOCKET"),
        }
        (found,) = judge_losses(self.STOPS, Dropped(arrived, drops), 4)
        self.assertEqual((found.planted_ns, found.error_ns, found.is_within), (4, -3, False))
        (found,) = judge_losses(self.STOPS, Dropped({4: 11 * MS}, drops), 1)
        self.assertEqual((found.planted_ns, found.error_ns, found.is_named), (1, 0, True))

    def test_compares_the_counts(self) -> None:
        _, found = judge_losses(self.STOPS, Dropped({4: 11 * MS}, {4: Drop(11 * MS, "SOCKET_RCVBUFF")}), 3)
        self.assertEqual((found.planted_ns, found.error_ns), (1, -2))


if __name__ == "__main__":
    unittest.main()
