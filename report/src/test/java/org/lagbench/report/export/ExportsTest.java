package org.lagbench.report.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord.Counts;
import org.lagbench.core.run.RunRecord.State;
import org.lagbench.report.export.Exports.Exported;

class ExportsTest {
    private static final long EPOCH = SessionFixture.EPOCH_NS;

    /** Of packets 0 to 5 the second and the last are lost, 3 arrives after 4, and 2 arrives twice. */
    private static final long[][] ROWS = {
        {0, EPOCH, EPOCH, EPOCH + 1, EPOCH + 100, 100, 0},
        {1, EPOCH + 1_000, EPOCH + 1_000, EPOCH + 1_001, PacketTable.ABSENT, PacketTable.ABSENT, PacketTable.ABSENT},
        {2, EPOCH + 2_000, EPOCH + 2_000, EPOCH + 2_001, EPOCH + 2_300, 300, 0},
        {2, EPOCH + 2_000, EPOCH + 2_000, EPOCH + 2_001, EPOCH + 2_400, 400, 1},
        {4, EPOCH + 4_000, EPOCH + 4_000, EPOCH + 4_001, EPOCH + 4_100, 100, 0},
        {3, EPOCH + 3_000, EPOCH + 3_000, EPOCH + 3_001, EPOCH + 4_200, 1_200, 0},
        {5, EPOCH + 5_000, EPOCH + 5_000, EPOCH + 5_001, PacketTable.ABSENT, PacketTable.ABSENT, PacketTable.ABSENT},
    };

    /** The columns after {@code copy}, which not every run fills. */
    private static final String FURTHER = "kernel_ns,replied_ns,bus_cycle,answered_ns,round_trip_ns,"
            + "cause,cause_side,schedule_cause,schedule_cause_side,run_state";

    @TempDir
    private Path directory;

    private SessionFixture session;
    private Path output;

    @BeforeEach
    void makeSession() throws Exception {
        session = new SessionFixture(directory.resolve("session"));
        output = directory.resolve("output");
    }

    static List<String> formats() {
        return Exports.FORMATS.names();
    }

    @Test
    void hasTheOrderThatFormatsDeclare() {
        assertThat(formats()).containsExactly("csv", "hdr", "ledger");
    }

    @Test
    void csvHasRowPerArrivalAndLostPacket() throws Exception {
        sixPackets();
        StringBuilder expected =
                new StringBuilder("seq,scheduled_ns,sent_ns,returned_ns,received_ns,lag_ns,copy," + FURTHER + "\n");
        for (long[] row : ROWS) {
            List<String> cells = new ArrayList<>();
            for (long value : row) {
                cells.add(value == PacketTable.ABSENT ? "" : Long.toString(value));
            }
            expected.append(String.join(",", cells)).append(",,,,,,,,,,\n");
        }
        List<Exported> exported = export("csv");
        assertThat(exported).extracting(Exported::file).containsExactly(output.resolve("0001-udp-24-r1.csv"));
        assertThat(output.resolve("0001-udp-24-r1.csv")).hasContent(expected.toString());
    }

    @Test
    void exportsFurtherReceiverFields() throws Exception {
        Path run = session.run("0001-ieee1394-24-r1", "ieee1394", 24)
                .sent(0, 1_000)
                .counts(new Counts(2, 2, 0, 0, 0, 0, 0, null))
                .write();
        Files.delete(run.resolve(ReceiverCapture.FILE_NAME));
        try (ReceiverCapture capture = ReceiverCapture.create(run.resolve(ReceiverCapture.FILE_NAME), 2, true)) {
            capture.append(0, EPOCH + 10, 7_999);
            capture.append(1, EPOCH + 1_010, 0);
        }
        export("csv");
        assertThat(Files.readAllLines(output.resolve("0001-ieee1394-24-r1.csv")))
                .satisfiesExactly(
                        header -> assertThat(header).endsWith(",copy," + FURTHER),
                        first -> assertThat(first).endsWith(",10,0,,,7999,,,,,,,"),
                        second -> assertThat(second).endsWith(",10,0,,,0,,,,,,,"));
    }

