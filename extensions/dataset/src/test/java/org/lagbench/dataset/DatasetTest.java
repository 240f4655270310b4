package org.lagbench.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord.State;
import org.lagbench.core.run.SessionId;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;

class DatasetTest {
    private static final String NAME = "sweep-20260314T101500Z";
    private static final Instant CREATED = Instant.parse("2026-03-14T10:15:00Z");

    @TempDir
    private Path directory;

    private Path dataset;
    private SessionFixture session;

    @BeforeEach
    void makeSession() throws Exception {
        dataset = directory.resolve("dataset");
        session = new SessionFixture(directory.resolve(NAME));
        session.run("0001-udp-24-r1", "udp", 24)
                .sent(0, 1_000, 2_000)
                .received(at(0, 100), at(2, 2_300), at(2, 2_400))
                .write();
    }

    @Test
    void writesFileForEachTable() throws Exception {
        Dataset.Added added = Dataset.add(dataset, session.path());
        assertThat(added.rows()).isEqualTo(4);
        String file = "date=2026-03-14/" + NAME + "-" + added.id() + ".parquet";
        assertThat(files().keySet())
                .containsExactly(
                        "lags/" + file, "metrics/" + file, "packets/" + file, "runs/" + file, "series/" + file);
        assertThat(dataset.resolve("dataset.json"))
                .content()
                .contains(
                        "\"format\" : \"lagbench-dataset-3\"", "\"runs\" : [ \"session_id\", \"session\", \"run_id\"");
        List<Group> packets = rows(dataset.resolve("packets").resolve(file));
        assertThat(packets).extracting(row -> row.getLong("seq", 0)).containsExactly(0L, 1L, 2L, 2L);
        assertThat(packets)
                .extracting(row -> row.getFieldRepetitionCount("lag_ns"))
                .containsExactly(1, 0, 1, 1);
        Group run = rows(dataset.resolve("runs").resolve(file)).get(0);
        assertThat(run.getString("run", 0)).isEqualTo("0001-udp-24-r1");
        assertThat(run.getLong("packet_bytes", 0)).isEqualTo(24);
        assertThat(run.getLong("packets_received", 0)).isEqualTo(3);
        assertThat(run.getLong("sent", 0)).isEqualTo(3);
        assertThat(run.getLong("received", 0)).isEqualTo(3);
        assertThat(run.getLong("lost", 0)).isEqualTo(1);
        assertThat(rows(dataset.resolve("lags").resolve(file)))
                .extracting(
                        row -> row.getLong("bin", 0), row -> row.getLong("lags", 0), row -> row.getLong("offsets", 0))
                .containsExactly(tuple(0L, 2L, 400L));
        assertThat(packets).allSatisfy(row -> {
            assertThat(row.getLong("run_id", 0)).isEqualTo(run.getLong("run_id", 0));
            assertThat(row.getString("session_id", 0)).isEqualTo(added.id().toString());
            assertThat(row.getFieldRepetitionCount("scheduled_ns"))
                    .as("without a schedule")
                    .isZero();
        });
        List<Group> metrics = rows(dataset.resolve("metrics").resolve(file));
        assertThat(metrics)
                .filteredOn(row -> row.getString("metric", 0).equals("lag.median"))
                .extracting(row -> row.getDouble("value", 0))
                .as("of all runs, and of the one")
                .containsExactly(.2, .2);
        assertThat(metrics)
                .extracting(row -> row.getString("metric", 0))
                .as("of each group, and by their names if they are of a family")
                .contains("media.loss.lost", "recovery.loss.share", "recovery.unusable.100ms", "playout.packets");
    }

