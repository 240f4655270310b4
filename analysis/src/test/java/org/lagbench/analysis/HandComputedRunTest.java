package org.lagbench.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.SeriesStatistics.TrimmedStatistics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;

/**
 * A run small enough to compute by hand. Six packets are scheduled every 100 µs and sent late by 0, 5, 10, 0, 20 and 1
 * µs. Packet 4 is lost, packet 2 overtakes packet 1, packet 3 arrives twice, packet 5 arrives before it was sent.
 *
 * <pre>
 *  packet  scheduled    sent   arrives  lag  from schedule
 *     0         0          0        40   40       40
 *     2       200        210       230   20       30
 *     1       100        105       235  130      135
 *     3       300        300       360   60       60
 *     3       300        300       365    copy
 *     5       500        501       491  −10       −9     (µs)
 * </pre>
 */
class HandComputedRunTest {
    private static final long US = 1_000;

    private Metrics figures;

    @BeforeEach
    void makeRun(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("hand-20261120T000000Z"));
        session.run("0001-udp-24-r1", "udp", 24)
                .scheduled(100 * US, 0, 100 * US, 200 * US, 300 * US, 400 * US, 500 * US)
                .sent(0, 105 * US, 210 * US, 300 * US, 420 * US, 501 * US)
                .received(
                        new long[] {0, 40 * US},
                        new long[] {2, 230 * US},
                        new long[] {1, 235 * US},
                        new long[] {3, 360 * US},
                        new long[] {3, 365 * US},
                        new long[] {5, 491 * US})
                .write();
        Summary summary = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
        assertThat(summary.points()).hasSize(1);
        figures = summary.points().get(0).pooled();
    }

    @Test
    void countsPackets() {
        assertThat(figures.packets()).isEqualTo(new RunPacketCounts(6, 6, 1, 1, 1, 0, 1));
    }

    @Test
    void computesLagOfFirstCopies() {
        // −10 20 40 60 130: median 40; mean 240/5; deviations −58 −28 −8 12 82, squares 11,080, over 4 = 2,770
        SeriesStatistics lag = of(PacketDelay.TRANSMIT_LAG);
        assertThat(lag.n()).isEqualTo(5);
        assertUs(lag.medianNs(), 40);
        assertUs(lag.meanNs(), 48);
        assertUs(lag.standardDeviationNs(), 52.630789467763066);
        assertUs(lag.minimumNs(), -10);
        assertUs(lag.maximumNs(), 130);
    }

    @Test
    void trimsValuesAboveTheQuantile() {
        // h = 4 · 0.95 = 3.8: 60 + 0.8 · 70 = 116; h = 4 · 0.99 = 3.96: 60 + 0.96 · 70 = 127.2; both keep −10 20 40 60:
        // mean 110/4 = 27.5; deviations −37.5 −7.5 12.5 32.5, squares 2,675, over 3 = 891.666…
        SeriesStatistics lag = of(PacketDelay.TRANSMIT_LAG);
        assertUs(lag.withoutQ95().quantileNs(), 116);
        assertUs(lag.withoutQ99().quantileNs(), 127.2);
        for (TrimmedStatistics trimmed : new TrimmedStatistics[] {lag.withoutQ95(), lag.withoutQ99()}) {
            assertUs(trimmed.meanNs(), 27.5);
            assertUs(trimmed.standardDeviationNs(), 29.860788111948192);
            assertThat(trimmed.dropped()).isEqualTo(1);
        }
    }

    @Test
    void computesInterPacketDelayPerSide() {
        // sent 105 105 90 120 81; received 190 5 125 5 126, the copy included
        SeriesStatistics send = of(PacketDelay.SEND_DELAY);
        assertThat(send.n()).isEqualTo(5);
        assertUs(send.medianNs(), 105);
        assertUs(send.meanNs(), 100.2);
        assertUs(send.minimumNs(), 81);
        assertUs(send.maximumNs(), 120);
        SeriesStatistics receive = of(PacketDelay.RECEIVE_DELAY);
        assertThat(receive.n()).isEqualTo(5);
        assertUs(receive.medianNs(), 125);
        assertUs(receive.meanNs(), 90.2);
        assertUs(receive.minimumNs(), 5);
        assertUs(receive.maximumNs(), 190);
    }

    @Test
    void computesLatenessAndLagFromScheduleOfPacedRuns() {
        // lateness 0 5 10 0 20 1: median (1 + 5)/2; lag from the schedule −9 30 40 60 135
        SeriesStatistics lateness = of(PacketDelay.LATENESS);
        assertThat(lateness.n()).isEqualTo(6);
        assertUs(lateness.medianNs(), 3);
        assertUs(lateness.meanNs(), 6);
        assertUs(lateness.maximumNs(), 20);
        SeriesStatistics fromSchedule = of(PacketDelay.LAG_FROM_SCHEDULE);
        assertThat(fromSchedule.n()).isEqualTo(5);
        assertUs(fromSchedule.medianNs(), 40);
        assertUs(fromSchedule.meanNs(), 51.2);
        assertUs(fromSchedule.minimumNs(), -9);
    }

    @Test
    void separatesFirstPacketsFromTheRest() {
        assertUs(figures.require(MetricGroup.WARM_UP).firstQ99Ns(), 127.2);
        assertThat(figures.require(MetricGroup.WARM_UP).restQ99Ns()).isNaN();
    }

    private SeriesStatistics of(PacketDelay series) {
        return Objects.requireNonNull(figures.series().get(series));
    }

    private static void assertUs(double ns, double us) {
        assertThat(ns).isCloseTo(us * US, within(1e-6));
    }
}