    /** Of 200 packets the last two are above Q99: one delayed by a stopped receiver, one without a cause. */
    @Test
    void exportsCausesAsWords() throws Exception {
        int packets = 200;
        long[] sent = new long[packets];
        long[][] received = new long[packets][];
        for (int i = 0; i < packets; i++) {
            sent[i] = i * 10_000L;
            received[i] = at(i, sent[i] + (i < 198 ? 100 : 5_000));
        }
        Path run = session.run("0001-udp-24-r1", "udp", 24)
                .scheduled(10_000, sent)
                .sent(sent)
                .received(received)
                .write();
        try (GrowingCapture events = EventsCapture.create(run.resolve(EventsCapture.SENDER_FILE_NAME))) {
            events.append(Cause.STALL.code(), EPOCH, EPOCH + 1_000, 1_000, 0, 0);
        }
        try (GrowingCapture events = EventsCapture.create(run.resolve(EventsCapture.RECEIVER_FILE_NAME))) {
            events.append(Cause.STALL.code(), EPOCH + 1_980_000, EPOCH + 1_985_000, 5_000, 0, 0);
        }
        export("ledger");
        // the send call takes 1 ns; nothing proves what follows, except the stop
        assertThat(Files.readAllLines(output.resolve("0001-udp-24-r1.ledger.csv")))
                .containsExactly(
                        "packet,lag_ns,side,part,program,kind,since_ns,ns",
                        "198,5000,sender,not-explained,,bound,0,1",
                        "198,5000,receiver,stall,,event,1,4999",
                        "199,5000,sender,not-explained,,bound,0,1",
                        "199,5000,,not-explained,,bound,1,4999");
        export("csv");
        List<String> lines = Files.readAllLines(output.resolve("0001-udp-24-r1.csv"));
        assertThat(lines.subList(1, 199)).allSatisfy(line -> assertThat(line).endsWith(",100,0,,,,,,,,,,"));
        assertThat(lines.get(199)).endsWith(",5000,0,,,,,,stall,receiver,stall,receiver,");
        assertThat(lines.get(200)).endsWith(",5000,0,,,,,,not-explained,,not-explained,,");
    }

