package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.stage.BufferMetrics;
import org.lagbench.analysis.stage.Stage;
import org.lagbench.analysis.stage.StageMetrics;
import org.lagbench.analysis.stage.StageMetrics.QuantileComposition;
import org.lagbench.analysis.stage.StageMetrics.StageStatistics;
import org.lagbench.analysis.summary.BufferGrant;
import org.lagbench.analysis.summary.MetricGroup;

/**
 * The composition of the lag by stages, the statistics of each stage, the fill level of the buffers, and the sizes of
 * the socket buffers that the kernels granted.
 */
final class StageView {
    private record StageRow(String title, StageMetrics metrics, ToDoubleFunction<StageStatistics> ns) {}

    /** A statistic of the fill levels of all buffers. Only the first row has the shares of time. */
    private record LevelRow(String title, BufferMetrics buffers, ToDoubleFunction<BufferMetrics.Level> bytes) {}

    private StageView() {}

    static List<Table> tables(PointRows rows) {
        List<Stage> stages = stages(rows);
        return List.of(compositions(rows, stages), statistics(rows, stages), buffers(rows));
    }

    static List<String> notes(PointRows rows) {
        List<Stage> stages = stages(rows);
        if (stages.isEmpty()) {
            return List.of(
                    "Stages were not recorded. Set \"observe: stages\" in the experiment, or use --observe stages.");
        }
        List<String> notes = new ArrayList<>();
        notes.add("Composition of the lag: the mean of each stage over the n packets whose lag is within "
                + QuantileComposition.BAND_PERMILLE / 10.0 + " % of that quantile. The stages sum up to that lag.");
        notes.add("Stages: application, from scheduled to sent, before the lag; socket buffer, until the queueing"
                + " discipline has the packet; queueing discipline, until the driver has it; wire, until the receiver's"
                + " kernel has it from its driver; receive buffer, while the reader has earlier packets; reader, the"
                + " rest.");
        if (stages.contains(Stage.RETRANSMISSION)) {
            notes.add("TCP: retransmission, from the first time that the driver had the packet to the last before it"
                    + " arrived; head of line, in the receiver's kernel until the packets before it have arrived.");
        }
        notes.add("TCP: the kernel stamps the last byte of a segment. A packet inside a segment that arrived before the"
                + " driver had taken the segment's end counts as queued until its arrival, with no time on the wire.");
        if (stages.contains(Stage.TRANSMIT_QUEUE)) {
            notes.add("IEEE-1394: transmit queue, until the start of the packet's cycle; wire, until the end of the"
                    + " cycle or, for small packets that are complete before it, until the packet is received; receive"
                    + " buffer, until the interrupt that reports it and while the reader has earlier packets.");
        }
        notes.add("Incomplete: arrived packets without one of the stamps. These tables exclude them.");
        notes.add("Buffers were sampled every ms from the first packet to the last. Those of UDP include the kernel's"
                + " bookkeeping.");
        return notes;
    }

    /** Returns the stages that occur at any point. */
    private static List<Stage> stages(PointRows rows) {
        return Arrays.stream(Stage.values())
                .filter(stage -> rows.pooled(MetricGroup.STAGES).stream()
                        .anyMatch(found -> found.stages().containsKey(stage)))
                .toList();
    }

    private static Table compositions(PointRows rows, List<Stage> stages) {
        TableColumns<QuantileComposition> columns = new TableColumns<QuantileComposition>()
                .text("Lag at", row -> row.percent() == 50 ? "Median" : "Q" + row.percent())
                .time("Lag", QuantileComposition::lagNs);
        stages.stream()
                .filter(stage -> stage != Stage.APPLICATION)
                .forEach(
                        stage -> columns.time(stage.title(), row -> row.meanNs().getOrDefault(stage, Double.NaN)));
        columns.time("Sum", QuantileComposition::sumNs).count("n", QuantileComposition::packets);
        return rows.table(
                "Composition of the lag",
                columns,
                MetricGroup.STAGES,
                found -> List.copyOf(found.compositions().values()));
    }

