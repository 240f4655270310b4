package org.lagbench.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord.Counts;
import org.lagbench.core.run.RunRecord.State;
import org.lagbench.report.export.Exports;
import org.lagbench.report.export.Exports.Exported;
import org.lagbench.report.export.PacketTable;

class ParquetExportTest {
    private static final long EPOCH = SessionFixture.EPOCH_NS;
    private static final long ABSENT = PacketTable.ABSENT;

    /** Of packets 0 to 2 the second is lost, and the third arrives twice. */
    private static final long[][] ROWS = {
        {0, EPOCH, EPOCH, EPOCH + 1, EPOCH + 100, 100, 0},
        {1, EPOCH + 1_000, EPOCH + 1_000, EPOCH + 1_001, ABSENT, ABSENT, ABSENT},
        {2, EPOCH + 2_000, EPOCH + 2_000, EPOCH + 2_001, EPOCH + 2_300, 300, 0},
        {2, EPOCH + 2_000, EPOCH + 2_000, EPOCH + 2_001, EPOCH + 2_400, 400, 1},
    };

    @TempDir
    private Path directory;

    private SessionFixture session;
    private Path output;

    @BeforeEach
    void makeSession() throws Exception {
        session = new SessionFixture(directory.resolve("session"));
        output = directory.resolve("output");
    }

    @Test
    void isFormatBetweenThoseOfBase() {
        assertThat(Exports.FORMATS.names()).containsExactly("csv", "parquet", "hdr", "ledger");
    }

    @Test
    void hasRowPerArrivalAndLostPacketWithUnits() throws Exception {
        threePackets();
        export(false);
        try (ParquetFileReader reader = open("0001-udp-24-r1")) {
            MessageType schema = reader.getFileMetaData().getSchema();
            List<String> columns =
                    PacketTable.columns().stream().map(PacketTable.Column::name).toList();
            assertThat(schema.getColumns())
                    .extracting(column -> column.getPath()[0])
                    .containsExactlyElementsOf(columns);
            assertThat(reader.getFileMetaData().getKeyValueMetaData())
                    .containsEntry("lagbench.unit.lag_ns", "ns")
                    .containsEntry(
                            "lagbench.unit.sent_ns", "ns since 1970-01-01T00:00:00Z by the sender's CLOCK_REALTIME")
                    .containsKeys(columns.stream()
                            .map(column -> "lagbench.unit." + column)
                            .toArray(String[]::new));
            PageReadStore pages = reader.readNextRowGroup();
            assertThat(pages.getRowCount()).isEqualTo(ROWS.length);
            RecordReader<Group> records =
                    new ColumnIOFactory().getColumnIO(schema).getRecordReader(pages, new GroupRecordConverter(schema));
            for (long[] row : ROWS) {
                Group group = records.read();
                for (int i = 0; i < row.length; i++) {
                    assertThat(group.getFieldRepetitionCount(i)).isEqualTo(row[i] == ABSENT ? 0 : 1);
                    if (row[i] != ABSENT) {
                        assertThat(group.getLong(i, 0)).isEqualTo(row[i]);
                    }
                }
            }
        }
    }

    /** Of 200 packets the last two are above Q99: one delayed by a stopped receiver, one without a cause. */
    @Test
    void hasCausesAsWords() throws Exception {
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
        EventsCapture.create(run.resolve(EventsCapture.SENDER_FILE_NAME)).close();
        try (GrowingCapture events = EventsCapture.create(run.resolve(EventsCapture.RECEIVER_FILE_NAME))) {
            events.append(Cause.STALL.code(), EPOCH + 1_980_000, EPOCH + 1_985_000, 5_000, 0, 0);
        }
        export(false);
        try (ParquetFileReader reader = open("0001-udp-24-r1")) {
            MessageType schema = reader.getFileMetaData().getSchema();
            RecordReader<Group> records = new ColumnIOFactory()
                    .getColumnIO(schema)
                    .getRecordReader(reader.readNextRowGroup(), new GroupRecordConverter(schema));
            for (int i = 0; i < 198; i++) {
                assertThat(records.read().getFieldRepetitionCount("cause")).isZero();
            }
            Group stalled = records.read();
            assertThat(stalled.getString("cause", 0)).isEqualTo("stall");
            assertThat(stalled.getString("cause_side", 0)).isEqualTo("receiver");
            Group last = records.read();
            assertThat(last.getString("cause", 0)).isEqualTo("not-explained");
            assertThat(last.getFieldRepetitionCount("cause_side")).isZero();
        }
    }

