"""Tests of the rogue peer: its mutations, that each is reproducible, and what it accepts."""

import json
import socket
import tempfile
import unittest
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from lagbench_validation.rogue import judge
from lagbench_validation.rogue.datagrams import BYTES_MAX, KNOWN, changed
from lagbench_validation.rogue.examples import EXAMPLES
from lagbench_validation.rogue.files import capture
from lagbench_validation.rogue.forms import read_forms
from lagbench_validation.rogue.mutations import Table
from lagbench_validation.rogue.ports import growth, open_ports
from lagbench_validation.rogue.programs import Ended as EndedProgram
from lagbench_validation.rogue.sending import Offered, Replies, is_complete
from lagbench_validation.rogue.session import ControlSession, Left, Mutation, Pace
from lagbench_validation.rogue.values import absent, repeated, replaced
from lagbench_validation.rogue.wire import Channel, Ended, mac, proof

HOME = Path(__file__).resolve().parents[2]
FORMS = read_forms(HOME)
EVERY = Table(FORMS).all()


class FormsTest(unittest.TestCase):
    def test_examples_have_the_fields_of_every_message(self) -> None:
        self.assertEqual(set(EXAMPLES), set(FORMS.messages()))
        for kind, message in EXAMPLES.items():
            fields = {name: value for name, value in message.items() if name != "type"}
            self._has_fields(kind, fields)

    def _has_fields(self, kind: str, value: dict[str, Any]) -> None:
        self.assertEqual(list(FORMS.fields[kind]), list(value), kind)
        for name, type_of in FORMS.fields[kind].items():
            inner = type_of.removeprefix("List<").rstrip(">")
            if inner in FORMS.fields and value[name] is not None:
                for one in value[name] if inner != type_of else [value[name]]:
                    self._has_fields(inner, one)

    def test_finds_values_in_records_lists_and_maps(self) -> None:
        found = {field.name: field.kind for field in FORMS.leaves("counted", EXAMPLES["counted"])}
        self.assertEqual(found["counts.distinct"], "long")
        self.assertEqual(found["clockSteps.0.sizeNs"], "long")
        self.assertEqual(found["side.metadata.directory"], "Object")
        self.assertEqual(found["files.0"], "String")


class TableTest(unittest.TestCase):
    def test_has_thousands_of_mutations_with_unique_names(self) -> None:
        self.assertGreaterEqual(len(EVERY), 5_000)
        self.assertEqual(len({mutation.name for mutation in EVERY}), len(EVERY))

    def test_departs_in_every_field_of_every_message(self) -> None:
        kinds: dict[str, set[str]] = {}
        for mutation in EVERY:
            kinds.setdefault(mutation.part, set()).add(mutation.kind)
        for kind, message in EXAMPLES.items():
            for field in FORMS.leaves(kind, message):
                self.assertGreaterEqual(len(kinds.get(f"{kind}.{field.name}", ())), 20, f"{kind}.{field.name}")

    def test_mutates_at_every_step_of_both_sides(self) -> None:
        steps = {(mutation.program.partition("-")[0], mutation.step) for mutation in EVERY}
        for step in ("introduction", "proof", "offer", "connected", "begin", "packets", "done", "fetch", "leave"):
            self.assertIn(("receiver", step), steps)
        for step in ("hello", "welcome", "clock-is", "pong", "accepted", "begun", "interval", "counted", "capture"):
            self.assertIn(("sender", step), steps)

    def test_sends_the_same_bytes_for_the_same_name_and_seed(self) -> None:
        some = [one for one in EVERY if one.program == "receiver-udp-key" and one.step == "done"]
        some = [one for one in some if one.pace is Pace.NORMAL and "flood" not in one.kind]
        self.assertGreater(len(some), 200)
        some = some[::4] + [one for one in some if one.kind == "random-0"]
        self.assertEqual([_sent(one) for one in some], [_sent(one) for one in some])
        random = next(one for one in some if one.kind == "random-0")
        other = next(one for one in Table(FORMS, seed=2).all() if one.name == random.name)
        self.assertNotEqual(_sent(random), _sent(other))


class LinesTest(unittest.TestCase):
    MESSAGE = {"type": "done", "sent": 5}  # noqa: RUF012 not changed

    def test_replaces_one_value_by_any_bytes(self) -> None:
        self.assertEqual(replaced(self.MESSAGE, ("sent",), b"-1"), b'{"type": "done", "sent": -1}')
        nested = {"a": [{"b": 1}]}
        self.assertEqual(replaced(nested, ("a", 0, "b"), b"\xff"), b'{"a": [{"b": \xff}]}')
        self.assertEqual(nested, {"a": [{"b": 1}]})

    def test_leaves_out_and_repeats_values(self) -> None:
        self.assertEqual(absent(self.MESSAGE, ("sent",)), b'{"type": "done"}')
        self.assertEqual(repeated(self.MESSAGE, ("sent",), b"null"), b'{"type": "done", "sent": 5,"sent":null}')

    def test_hmac_equals_openssl(self) -> None:
        # printf '\0\0\0\6sender\0\0\0\1x' | openssl dgst -sha256 -hmac 0123456789abcdef
        self.assertEqual(
            mac(b"0123456789abcdef", b"sender", b"x").hex(),
            "9f769b9c4e80abe3f1e7681bc9b01bdf96249fe8bb3f279569f2430861c4b48a",
        )
        self.assertEqual(len(proof(b"0123456789abcdef", "sender", "aa", "bb")), 64)

    def test_makes_captures_that_numpy_reads(self) -> None:
        content = capture([(0, 7), (1, 9)])
        self.assertEqual(content[:8], b"\x93NUMPY\x01\x00")
        self.assertEqual(len(content), 256 + 2 * 16)
        self.assertEqual(content[255:256], b"\n")


