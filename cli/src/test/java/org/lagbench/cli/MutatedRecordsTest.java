package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a session of runs each of which has wrong values in its record or in one of its captures. The property
 * lagbench.thorough gives each member all wrong values instead of one.
 */
@Tag("night")
@Tag("one-java")
class MutatedRecordsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final boolean IS_THOROUGH = Boolean.getBoolean("lagbench.thorough");

    /** What replaces each value, as JSON. */
    private static final List<String> VALUES =
            List.of("null", "-1", "9223372036854775807", "\"/../../../../x\\u0000\\u001b[31m\"");

    /** Erases a screen, ends a line, shows the rest backward and rings, in several ways. */
    private static final String HOSTILE = "x\u001b[2J\u009b31m\r\u202e\u0007\u007f";

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\\n]]");

    private static final List<String> CAPTURES = List.of(
            SenderCapture.FILE_NAME,
            ReceiverCapture.FILE_NAME,
            EventsCapture.SENDER_FILE_NAME,
            EventsCapture.RECEIVER_FILE_NAME,
            TwoWayExchange.FILE_NAME);

    private static final long EPOCH_NS = 1_790_000_000_000_000_000L;

    @TempDir
    private Path directory;

    private Path session;
    private JsonNode record;
    private int runs;

    @Test
    void readsSessionWithAnyInvalidRecord() throws Exception {
        session = Files.createDirectories(directory.resolve("home/session"));
        try (InputStream in = getClass().getResourceAsStream("run.json")) {
            record = JSON.readTree(in);
        }
        writeRun();
        mutateAll(record, "", VALUES);
        assertThat(runs).isGreaterThan(IS_THOROUGH ? 300 : 75);
        overwriteCaptures();
        Map<String, Integer> before = files();

        check("table", session.toString());
        check("table", session.toString(), "--view", "ledger", "--clock", "corrected", "--include-broken");
        check("table", session.toString(), "--format", "json");
        check("report", session.toString());
        check("figures", session.toString(), "--format", "svg");
        check("export", session.toString(), "--format", "csv");
        assertThat(CommandResult.of("verify", session.toString()).exitCode()).isEqualTo(ExitCode.FILES.code());

        Map<String, Integer> outside = files();
        outside.keySet().removeIf(file -> file.startsWith("home/session/"));
        assertThat(outside).as("files outside of the session").isEmpty();
        assertThat(files()).containsAllEntriesOf(before);
    }

    @Test
    void excludesRecordsWithImpossibleNumbers() throws Exception {
        session = Files.createDirectories(directory.resolve("home/session"));
        try (InputStream in = getClass().getResourceAsStream("run.json")) {
            record = JSON.readTree(in);
        }
        writeRun();
        for (String member : List.of(
                "/counts/received", "/counts/foreign", "/counts/kernelDrops", "/clock/boundNs", "/lab/rateBitsPerS")) {
            JsonNode parent = record.at(member.substring(0, member.lastIndexOf('/')));
            String name = member.substring(member.lastIndexOf('/') + 1);
            JsonNode possible = record.at(member);
            set(parent, name, JSON.readTree("-2"));
            writeRun();
            set(parent, name, possible);
        }

        CommandResult table = CommandResult.of("table", session.toString());

        assertThat(table.out()).contains("3 packets of 24 bytes").doesNotContain("Excluded: 0001-udp-24-r1");
        for (int run = 2; run <= runs; run++) {
            assertThat(table.out()).contains(String.format("Excluded: %04d-udp-24-r1", run));
        }
    }

    @Test
    void namesMemberAndValueOfRecordEditedByHand() throws Exception {
        session = Files.createDirectories(directory.resolve("home/session"));
        try (InputStream in = getClass().getResourceAsStream("run.json")) {
            record = JSON.readTree(in);
        }
        writeRun();
        String whole = JSON.writeValueAsString(record);
        Map<String, String> edits = Map.of(
                whole.replace("\"received\":3,", "\"received\":3,\"received\":7,"),
                "counts.received: it is there twice, as 3 and as 7.",
                whole.replace("\"udp\"", "\"upd\""),
                "run.point.transport: \"upd\" is not one of ",
                whole.replaceFirst("(\"startedAt\":)\"[^\"]*\"", "$1\"yesterday\""),
                "startedAt: \"yesterday\" is not a time, such as ",
                whole.replace("\"PT1H\"", "\"1 h\""),
                "run.point.conditions.stallTimeout: \"1 h\" is not a duration, such as ",
                whole.replace("148809.5", "1e400"),
                "lab.capacityPacketsPerS: 1e400 is too large.",
                "{}",
                "format: it is missing.");
        for (String edited : edits.keySet()) {
            writeRun();
            Files.writeString(session.resolve(String.format("runs/%04d-udp-24-r1/run.json", runs)), edited);
        }
        Files.writeString(session.resolve("session.json"), "{\"format\": 7}");

        CommandResult table = CommandResult.of("table", session.toString());

        assertThat(table.exitCode()).as(table.err()).isZero();
        String sentences = table.out().replaceAll("\\s+", " ");
        assertThat(sentences)
                .contains(edits.values())
                .contains("session.json: format: 7 is not \"lagbench-session-1\". Restore the file from a copy.")
                .contains("3 packets of 24 bytes");
        set(record, "state", JSON.readTree("\"BROKEN\""));
        Files.writeString(session.resolve("runs/0001-udp-24-r1/run.json"), JSON.writeValueAsString(record));
        checkNothingLeft(session);
        checkNothingLeft(session.resolve("runs/0001-udp-24-r1"));
        checkNothingLeft(session.resolve("runs/0002-udp-24-r1"));
    }

    private static void checkNothingLeft(Path of) {
        CommandResult table = CommandResult.of("table", of.toString());
        assertThat(table.out()).contains("No run is left for a table.");
        assertThat(table.exitCode()).as(of.toString()).isEqualTo(ExitCode.FILES.code());
    }

    /**
     * Gives texts with control characters to each command, as arguments, names of directories, and in all its files.
     */
    @Test
    void printsNoControlCharacterByAnyCommandAndFormat() throws Exception {
        session = Files.createDirectories(directory.resolve("home/" + HOSTILE));
        try (InputStream in = getClass().getResourceAsStream("run.json")) {
            record = JSON.readTree(in);
        }
        writeRun();
        mutateAll(record, "", List.of(JSON.writeValueAsString(HOSTILE)));
        Path all = session;
        session = Files.createDirectories(directory.resolve("home/few" + HOSTILE));
        runs = 0;
        writeRun();
        writeHostileRuns();
        Path monitored = Files.createDirectories(directory.resolve("home/monitored" + HOSTILE));
        SeriesInfo series = new SeriesInfo("x", HOSTILE, HOSTILE, 1_000_000_000L, SeriesInfo.Domain.ANY, null);
        new SeriesIndex(EPOCH_NS, List.of(series)).write(monitored);
        StringBuilder csv = new StringBuilder("at,rtt" + HOSTILE + "\n");
        try (SeriesStore store = new SeriesStore(monitored, List.of(series))) {
            for (int i = 0; i < 50; i++) {
                store.record(series, EPOCH_NS + i * 1_000_000_000L, i % 7, SeriesState.OK);
                csv.append(i).append(',').append(i % 7).append('\n');
            }
        }
        Path csvFile = Files.writeString(directory.resolve("home/" + HOSTILE + ".csv"), csv);
        Path yaml = Files.writeString(directory.resolve("home/" + HOSTILE + ".yaml"), HOSTILE + ": " + HOSTILE + "\n");
        Map<String, Integer> before = files();

        CommandLine lagbench = Lagbench.commandLine(new ShutdownCoordinator());
        for (CommandLine command : lagbench.getSubcommands().values()) {
            checkPrintable(command.getCommandName(), all.toString());
            for (Object input : List.of(HOSTILE, "--" + HOSTILE, session, monitored, csvFile, yaml)) {
                boolean isRead = checkPrintable(command.getCommandName(), input.toString());
                for (OptionSpec option : command.getCommandSpec().options()) {
                    if (isRead && option.completionCandidates() != null) {
                        for (String choice : option.completionCandidates()) {
                            checkPrintable(command.getCommandName(), input.toString(), option.longestName(), choice);
                        }
                    }
                }
            }
        }
        checkPrintable("forecast", monitored.toString(), "--series", HOSTILE);
        checkPrintable("table", all.toString(), "--write");
        checkPrintable("matrix", "--resume", session.toString());
        Map<String, Integer> written = files();
        written.keySet().removeAll(before.keySet());
        assertThat(written.keySet().stream().map(file -> file.replaceFirst("(?s).*\\.", "")))
                .contains("csv", "json", "html", "svg");
        for (String file : written.keySet()) {
            if (!file.matches("(?s).*\\.(png|parquet|hlog|lock)")) {
                assertThat(Files.readString(directory.resolve(file))).as(file).doesNotContainPattern(UNPRINTABLE);
            }
        }
    }

    /** Writes a run that has the hostile text in each member that accepts it, and one that is refused. */
    private void writeHostileRuns() throws IOException {
        writeRun();
        Path file = session.resolve("runs/0002-udp-24-r1/" + RunRecord.FILE_NAME);
        String refused = "";
        int accepted = 0;
        for (String pointer : texts(record, "")) {
            JsonNode parent = record.at(pointer.substring(0, pointer.lastIndexOf('/')));
            String name = pointer.substring(pointer.lastIndexOf('/') + 1);
            JsonNode value = record.at(pointer);
            set(parent, name, JSON.getNodeFactory().stringNode(HOSTILE));
            Files.writeString(file, JSON.writeValueAsString(record));
            try {
                RunRecord.read(file.getParent());
                accepted++;
            } catch (LagbenchException e) {
                refused = JSON.writeValueAsString(record);
                set(parent, name, value);
            }
        }
        assertThat(accepted).isGreaterThan(10);
        Files.writeString(file, JSON.writeValueAsString(record));
        record = JSON.readTree(refused);
        writeRun();
    }

    /** Returns the locations of all texts. */
    private static List<String> texts(JsonNode node, String pointer) {
        List<String> texts = new ArrayList<>(node.isString() ? List.of(pointer) : List.of());
        node.properties().forEach(member -> texts.addAll(texts(member.getValue(), pointer + "/" + member.getKey())));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            texts.addAll(texts(node.get(i), pointer + "/" + i));
        }
        return texts;
    }

    /** Returns whether the command succeeded. */
    private static boolean checkPrintable(String... arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        if (words.get(0).equals("figures") && !words.contains("--format")) {
            words.addAll(List.of("--format", "svg")); // a PNG takes most of the time, and its text cannot be checked
        }
        CommandResult result = CommandResult.of(words.toArray(String[]::new));
        String command = words.toString();
        assertThat(result.out()).as(command).doesNotContainPattern(UNPRINTABLE);
        assertThat(result.err()).as(command).doesNotContainPattern(UNPRINTABLE).doesNotContain("Internal error");
        return result.exitCode() == ExitCode.OK.code();
    }

    private void check(String... arguments) {
        CommandResult result = CommandResult.of(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).doesNotContain("\tat ", "java.lang.", "org.lagbench.");
    }

    /** Writes a run for each wrong value of each member, or for one of them in turn. */
    private void mutateAll(JsonNode node, String pointer, List<String> values) throws IOException {
        if (!pointer.isEmpty()) {
            JsonNode parent = record.at(pointer.substring(0, pointer.lastIndexOf('/')));
            String name = pointer.substring(pointer.lastIndexOf('/') + 1);
            for (String value : IS_THOROUGH ? values : List.of(values.get(runs % values.size()))) {
                set(parent, name, JSON.readTree(value));
                writeRun();
            }
            set(parent, name, node);
        }
        for (Map.Entry<String, JsonNode> member : List.copyOf(node.properties())) {
            mutateAll(member.getValue(), pointer + "/" + member.getKey(), values);
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            mutateAll(node.get(i), pointer + "/" + i, values);
        }
    }

    /** Writes runs with captures in which some numbers have changed; the files have no checksums. */
    private void overwriteCaptures() throws IOException {
        Random random = new Random(19);
        long[] extremes = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, EPOCH_NS, EPOCH_NS + 1_000_000_000_000_000L};
        for (int i = 0; i < 40; i++) {
            writeRun();
            Path file = session.resolve(String.format("runs/%04d-udp-24-r1", runs))
                    .resolve(CAPTURES.get(i % CAPTURES.size()));
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            int numbers = (bytes.capacity() - 256) / Long.BYTES;
            for (int k = random.nextInt(3); k >= 0; k--) {
                bytes.putLong(
                        256 + random.nextInt(numbers) * Long.BYTES,
                        random.nextBoolean() ? extremes[random.nextInt(extremes.length)] : random.nextLong());
            }
            Files.delete(file); // a link to the first run's file
            Files.write(file, bytes.array());
        }
    }

    private static void set(JsonNode parent, String name, JsonNode value) {
        if (parent instanceof ArrayNode array) {
            array.set(Integer.parseInt(name), value);
        } else {
            ((ObjectNode) parent).set(name, value);
        }
    }

    /** Writes a run with the current record; all runs share the captures of the first. */
    private void writeRun() throws IOException {
        Path run = Files.createDirectories(session.resolve(String.format("runs/%04d-udp-24-r1", ++runs)));
        Files.writeString(run.resolve(RunRecord.FILE_NAME), JSON.writeValueAsString(record));
        if (runs == 1) {
            writeCaptures(run);
            return;
        }
        for (String name : CAPTURES) {
            Files.createLink(
                    run.resolve(name), session.resolve("runs/0001-udp-24-r1").resolve(name));
        }
    }

    private static void writeCaptures(Path run) throws IOException {
        try (SenderCapture sender = SenderCapture.create(run.resolve(SenderCapture.FILE_NAME), 3, false);
                ReceiverCapture receiver = ReceiverCapture.create(run.resolve(ReceiverCapture.FILE_NAME), 3, false);
                GrowingCapture sent = EventsCapture.create(run.resolve(EventsCapture.SENDER_FILE_NAME));
                GrowingCapture received = EventsCapture.create(run.resolve(EventsCapture.RECEIVER_FILE_NAME));
                GrowingCapture twoWay =
                        GrowingCapture.create(run.resolve(TwoWayExchange.FILE_NAME), TwoWayExchange.FIELDS)) {
            for (int i = 0; i < 3; i++) {
                long sentNs = EPOCH_NS + i * 1_000L;
                sender.append(i, SenderCapture.UNSCHEDULED, sentNs, sentNs + 1);
                receiver.append(i, sentNs + 700, 0);
                sent.append(1, sentNs, sentNs + 10, 10, 0, 0);
                received.append(1, sentNs, sentNs + 10, 10, 0, 0);
                twoWay.append(i, sentNs, sentNs + 300, sentNs + 310, sentNs + 600);
            }
        }
    }

    /** Returns all files below the test's directory with a hash of their content. */
    private Map<String, Integer> files() throws IOException {
        Map<String, Integer> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(directory.relativize(file).toString(), Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return files;
    }
}
