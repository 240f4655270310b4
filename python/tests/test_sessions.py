"""Tests of the package against `lagbench export`, on a session of each kind that they make."""

import contextlib
import csv
import doctest
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar

import lagbench
import numpy as np

HOME = Path(__file__).resolve().parents[2]
COMMAND = HOME / "scripts" / "lagbench"
FAST_JVMS = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
# Attributions are of lagbench's analysis: the package reads what was recorded.
ANALYZED = {"cause", "cause_side", "schedule_cause", "schedule_cause_side", "run_state"}

SHORT = "packets: 50\nwarm-up-packets: 10\n"
EXPERIMENTS = {
    "sweep": f"transports: [udp, tcp, ieee1394]\npacket-bytes: 24\nobserve: events\n{SHORT}"
    "pace: {mode: sleep, interval: 250us}\n",
    "round-trip": f"transports: tcp\ntraffic: round-trip\npacket-bytes: 24\n{SHORT}pace: flood\n",
    "transfer": "transports: tcp\ntraffic: transfer\ntransfer-bytes: 64KiB\npacket-bytes: 16KiB\ntransfers: 2\n"
    "codec: [off, gzip-1]\n",
    "streams": f"{SHORT}streams:\n  - {{name: audio, transport: udp, packet-bytes: 24, pace: {{interval: 1ms}}}}\n"
    "  - {name: file, transport: tcp, packet-bytes: 992, pace: flood, direction: backward}\n",
    "media": f"transports: udp\npacket-bytes: 300\n{SHORT}pace: {{mode: hybrid, interval: 1ms}}\n"
    "observe: timestamping\n",
}
MONITOR = """\
monitor:
  every: 1s
  for: 2s
  probes:
    - {name: ping, transports: tcp, traffic: round-trip, packet-bytes: 24, packets: 3, warm-up-packets: 10, pace: flood,
       observe: none, keep: true}
"""


