package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;

class ComparisonNotesTest {
    @TempDir
    private Path directory;

    /** Returns the comparison of two engines with these lags in µs of each repeat; 0 if the packet was lost. */
    private String comparison(long[] java, long[] c) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("engines"));
        for (int i = 0; i < java.length; i++) {
            write(session, "java", i + 1, java[i]);
            write(session, "c", i + 1, c[i]);
        }
        return new TableView(new ComparisonView(), false, false, new Between("engine", "java", Between.MARGIN))
                .result(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT))
                .text(TableFormat.MARKDOWN);
    }

    private static void write(SessionFixture session, String engine, int repeat, long lagUs) throws Exception {
        session.run(engine + "-r" + repeat, "udp", 24)
                .engine(engine, "default")
                .sent(0)
                .received(lagUs == 0 ? new long[0][] : new long[][] {{0, 1_000 * lagUs}})
                .write();
    }

    @Test
    void omitsExplanationOfRatioThatAgrees() throws Exception {
        // ratios 0.9, 4.5, 1.8, 9, 9
        assertThat(comparison(new long[] {10, 20, 100, 20, 10}, new long[] {9, 90, 180, 180, 90}))
                .containsPattern("\\| 20\\.0 \\| 90\\.0 \\| 4\\.500 \\|")
                .doesNotContain("The ratio points in the other direction");
    }

    @Test
    void explainsRatioThatContradictsMedians() throws Exception {
        // ratios 0.9, 0.9, 0.9, 10, 6
        assertThat(comparison(new long[] {10, 20, 100, 20, 10}, new long[] {9, 18, 90, 200, 60}))
                .containsPattern("\\| 20\\.0 \\| 60\\.0 \\| 0\\.900 \\|")
                .contains("lag.median of UDP/IP, C engine, 24 bytes (0.900, although compared / baseline is 3.000)");
    }

    @Test
    void printsNoEndOfIntervalThatMeansUnbounded() throws Exception {
        assertThat(comparison(new long[] {10, 20, 100, 20, 10}, new long[] {9, 18, 90, 200, 60}))
                .contains("| 0.900 | 0.900 | \\>1,000 |");
    }

    @Test
    void printsNoRatioOfZero() throws Exception {
        assertThat(comparison(new long[] {90_000, 90_000, 90_000, 90_000, 90_000}, new long[] {9, 9, 9, 9, 9}))
                .contains("| \\<0.001 |")
                .doesNotContain("0.000");
    }

    @Test
    void namesSideOfWhichNoPacketArrived() throws Exception {
        assertThat(comparison(new long[] {10, 20, 100, 20, 10}, new long[5]))
                .contains("undecided (no value)", "No packet arrived on the compared side: UDP/IP, 24 bytes, engine c.")
                .doesNotContain("no ratio", "baseline side");
    }
}