    @Test
    void hdrLogHasHistogramPerSecond() throws Exception {
        int packets = 2_500;
        long[] sent = new long[packets];
        long[][] received = new long[packets][];
        for (int i = 0; i < packets; i++) {
            sent[i] = i * 1_000_000L;
            received[i] = new long[] {i, sent[i] + (i % 100 == 99 ? -5 : 10_000L * (i % 100 + 1))};
        }
        received[1] = new long[] {1, sent[1] + 20_000};
        session.run("0001-udp-24-r1", "udp", 24).sent(sent).received(received).write();
        List<Exported> exported = export("hdr");
        assertThat(exported.get(0).notes())
                .containsExactly("25 lags are negative according to the clocks; the histograms do not include them.");
        Path file = output.resolve("0001-udp-24-r1.hlog");
        assertThat(Files.readString(file)).contains("lag in ns").contains("25 lags are negative");
        Histogram all = new Histogram(HdrExport.DIGITS);
        List<Long> counts = new ArrayList<>();
        HistogramLogReader reader = new HistogramLogReader(file.toFile());
        for (EncodableHistogram one = reader.nextIntervalHistogram();
                one != null;
                one = reader.nextIntervalHistogram()) {
            assertThat(one.getTag()).isEqualTo("lag");
            assertThat((double) one.getStartTimeStamp()).isCloseTo(EPOCH / 1e6 + 1_000 * counts.size(), within(2.0));
            counts.add(((Histogram) one).getTotalCount());
            all.add((Histogram) one);
        }
        assertThat(counts).containsExactly(990L, 990L, 495L);
        assertThat((double) all.getValueAtPercentile(50)).isCloseTo(500_000, within(10_000.0));
        assertThat((double) all.getMaxValue()).isCloseTo(990_000, within(1_000.0));
        assertThat((double) all.getMinValue()).isCloseTo(10_000, within(10.0));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void exportsRunWithoutArrivals(String format) throws Exception {
        session.run("0001-udp-24-r1", "udp", 24).sent(0, 1_000).write();
        assertThat(export(format).get(0).file()).exists();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void replacesFilesOfEarlierExport(String format) throws Exception {
        sixPackets();
        Files.createDirectories(output);
        Path file =
                output.resolve("0001-udp-24-r1." + Exports.FORMATS.named(format).suffix());
        Files.writeString(file, "an earlier export");
        export(format);
        byte[] first = Files.readAllBytes(file);
        assertThat(new String(first, StandardCharsets.ISO_8859_1)).doesNotContain("an earlier export");
        export(format);
        assertThat(file).hasBinaryContent(first);
        try (Stream<Path> files = Files.list(output)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void namesDirectoryThatCannotBeCreated() throws Exception {
        sixPackets();
        Files.writeString(output, "a file");
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> export("csv"))
                .withMessageStartingWith(output + " cannot be written: ");
    }

    @Test
    void reportsBrokenRunAndExportsOthers() throws Exception {
        sixPackets();
        Path broken = session.run("0002-udp-24-r2", "udp", 24)
                .sent(0)
                .ended(State.BROKEN, "No receiver.")
                .write();
        Files.delete(broken.resolve(ReceiverCapture.FILE_NAME));
        List<Exported> exported = export("csv");
        assertThat(exported.get(0).file()).exists();
        assertThat(exported.get(1).file()).isNull();
        assertThat(exported.get(1).notes())
                .satisfiesExactly(
                        state -> assertThat(state).isEqualTo("broke off: No receiver."),
                        file -> assertThat(file).contains(ReceiverCapture.FILE_NAME));
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "hdr"}) // a file of ledgers has no state
    void exportsBrokenAndDamagedRunsOnlyOnRequest(String format) throws Exception {
        session.run("0001-udp-24-r1", "udp", 24)
                .sent(0, 1_000)
                .received(at(0, 100))
                .ended(State.BROKEN, "No receiver.")
                .write();
        Path cut = session.run("0002-udp-24-r2", "udp", 24)
                .sent(0, 1_000)
                .received(at(0, 100), at(1, 1_100))
                .write();
        RunFileNames.addChecksums(cut, file -> true);
        try (FileChannel capture = FileChannel.open(cut.resolve("receiver.npy"), StandardOpenOption.WRITE)) {
            capture.truncate(256 + 16);
        }
        assertThat(export(format)).allSatisfy(run -> assertThat(run.file()).isNull());
        assertThat(output).isEmptyDirectory();

        List<Exported> exported = export(format, true);
        assertThat(exported.get(0).notes()).containsExactly("broke off: No receiver.");
        assertThat(exported.get(1).notes())
                .containsExactly("receiver.npy is cut off: it has 272 bytes in place of 288");
        byte[] file = Files.readAllBytes(
                output.resolve("0002-udp-24-r2." + Exports.FORMATS.named(format).suffix()));
        switch (format) {
            case "csv" ->
                assertThat(new String(file, StandardCharsets.US_ASCII).lines())
                        .satisfiesExactly(
                                header -> assertThat(header).endsWith(",copy," + FURTHER),
                                first -> assertThat(first).endsWith(",100,0,,,,,,,,,,damaged"),
                                second -> assertThat(second).endsWith(",,,damaged"));
            default -> assertThat(new String(file, StandardCharsets.US_ASCII)).contains("receiver.npy is cut off");
        }
    }

    @Test
    void hdrLogReportsFullDisk() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "there is no /dev/full");
        Path run = session.run("0001-udp-24-r1", "udp", 24)
                .sent(0, 1_000)
                .received(at(0, 100))
                .write();
        try (JoinedRun joined = JoinedRun.open(run);
                OutputStream out = Files.newOutputStream(full)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> new HdrExport(joined, new Exports.Marks(null, List.of()), out).write());
        }
    }

    private void sixPackets() throws Exception {
        session.run("0001-udp-24-r1", "udp", 24)
                .scheduled(1_000, 0, 1_000, 2_000, 3_000, 4_000, 5_000)
                .sent(0, 1_000, 2_000, 3_000, 4_000, 5_000)
                .received(at(0, 100), at(2, 2_300), at(2, 2_400), at(4, 4_100), at(3, 4_200))
                .write();
    }

    private List<Exported> export(String format) throws LagbenchException {
        return export(format, false);
    }

    private List<Exported> export(String format, boolean includeBroken) throws LagbenchException {
        SummaryOptions options = new SummaryOptions(includeBroken, false);
        return Exports.write(Session.open(session.path()), Exports.FORMATS.named(format), output, options);
    }

    private static long[] at(long packet, long ns) {
        return new long[] {packet, ns};
    }
}
