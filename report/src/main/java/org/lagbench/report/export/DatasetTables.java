package org.lagbench.report.export;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.series.SeriesFiles.SeriesState;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.report.export.ParquetFile.Column;

/** The rows and the columns of the tables of a dataset. Each table has the same columns in all files. */
final class DatasetTables {
    private static final String EPOCH_NS = "ns since 1970-01-01T00:00:00Z by the sender's CLOCK_REALTIME";
    private static final String PACKETS = "packets";
    private static final String SESSION_ID = "identity of the session";
    private static final String RUN = "name of the run, unique in the session";
    private static final String POINT = "what was set and what it ran on, as a hash";

    private DatasetTables() {}

    /**
     * A run of a session.
     *
     * @param run its name in the dataset
     * @param point its point and the hash of it; null if unknown
     * @param excluded why its packets are not in the dataset; null if they are
     * @param text its record as text; null if it cannot be read
     */
    record RunRow(
            DatasetSession session,
            DatasetSession.Part part,
            String run,
            @Nullable MeasuredPoint point,
            @Nullable String pointId,
            @Nullable RunRecord record,
            @Nullable String excluded,
            @Nullable String text) {}

    /**
     * A value of a metric.
     *
     * @param pointId the hash of the point; null for metrics of a pair of sites
     * @param run the run; null for all runs of the point
     */
    record MetricRow(
            DatasetSession session,
            DatasetSession.Part part,
            @Nullable String pointId,
            @Nullable String run,
            String metric,
            String unit,
            double value) {}

    /** A record of a series. */
    record SeriesRow(DatasetSession session, SeriesInfo info, long atNs, double value, int state) {}

    /** A packet, with what all packets of its run have. */
    static final class PacketRow {
        private final Binary session;
        private final Binary run;
        private final Binary point;
        private final Binary transport;
        private final long packetBytes;
        private final long[] values;

        /** @param values the row of {@link PacketTable}, which is reused */
        PacketRow(DatasetSession session, String run, String pointId, MeasuredPoint point, long[] values) {
            this.session = Binary.fromString(session.id().toString());
            this.run = Binary.fromString(run);
            this.point = Binary.fromString(pointId);
            this.transport = Binary.fromString(point.transport());
            this.packetBytes = point.packetBytes();
            this.values = values;
        }
    }

    static List<Column<RunRow>> runs() {
        List<Column<RunRow>> columns = new ArrayList<>();
        columns.add(text("session_id", SESSION_ID, row -> row.session.id().toString()));
        columns.add(text("session", "name of the session's directory", row -> row.session.name()));
        columns.add(text("run", RUN, row -> row.run));
        columns.add(text("from_site", "sending site of a matrix", row -> row.part.from()));
        columns.add(text("to_site", "receiving site of a matrix", row -> row.part.to()));
        columns.add(text("point", POINT, row -> row.pointId));
        columns.add(text("transport", "name", ofPoint(MeasuredPoint::transport)));
        columns.add(text("network", "name in tables", ofPoint(MeasuredPoint::network)));
        columns.add(
                number("packet_bytes", "B", row -> row.point == null ? ParquetFile.ABSENT : row.point.packetBytes()));
        columns.add(text("traffic", "kind", ofPoint(MeasuredPoint::traffic)));
        columns.add(text("engine", "name", ofPoint(MeasuredPoint::engine)));
        columns.add(text("pace_mode", "name", ofPoint(MeasuredPoint::paceMode)));
        columns.add(number(
                "pace_interval_ns", "ns", row -> row.point == null ? ParquetFile.ABSENT : row.point.paceIntervalNs()));
        columns.add(number("transfer_bytes", "B", row -> {
            TransferSpec transfer = row.point == null ? null : row.point.transfer();
            return transfer == null ? ParquetFile.ABSENT : transfer.bytes();
        }));
        columns.add(text("stream", "name of the stream", row -> {
            StreamRole stream = row.point == null ? null : row.point.stream();
            return stream == null ? null : stream.name();
        }));
        columns.add(text("settings", "JSON", ofPoint(point -> ResultMapper.tree(point.settings())
                .toString())));
        columns.add(text("lab", "name of the emulated network", ofPoint(MeasuredPoint::lab)));
        columns.add(number(
                "repeat", "number, from 1", ofRecord(record -> record.run().repeat())));
        columns.add(number("packets", PACKETS, ofRecord(record -> record.point().packets())));
        columns.add(text(
                "state",
                "how the run ended",
                row -> row.record == null ? null : row.record.state().name()));
        columns.add(text("excluded", "why the packets are not in the dataset; null if they are", row -> row.excluded));
        columns.add(number("started_ns", EPOCH_NS, ofRecord(record -> ns(record.startedAt()))));
        columns.add(number("ended_ns", EPOCH_NS, ofRecord(record -> ns(record.endedAt()))));
        columns.add(text(
                "sender_host",
                "name",
                row -> row.record == null ? null : row.record.sender().host()));
        columns.add(text("receiver_host", "name", row -> {
            RunRecord.Side receiver = row.record == null ? null : row.record.receiver();
            return receiver == null ? null : receiver.host();
        }));
        columns.add(number("received", "packets, copies included", ofCounts(RunRecord.Counts::received)));
        columns.add(number("distinct_packets", PACKETS, ofCounts(RunRecord.Counts::distinct)));
        columns.add(number("duplicated", "further copies", ofCounts(RunRecord.Counts::duplicated)));
        columns.add(number("reordered", PACKETS, ofCounts(RunRecord.Counts::reordered)));
        columns.add(number("kernel_drops", "packets; -1 if unknown", ofCounts(RunRecord.Counts::kernelDrops)));
        columns.add(number("clock_bound_ns", "ns, ± the error of a lag", row -> {
            RunRecord.Clock clock = row.record == null ? null : row.record.clock();
            Long boundNs = clock == null ? null : clock.boundNs();
            return boundNs == null ? ParquetFile.ABSENT : boundNs;
        }));
        columns.add(text("clock_basis", "basis of the bound", row -> {
            RunRecord.Clock clock = row.record == null ? null : row.record.clock();
            ClockBound.Basis basis = clock == null ? null : clock.basis();
            return basis == null ? null : basis.name();
        }));
        columns.add(text("record", "JSON, run.json", row -> row.text));
        return columns;
    }

