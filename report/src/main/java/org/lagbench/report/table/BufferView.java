package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.lagbench.analysis.summary.BufferGrant;

/** What the kernels granted of the sockets' buffers. */
final class BufferView implements ViewContent {
    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        TableColumns<Map<BufferGrant.BufferSide, BufferGrant>> columns = new TableColumns<>();
        add(columns.group("Send buffer"), BufferGrant.BufferSide.SEND);
        add(columns.group("Receive buffer"), BufferGrant.BufferSide.RECEIVE);
        return List.of(rows.table(
                "Buffers of the sockets",
                columns,
                figures -> figures.buffers().isEmpty() ? List.of() : List.of(figures.buffers())));
    }

    private static void add(
            TableColumns<Map<BufferGrant.BufferSide, BufferGrant>> columns, BufferGrant.BufferSide side) {
        columns.number("Asked for", "bytes", of(side, grant -> Numbers.count(grant.requestedBytes())));
        columns.number("Granted", "bytes", of(side, BufferView::granted));
        columns.number("Limit", "bytes", of(side, grant -> Numbers.count(grant.limitBytes())));
    }

    private static Function<Map<BufferGrant.BufferSide, BufferGrant>, String> of(
            BufferGrant.BufferSide side, Function<BufferGrant, String> cell) {
        return grants -> {
            BufferGrant grant = grants.get(side);
            return grant == null ? Numbers.NONE : cell.apply(grant);
        };
    }

    private static String granted(BufferGrant grant) {
        String least = Numbers.count(grant.leastBytes());
        return grant.leastBytes() == grant.mostBytes() ? least : least + "–" + Numbers.count(grant.mostBytes());
    }

    @Override
    public List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        notes.add("Granted: as Linux tells it, twice what is asked for, the half being for its own bookkeeping; two"
                + " figures are the least and the most of the runs, of a kernel that grows buffers of itself.");
        notes.add("Limit: net.core.wmem_max and rmem_max, where they are less than what was asked for.");
        return notes;
    }
}
