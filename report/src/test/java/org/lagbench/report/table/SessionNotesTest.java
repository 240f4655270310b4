package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.clock.ClockBound.Basis;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord.LabRecord;

/** Two sessions over labs of one name. The baseline lost half of its packets, and the other's clocks have a mark. */
class SessionNotesTest {
    private static final int REPEATS = 6;

    @TempDir
    private Path directory;

    private Summary baseline;
    private Summary compared;

    @BeforeEach
    void writeSessions() throws Exception {
        baseline = session("before", "300us", List.of(10_000L));
        compared = session("after", "350us", List.of(20_000L, 20_000L), "load was high");
    }

    private Summary session(String name, String delay, List<Long> lags, String... marks) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve(name));
        for (int repeat = 1; repeat <= REPEATS; repeat++) {
            long[][] received = new long[lags.size()][];
            for (int i = 0; i < received.length; i++) {
                received[i] = new long[] {i, 1_000_000L * i + lags.get(i) * repeat};
            }
            String link = "{rate: unlimited, delay: " + delay + ", outages: [{at: 1s, for: 2s}]}";
            String network = "{name: link, forward: " + link + ", reverse: {rate: unlimited}, sites: []}";
            session.run("udp-24-r" + repeat, "udp", 24)
                    .sent(0, 1_000_000)
                    .received(received)
                    .clock(SessionFixture.clockOf(1L, Basis.SAME_KERNEL, marks))
                    .lab(new LabRecord("link", network, 0, null, List.of()))
                    .write();
        }
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
    }

    private static Document document(Summary before, Summary after) throws LagbenchException {
        Comparisons comparisons = Comparisons.ofSessions(
                List.of(before), List.of(after), List.of(MainMetrics.LAG), new Comparisons.Limits(Between.MARGIN, 0));
        return ComparisonView.ofSessions(List.of(before), List.of(after), comparisons)
                .document()
                .get();
    }

    @Test
    void namesSessionOfEachWarning() throws Exception {
        assertThat(document(baseline, compared).warnings())
                .isNotEmpty()
                .allSatisfy(warning -> assertThat(warning).startsWith("Baseline before: "))
                .anySatisfy(warning -> assertThat(warning).contains("Packets were lost: 50.0 %"));
        assertThat(document(compared, baseline).warnings()).isNotEmpty().allSatisfy(warning -> assertThat(warning)
                .startsWith("Compared before: "));
    }

    @Test
    void namesSessionOfEachMark() throws Exception {
        assertThat(document(baseline, compared).marks())
                .anySatisfy(mark ->
                        assertThat(mark).startsWith("! Compared after: ").contains("in all 6 runs"));
        assertThat(document(compared, baseline).marks())
                .anySatisfy(mark -> assertThat(mark).startsWith("! Baseline after: "));
    }

    @Test
    void namesSettingsOfEmulatedNetworksThatDiffer() throws Exception {
        assertThat(document(baseline, compared).marks())
                .contains(
                        "! The emulated network of UDP/IP (emulated link link), 24 bytes differs: forward.delay 350us,"
                                + " in the baseline 300us.");
        assertThat(document(baseline, baseline).marks())
                .noneSatisfy(mark -> assertThat(mark).contains("emulated network"));
    }
}
