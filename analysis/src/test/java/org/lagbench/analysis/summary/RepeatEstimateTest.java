package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.media.MediaGroups;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;

class RepeatEstimateTest {
    private static final long MS = 1_000_000;

    /**
     * Quantiles of all packets together: as many are above that of all as above those of the runs, but not the same.
     */
    private static final String OF_OTHER_QUANTILE = ".*\\.withoutQ9[59]\\.dropped";

    private final SessionFixture session;

    RepeatEstimateTest(@TempDir Path directory) throws Exception {
        session = new SessionFixture(directory.resolve("session"));
    }

    /** The tables compute each number from all packets; a verdict must be about the same number. */
    @Test
    void judgedValueIsThatOfTables() throws Exception {
        Random random = new Random(80);
        for (int repeat = 1; repeat <= RepeatEstimate.MIN; repeat++) {
            write(repeat, 600 + 100 * repeat, .02 * repeat, random);
        }
        PointSummary point = Summaries.of(
                        Session.open(session.path()),
                        new SummaryOptions(
                                true,
                                false,
                                Tail.DEFAULT,
                                Set.of(
                                        MetricGroup.SERIES,
                                        MediaGroups.MEDIA,
                                        MetricGroup.RECOVERY,
                                        MediaGroups.PLAYOUT)))
                .points()
                .get(0);
        List<String> compared = new ArrayList<>();
        for (Metric<?> metric : MetricRegistry.all()) {
            Combination kind = metric.combination();
            RepeatEstimate estimate = point.estimate(metric);
            if ((kind == Combination.POOLED || kind.isOfRunsAlone())
                    && estimate.hasAllValues()
                    && !Double.isNaN(point.value(metric))
                    && !metric.id().matches(OF_OTHER_QUANTILE)) {
                assertThat(estimate.interval().value())
                        .as(metric.id())
                        .isCloseTo(point.value(metric), withinPercentage(1e-6));
                compared.add(metric.id());
            }
        }
        assertThat(compared)
                .contains("loss", "scheduleKept", "media.reordering.ratio", "packets.lost")
                .contains("media.duplication.fraction", "media.loss.noticeableRate", "recovery.loss.burst")
                .contains("lag.maximum", "lag.minimum", "playout.adaptive.lateShare", "media.deliveryIndex.periods");
    }

    /**
     * Writes a run of which packets are lost, copied, late and reordered; each is sent up to 0.1 ms after it is due.
     */
    private void write(int repeat, int packets, double share, Random random) throws Exception {
        long[] scheduled = new long[packets];
        long[] sent = new long[packets];
        List<long[]> received = new ArrayList<>();
        for (int i = 0; i < packets; i++) {
            scheduled[i] = 2 * MS * i;
            sent[i] = scheduled[i] + 1_000L * repeat * i;
            long lagNs = MS + random.nextInt((int) MS) + (random.nextDouble() < share ? 7 * MS : 0);
            if (random.nextDouble() >= share) {
                received.add(new long[] {i, sent[i] + lagNs});
                if (random.nextDouble() < share) {
                    received.add(new long[] {i, sent[i] + lagNs + 1_000});
                }
            }
        }
        received.sort((left, right) -> Long.compare(left[1], right[1]));
        session.run("000" + repeat + "-udp-100-r" + repeat, "udp", 100)
                .scheduled(2 * MS, scheduled)
                .sent(sent)
                .received(received.toArray(long[][]::new))
                .write();
    }
}