def run(*command: object) -> None:
    """Runs lagbench; its output is part of the failure."""
    done = subprocess.run(
        [COMMAND, *map(str, command)],
        env=os.environ | FAST_JVMS,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{command} ends with {done.returncode}: {done.stdout}{done.stderr}")


class SessionsTest(unittest.TestCase):
    directory: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for name, text in EXPERIMENTS.items():
            experiment = cls.directory / f"{name}.yaml"
            experiment.write_text(text)
            run(
                "sweep",
                experiment,
                "--quiet",
                "--no-report",
                "--output",
                cls.directory / "made",
            )
            (made,) = (cls.directory / "made").iterdir()
            (cls.directory / "results").mkdir(exist_ok=True)
            made.rename(cls.directory / "results" / name)
        (cls.directory / "monitor.yaml").write_text(MONITOR)
        run(
            "monitor",
            cls.directory / "monitor.yaml",
            "--resume",
            cls.directory / "results" / "monitor",
        )

    def _exports_equal(self, session: Path, *options: str) -> int:
        """Compares all packets of a session with those of lagbench export, and returns their number."""
        exported = Path(self.enterContext(tempfile.TemporaryDirectory()))
        run("export", session, "--format", "csv", "--output", exported, *options)
        rows = 0
        for made in lagbench.open(session).runs:
            with (exported / f"{made.name}.csv").open() as file:
                names, *expected = csv.reader(file)
            packets = made.packets()
            kept = [name for name in names if name in packets]
            self.assertEqual(list(packets), kept)
            for name in set(names) - set(kept) - ANALYZED:
                self.assertEqual(
                    {row[names.index(name)] for row in expected},
                    {""},
                    f"{made.path}: {name}",
                )
            for name in kept:
                texts = [row[names.index(name)] for row in expected]
                ours = ["" if value is None else str(value) for value in packets[name].tolist()]
                self.assertEqual(ours, texts, f"{made.path}: {name}")
                self.assertEqual(made.to_polars()[name].to_list(), packets[name].tolist())
                nullable = made.to_pandas()[name]
                self.assertEqual(nullable.dtype, "Int64")
                self.assertEqual(nullable.astype("string").fillna("").tolist(), texts)
            rows += len(expected)
        return rows

    def test_packets_equal_exports_of_each_kind(self) -> None:
        for name in (*EXPERIMENTS, "monitor"):
            with self.subTest(name):
                self.assertGreater(self._exports_equal(self.directory / "results" / name), 0)

    def test_joins_lost_copied_reordered_and_unmatched_packets(self) -> None:
        copy = self.directory / "damaged"
        subprocess.run(["cp", "-r", self.directory / "results" / "sweep", copy], check=True)
        for made in lagbench.open(copy).runs:
            (made.path / "checksums.json").unlink()
            records = np.load(made.path / "receiver.npy", mmap_mode="r+")
            records["seq"][[0, 5, 6, 20, 30, 49]] = [1, 6, 5, 19, 99, 3]
            del records
        self.assertGreater(self._exports_equal(copy, "--include-broken"), 100)

    def test_ledgers_equal_lags_of_slow_packets(self) -> None:
        exported = Path(self.enterContext(tempfile.TemporaryDirectory()))
        session = self.directory / "results" / "sweep"
        run("export", session, "--format", "ledger", "--output", exported)
        slow = 0
        for made in lagbench.open(session).runs:
            packets = made.packets()
            lags = dict(zip(packets["seq"].tolist(), packets["lag_ns"].tolist(), strict=True))
            for ledger in lagbench.read_ledgers(exported / f"{made.name}.ledger.csv"):
                self.assertEqual(sum(part.ns for part in ledger.parts), lags[ledger.packet])
                slow += 1
        self.assertGreater(slow, 0)

    def test_rejects_ledgers_that_do_not_add_up(self) -> None:
        file = Path(self.enterContext(tempfile.TemporaryDirectory())) / "a.ledger.csv"
        header = "packet,lag_ns,side,part,program,kind,since_ns,ns\n"
        file.write_text(header + '7,90,receiver,run-queue,"a, b",event,0,60\n7,90,,not-explained,,bound,60,30\n')
        (ledger,) = lagbench.read_ledgers(file)
        self.assertEqual([part.program for part in ledger.parts], ["a, b", ""])
        for text in (
            "packet\n",
            header + "7,90,,not-explained,,bound,0,89\n",
            header + "7,x,,,,bound,0,89\n",
        ):
            file.write_text(text)
            with self.assertRaises(lagbench.SessionError):
                lagbench.read_ledgers(file)

    def test_reads_series_of_a_monitor(self) -> None:
        session = lagbench.open(self.directory / "results" / "monitor")
        self.assertIn("ping.java.roundTrip.median", session.series)
        records = session.read_series("ping.java.roundTrip.median")
        self.assertEqual(records.dtype.names, ("at", "value", "state"))
        self.assertTrue((np.diff(records["at"]) > 0).all())
        with self.assertRaisesRegex(
            lagbench.SessionError,
            "no records of the series none; it has .*ping.java.roundTrip.median",
        ):
            session.read_series("none")

    def test_stops_at_the_first_record_that_was_never_written(self) -> None:
        copy = self.directory / "killed"
        subprocess.run(["cp", "-r", self.directory / "results" / "sweep", copy], check=True)
        made = lagbench.open(copy).runs[0]
        records = np.load(made.path / "sender.npy", mmap_mode="r+")
        for written in range(len(records) - 1, -1, -7):
            for name in records.dtype.names:
                records[name][written:] = 0
            records.flush()
            self.assertEqual(len(made.capture("sender")), written)
        received = np.load(made.path / "receiver.npy", mmap_mode="r")
        os.truncate(made.path / "receiver.npy", received.offset + 10 * received.itemsize + 7)
        self.assertEqual(len(made.capture("receiver")), 10)

    def test_reads_packets_that_the_receiver_dropped(self) -> None:
        directory = self.directory / "dropped"
        directory.mkdir()
        names = {"dropReasons": "4 SOCKET_CLOSE, 6 SOCKET_RCVBUFF"}
        (directory / "run.json").write_text(json.dumps({"receiver": {"metadata": names}}))
        rows = [(7, 1_790_000_000_000_000_000, 6), (9, 1_790_000_000_000_000_500, 3)]
        fields = [(name, "<i8") for name in ("seq", "dropped_ns", "reason")]
        header = f"{{'descr': {fields}, 'fortran_order': False, 'shape': (2,), }}".ljust(256 - 10 - 1) + "\n"
        begin = b"\x93NUMPY\x01\x00" + (256 - 10).to_bytes(2, "little") + header.encode()
        (directory / "receiver-drops.npy").write_bytes(begin + np.array(rows, "<i8").tobytes())
        self.assertEqual(
            lagbench.Run(directory).drops(),
            {
                7: lagbench.Drop(rows[0][1], "SOCKET_RCVBUFF"),
                9: lagbench.Drop(rows[1][1], "reason 3"),
            },
        )

    def test_reads_what_both_sides_decided_to_observe(self) -> None:
        recorded = {
            "none": {},
            "windows": {"observed": "windows"},
            "nothing": {
                "observed": "none",
                "observedReason": "Observing would lower the rate.",
            },
        }
        decisions = {}
        for name, metadata in recorded.items():
            directory = self.directory / name
            directory.mkdir()
            (directory / "run.json").write_text(json.dumps({"sender": {"metadata": metadata}}))
            decisions[name] = lagbench.Run(directory).decision
        self.assertEqual(
            decisions,
            {
                "none": None,
                "windows": lagbench.Decision("windows", ""),
                "nothing": lagbench.Decision("none", "Observing would lower the rate."),
            },
        )

    def test_reports_unreadable_files(self) -> None:
        with self.assertRaisesRegex(lagbench.SessionError, "results is not a session directory"):
            lagbench.open(self.directory / "results")
        made = lagbench.open(self.directory / "results" / "sweep").runs[0]
        with self.assertRaisesRegex(lagbench.SessionError, "two-way.npy cannot be read: .*No such file"):
            made.capture("two-way")
        text = self.directory / "text.npy"
        text.write_text("PK something else")
        with self.assertRaisesRegex(lagbench.SessionError, "text.npy cannot be read: "):
            lagbench.Run(self.directory).capture("text")

    def test_examples_of_the_documentation(self) -> None:
        with contextlib.chdir(self.directory):
            result = doctest.testmod(lagbench)
        self.assertGreater(result.attempted, 5)
        self.assertEqual(result.failed, 0)


class SeriesTest(unittest.TestCase):
    def setUp(self) -> None:
        path = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (path / "series").mkdir()
        self.session = lagbench.Session(path)

    def _write(self, name: str, *at: int) -> Path:
        fields = [("at", "<i8"), ("value", "<f8"), ("state", "<i8")]
        file = self.session.path / "series" / f"{name}.npy"
        with file.open("wb") as out:
            np.lib.format.write_array(out, np.array([(ns, 1.0, 0) for ns in at], fields), (1, 0))
        content = file.read_bytes()
        header = len(content) - 24 * len(at)
        text = content[10 : header - 1] + b" " * (256 - header) + b"\n"  # the length of lagbench's header
        file.write_bytes(content[:8] + len(text).to_bytes(2, "little") + text + content[header:])
        return file

    def test_reads_days_of_no_other_series(self) -> None:
        self._write("udp.2026-11-25", 1, 2)
        self._write("udp.2026-11-26", 3)
        self._write("udp.24.lag.2026-11-26", 4)
        self._write("[u].2026-11-26", 5)
        self.assertEqual(self.session.read_series("udp")["at"].tolist(), [1, 2, 3])
        self.assertEqual(self.session.read_series("[u]")["at"].tolist(), [5])

    def test_skips_a_day_whose_header_was_not_written(self) -> None:
        self._write("udp.2026-11-25", 1, 2)
        for length in (0, 255):
            os.truncate(self._write("udp.2026-11-26", 3), length)
            self.assertEqual(self.session.read_series("udp")["at"].tolist(), [1, 2])


if __name__ == "__main__":
    unittest.main()
