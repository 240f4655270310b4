package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.summary.RepeatIntervals.Interval;

class RepeatIntervalsTest {
    @TempDir
    private Path directory;

    @Test
    void hasNoIntervalOfOneRun() throws Exception {
        assertThat(ofRunsWithMedians(7).repeatIntervals()).isNull();
    }

    /** The expected confidences are from published tables of the sign test. */
    @Test
    void statesConfidenceOfRangeOfFewRuns() throws Exception {
        RepeatIntervals of5 = ofRunsWithMedians(50, 10, 40, 20, 30).repeatIntervals();
        assertThat(of5).isNotNull();
        assertThat(of5.confidence()).isCloseTo(0.9375, within(1e-12));
        assertThat(of5.series().get(PacketDelay.TRANSMIT_LAG).get(Statistic.MEDIAN))
                .isEqualTo(new Interval(10, 50));
    }

    @Test
    void excludesExtremesFromIntervalOfManyRuns() throws Exception {
        RepeatIntervals of9 =
                ofRunsWithMedians(90, 80, 70, 60, 50, 40, 30, 20, 10).repeatIntervals();
        assertThat(of9).isNotNull();
        assertThat(of9.confidence()).isCloseTo(0.9609375, within(1e-12));
        assertThat(of9.series().get(PacketDelay.TRANSMIT_LAG).get(Statistic.MEDIAN))
                .isEqualTo(new Interval(20, 80));
        assertThat(of9.series().get(PacketDelay.TRANSMIT_LAG).get(Statistic.Q99).lowNs())
                .isCloseTo(20, within(1.0));
    }

    private PointSummary ofRunsWithMedians(long... medians) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        for (int run = 0; run < medians.length; run++) {
            session.run("0001-udp-24-r" + (run + 1), "udp", 24)
                    .sent(0, 1_000, 2_000)
                    .received(new long[] {0, medians[run] - 1}, new long[] {1, 1_000 + medians[run]}, new long[] {
                        2, 2_000 + medians[run] + 1
                    })
                    .write();
        }
        List<PointSummary> points = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT)
                .points();
        assertThat(points).hasSize(1);
        return points.get(0);
    }
}
