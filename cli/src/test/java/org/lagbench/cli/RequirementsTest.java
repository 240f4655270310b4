package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.SessionId;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests {@code --require}, {@code --junit} and {@code lagbench compare} on recorded sessions. */
@Tag("one-java")
class RequirementsTest {
    private final Path directory;
    private final Path junit;

    RequirementsTest(@TempDir Path directory) {
        this.directory = directory;
        this.junit = directory.resolve("junit.xml");
    }

    /** Writes a session whose inter-packet delay is this, with 1 % more in each repeat. */
    private Path session(String name, int repeats, long delayNs) throws Exception {
        Path session = Captures.session(
                directory.resolve(name),
                LongStream.range(0, repeats)
                        .map(repeat -> delayNs + delayNs / 100 * repeat)
                        .toArray());
        SessionId.create(session, Instant.EPOCH);
        return session;
    }

    private CommandResult table(Path session, String... arguments) {
        return CommandResult.of(Stream.concat(
                        Stream.of("table", session.toString(), "--junit", junit.toString()), Arrays.stream(arguments))
                .toArray(String[]::new));
    }

    /** Returns the names of the elements in the test cases of the JUnit report; "" for one that passed. */
    private List<String> junitResults() throws Exception {
        Element suite = (Element) DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(junit.toFile())
                .getElementsByTagName("testsuite")
                .item(0);
        NodeList cases = suite.getElementsByTagName("testcase");
        assertThat(suite.getAttribute("tests")).isEqualTo(Integer.toString(cases.getLength()));
        assertThat(suite.getAttribute("failures"))
                .isEqualTo(
                        Integer.toString(suite.getElementsByTagName("failure").getLength()));
        assertThat(suite.getAttribute("skipped"))
                .isEqualTo(
                        Integer.toString(suite.getElementsByTagName("skipped").getLength()));
        return IntStream.range(0, cases.getLength())
                .mapToObj(i -> cases.item(i).getFirstChild().getNodeName())
                .toList();
    }

    @Test
    void exitsWithZeroIfAllLimitsAreMet() throws Exception {
        CommandResult met =
                table(session("met", 6, 1_000), "--require", "receiveDelay.median <= 2 us", "--require", "loss <= 0 %");
        assertThat(met.exitCode()).as(met.err()).isZero();
        assertThat(met.err()).isEmpty();
        assertThat(met.out())
                .contains("\nRequirements\n")
                .containsPattern("receiveDelay.median <= 2 us +UDP/IP, 24 bytes +1\\.03 µs +1\\.00 µs +1\\.05 µs +met");
        assertThat(junitResults()).containsExactly("system-out", "system-out");
    }

    @Test
    void exitsWithNineIfOneLimitIsMissed() throws Exception {
        CommandResult missed = table(
                session("missed", 6, 1_000),
                "--require",
                "receiveDelay.median <= 0.5 us",
                "--require",
                "receiveDelay.median <= 1.02 us",
                "--require",
                "loss <= 0 %");
        assertThat(missed.exitCode()).isEqualTo(ExitCode.MISSED.code());
        assertThat(missed.err())
                .startsWith("lagbench: receiveDelay.median <= 0.5 us, UDP/IP, 24 bytes: missed,"
                        + " median of the repeats 1.03 µs (1.00 µs")
                .contains("receiveDelay.median <= 1.02 us, UDP/IP, 24 bytes: undecided");
        assertThat(junitResults()).containsExactly("failure", "skipped", "system-out");
    }

    @Test
    void exitsWithTenIfOneLimitIsUndecided() throws Exception {
        Path one = session("one", 1, 1_000);
        CommandResult undecided = table(one, "--require", "receiveDelay.median <= 2 us");
        assertThat(undecided.exitCode()).isEqualTo(ExitCode.UNDECIDED.code());
        assertThat(undecided.err()).contains("few repeats", "an interval needs 6 repeats; --judge-by value needs none");
        assertThat(junitResults()).containsExactly("skipped");
        assertThat(table(one, "--require", "receiveDelay.median <= 2 us", "--judge-by", "value")
                        .exitCode())
                .isZero();
        assertThat(table(one, "--require", "receiveDelay.median <= 0.5 us", "--judge-by", "value")
                        .exitCode())
                .isEqualTo(ExitCode.MISSED.code());
    }

