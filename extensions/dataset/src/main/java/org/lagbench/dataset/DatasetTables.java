package org.lagbench.dataset;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.dataset.ParquetFile.Column;
import org.lagbench.report.export.PacketTable;
import tools.jackson.databind.JsonNode;

/** The rows and the columns of the tables of a dataset. Each table has the same columns in all files. */
final class DatasetTables {
    private static final String EPOCH_NS = "ns since 1970-01-01T00:00:00Z by the sender's CLOCK_REALTIME";
    private static final String SESSION_ID = "identity of the session";
    private static final String RUN_ID = "identity of the run in its session";
    private static final String RUN = "name of the run, unique in the session";
    /** The number of the columns of packets that are the same in all rows of a run. */
    static final int PACKET_KEYS = 2;

    /** The index of the column of packets that is absent in runs without a schedule. */
    static final int SCHEDULED = PACKET_KEYS + 1;

    private static final String POINT = "what was set and what it ran on, as a hash";

    private DatasetTables() {}

    /**
     * A run of a session.
     *
     * @param id its identity in the session
     * @param run its name in the dataset
     * @param point its point and the hash of it; null if unknown
     * @param excluded why its packets are not in the dataset; null if they are
     * @param counts what its captures contain; null if its packets are not in the dataset
     * @param record its record, without members if it cannot be read
     * @param text the record as it is stored; null if it cannot be read
     */
    record RunRow(
            DatasetSession session,
            DatasetSession.Part part,
            long id,
            String run,
            @Nullable MeasuredPoint point,
            @Nullable String pointId,
            @Nullable String excluded,
            @Nullable RunPacketCounts counts,
            JsonNode record,
            @Nullable String text) {}

    /**
     * Lags of a run in a bin of {@link LagBins}.
     *
     * @param sum the sum of their offsets from the start of the bin
     * @param squares the sum of the squares of these offsets
     */
    record LagRow(DatasetSession session, long runId, long bin, long count, long sum, long squares) {}

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

    /** Returns the columns of runs, with one for each axis and each of the receiver's counts. */
    static List<Column<RunRow>> runs() {
        List<Column<RunRow>> columns = new ArrayList<>(List.of(
                Column.ofText("session_id", SESSION_ID, row -> row.session.id().toString()),
                Column.ofText("session", "name of the session's directory", row -> row.session.name()),
                Column.ofLong("run_id", RUN_ID, row -> row.id),
                Column.ofText("run", RUN, row -> row.run),
                Column.ofText("from_site", "sending site of a matrix", row -> row.part.from()),
                Column.ofText("to_site", "receiving site of a matrix", row -> row.part.to()),
                Column.ofText("point", POINT, row -> row.pointId),
                Column.ofText("network", "name in tables", ofPoint(MeasuredPoint::network)),
                Column.ofText("lab", "name of the emulated network", ofPoint(MeasuredPoint::lab)),
                text("stream", "name of the stream", "/run/stream/name")));
        for (Axis axis : Axis.ALL) {
            String name = axis.name().replace('-', '_');
            columns.add(
                    axis.isNumber()
                            ? Column.ofLong(name, name.endsWith("bytes") ? "B" : "number", row -> {
                                String value = ofPoint(axis).apply(row);
                                return value == null ? ParquetFile.ABSENT : Long.parseLong(value);
                            })
                            : Column.ofText(name, "as in an experiment file", ofPoint(axis)));
        }
        columns.add(Column.ofText(
                "settings", "JSON, of the transport and the engine", ofPoint(point -> ResultMapper.tree(settings(point))
                        .toString())));
        columns.add(number("pace_interval_ns", "ns", "/run/point/pace/intervalNs"));
        columns.add(number("repeat", "number, from 1", "/run/repeat"));
        columns.add(text("state", "how the run ended", "/state"));
        columns.add(Column.ofText(
                "excluded", "why the packets are not in the dataset; null if they are", row -> row.excluded));
        columns.add(Column.ofLong("started_ns", EPOCH_NS, ofTime("/startedAt")));
        columns.add(Column.ofLong("ended_ns", EPOCH_NS, ofTime("/endedAt")));
        columns.add(text("sender_host", "name", "/sender/host"));
        columns.add(text("receiver_host", "name", "/receiver/host"));
        for (RecordComponent count : RunRecord.Counts.class.getRecordComponents()) {
            String name = count.getName().replaceAll("[A-Z]", "_$0").toLowerCase(Locale.ROOT);
            columns.add(number("packets_" + name, "packets; -1 if unknown", "/counts/" + count.getName()));
        }
        columns.add(counted("sent", RunPacketCounts::sent));
        columns.add(counted("received", RunPacketCounts::received));
        columns.add(counted("lost", RunPacketCounts::lost));
        columns.add(number("clock_bound_ns", "ns, ± the error of a lag", "/clock/boundNs"));
        columns.add(text("clock_basis", "basis of the bound", "/clock/basis"));
        columns.add(Column.ofText("record", "JSON, run.json", row -> row.text));
        return columns;
    }

