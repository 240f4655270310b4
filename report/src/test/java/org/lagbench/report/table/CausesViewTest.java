package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;

class CausesViewTest {
    @TempDir
    private Path directory;

    @Test
    void namesOptionIfNoRunRecordedCauses() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        for (String run : new String[] {"0001-udp-24-r1", "0002-udp-24-r2"}) {
            session.run(run, "udp", 24)
                    .sent(0, 1_000)
                    .received(new long[] {0, 100}, new long[] {1, 1_200})
                    .write();
        }
        Summary summary = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
        assertThat(Document.of(summary, TableView.of(View.CAUSES)).notes())
                .contains("No run recorded causes: repeat the runs with --observe causes.")
                .noneMatch(note -> note.contains("The tail is"));
    }
}