    @Test
    void statesThatLimitOfZeroIsAboutMeasuredPackets() throws Exception {
        Path session = session("clean", 6, 1_000);
        String note = "Met at a limit of 0 % or 100 %: by the value, of the measured packets alone.";
        assertThat(words(table(session, "--require", "loss <= 0 %"))).contains(note);
        assertThat(words(table(session, "--require", "loss <= 90 %"))).doesNotContain(note);
    }

    @Test
    void plannedRunsThatAreMissingAreUndecided() throws Exception {
        Path session = planned(session("six-of-seven", 6, 1_000), 7);
        CommandResult incomplete = table(session, "--require", "receiveDelay.median <= 2 us");
        assertThat(incomplete.exitCode()).as(incomplete.out()).isEqualTo(ExitCode.UNDECIDED.code());
        assertThat(incomplete.err())
                .contains(
                        "undecided (missing data), median of the repeats 1.03 µs", "; 1 of 7 planned runs are missing");
        assertThat(words(incomplete))
                .contains("UDP/IP, 24 bytes: 1 of 7 planned runs are missing;", "Not begun: 1 of 7 planned runs.");
        assertThat(junitResults()).containsExactly("skipped");
        assertThat(table(session, "--require", "receiveDelay.median <= 2 us", "--allow-missing", "15 %")
                        .exitCode())
                .isZero();
        assertThat(table(session, "--require", "receiveDelay.median <= 0.5 us").exitCode())
                .isEqualTo(ExitCode.MISSED.code());
    }

    @Test
    void brokenRunsAreUndecided() throws Exception {
        Path session = session("broken", 7, 1_000);
        Path record = session.resolve("runs/0003-udp-24-r3/run.json");
        Files.writeString(record, Files.readString(record).replace("COMPLETE", "BROKEN"));
        CommandResult broken = table(session, "--require", "receiveDelay.median <= 2 us", "--format", "json");
        assertThat(broken.exitCode()).isEqualTo(ExitCode.UNDECIDED.code());
        JsonNode requirement =
                JsonMapper.shared().readTree(broken.out()).get("requirements").get(0);
        assertThat(requirement.get("doubt").asString()).isEqualTo("missing data");
        assertThat(requirement.at("/subject/included/count").asInt()).isEqualTo(6);
        assertThat(requirement.at("/subject/included/planned").asInt()).isEqualTo(7);
    }

    @Test
    void includesKilledRuns() throws Exception {
        Path session = planned(session("killed", 6, 1_000), 6);
        Path record = session.resolve("runs/0003-udp-24-r3/run.json");
        Files.writeString(record, Files.readString(record).replace("COMPLETE", "RUNNING"));
        CommandResult without = table(session, "--require", "receiveDelay.median <= 2 us");
        assertThat(without.err()).contains("; 1 of 6 planned runs are missing");
        CommandResult with = table(session, "--require", "receiveDelay.median <= 2 us", "--include-broken");
        assertThat(with.exitCode()).as(with.err()).isZero();
        assertThat(words(with)).contains("Included although it did not complete: 0003-udp-24-r3.");
    }

    /** Returns the output without line breaks. */
    private static String words(CommandResult result) {
        return result.out().replaceAll("\\s+", " ");
    }

    /** Writes the experiment of a session with so many repeats. */
    private static Path planned(Path session, int repeats) throws Exception {
        Files.writeString(
                session.resolve("experiment.yaml"),
                "{transports: udp, packet-bytes: 24, packets: 100, repeats: " + repeats + ", seed: 1}\n");
        return session;
    }