    @Test
    void hasSameSchemaForEachKindOfRun() throws Exception {
        threePackets();
        Path bus = session.run("0002-ieee1394-24-r1", "ieee1394", 24)
                .sent(0)
                .counts(new Counts(1, 1, 0, 0, 0, 0, 0, null))
                .write();
        Files.delete(bus.resolve(ReceiverCapture.FILE_NAME));
        try (ReceiverCapture capture = ReceiverCapture.create(bus.resolve(ReceiverCapture.FILE_NAME), 1, true)) {
            capture.append(0, EPOCH + 10, 7_999);
        }
        List<MessageType> schemas = new ArrayList<>();
        for (Exported run : export(false)) {
            try (ParquetFileReader reader = open(run.run())) {
                schemas.add(reader.getFileMetaData().getSchema());
            }
        }
        assertThat(schemas).hasSize(2);
        assertThat(schemas.get(0)).isEqualTo(schemas.get(1));
    }

    @Test
    void exportsRunWithoutArrivals() throws Exception {
        session.run("0001-udp-24-r1", "udp", 24).sent(0, 1_000).write();
        assertThat(export(false).get(0).file()).exists();
    }

    @Test
    void replacesFileOfEarlierExportBySameBytes() throws Exception {
        threePackets();
        Files.createDirectories(output);
        Path file = output.resolve("0001-udp-24-r1.parquet");
        Files.writeString(file, "an earlier export");
        export(false);
        byte[] first = Files.readAllBytes(file);
        assertThat(new String(first, StandardCharsets.ISO_8859_1)).doesNotContain("an earlier export");
        export(false);
        assertThat(file).hasBinaryContent(first);
        try (Stream<Path> files = Files.list(output)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void exportsBrokenRunOnlyOnRequest() throws Exception {
        session.run("0001-udp-24-r1", "udp", 24)
                .sent(0, 1_000)
                .received(at(0, 100))
                .ended(State.BROKEN, "No receiver.")
                .write();
        assertThat(export(false)).allSatisfy(run -> assertThat(run.file()).isNull());
        assertThat(output).isEmptyDirectory();

        assertThat(export(true).get(0).notes()).containsExactly("broke off: No receiver.");
        try (ParquetFileReader reader = open("0001-udp-24-r1")) {
            assertThat(reader.getFileMetaData().getKeyValueMetaData())
                    .containsEntry(ParquetExport.MARKS_KEY, "broke off: No receiver.");
        }
    }

    private void threePackets() throws Exception {
        session.run("0001-udp-24-r1", "udp", 24)
                .scheduled(1_000, 0, 1_000, 2_000)
                .sent(0, 1_000, 2_000)
                .received(at(0, 100), at(2, 2_300), at(2, 2_400))
                .write();
    }

    private ParquetFileReader open(String run) throws Exception {
        return ParquetFileReader.open(new LocalInputFile(output.resolve(run + ".parquet")));
    }

    private List<Exported> export(boolean includeBroken) throws LagbenchException {
        SummaryOptions options = new SummaryOptions(includeBroken, false);
        return Exports.write(Session.open(session.path()), Exports.FORMATS.named("parquet"), output, options);
    }

    private static long[] at(long packet, long ns) {
        return new long[] {packet, ns};
    }
}
