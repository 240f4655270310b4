package org.lagbench.dataset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.dataset.DatasetSession.Part;
import org.lagbench.dataset.DatasetTables.LagRow;
import org.lagbench.dataset.DatasetTables.MetricRow;
import org.lagbench.dataset.DatasetTables.RunRow;
import org.lagbench.dataset.DatasetTables.SeriesRow;
import org.lagbench.report.export.Exports;
import org.lagbench.report.export.PacketTable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Adds a session to a dataset, a directory of Parquet files for query engines: one file for each session and table,
 * {@code <table>/date=YYYY-MM-DD/<session>-<id>.parquet}. The session replaces its files of an earlier export; the same
 * session gives the same bytes. A session with the identity of another one is refused: another author can have written
 * it, so that it replaces that one's rows.
 *
 * <p>A reader that joins through {@code runs} sees a session whole or not at all: its file is deleted first and renamed
 * into place last, each file whole.
 *
 * <p>Needs memory for a row group of a million rows as it is stored, about 10 to 40 MB, and for the runs of one pair of
 * a matrix.
 */
public final class Dataset implements AutoCloseable {
    /** The version of the tables, in the file {@value #FILE_NAME} of the dataset, which also lists the columns. */
    public static final String FORMAT = "lagbench-dataset-3";

    private static final String FILE_NAME = "dataset.json";
    private static final String CREATED = "lagbench.created";
    private static final String PACKETS = "packets";
    private static final String LAGS = "lags";
    private static final String METRICS = "metrics";
    private static final String SERIES = "series";
    private static final String RUNS = "runs";

    /** The tables in the order in which they are renamed into place. */
    private static final List<String> TABLES = List.of(PACKETS, LAGS, METRICS, SERIES, RUNS);

    private final Path directory;
    private final DatasetSession session;
    private final boolean isReplaced;
    private final Map<String, AtomicFile> files = new HashMap<>();
    private final PacketFile packets;
    private final ParquetFile<LagRow> lags;
    private final LagBins bins;
    private final ParquetFile<MetricRow> metrics;
    private final ParquetFile<RunRow> runs;
    private final List<String> excluded = new ArrayList<>();
    private final LongStream.Builder runIds = LongStream.builder();
    private long rows;

    /**
     * What was added.
     *
     * @param session the session's name
     * @param id its identity
     * @param rows the number of rows of packets
     * @param isReplaced whether an earlier export of the session was replaced
     * @param excluded the runs that were not added, each with the reason
     */
    public record Added(String session, UUID id, long rows, boolean isReplaced, List<String> excluded) {}

    private Dataset(Path directory, DatasetSession session) throws IOException, LagbenchException {
        this.directory = directory;
        this.session = session;
        isReplaced = isExported();
        packets = new PacketFile(
                create(PACKETS), DatasetTables.packets(session.id()), CompressionCodecName.ZSTD, metadata(PACKETS));
        lags = open(LAGS, DatasetTables.lags());
        bins = new LagBins(
                (run, bin, count, sum, squares) -> lags.write(new LagRow(session, run, bin, count, sum, squares)));
        metrics = open(METRICS, DatasetTables.metrics());
        runs = open(RUNS, DatasetTables.runs());
    }

    /**
     * Adds or replaces a session.
     *
     * @param directory the dataset, created if it does not exist
     * @param path the directory of a session of a sweep, a monitor or a matrix
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if a file cannot be read or written, or the
     *     dataset has another format
     */
    public static Added add(Path directory, Path path) throws LagbenchException {
        DatasetSession session = DatasetSession.open(path);
        return IoErrors.explained(directory + " cannot be written", () -> {
            requireFormat(directory);
            try (Dataset dataset = new Dataset(directory, session)) {
                dataset.write();
                return new Added(
                        session.name(), session.id(), dataset.rows, dataset.isReplaced, List.copyOf(dataset.excluded));
            }
        });
    }

