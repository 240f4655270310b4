"""Tests of the checks of language and documentation."""

import re
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

from lagbench_validation.text import commands, documentation, language, links, outputs, unrun

RULES = language.read_rules()
FENCE = "`" * 3


def found(text: str, path: str = "core/Some.java") -> list[tuple[int, str]]:
    return [(hit.line, hit.found) for hit in language.find_hits(path, text, RULES)]


class LanguageTest(unittest.TestCase):
    def test_finds_phrases_across_comment_lines(self) -> None:
        self.assertEqual(found("/**\n * Values are passed\n * over here.\n */\n"), [(2, "passed over")])

    def test_finds_phrases_in_identifiers(self) -> None:
        self.assertEqual(found("int passedOver;\n"), [(1, "passedOver"), (1, "passed Over")])
        self.assertEqual(found("int is_told;\n", "core/some.c"), [(1, "told")])

    def test_finds_long_test_names(self) -> None:
        self.assertEqual(found(f"void {'a' * 60}() {{\n"), [])
        self.assertEqual(found(f"void {'a' * 61}() {{\n"), [(1, "a" * 61)])

    def test_finds_long_sentences_in_markdown_only(self) -> None:
        long = "word " * 26
        self.assertEqual(len(found(f"Short one. {long.strip()}.\n", "docs/page.md")), 1)
        self.assertEqual(found(f"{'word ' * 25}\n\n- {'word ' * 25}\n\n    {long}\n", "docs/page.md"), [])
        self.assertEqual(found(f"// {long}\n"), [])

    def test_searches_no_excepted_line(self) -> None:
        excepted = "core/src/test/java/org/lagbench/core/clock/ChronydTest.java"
        self.assertEqual(found('isEqualTo("Not synchronised")\n', excepted), [])
        self.assertEqual(len(found('isEqualTo("Not synchronised")\n', "a.java")), 1)
        self.assertEqual(len(found("is synchronised\n", excepted)), 1)


class DocumentationTest(unittest.TestCase):
    PAGE = (
        f"# A page: one\n\n{FENCE}sh\n# no heading\nls\n{FENCE}\n\n## A `key`\n\n[a](b.md#c)\n\n"
        f"{FENCE}text\nrm\n{FENCE}\n## A key\n"
    )

    def test_finds_code_blocks(self) -> None:
        self.assertEqual(list(documentation.blocks(self.PAGE)), [(3, "sh", "# no heading\nls\n"), (12, "text", "rm\n")])
        self.assertRaises(ValueError, list, documentation.blocks(f"{FENCE}sh\nls\n"))

    def test_makes_anchors_as_github_does(self) -> None:
        self.assertEqual(documentation.anchors(self.PAGE), {"a-page-one", "a-key", "a-key-1"})

    def test_finds_links_outside_of_blocks(self) -> None:
        self.assertEqual(list(links.links(self.PAGE + f"{FENCE}\n[x](y)\n{FENCE}\n")), [(10, "b.md#c")])

    def test_runs_blocks_of_one_language_only(self) -> None:
        self.assertEqual(commands.script(self.PAGE), "echo 'line 3:'\n# no heading\nls\n")

    def test_makes_fewer_runs_of_fewer_packets(self) -> None:
        page = f"{FENCE}sh\nsweep --set packets=2000 --set repeats=5 --repeats 1\ntune --budget '6 runs'\n{FENCE}\n"
        self.assertIn(
            "sweep --set packets=500 --set repeats=2 --repeats 1\ntune --budget '2 runs'\n", commands.script(page)
        )
        self.assertEqual(commands.shorten("packets: 8000\nfirst packets: 600\n"), "packets: 500\nfirst packets: 600\n")

    def test_reports_missing_files_and_headings(self) -> None:
        home = Path(__file__).resolve().parents[2]
        page = home / "docs" / "README.md"
        broken, linked = links.check(page, home)
        self.assertEqual(broken, [])
        self.assertIn(home / "docs" / "tutorial.md", linked)

    def test_environment_page_names_every_variable(self) -> None:
        home = Path(__file__).resolve().parents[2]
        page = (home / "docs" / "reference" / "environment.md").read_text(encoding="utf-8")
        sources = [
            path
            for path in home.rglob("*")
            if path.is_file()
            and {"target", ".git", ".lagbench", "results"}.isdisjoint(path.parts)
            and (path.suffix in (".java", ".c", ".h", ".sh") or path.parent.name == "scripts")
        ]
        read = re.compile(r"""["$]\{?(LAGBENCH_[A-Z_]+)""")
        variables = {name for path in sources for name in read.findall(path.read_text(encoding="utf-8"))}
        self.assertGreater(len(variables), 5)
        self.assertEqual({name for name in variables if f"`{name}`" not in page}, set())

    def test_types_in_drawings_exist(self) -> None:
        home = Path(__file__).resolve().parents[2]
        text = (home / "docs" / "explanation" / "measurement.md").read_text(encoding="utf-8")
        drawn = {
            name
            for line in text.splitlines()
            if line.startswith("    ")
            for name in re.findall(r"(?<!\[)\b(?:[A-Z][a-z]+){2,}\b", line)
        }
        self.assertGreater(len(drawn), 10)
        types = {path.stem for path in home.glob("*/src/main/java/**/*.java")}
        self.assertEqual(drawn - types, set())