    static List<Column<LagRow>> lags() {
        return List.of(
                Column.ofText("session_id", SESSION_ID, row -> row.session.id().toString()),
                Column.ofLong("run_id", RUN_ID, row -> row.runId),
                Column.ofLong("bin", "lag_ns without the low " + LagBins.WIDTH_BITS + " bits", row -> row.bin),
                Column.ofLong("lags", "number of lags of first copies", row -> row.count),
                Column.ofLong("offsets", "ns, sum of the low bits", row -> row.sum),
                Column.ofLong("offsets_squared", "ns², sum of the squares of the low bits", row -> row.squares));
    }

    static List<Column<MetricRow>> metrics() {
        return List.of(
                Column.ofText("session_id", SESSION_ID, row -> row.session.id().toString()),
                Column.ofText("from_site", "sending site of a matrix", row -> row.part.from()),
                Column.ofText("to_site", "receiving site of a matrix", row -> row.part.to()),
                Column.ofText("point", POINT + "; null for metrics of a pair of sites", row -> row.pointId),
                Column.ofText("run", RUN + "; null for all runs of the point", row -> row.run),
                Column.ofText("metric", "id", row -> row.metric),
                Column.ofText("unit", "of the value", row -> row.unit),
                Column.ofDouble("value", "as the column unit", row -> row.value));
    }

    static List<Column<SeriesRow>> series() {
        return List.of(
                Column.ofText("session_id", SESSION_ID, row -> row.session.id().toString()),
                Column.ofText("session", "name of the session's directory", row -> row.session.name()),
                Column.ofText("series", "name", row -> row.info.name()),
                Column.ofText("title", "name for people", row -> row.info.title()),
                Column.ofText("unit", "of the value", row -> row.info.unit()),
                Column.ofText("target", "host that was probed", row -> row.info.target()),
                Column.ofLong("at_ns", EPOCH_NS, row -> row.atNs),
                Column.ofDouble("value", "as the column unit", row -> row.value),
                Column.ofText("state", "ok, or why there is no value", row -> SeriesState.text(row.state)));
    }

    /**
     * Returns the columns of packets: {@value #PACKET_KEYS} that find the run, and those of {@link PacketTable} but the
     * state, because all runs are complete.
     */
    static List<PacketTable.Column> packets(UUID sessionId) {
        List<PacketTable.Column> columns = new ArrayList<>(PacketTable.columns());
        columns.remove(columns.size() - 1);
        columns.add(0, new PacketTable.Column("session_id", SESSION_ID, false, code -> sessionId.toString()));
        columns.add(1, new PacketTable.Column("run_id", RUN_ID, false));
        return columns;
    }

    /** Returns the format and the names of the columns of each table. */
    static Map<String, Object> description(String format) {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("format", format);
        description.put("runs", runs().stream().map(Column::name).toList());
        description.put(
                "packets",
                packets(new UUID(0, 0)).stream().map(PacketTable.Column::name).toList());
        description.put("lags", lags().stream().map(Column::name).toList());
        description.put("metrics", metrics().stream().map(Column::name).toList());
        description.put("series", series().stream().map(Column::name).toList());
        return description;
    }

    private static Map<String, String> settings(MeasuredPoint point) {
        Map<String, String> settings = point.axes();
        Axis.ALL.forEach(axis -> settings.remove(axis.name()));
        return settings;
    }

    private static Function<RunRow, @Nullable String> ofPoint(Axis axis) {
        return ofPoint(point -> axis.reader().apply(point.point()));
    }

    private static Function<RunRow, @Nullable String> ofPoint(Function<MeasuredPoint, @Nullable String> reader) {
        return row -> row.point == null ? null : reader.apply(row.point);
    }

    /** Describes a column of a member of the record. */
    private static Column<RunRow> text(String name, String unit, String member) {
        return Column.ofText(name, unit, row -> row.record.at(member).asString(null));
    }

    private static Column<RunRow> number(String name, String unit, String member) {
        return Column.ofLong(name, unit, row -> row.record.at(member).asLong(ParquetFile.ABSENT));
    }

    private static Column<RunRow> counted(String name, ToLongFunction<RunPacketCounts> reader) {
        return Column.ofLong(
                name,
                "packets in the captures; null if they are not in the dataset",
                row -> row.counts == null ? ParquetFile.ABSENT : reader.applyAsLong(row.counts));
    }

    private static long nanoseconds(Instant time) {
        return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }

    private static ToLongFunction<RunRow> ofTime(String member) {
        return row -> {
            JsonNode value = row.record.at(member);
            return value.isString() ? nanoseconds(Instant.parse(value.stringValue())) : ParquetFile.ABSENT;
        };
    }
}