    private static void requireFormat(Path directory) throws IOException, LagbenchException {
        Path file = directory.resolve(FILE_NAME);
        String expected = ResultMapper.text(DatasetTables.description(FORMAT));
        if (!Files.exists(file)) {
            AtomicFile.createDirectoriesForOthers(directory);
            AtomicFile.writeForOthers(file, expected);
        } else if (!Files.readString(file).equals(expected)) {
            throw ExitCode.FILES.failure(file + " is not of format " + FORMAT
                    + " with the columns of this version of lagbench; name another directory.");
        }
    }

    private <R> ParquetFile<R> open(String table, List<ParquetFile.Column<R>> columns) throws IOException {
        return new ParquetFile<>(create(table), columns, metadata(table));
    }

    /** Returns what the file says about itself, in one order: a session exported again has the same bytes. */
    private Map<String, String> metadata(String table) {
        return new TreeMap<>(Map.of("lagbench.format", FORMAT + "/" + table, CREATED, session.createdAt()));
    }

    private Path target(String table) {
        return directory
                .resolve(table)
                .resolve("date=" + session.date())
                .resolve(session.name() + "-" + session.id() + ".parquet");
    }

    private Path create(String table) throws IOException {
        Path target = target(table);
        AtomicFile.createDirectoriesForOthers(target.resolveSibling(""));
        AtomicFile file = AtomicFile.forOthers(target);
        files.put(table, file);
        return file.path();
    }

    private AtomicFile file(String table) {
        return Objects.requireNonNull(files.get(table), table);
    }

    private void write() throws IOException, LagbenchException {
        for (Part part : session.parts()) {
            write(part);
        }
        try (ParquetFile<SeriesRow> series = open(SERIES, DatasetTables.series())) {
            writeSeries(series);
        }
        packets.close();
        bins.flush();
        lags.close();
        metrics.close();
        runs.close();
        requireDistinct(runIds.build(), session.path());
        Files.deleteIfExists(target(RUNS));
        for (String table : TABLES) {
            file(table).publish();
        }
    }

    private void write(Part part) throws IOException, LagbenchException {
        Session ofPart = part.session();
        Summary summary = Summaries.of(ofPart, SummaryOptions.DEFAULT);
        Map<String, MeasuredPoint> points = new HashMap<>();
        summary.excluded().forEach(run -> {
            if (run.point() != null) {
                points.put(run.name(), run.point());
            }
        });
        for (PointSummary point : summary.points()) {
            String id = id(point.point());
            write(part, id, null, point.point(), point.pooled());
            for (PointSummary.RunSummary run : point.runs()) {
                points.put(run.name(), point.point());
                write(part, id, part.run(run.name()), point.point(), run.metrics());
            }
        }
        if (part.from() != null) {
            Map<Metric<?>, Interval> pair =
                    PairMetrics.of(ofPart, MatrixResult.METRICS).values();
            for (Metric<?> metric : MatrixResult.METRICS) {
                Interval value = pair.get(metric);
                if (value != null) {
                    metrics.write(new MetricRow(session, part, null, null, metric.id(), metric.unit(), value.value()));
                }
            }
        }
        for (RunDirectory run : ofPart.runs()) {
            write(part, run, points.get(run.name()));
        }
    }

    private void write(Part part, String pointId, @Nullable String run, MeasuredPoint point, Metrics values)
            throws IOException {
        List<MetricRow> found = new ArrayList<>();
        values.forEach(point, (metric, value) -> {
            if (Double.isFinite(value)) {
                found.add(new MetricRow(session, part, pointId, run, metric.id(), metric.unit(), value));
            }
        });
        for (MetricRow row : found) {
            metrics.write(row);
        }
    }

    private void write(Part part, RunDirectory directoryOfRun, @Nullable MeasuredPoint point)
            throws IOException, LagbenchException {
        String name = part.run(directoryOfRun.name());
        String pointId = point == null ? null : id(point);
        long runId = hash(name) & Long.MAX_VALUE;
        runIds.add(runId);
        List<String> flaws = directoryOfRun.flaws();
        RunPacketCounts counts = null;
        if (flaws.isEmpty() && point != null) {
            try (JoinedRun run = directoryOfRun.open()) {
                String mismatch = directoryOfRun.mismatch(run);
                if (mismatch == null) {
                    writePackets(directoryOfRun, run, runId, point);
                    counts = run.counts();
                } else {
                    flaws.add(mismatch);
                }
            }
        }
        String reason = flaws.isEmpty() ? null : String.join("; ", flaws);
        if (reason != null) {
            excluded.add(name + ": " + reason);
        }
        RunRecord record = directoryOfRun.record();
        String text =
                record == null ? null : Files.readString(directoryOfRun.path().resolve(RunRecord.FILE_NAME));
        JsonNode members = record == null ? MissingNode.getInstance() : record.json();
        runs.write(new RunRow(session, part, runId, name, point, pointId, reason, counts, members, text));
    }

