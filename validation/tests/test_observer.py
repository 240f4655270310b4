"""The comparison of the observer's waits with perf's."""

import unittest

from lagbench_validation.observer.agreement import agree
from lagbench_validation.observer.perf import Wait, waits_of

LINES = """
10.000000100: sched:sched_switch: prev_comm=engine prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
10.000010100: sched:sched_waking: comm=engine pid=7 prio=120 target_cpu=001
10.000010200: sched:sched_waking: comm=engine pid=7 prio=120 target_cpu=001
10.000040100: sched:sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=engine next_pid=7 next_prio=120
10.000041000: sched:sched_waking: comm=hog pid=70 prio=120 target_cpu=001
10.000050100: sched:sched_switch: prev_comm=engine prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=my hog next_pid=70 next_prio=120
10.000090100: sched:sched_switch: prev_comm=my hog prev_pid=70 prev_prio=120 prev_state=S ==> next_comm=engine next_pid=7 next_prio=120
""".splitlines()  # noqa: E501 perf's lines


class ObserverTest(unittest.TestCase):
    def test_finds_waits_in_perf_s_lines(self) -> None:
        waits = list(waits_of(LINES, 7, offset_ns=5))
        self.assertEqual(
            waits,
            [
                Wait(10_000_010_105, 10_000_040_105, "swapper/1"),
                Wait(10_000_050_105, 10_000_090_105, "my hog"),
            ],
        )
        self.assertEqual([wait.is_idle for wait in waits], [True, False])

    def test_counts_waits_that_both_have(self) -> None:
        waits = [Wait(1_000_000 * number, 1_000_000 * number + 50_000) for number in range(1, 9)]
        later = [Wait(wait.start_ns + 7_000, wait.end_ns + 7_500) for wait in waits]
        later[2] = Wait(later[2].start_ns + 6_000, later[2].end_ns)
        del later[5]
        found = agree(waits, later)
        self.assertEqual((found.waits, found.same), (8, 6))
        self.assertEqual((found.start_shift_ns, found.end_shift_ns, found.longer), (7_000, 7_500, 1))

    def test_finds_longer_waits(self) -> None:
        waits = [Wait(1_000_000 * number, 1_000_000 * number + 50_000) for number in range(9)]
        longer = [Wait(wait.start_ns, wait.end_ns + 3_000 * (number < 3)) for number, wait in enumerate(waits)]
        found = agree(waits, longer)
        self.assertEqual((found.same, found.end_shift_ns, found.longer), (9, 0, 1.02))


if __name__ == "__main__":
    unittest.main()