    static List<Column<MetricRow>> metrics() {
        return List.of(
                text("session_id", SESSION_ID, row -> row.session.id().toString()),
                text("from_site", "sending site of a matrix", row -> row.part.from()),
                text("to_site", "receiving site of a matrix", row -> row.part.to()),
                text("point", POINT + "; null for metrics of a pair of sites", row -> row.pointId),
                text("run", RUN + "; null for all runs of the point", row -> row.run),
                text("metric", "id", row -> row.metric),
                text("unit", "of the value", row -> row.unit),
                Column.ofDouble("value", "as the column unit", row -> row.value));
    }

    static List<Column<SeriesRow>> series() {
        return List.of(
                text("session_id", SESSION_ID, row -> row.session.id().toString()),
                text("session", "name of the session's directory", row -> row.session.name()),
                text("series", "name", row -> row.info.name()),
                text("title", "name for people", row -> row.info.title()),
                text("unit", "of the value", row -> row.info.unit()),
                text("target", "host that was probed", row -> row.info.target()),
                number("at_ns", EPOCH_NS, row -> row.atNs),
                Column.ofDouble("value", "as the column unit", row -> row.value),
                text("state", "ok, or why there is no value", row -> SeriesState.text(row.state)));
    }

    static List<Column<PacketRow>> packets() {
        List<Column<PacketRow>> columns = new ArrayList<>();
        columns.add(Column.ofBinary("session_id", SESSION_ID, false, row -> row.session));
        columns.add(Column.ofBinary("run", RUN, false, row -> row.run));
        columns.add(Column.ofBinary("point", POINT, false, row -> row.point));
        columns.add(Column.ofBinary("transport", "name", false, row -> row.transport));
        columns.add(Column.ofLong("packet_bytes", "B", false, row -> row.packetBytes));
        List<PacketTable.Column> all = PacketTable.columns();
        for (int i = 0; i < all.size() - 1; i++) { // without the state: all runs are complete
            Column<long[]> column = ParquetExport.column(all.get(i), i);
            columns.add(new Column<>(
                    column.name(),
                    column.unit(),
                    column.mayBeAbsent(),
                    column.isText(),
                    column.type(),
                    (row, at, consumer) -> column.field().write(row.values, at, consumer)));
        }
        return columns;
    }

    private static <R> Column<R> text(String name, String unit, Function<R, @Nullable String> reader) {
        return Column.ofText(name, unit, reader);
    }

    private static <R> Column<R> number(String name, String unit, ToLongFunction<R> reader) {
        return Column.ofLong(name, unit, true, reader);
    }

    private static Function<RunRow, @Nullable String> ofPoint(Function<MeasuredPoint, @Nullable String> reader) {
        return row -> row.point == null ? null : reader.apply(row.point);
    }

    private static ToLongFunction<RunRow> ofRecord(ToLongFunction<RunRecord> reader) {
        return row -> row.record == null ? ParquetFile.ABSENT : reader.applyAsLong(row.record);
    }

    private static ToLongFunction<RunRow> ofCounts(ToLongFunction<RunRecord.Counts> reader) {
        return row -> {
            RunRecord.Counts counts = row.record == null ? null : row.record.counts();
            return counts == null ? ParquetFile.ABSENT : reader.applyAsLong(counts);
        };
    }

    private static long ns(String time) {
        Instant instant = RunRecord.parseTime(time);
        return instant == null
                ? ParquetFile.ABSENT
                : TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }
}