    private void writePackets(RunDirectory directoryOfRun, JoinedRun run, long runId, MeasuredPoint point)
            throws IOException, LagbenchException {
        PacketTable table = new PacketTable(directoryOfRun, run, Tail.DEFAULT, new Exports.Marks(null, List.of()));
        long[] row = new long[DatasetTables.PACKET_KEYS + PacketTable.columns().size()];
        row[1] = runId;
        bins.start(runId);
        table.forEach(values -> {
            System.arraycopy(values, 0, row, DatasetTables.PACKET_KEYS, values.length);
            if (!point.hasSchedule()) {
                row[DatasetTables.SCHEDULED] = ParquetFile.ABSENT;
            }
            packets.write(row);
            if (values[PacketTable.COPY] == 0) {
                bins.add(values[PacketTable.LAG]);
            }
            rows++;
        });
    }

    private void writeSeries(ParquetFile<SeriesRow> file) throws IOException, LagbenchException {
        if (!SeriesIndex.isIn(session.path())) {
            return;
        }
        for (SeriesInfo info : SeriesIndex.read(session.path()).series()) {
            IOException[] failure = {null};
            SeriesFiles.read(session.path(), info.name(), Long.MIN_VALUE, Long.MAX_VALUE, (atNs, value, state) -> {
                try {
                    if (failure[0] == null) {
                        file.write(new SeriesRow(session, info, atNs, value, state));
                    }
                } catch (IOException e) {
                    failure[0] = e;
                }
            });
            if (failure[0] != null) {
                throw failure[0];
            }
        }
    }

    /**
     * Checks that no two runs have the same identity, which is a hash: a reader would mix their packets.
     *
     * @throws LagbenchException with {@link ExitCode#FILES}, if two have; the probability is 2·10⁻⁶ for 6 million runs
     */
    static void requireDistinct(LongStream runIds, Path path) throws LagbenchException {
        long[] sorted = runIds.sorted().toArray();
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw ExitCode.FILES.failure(
                        path + " has two runs with the same run_id " + sorted[i] + "; move one of them elsewhere.");
            }
        }
    }

    /**
     * Returns whether the dataset has files of the session.
     *
     * @throws LagbenchException with {@link ExitCode#FILES}, if it has files of another session with the same identity
     */
    private boolean isExported() throws IOException, LagbenchException {
        boolean isFound = false;
        for (String table : TABLES) {
            Path folder = directory.resolve(table);
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (Stream<Path> found = Files.find(folder, 2, (file, attributes) -> String.valueOf(file.getFileName())
                    .endsWith("-" + session.id() + ".parquet"))) {
                for (Path file : found.toList()) {
                    if (!file.equals(target(table))
                            || !ParquetFile.metadata(file, CREATED).equals(session.createdAt())) {
                        throw ExitCode.FILES.failure(session.path()
                                + " has the id of another session, whose rows are in "
                                + file + ": its name or the time of its creation differs. If it is the same session"
                                + " renamed, delete the files of that id in all tables first.");
                    }
                    isFound = true;
                }
            }
        }
        return isFound;
    }

    /** Returns a text that identifies a point in all sessions. */
    private static String id(MeasuredPoint point) {
        return Long.toHexString(hash(ResultMapper.tree(point).toString()));
    }

    private static long hash(String text) {
        UUID hash = UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
        return hash.getMostSignificantBits() ^ hash.getLeastSignificantBits();
    }

    /** Deletes the files that were not renamed into place. */
    @Override
    public void close() throws IOException {
        for (AtomicFile file : files.values()) {
            file.close();
        }
    }
}
