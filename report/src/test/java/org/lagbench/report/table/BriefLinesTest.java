package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;

class BriefLinesTest {
    @Test
    void hasMainMetricsOfEachPoint(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 24)
                .sent(0, 1_000_000, 2_000_000, 3_000_000)
                .received(new long[] {0, 5_000}, new long[] {1, 1_007_000})
                .write();
        assertThat(BriefLines.of(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT)))
                .singleElement()
                .asString()
                .startsWith(
                        "UDP/IP, 24 bytes: Transmit lag Median 6.00 µs, Transmit lag Q99 6.98 µs, Loss Share 50.0 %");
    }
}