    @Test
    void jsonContainsRequirements() throws Exception {
        CommandResult result =
                table(session("json", 6, 1_000), "--require", "playout.delay <= 2 ms at size=24", "--format", "json");
        JsonNode requirement =
                JsonMapper.shared().readTree(result.out()).get("requirements").get(0);
        assertThat(requirement.at("/requirement/name").asString()).isEqualTo("playout.delay");
        assertThat(requirement.at("/requirement/where/packet-bytes").asString()).isEqualTo("24");
        assertThat(requirement.at("/subject/point/packetBytes").asInt()).isEqualTo(24);
        assertThat(requirement.get("verdict").asString()).isEqualTo("undecided");
    }

    @Test
    void namesMistakesBeforeAnyRun() throws Exception {
        for (String command : List.of("run udp", "sweep missing.yaml", "table missing")) {
            List<String> arguments = List.of(command.split(" "));
            assertMistake(
                    arguments, "There is no metric \"lag.q98\"; did you mean lag.q9", "--require", "lag.q98<=1ms");
            assertMistake(arguments, "\"lag\"; did you mean lag.minimum or lag.median or", "--require", "lag<=1ms");
            assertMistake(arguments, "not a percentage up to 100", "--allow-missing", "all", "--require", "loss<=1%");
            String needing =
                    command.startsWith("table") ? "--junit, --judge-by and --allow-missing" : "--junit and --judge-by";
            assertMistake(arguments, needing + " need --require LIMIT.", "--junit", "x.xml");
        }
    }

    private static void assertMistake(List<String> command, String message, String... options) {
        CommandResult result = CommandResult.of(
                Stream.concat(command.stream(), Arrays.stream(options)).toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.USAGE.code());
        assertThat(result.err()).contains(message);
    }

    @Test
    void judgesSeriesOfMonitor() throws Exception {
        SeriesInfo lag = new SeriesInfo("udp.24.lag", "lag", "ms", 1_000_000_000L, SeriesInfo.Domain.ANY, null);
        new SeriesIndex(1_790_000_000_000_000_000L, List.of(lag)).write(directory);
        try (SeriesStore store = new SeriesStore(directory, List.of(lag))) {
            for (int i = 0; i < 200; i++) {
                store.record(lag, 1_790_000_000_000_000_000L + i * 1_000_000_000L, i % 7, SeriesState.OK);
            }
        }
        CommandResult missed = table(directory, "--require", "lag <= 1 ms");
        assertThat(missed.exitCode()).isEqualTo(ExitCode.MISSED.code());
        assertThat(missed.out()).containsPattern("lag <= 1 ms +udp\\.24\\.lag +3\\.00 ms");
        assertThat(junitResults()).containsExactly("failure");
        assertThat(CommandResult.of("table", directory.toString()).out()).doesNotContain("Requirements");
    }

    @Test
    void comparesWithBaselineSession() throws Exception {
        String before = session("before", 6, 1_000).toString();
        String slower = session("slower", 6, 2_000).toString();
        String few = session("few", 4, 1_000).toString();
        CommandResult worse = compare(before, slower);
        assertThat(worse.exitCode()).as(worse.err()).isEqualTo(ExitCode.MISSED.code());
        assertThat(worse.out())
                .contains("Inter-packet delay, received, compared with session before")
                .containsPattern("24 +Median +worse +1\\.02 +2\\.05 +2\\.000 +2\\.000 +2\\.000");
        assertThat(worse.err()).contains("receiveDelay.median, UDP/IP, 24 bytes: worse, ratio 2.000");
        assertThat(junitResults()).containsExactly("failure");
        assertThat(compare(before, before).exitCode()).isZero();
        assertThat(junitResults()).containsExactly("system-out");
        assertThat(compare(before, few).exitCode()).isEqualTo(ExitCode.UNDECIDED.code());
        assertThat(compare(slower, before).exitCode()).isZero();
    }