    private static Table statistics(PointRows rows, List<Stage> stages) {
        TableColumns<StageRow> columns = new TableColumns<StageRow>()
                .text("Statistic", StageRow::title)
                .time("Lag", row -> row.ns().applyAsDouble(row.metrics().lag()));
        for (Stage stage : stages) {
            columns.time(stage.title(), row -> {
                StageStatistics statistics = row.metrics().stages().get(stage);
                return statistics == null ? Double.NaN : row.ns().applyAsDouble(statistics);
            });
        }
        columns.count("Packets", row -> row.metrics().packets())
                .count("Incomplete", row -> row.metrics().incomplete());
        return rows.table(
                "Stages",
                columns,
                MetricGroup.STAGES,
                found -> List.of(
                        new StageRow("Mean", found, StageStatistics::meanNs),
                        new StageRow("Median", found, StageStatistics::medianNs),
                        new StageRow("Q95", found, StageStatistics::q95Ns),
                        new StageRow("Q99", found, StageStatistics::q99Ns)));
    }

    private static Table buffers(PointRows rows) {
        TableColumns<LevelRow> columns = new TableColumns<LevelRow>().text("Bytes", LevelRow::title);
        addLevel(columns, "Send buffer", "send");
        addLevel(columns, "of it not sent", "notSent");
        addLevel(columns, "of it unacknowledged", "unacked");
        addLevel(columns, "Receive buffer", "receive");
        addShare(columns, "Busy", "busy");
        addShare(columns, "Limited by receive window", "receiveWindowLimited");
        addShare(columns, "Limited by send buffer", "sendBufferLimited");
        return rows.table("Fill level of the buffers, and what limited TCP", columns, MetricGroup.STAGES, found -> {
            BufferMetrics buffers = found.occupancy();
            return buffers == null
                    ? List.of()
                    : List.of(
                            new LevelRow("Median", buffers, BufferMetrics.Level::medianBytes),
                            new LevelRow("Q95", buffers, BufferMetrics.Level::q95Bytes),
                            new LevelRow("Max", buffers, BufferMetrics.Level::mostBytes));
        });
    }

    private static void addLevel(TableColumns<LevelRow> columns, String title, String name) {
        columns.number(title, "bytes", row -> {
            BufferMetrics.Level level = row.buffers().levels().get(name);
            return level == null ? Numbers.NONE : Numbers.grouped(0, row.bytes().applyAsDouble(level));
        });
    }

    private static void addShare(TableColumns<LevelRow> columns, String title, String name) {
        columns.number(title, "% of time", row -> {
            Double share = row.buffers().shares().get(name);
            return !row.title().equals("Median") ? "" : share == null ? Numbers.NONE : Numbers.fixed(1, 100 * share);
        });
    }

    static List<Table> bufferTables(PointRows rows) {
        TableColumns<Map<BufferGrant.BufferSide, BufferGrant>> columns = new TableColumns<>();
        add(columns.group("Send buffer"), BufferGrant.BufferSide.SEND);
        add(columns.group("Receive buffer"), BufferGrant.BufferSide.RECEIVE);
        return List.of(rows.table(
                "Socket buffers",
                columns,
                MetricGroup.BUFFERS,
                buffers -> buffers.isEmpty() ? List.of() : List.of(buffers)));
    }

    private static void add(
            TableColumns<Map<BufferGrant.BufferSide, BufferGrant>> columns, BufferGrant.BufferSide side) {
        columns.number("Requested", "bytes", of(side, grant -> Numbers.count(grant.requestedBytes())))
                .number("Granted", "bytes", of(side, StageView::granted))
                .number("Limit", "bytes", of(side, grant -> Numbers.count(grant.limitBytes())));
    }

    private static Function<Map<BufferGrant.BufferSide, BufferGrant>, String> of(
            BufferGrant.BufferSide side, Function<BufferGrant, String> cell) {
        return grants -> {
            BufferGrant grant = grants.get(side);
            return grant == null ? Numbers.NONE : cell.apply(grant);
        };
    }

    private static String granted(BufferGrant grant) {
        String min = Numbers.count(grant.leastBytes());
        return grant.leastBytes() == grant.mostBytes() ? min : min + "–" + Numbers.count(grant.mostBytes());
    }

    static List<String> bufferNotes(PointRows rows) {
        return List.of(
                "Granted: the size that Linux reports, twice the requested size, half of it for bookkeeping. Two sizes"
                        + " are the minimum and the maximum of the runs, where the kernel grows buffers itself.",
                "Limit: net.core.wmem_max and rmem_max, where they are below the requested size.");
    }
}
