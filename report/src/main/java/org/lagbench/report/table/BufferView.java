package org.lagbench.report.table;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.lagbench.analysis.summary.BufferGrant;
import org.lagbench.analysis.summary.MetricGroup;

/** The sizes of the socket buffers that the kernels granted. */
final class BufferView {
    private BufferView() {}

    static List<Table> tables(PointRows rows) {
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
        String least = Numbers.count(grant.leastBytes());
        return grant.leastBytes() == grant.mostBytes() ? least : least + "–" + Numbers.count(grant.mostBytes());
    }

    static List<String> notes(PointRows rows) {
        return List.of(
                "Granted: the size that Linux reports, twice the requested size, half of it for bookkeeping. Two sizes"
                        + " are the least and the greatest of the runs, where the kernel grows buffers itself.",
                "Limit: net.core.wmem_max and rmem_max, where they are below the requested size.");
    }
}
