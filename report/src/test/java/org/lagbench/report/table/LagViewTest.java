package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;

class LagViewTest {
    private static final long INTERVAL_NS = 1_000_000;

    @TempDir
    private Path directory;

    @Test
    void showsGapOfMoreThanTenIntervals() throws Exception {
        assertThat(tables(11 * INTERVAL_NS)).containsPattern("(?m)Longest *$").contains("11,000");
    }

    @Test
    void showsNoGapOfTenIntervals() throws Exception {
        assertThat(tables(10 * INTERVAL_NS)).doesNotContain("Longest");
    }

    /** Returns the tables of a paced run with a gap before its last packet. */
    private String tables(long gapNs) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 24)
                .sent(0, INTERVAL_NS, INTERVAL_NS + gapNs)
                .scheduled(INTERVAL_NS, 0, INTERVAL_NS, INTERVAL_NS + gapNs)
                .received(
                        new long[] {0, 10}, new long[] {1, INTERVAL_NS + 10}, new long[] {2, INTERVAL_NS + gapNs + 10})
                .write();
        return TableFormat.TEXT.text(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT));
    }
}
