"""Tests of the comparison of a packet's cause with the divisions of its lag."""

import unittest

from lagbench.ledger import Ledger, Part
from lagbench_validation.divisions import Contradiction, contradictions, late_places, ledger_places, stage_places

MS = 1_000_000


def _ledger(packet: int, *parts: tuple[str, str, int]) -> Ledger:
    found = [Part(side, part, "", "stamp", 0, ns) for side, part, ns in parts]
    return Ledger(packet, sum(part.ns for part in found), found)


def _row(packet: int, side: str, cause: str, copy: str = "0") -> dict[str, str]:
    return {"seq": str(packet), "copy": copy, "cause_side": side, "cause": cause}


class DivisionsTest(unittest.TestCase):
    def test_finds_where_ledgers_grew(self) -> None:
        ledgers = [
            _ledger(number, ("sender", "send-call", 1_000), ("path", "network", 6 * MS)) for number in range(101)
        ]
        ledgers += [
            _ledger(200, ("sender", "stall", 3 * MS), ("path", "network", 6 * MS)),
            _ledger(201, ("sender", "retransmission", 9 * MS), ("path", "network", 6 * MS)),
            _ledger(202, ("path", "network", 6 * MS), ("receiver", "stall", MS // 2)),
            _ledger(203, ("path", "network", 6 * MS), ("", "not-explained", 9 * MS)),
            _ledger(204, ("sender", "stall", 3 * MS), ("path", "network", 9 * MS)),
        ]
        self.assertEqual(ledger_places(ledgers), {200: "sender", 201: "path"})

    def test_finds_where_packets_were_late_by_their_stamps(self) -> None:
        sent_ns = {number: number * 10 * MS for number in range(50)}
        late = {7: (5, 0, 0), 8: (0, 5, 0), 9: (0, 0, 5)}
        kernel: dict[str, list[int]] = {"stage": [], "key": [], "kernel_ns": []}
        received: dict[str, list[int]] = {"seq": [], "kernel_ns": [], "received_ns": []}
        for number, sent in sent_ns.items():
            queued, way, read = (MS + part * MS for part in late.get(number, (0, 0, 0)))
            for stage, at in ((1, sent), (0, sent + queued)):
                for column, value in zip(kernel, (stage, 100 + number * 24, at), strict=True):
                    kernel[column].append(value)
            stamp = sent + queued + way
            for column, value in zip(received, (number, stamp, stamp + read), strict=True):
                received[column].append(value)
        self.assertEqual(stage_places(kernel, 100, 24, sent_ns, received), {7: "sender", 8: "path", 9: "receiver"})

    def test_judges_packets_late_at_one_place_by_any_comparison(self) -> None:
        usual = [30 * MS, 2 * MS, 15 * MS]  # of a busy machine
        times = {
            0: [MS, MS, MS],
            1: [60 * MS, 2 * MS, 15 * MS],
            2: [45 * MS, 2 * MS, 15 * MS],
            3: [60 * MS, 2 * MS, 25 * MS],
        }
        self.assertEqual(late_places(times, usual), {1: "sender"})

    def test_judges_no_delay_that_a_library_may_have_made_up_for(self) -> None:
        usual = [MS, 2 * MS, 100 * MS]
        late = {
            1: [MS, 2 * MS, 105 * MS],
            2: [MS, 9 * MS, 95 * MS],
            3: [MS, 600 * MS, 95 * MS],
            4: [20 * MS, 2 * MS, 95 * MS],  # 14 ms late: at the sender, or after a wait that was 19 ms shorter
        }
        self.assertEqual(late_places({0: usual, **late}, usual, held=True), {1: "receiver", 3: "path"})

    def test_reports_causes_of_other_places(self) -> None:
        rows = [
            _row(1, "sender", "stall"),
            _row(2, "sender", "retransmission"),
            _row(3, "path", "before-receiver"),
            _row(4, "receiver", "earlier-packets"),
            _row(1, "receiver", "stall", copy="1"),
            _row(5, "", "not-explained"),
        ]
        ledger = {1: "path", 2: "path", 3: "sender", 5: "sender"}
        self.assertEqual(
            contradictions(rows, {"ledger": ledger, "stamps": {4: "path"}}),
            [Contradiction(1, "sender.stall", "ledger", "path"),
             Contradiction(4, "receiver.earlier-packets", "stamps", "path")],
        )  # fmt: skip


if __name__ == "__main__":
    unittest.main()