    @Test
    void encodesDifferencesAndCompresses() throws Exception {
        Dataset.add(dataset, session.path());
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(only("packets")))) {
            assertThat(reader.getFileMetaData().getKeyValueMetaData())
                    .containsEntry("lagbench.format", "lagbench-dataset-3/packets")
                    .containsEntry("lagbench.unit.lag_ns", "ns");
            assertThat(reader.getFooter().getBlocks().get(0).getColumns())
                    .allSatisfy(column -> assertThat(column.getCodec()).isEqualTo(CompressionCodecName.ZSTD))
                    .filteredOn(column -> column.getPath().toDotString().endsWith("_ns"))
                    .hasSizeGreaterThan(5)
                    .allSatisfy(DatasetTest::assertDeltaEncoded);
        }
    }

    private static void assertDeltaEncoded(ColumnChunkMetaData column) {
        assertThat(column.getEncodings()).contains(Encoding.DELTA_BINARY_PACKED);
    }

    @Test
    void givesSameBytesAgainAndReplacesThemAfterResume() throws Exception {
        Dataset.add(dataset, session.path());
        Map<String, byte[]> first = files();
        Dataset.add(dataset, session.path());
        assertThat(files())
                .hasSize(5)
                .allSatisfy((name, bytes) -> assertThat(bytes).as(name).isEqualTo(first.get(name)));
        session.run("0002-udp-24-r2", "udp", 24).sent(0).received(at(0, 7)).write();
        assertThat(Dataset.add(dataset, session.path()).rows()).isEqualTo(5);
        assertThat(files()).hasSize(5);
    }

    @Test
    void saysWhetherRowsAreReplaced() throws Exception {
        SessionId.create(session.path(), Instant.parse("2026-03-15T00:00:00Z"));
        assertThat(Dataset.add(dataset, session.path()).isReplaced()).isFalse();
        assertThat(files()).allSatisfy((name, bytes) -> assertThat(name).contains("/date=2026-03-15/" + NAME));
        Dataset.Added again = Dataset.add(dataset, session.path());
        assertThat(again.isReplaced()).isTrue();
        assertThat(again.id().version()).as("random").isEqualTo(4);
        assertThat(files()).hasSize(5);
    }

    /** Another author can write any identity into a session, and so would delete the rows of a session that has it. */
    @ParameterizedTest
    @CsvSource({
        "renamed, 2026-03-15T00:00:00Z",
        "sweep-20260314T101500Z, 2026-03-15T00:00:01Z", // on the same day, hence in the same file
        "sweep-20260314T101500Z, 2026-04-15T00:00:00Z",
    })
    void refusesIdentityOfAnotherSession(String name, String createdAt) throws Exception {
        SessionId.create(session.path(), Instant.parse("2026-03-15T00:00:00Z"));
        UUID id = Dataset.add(dataset, session.path()).id();
        Map<String, byte[]> before = files();
        SessionFixture foreign = new SessionFixture(
                Files.createDirectories(directory.resolve("foreign")).resolve(name));
        foreign.run("0001-udp-24-r1", "udp", 24).sent(0).received(at(0, 9)).write();
        Files.writeString(
                foreign.path().resolve("session.json"),
                "{\"format\": \"lagbench-session-1\", \"id\": \"" + id + "\", \"createdAt\": \"" + createdAt + "\"}\n");

        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> Dataset.add(dataset, foreign.path()))
                .satisfies(refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.FILES))
                .withMessageContaining(foreign.path() + " has the id of another session, whose rows are in " + dataset);
        assertThat(files()).containsExactlyInAnyOrderEntriesOf(before);
    }

    @Test
    void recordsWhyRunIsExcluded() throws Exception {
        session.run("0002-udp-24-r2", "udp", 24)
                .sent(0)
                .received(at(0, 100))
                .ended(State.BROKEN, "No receiver.")
                .write();
        assertThat(Dataset.add(dataset, session.path()).excluded())
                .containsExactly("0002-udp-24-r2: broke off: No receiver.");
        List<Group> runs = rows(only("runs"));
        assertThat(runs)
                .extracting(row -> row.getFieldRepetitionCount("excluded"))
                .containsExactly(0, 1);
        assertThat(runs).extracting(row -> row.getFieldRepetitionCount("sent")).containsExactly(1, 0);
        assertThat(runs)
                .allSatisfy(row -> assertThat(row.getString("record", 0)).contains("\"lagbench-run-"));
        assertThat(rows(only("packets"))).hasSize(4);
    }

    @Test
    void refusesTwoRunsWithTheSameId() throws Exception {
        Dataset.requireDistinct(LongStream.of(3, 1, 2), session.path());
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> Dataset.requireDistinct(LongStream.of(3, 1, 2, 3), session.path()))
                .withMessageContaining(NAME + " has two runs with the same run_id 3;");
    }

    @Test
    void addsPairsOfMatrix() throws Exception {
        Path matrix = directory.resolve("mesh-20260314T101500Z");
        for (String pair : List.of("vienna/graz", "graz/vienna")) {
            new SessionFixture(matrix.resolve("pairs").resolve(pair))
                    .run("0001-udp-24-r1", "udp", 24)
                    .sent(0, 1_000)
                    .received(at(0, 100), at(1, 1_100))
                    .write();
        }
        Files.createDirectories(matrix.resolve("pairs/graz/linz"));
        Files.writeString(matrix.resolve("sites.yaml"), "sites: []\n");
        SessionId.create(matrix, CREATED);
        assertThat(DatasetSession.open(matrix).parts())
                .as("opened one by one, because a matrix may have a million pairs")
                .extracting(DatasetSession.Part::opened)
                .containsExactly(null, null);
        assertThat(Dataset.add(dataset, matrix).rows()).isEqualTo(4);
        assertThat(rows(only("runs")))
                .extracting(row -> row.getString("run", 0), row -> row.getString("from_site", 0))
                .containsExactly(
                        tuple("graz/vienna/0001-udp-24-r1", "graz"), tuple("vienna/graz/0001-udp-24-r1", "vienna"));
        assertThat(rows(only("metrics")))
                .filteredOn(row -> row.getFieldRepetitionCount("point") == 0)
                .extracting(row -> row.getString("metric", 0))
                .containsExactly("lag.median", "loss", "lag.median", "loss");
    }

    @Test
    void addsSeriesOfMonitorWithoutRuns() throws Exception {
        Path monitor = Files.createDirectories(directory.resolve("monitor"));
        SessionId.create(monitor, CREATED);
        long startNs = 1_773_482_400_000_000_000L; // 2026-03-14T10:00:00Z
        SeriesInfo info = new SeriesInfo("rtt", "round trip", "ms", 1_000_000_000, SeriesInfo.Domain.ANY, "192.0.2.7");
        new SeriesIndex(startNs, List.of(info)).write(monitor);
        try (SeriesStore store = new SeriesStore(monitor, List.of(info))) {
            store.record(info, startNs, 1.5, SeriesState.OK);
            store.record(info, startNs + 1_000_000_000, Double.NaN, SeriesState.MISSED);
        }
        Dataset.add(dataset, monitor);
        assertThat(only("series").getParent()).endsWithRaw(Path.of("date=2026-03-14"));
        List<Group> rows = rows(only("series"));
        assertThat(rows).extracting(row -> row.getString("state", 0)).containsExactly("ok", "missed");
        assertThat(rows).extracting(row -> row.getFieldRepetitionCount("value")).containsExactly(1, 0);
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.getString("target", 0)).isEqualTo("192.0.2.7"));
        assertThat(rows(only("packets"))).isEmpty();
    }

    @Test
    void refusesDatasetOfOtherFormat() throws Exception {
        Files.createDirectories(dataset);
        Files.writeString(dataset.resolve("dataset.json"), "{\"format\": \"lagbench-dataset-9\"}\n");
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> Dataset.add(dataset, session.path()))
                .withMessageContaining("is not of format lagbench-dataset-3");
        assertThat(files()).isEmpty();
    }

    private Map<String, byte[]> files() throws Exception {
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> all = Files.walk(dataset)) {
            for (Path file : all.filter(path -> path.toString().endsWith(".parquet")
                            || path.toString().endsWith(".partial"))
                    .toList()) {
                contents.put(dataset.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }

    private Path only(String table) throws Exception {
        List<String> names = files().keySet().stream()
                .filter(name -> name.startsWith(table + "/"))
                .toList();
        assertThat(names).hasSize(1);
        return dataset.resolve(names.get(0));
    }

    private static List<Group> rows(Path file) throws Exception {
        List<Group> rows = new ArrayList<>();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
            MessageType schema = reader.getFileMetaData().getSchema();
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                RecordReader<Group> records = new ColumnIOFactory()
                        .getColumnIO(schema)
                        .getRecordReader(pages, new GroupRecordConverter(schema));
                for (long i = 0; i < pages.getRowCount(); i++) {
                    rows.add(records.read());
                }
            }
        }
        return rows;
    }

    private static long[] at(long packet, long ns) {
        return new long[] {packet, ns};
    }
}