class DatagramsTest(unittest.TestCase):
    REAL = (b"x" * 40, b"y" * 1_472)

    def test_are_reproducible_and_fit_a_frame(self) -> None:
        for real in ((), self.REAL):
            once = [changed(real, Random(seed)) for seed in range(3_000)]
            self.assertEqual(once, [changed(real, Random(seed)) for seed in range(3_000)])
            self.assertLessEqual(max(map(len, once)), BYTES_MAX)
            self.assertGreater(len(set(once)), 2_000)

    def test_begin_as_real_and_known_ones(self) -> None:
        some = [changed(self.REAL, Random(seed)) for seed in range(3_000)]
        for begin in (*self.REAL, *KNOWN):
            self.assertIn(begin, some)
            self.assertTrue(any(one[:7] == begin[:7] and len(one) < len(begin) for one in some), begin)

    def test_ports_of_both_versions_of_ip_are_found(self) -> None:
        for family, host in (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::ffff:127.0.0.1"):
            with socket.socket(family, socket.SOCK_DGRAM) as datagrams, socket.socket(family) as listening:
                datagrams.bind((host, 0))
                listening.bind((host, 0))
                self.assertIn(("udp", datagrams.getsockname()[1]), open_ports())
                self.assertNotIn(("tcp", listening.getsockname()[1]), open_ports())
                listening.listen()
                self.assertIn(("tcp", listening.getsockname()[1]), open_ports())

    def test_growth_has_bounds(self) -> None:
        quiet = {"b lagbench-rist": (7, 20.0), "b java": (30, 200.0)}
        self.assertEqual(list(growth(quiet, quiet)), [])
        self.assertEqual(list(growth(quiet, {"b lagbench-rist": (23, 84.0), "b java": (46, 512.0)})), [])
        self.assertEqual(len(list(growth(quiet, {"b lagbench-rist": (24, 85.0), "b java": (47, 513.0)}))), 4)


class JudgeTest(unittest.TestCase):
    DEPARTURE = Mutation("sender-udp", "counted", "line", "test", lambda c, m: None)

    def test_accepts_plain_sentences(self) -> None:
        self.assertEqual(list(judge.judge_output("lagbench: 5 µs ± 3 … “x”.\n".encode())), [])

    def test_finds_control_characters_and_stack_traces(self) -> None:
        for output, what in (
            (b"x\x1b[31m", "control"),
            ("x\u202ey".encode(), "control"),
            ("x\u009b31m".encode(), "control"),
            (b"x\ry", "control"),
            (b"x\xff", "UTF-8"),
            (b"java.lang.NullPointerException: x\n\tat org.lagbench.A.b(A.java:1)\n", "stack trace"),
            (b"lagbench: ClassCastException", "Java class"),
            (b"cannot read ClockIs", "Java class"),
            (b"WARN\nFORGED line\n", "forged"),
            (b"x" * 5_000, "characters in output"),
            (b"x\n" * 20_000, "characters of output"),
        ):
            self.assertTrue(any(what in wrong for wrong in judge.judge_output(output)), (output[:40], what))

    def test_finds_files_outside_of_the_session(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            runs = directory / "runs"
            run = runs / "run-1"
            run.mkdir(parents=True)
            (run / "run.json").touch()
            (run / "receiver.npy").touch()
            self.assertEqual(list(judge.judge_files(directory, runs)), [])
            (run / "receiver.npy.partial").touch()
            (runs / "rogue-escape").touch()
            (directory / "rogue-escape").touch()
            self.assertEqual(len(list(judge.judge_files(directory, runs))), 3)

    def test_accepts_exit_code_0_only_for_complete_runs(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            run = Path(name)
            self.assertTrue(self._exit(0, run))
            (run / "run.json").write_text(json.dumps({"state": "COMPLETE"}))
            self.assertTrue(self._exit(0, run))
            (run / "sender.npy").touch()
            (run / "receiver.npy").touch()
            self.assertFalse(self._exit(0, run))
            self.assertFalse(self._exit(6, run))
            self.assertTrue(self._exit(1, run))
            self.assertTrue(self._exit(-6, run))

    def _exit(self, code: int, run: Path) -> list[str]:
        return list(judge.judge_exit(self.DEPARTURE, EndedProgram(code, b"", 1, 1), run))

    def test_requires_every_packet_of_an_honest_run(self) -> None:
        offered = Offered(packets=2)
        counted = {"counts": {"received": 2, "distinct": 2}}
        self.assertTrue(is_complete(Replies(counted=counted, received=[0, 1]), offered))
        self.assertFalse(is_complete(Replies(counted=counted, received=[0]), offered))
        self.assertFalse(is_complete(Replies(), offered))


def _sent(mutation: Mutation) -> bytes:
    """Returns what a mutation sends instead of the message of its step."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel = Channel(ours, "sender", "receiver", 1.0)
        channel.key, channel.sent = b"k" * 16, 3
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
        session = ControlSession(channel, mutation, EXAMPLES)
        theirs.settimeout(0.001)
        with suppress(Left, Ended, OSError):
            session.send_step(mutation.step, EXAMPLES[mutation.step])
        sent = b""
        with suppress(OSError):
            while found := theirs.recv(1 << 20):
                sent += found
        return sent


if __name__ == "__main__":
    unittest.main()