if __name__ == "__main__":
    unittest.main()


class OutputsTest(unittest.TestCase):
    TABLE = (
        "Lags\n\n  size  Lost  Max\n bytes     %   µs\nUDP/IP\n   992     0   20\n   396     0   21\n\nA note of 9.\n"
    )
    PAGE = (
        f"{FENCE}sh\nscripts/lagbench table x\n{FENCE}\n<!-- output -->\n{FENCE}text\n{TABLE}{FENCE}\n"
        f"{FENCE}sh\necho 'kept'\n{FENCE}\n<!-- setup: name=a -->\n"
        f"<!-- output: printf '%s\\nb\\n' $name | head -n 1 -->\n"
        f"{FENCE}text\nold\n{FENCE}\n"
    )

    def test_finds_steps_in_order(self) -> None:
        table, name, shown = outputs.steps(self.PAGE.replace(f"{FENCE}sh\necho 'kept'\n{FENCE}\n", ""))
        self.assertEqual((table.line, table.commands), (5, "scripts/lagbench table x\n"))
        self.assertEqual(table.shown, range(5, 14))
        self.assertEqual((name.commands, name.shown), ("name=a\n", None))
        self.assertEqual(shown.commands, "printf '%s\\nb\\n' $name | head -n 1\n")

    def test_writes_outputs_of_one_shell(self) -> None:
        page = self.PAGE.replace("scripts/lagbench table x", "x=1; echo ok").replace("name=a", "name=$x")
        with tempfile.TemporaryDirectory() as home:
            made = outputs.make(page, Path(home))
        self.assertIn(f"<!-- output -->\n{FENCE}text\nok\n{FENCE}\n", made)
        self.assertTrue(made.endswith(f"-->\n{FENCE}text\n1\n{FENCE}\n"), made)
        self.assertIn(f"{FENCE}sh\necho 'kept'\n{FENCE}\n", made)

    def test_filters_output(self) -> None:
        page = f"{FENCE}text\nsudo printf 'a\\nb\\n'\n{FENCE}\n<!-- output | tail -n 1 -->\n{FENCE}text\n{FENCE}\n"
        with tempfile.TemporaryDirectory() as home:
            self.assertIn(f"-->\n{FENCE}text\nb\n{FENCE}\n", outputs.make(page, Path(home)))

    def test_finds_headers_that_are_no_longer_printed(self) -> None:
        self.assertEqual(outputs.headers(self.TABLE), {"size", "Lost", "Max", "bytes", "µs", "UDP/IP"})
        printed = f"line 1:\n{self.TABLE.replace('Lost', 'Loss')}line 17:\nkept\n"
        self.assertEqual(len(commands.stale_outputs(self.PAGE, printed)), 1)
        self.assertEqual(commands.stale_outputs(self.PAGE, f"line 1:\n{self.TABLE}line 17:\nkept\n"), [])

    def test_finds_blocks_that_do_not_say_why_they_are_not_run(self) -> None:
        block = f"{FENCE}text\ncommand\n{FENCE}\n"
        reasons = [
            "",
            "<!-- output -->\n",
            "<!-- not run: needs two hosts -->\n",
            "<!-- not run: -->\n",
            "<!-- setup: a -->\n",
        ]
        page = "".join(reason + block for reason in reasons)
        self.assertEqual(list(unrun.unexplained(page)), [1, 13, 17])
        for name, lines in (("console", [1]), ("", [1]), ("sh", []), ("yaml", [])):
            self.assertEqual(list(unrun.unexplained(block.replace("text", name))), lines, name)

    def test_finds_unknown_commands_and_options(self) -> None:
        known = {"table": {"--view"}, "lab": set[str](), "lab up": {"--quiet"}}
        found = [
            problem
            for script in (
                'x=$(scripts/lagbench table "$d" --vies causes | head)',
                "scripts/lagbench lab up --quiet -- a",
            )
            for _, arguments in outputs.commands(script)
            for problem in outputs._unknown(arguments, known)
        ]
        self.assertEqual(found, ["lagbench table has no option --vies"])

    def test_checks_all_commands_of_a_page(self) -> None:
        home = Path(__file__).resolve().parents[2]
        wrong = (
            "scripts/lagbench table --vies causes",
            "scripts/tests --all",
            "lagbench tables x",
        )
        for command in wrong:
            for page in (
                f"{FENCE}sh\n{command}\n{FENCE}\n",
                f"{FENCE}text\n{command}\n{FENCE}\n",
                f"{FENCE}yaml\n- run: {command}\n{FENCE}\n",
                f"<!-- setup: {command} -->\n",
                f"Use `{command}`.\n",
            ):
                self.assertEqual(len(list(outputs.check(page, home))), 1, page)
        right = f"{FENCE}text\nlagbench 0.1.0, commit 9f\nscripts/lib/build.sh\n{FENCE}\nIn `results/lagbench x`.\n"
        self.assertEqual(list(outputs.check(right, home)), [])

    def test_commands_of_documentation_exist(self) -> None:
        home = Path(__file__).resolve().parents[2]
        for page in documentation.pages(home):
            self.assertEqual(list(outputs.check(page.read_text(encoding="utf-8"), home)), [], page)


