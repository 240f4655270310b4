package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.BufferGrant;
import org.lagbench.analysis.summary.Figures;
import tools.jackson.databind.node.ObjectNode;

/** What the kernels granted of the sockets' buffers. */
final class BufferView implements ViewContent {
    private static final String BYTES = "bytes";

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Column> columns = rows.columns();
        for (String buffer : List.of("Send buffer", "Receive buffer")) {
            columns.add(Column.number(buffer, "Asked for", BYTES));
            columns.add(Column.number(buffer, "Granted", BYTES));
            columns.add(Column.number(buffer, "Limit", BYTES));
        }
        return List.of(new Table(rows.title("Buffers of the sockets"), columns, rows.rows(BufferView::cells)));
    }

    @Override
    public List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        notes.add("Granted: as Linux tells it, twice what is asked for, the half being for its own bookkeeping; two"
                + " figures are the least and the most of the runs, of a kernel that grows buffers of itself.");
        notes.add("Limit: net.core.wmem_max and rmem_max, where they are less than what was asked for.");
        notes.addAll(Notes.ofRuns(rows.summary(), rows.axes()));
        return notes;
    }

    @Override
    public void putCsv(Map<String, String> row, @Nullable Figures figures) {
        for (BufferGrant.Side side : BufferGrant.Side.values()) {
            BufferGrant grant = figures == null ? null : grant(figures, side);
            row.put(side.fact() + "RequestedBytes", text(grant == null ? null : grant.requestedBytes()));
            row.put(side.fact() + "LeastBytes", text(grant == null ? null : (Long) grant.leastBytes()));
            row.put(side.fact() + "MostBytes", text(grant == null ? null : (Long) grant.mostBytes()));
            row.put(side.fact() + "LimitBytes", text(grant == null ? null : grant.limitBytes()));
        }
    }

    @Override
    public void putJson(ObjectNode node, Figures figures) {
        ObjectNode buffers = node.putObject("buffers");
        for (BufferGrant grant : figures.buffers()) {
            ObjectNode buffer = buffers.putObject(grant.side().fact());
            buffer.put("requestedBytes", grant.requestedBytes());
            buffer.put("leastBytes", grant.leastBytes());
            buffer.put("mostBytes", grant.mostBytes());
            buffer.put("limitBytes", grant.limitBytes());
        }
    }

    private static List<List<String>> cells(Figures figures) {
        if (figures.buffers().isEmpty()) {
            return List.of();
        }
        List<String> cells = new ArrayList<>();
        for (BufferGrant.Side side : BufferGrant.Side.values()) {
            BufferGrant grant = grant(figures, side);
            if (grant == null) {
                cells.addAll(List.of(Numbers.NONE, Numbers.NONE, Numbers.NONE));
            } else {
                cells.add(Numbers.count(grant.requestedBytes()));
                cells.add(
                        grant.leastBytes() == grant.mostBytes()
                                ? Numbers.count(grant.leastBytes())
                                : Numbers.count(grant.leastBytes()) + "–" + Numbers.count(grant.mostBytes()));
                cells.add(Numbers.count(grant.limitBytes()));
            }
        }
        return List.of(cells);
    }

    private static @Nullable BufferGrant grant(Figures figures, BufferGrant.Side side) {
        for (BufferGrant grant : figures.buffers()) {
            if (grant.side() == side) {
                return grant;
            }
        }
        return null;
    }

    private static String text(@Nullable Long bytes) {
        return bytes == null ? "" : Long.toString(bytes);
    }
}
