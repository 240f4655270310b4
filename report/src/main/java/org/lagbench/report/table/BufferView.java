package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.summary.BufferGrant;
import org.lagbench.analysis.summary.BufferMetrics;
import org.lagbench.analysis.summary.MetricGroup;

/** The sizes of the socket buffers that the kernels granted, and their fill levels. */
public final class BufferView extends View {
    /** A statistic of the fill levels of all buffers. Only the first row has the shares of time. */
    private record LevelRow(String title, BufferMetrics buffers, ToDoubleFunction<BufferMetrics.Level> bytes) {}

    public BufferView() {
        super("buffers", 30, MetricGroup.BUFFERS, MetricGroup.OCCUPANCY);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        return List.of(grants(rows), levels(rows));
    }

    @Override
    protected List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        notes.add(
                "Granted: the size that Linux reports, twice the requested size, half of it for bookkeeping. Two sizes"
                        + " are the minimum and the maximum of the runs, where the kernel grows buffers itself.");
        notes.add("Limit: net.core.wmem_max and rmem_max, where they are below the requested size.");
        if (!rows.pooled(MetricGroup.OCCUPANCY).isEmpty()) {
            notes.add("Fill levels were sampled every ms from the first packet to the last. Those of UDP include the"
                    + " kernel's bookkeeping.");
        }
        return notes;
    }

    private static Table grants(PointRows rows) {
        TableColumns<Map<BufferGrant.BufferSide, BufferGrant>> columns = new TableColumns<>();
        add(columns.group("Send buffer"), BufferGrant.BufferSide.SEND);
        add(columns.group("Receive buffer"), BufferGrant.BufferSide.RECEIVE);
        return rows.table(
                "Socket buffers",
                columns,
                MetricGroup.BUFFERS,
                buffers -> buffers.isEmpty() ? List.of() : List.of(buffers));
    }

    private static void add(
            TableColumns<Map<BufferGrant.BufferSide, BufferGrant>> columns, BufferGrant.BufferSide side) {
        columns.number("Requested", "bytes", of(side, grant -> Numbers.count(grant.requestedBytes())))
                .number("Granted", "bytes", of(side, BufferView::granted))
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

    private static Table levels(PointRows rows) {
        TableColumns<LevelRow> columns = new TableColumns<LevelRow>().text("Bytes", LevelRow::title);
        addLevel(columns, "Send buffer", "send");
        addLevel(columns, "of it not sent", "notSent");
        addLevel(columns, "of it unacknowledged", "unacked");
        addLevel(columns, "Receive buffer", "receive");
        addShare(columns, "Busy", "busy");
        addShare(columns, "Limited by receive window", "receiveWindowLimited");
        addShare(columns, "Limited by send buffer", "sendBufferLimited");
        return rows.table(
                "Fill level of the buffers, and what limited TCP",
                columns,
                MetricGroup.OCCUPANCY,
                buffers -> List.of(
                        new LevelRow("Median", buffers, BufferMetrics.Level::medianBytes),
                        new LevelRow("Q95", buffers, BufferMetrics.Level::q95Bytes),
                        new LevelRow("Max", buffers, BufferMetrics.Level::mostBytes)));
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
}