class ContributingTest(unittest.TestCase):
    HOME = Path(__file__).resolve().parents[2]
    PAGE = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")
    ROOM = re.compile(r"^\| \[`([a-z0-9]+)`\]\([a-z0-9]+/README\.md\) \| .* \| (.*) \|$", re.MULTILINE)

    def test_names_the_modules_that_each_room_uses(self) -> None:
        rooms = dict(self.ROOM.findall(self.PAGE))
        parent = (self.HOME / "pom.xml").read_text(encoding="utf-8")
        self.assertEqual(set(rooms), set(re.findall(r"<module>([a-z0-9]+)</module>", parent)))
        for room, used in rooms.items():
            self.assertEqual(used, self._used(room), room)

    def _used(self, room: str) -> str:
        names = []
        for dependency in ElementTree.parse(self.HOME / room / "pom.xml").findall("{*}dependencies/{*}dependency"):
            name = dependency.findtext("{*}artifactId", "").removeprefix("lagbench-")
            scope = dependency.findtext("{*}scope", "compile")
            if dependency.findtext("{*}artifactId", "").startswith("lagbench-") and scope != "test":
                names.append((name, f"*{name}*" if scope == "runtime" else name))
        return ", ".join(shown for _, shown in sorted(names)) or "–"

    def test_links_the_declarations_of_services_and_views(self) -> None:
        for name in (
            "core.run.Engine",
            "core.model.Transport",
            "report.table.View",
            "report.chart.ChartKind$Source",
            "report.export.ExportFormat",
            "cli.Subcommand",
        ):
            room, _, path = name.partition("$")[0].replace(".", "/").partition("/")
            self.assertIn(f"({room}/src/main/java/org/lagbench/{room}/{path}.java)", self.PAGE)
            listed = list(self.HOME.glob(f"*/src/main/resources/META-INF/services/org.lagbench.{name}"))
            self.assertTrue(any(f"({file.relative_to(self.HOME)})" in self.PAGE for file in listed), listed)
            for file in listed:
                for implementation in file.read_text(encoding="utf-8").split():
                    source = f"src/main/java/{implementation.partition('$')[0].replace('.', '/')}.java"
                    self.assertTrue((file.parents[4] / source.removeprefix("src/")).is_file(), implementation)

    def test_rooms_have_short_descriptions(self) -> None:
        for room, _ in self.ROOM.findall(self.PAGE):
            if room in ("core", "analysis", "report", "runner", "web", "cli", "sender", "receiver", "lab"):
                lines = (self.HOME / room / "README.md").read_text(encoding="utf-8").splitlines()
                self.assertLessEqual(len(lines), 40, room)

    def test_names_types_that_exist_in_descriptions_of_rooms(self) -> None:
        for room, _ in self.ROOM.findall(self.PAGE):
            types = {file.stem for file in (self.HOME / room).glob("src/main/java/**/*.java")}
            for line in (self.HOME / room / "README.md").read_text(encoding="utf-8").splitlines():
                if room in ("packetio", "engines", "native1394", "compression") or not line.startswith("| `"):
                    continue
                for name in re.findall(r"`([A-Z][A-Za-z]+)`", line.split("|")[1]):
                    self.assertIn(name, types, f"{room}/README.md")