    @Test
    void comparesSeveralSessionsPerSide() throws Exception {
        String before = session("before", 6, 1_000).toString();
        String other = session("other", 6, 1_050).toString();
        String slower = session("slower", 6, 2_000).toString();
        String slowest = session("slowest", 6, 2_100).toString();
        String[] metric = {"--metric", "receiveDelay.median"};
        CommandResult worse = CommandResult.of(
                Stream.concat(Stream.of("compare", slower, slowest, "--baseline", before, other), Arrays.stream(metric))
                        .toArray(String[]::new));
        assertThat(worse.exitCode()).as(worse.out()).isEqualTo(ExitCode.MISSED.code());
        assertThat(words(worse))
                .contains("compared with session before, other", "Student's t over the sessions")
                .doesNotContain("Each session counts as one day");
        assertThat(words(compare(before, slower))).contains("Each session counts as one day");
        CommandResult three = CommandResult.of("compare", before, other, slower);
        assertThat(three.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(three.err()).contains("--baseline SESSION...");
    }

    @Test
    void refusesASessionThatIsComparedTwice() throws Exception {
        Path before = session("before", 6, 1_000);
        Path after = session("after", 6, 1_000);
        Path copy = session("copy", 6, 1_000);
        Path id = Path.of(SessionId.FILE_NAME);
        Files.copy(after.resolve(id), copy.resolve(id), StandardCopyOption.REPLACE_EXISTING);
        for (Path[] compared : new Path[][] {{after, copy}, {before, directory.resolve("after/../before")}}) {
            CommandResult result =
                    CommandResult.of("compare", compared[0].toString(), "--baseline", compared[1].toString());
            assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(result.err())
                    .contains(compared[1] + " and " + compared[0] + " are the same session, or copies of it.");
        }
    }

    @Test
    void comparedSessionsNeedTheirPlannedRuns() throws Exception {
        String before = session("before", 6, 1_000).toString();
        String incomplete = planned(session("after", 6, 1_000), 7).toString();
        CommandResult undecided = compare(before, incomplete);
        assertThat(undecided.exitCode()).isEqualTo(ExitCode.UNDECIDED.code());
        assertThat(undecided.err()).contains("undecided (missing data), ratio 1.000", "; 1 of 13 planned runs");
        assertThat(compare(before, incomplete, "--allow-missing", "10 %").exitCode())
                .isZero();
        String slower = session("slower", 6, 2_000).toString();
        assertThat(compare(incomplete, slower).exitCode()).isEqualTo(ExitCode.MISSED.code());
    }

    private CommandResult compare(String baseline, String session, String... arguments) {
        return CommandResult.of(Stream.concat(
                        Stream.of(
                                "compare",
                                baseline,
                                session,
                                "--metric",
                                "receiveDelay.median",
                                "--junit",
                                junit.toString()),
                        Arrays.stream(arguments))
                .toArray(String[]::new));
    }

    @Test
    void compareListsPointsOfOneSession() throws Exception {
        Path before = session("before", 6, 1_000);
        Path after = session("after", 6, 1_000);
        try (Stream<Path> records = Files.walk(after)) {
            for (Path record : records.filter(path -> path.endsWith("run.json")).toList()) {
                Files.writeString(
                        record, Files.readString(record).replace("\"packetBytes\": 24", "\"packetBytes\": 25"));
            }
        }
        CommandResult result = compare(before.toString(), after.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNDECIDED.code());
        assertThat(result.out())
                .contains(
                        "Only in the baseline: UDP/IP, 24 (packet-bytes 24, in the compared session 25).",
                        "Only in the compared session: UDP/IP, 25 (packet-bytes 25, in the baseline 24).");
        JsonNode json = JsonMapper.shared()
                .readTree(CommandResult.of("compare", before.toString(), before.toString(), "--format", "json")
                        .out());
        assertThat(json.get("format").asString()).isEqualTo("lagbench-session-comparison-2");
        assertThat(json.get("comparisons").get(0).get("metric").asString()).isEqualTo("lag.median");
    }
}
