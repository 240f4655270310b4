package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;

/** Compares the views media and playout with metrics computed by hand. */
class MediaViewsTest {
    @TempDir
    private Path directory;

    private SessionFixture session;

    @BeforeEach
    void makeSession() throws Exception {
        session = new SessionFixture(directory.resolve("session"));
        // lags in ns: 100, 200, lost, lost, 1,500 after the last, and 400; and a copy of the first; sent at once,
        // though
        // the pace of 200 ms makes the run long enough for a period of the delivery index
        session.run("0001-udp-24-r1", "udp", 24)
                .scheduled(200_000_000, 0, 1_000, 2_000, 3_000, 4_000, 5_000)
                .sent(0, 1_000, 2_000, 3_000, 4_000, 5_000)
                .received(at(0, 100), at(1, 1_200), at(0, 1_300), at(5, 5_400), at(4, 5_100 + 400))
                .write();
    }

    @Test
    void showsMetricsInTheirColumns() throws Exception {
        List<Table> tables = document(new MediaView()).tables();
        assertThat(tables)
                .extracting(Table::title)
                .containsExactly("Delay variation", "Loss, reordering and copies", "Media Delivery Index (RFC 4445)");
        // jitter: |D| = 100, 200, 1,100: 6.25, 18.359375, 85.96…; IPDV: 100, and 400 - 1,500; PDV: 0, 100, 300, 1,400
        assertThat(cells(tables.get(0), "Last", "Max", "Max", "Max")).containsExactly("0.086", "0.086", "1.10", "1.40");
        assertThat(cells(tables.get(1), "Sent", "Lost", "Periods", "Mean length", "Longest", "Noticeable"))
                .containsExactly("6", "! 2", "1", "2", "2", "50");
        assertThat(cells(tables.get(1), "Packets", "Share", "Mean extent", "Max extent", "3-reordered", "Share"))
                .containsExactly("1", "25", "1", "1", "0", "25");
        // VB from -1,100 ns before the second arrival to 600 ms - 5,400 ns after the last; three numbers skipped
        assertThat(cells(tables.get(2), "Media rate", "Periods", "Left out", "Max", "Max"))
                .containsExactly("5", "1", "1", "600", "3");
    }

    @Test
    void doesNotExtrapolateFromTooFewPackets() throws Exception {
        Table fixed = document(new PlayoutView()).tables().get(0);
        assertThat(fixed.rows()).hasSize(4);
        assertThat(fixed.rows())
                .extracting(row -> row.get(2) + ": " + row.get(3) + ", " + row.get(row.size() - 1))
                .containsExactly(
                        "5 %: –, needs 72 packets",
                        "1 %: –, needs 368 packets",
                        "0.1 %: –, needs 3,688 packets",
                        "0.01 %: –, needs 36,887 packets");
    }

    @Test
    void notesThatFloodsHaveNoDeliveryIndex() throws Exception {
        session.run("0002-tcp-24-r1", "tcp", 24).sent(0).received(at(0, 5)).write();
        Document document = document(new MediaView());
        assertThat(document.tables().get(2).rows()).hasSize(1);
        assertThat(document.notes()).anyMatch(note -> note.startsWith("Floods have no Media Delivery Index"));
    }

    @ParameterizedTest
    @EnumSource
    void allFormatsContainMediaMetrics(TableFormat format) throws Exception {
        String media = TableView.of(new MediaView()).result(summary()).text(format);
        // the maximum of PDV, 1.4 µs, as a cell or in a file
        assertThat(media).containsPattern("\\b1\\.40?0?\\b");
        String playout = new TableView(new PlayoutView(), false, true, null)
                .result(summary())
                .text(format);
        assertThat(playout).contains("0001-udp-24-r1");
    }

    /** Returns cells of the first row by header; a repeated header means the next column of that name. */
    private static List<String> cells(Table table, String... headers) {
        List<String> row = table.rows().get(0);
        List<String> names = table.columns().stream().map(Table.Column::header).toList();
        int[] from = {0};
        return Arrays.stream(headers)
                .map(header -> {
                    int at = from[0] + names.subList(from[0], names.size()).indexOf(header);
                    assertThat(at).as(header).isGreaterThanOrEqualTo(from[0]);
                    from[0] = at + 1;
                    return row.get(at);
                })
                .toList();
    }

    private Document document(View view) throws Exception {
        return Document.of(summary(), TableView.of(view));
    }

    private Summary summary() throws Exception {
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
    }

    private static long[] at(long packet, long ns) {
        return new long[] {packet, ns};
    }
}
