package org.lagbench.analysis.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Objective;

class TrialTest {
    @TempDir
    private Path session;

    /** The arrivals alone would give 100 times that rate. */
    @Test
    void countsNoGoodputAboveRateOfSender() throws Exception {
        Path run = new SessionFixture(session)
                .run("a-r1", "udp", 1000)
                .sent(0, 1_000_000, 2_000_000)
                .received(new long[] {0, 2_080_000}, new long[] {1, 2_090_000}, new long[] {2, 2_100_000})
                .write();
        Trial trial =
                Trial.of(run, new TuneCandidate(Map.of()), Objective.of(MetricRegistry.named("lag.median")), List.of());
        assertThat(trial.goodputBitsPerS()).isCloseTo(8e6, within(1.0));
    }

    @Test
    void objectiveIsAnyMetricInItsUnit() throws Exception {
        Path run = new SessionFixture(session)
                .run("a-r1", "udp", 1000)
                .scheduled(1_000_000, 0, 1_000_000, 2_000_000, 3_000_000)
                .sent(1_000, 1_002_000, 2_003_000, 3_004_000)
                .received(new long[] {1, 1_090_000}, new long[] {0, 1_180_000}, new long[] {3, 3_100_000})
                .write();
        PointSummary point =
                Summaries.of(Session.open(run), SummaryOptions.DEFAULT).points().get(0);
        List<Metric<?>> judged = MetricRegistry.all().stream()
                .filter(metric ->
                        metric.id().matches("(lag|loss|lateness|packets|receiveRate|sendRate|media\\.jitter)\\b.*"))
                .filter(metric -> !Double.isNaN(point.value(metric)))
                .toList();
        assertThat(judged).extracting(Metric::id).contains("lag.q99", "loss", "receiveRate", "media.jitter.mean");
        for (Metric<?> metric : judged) {
            Trial trial = Trial.of(run, new TuneCandidate(Map.of()), Objective.of(metric), judged);
            assertThat(trial.objective()).as(metric.id()).isEqualTo(point.value(metric));
            assertThat(trial.required(metric).value()).as(metric.id()).isEqualTo(point.value(metric));
        }
    }
}
