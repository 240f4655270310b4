package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.Requirement;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.RunRecord;

/** The expected metrics were computed by hand from the stamps of the runs below. */
class RoundTripsTest {
    private static final long TIMEOUT_NS = 1_000_000;
    private static final Offset<Double> ROUNDING = within(1e-6);

    @TempDir
    private Path directory;

    @Test
    void computesRoundTripsAndTheirParts() throws Exception {
        answered(run("0001-udp-24-round-trip-r1", "udp", 24)).write();

        Metrics metrics = metrics();

        RoundTrips trips = metrics.get(MetricGroup.ROUND_TRIPS);
        assertThat(trips).isNotNull();
        assertThat(trips.lost()).isEqualTo(1); // packet 3
        assertThat(trips.late()).isEqualTo(1); // packet 2, after 1.8 ms
        assertThat(trips.duplicated()).isEqualTo(1); // the second reply to packet 1
        // answered - sent: 0.6, 0.9 and 1.8 ms
        assertThat(trips.roundTrip().n()).isEqualTo(3);
        assertThat(trips.roundTrip().medianNs()).isEqualTo(900_000);
        assertThat(trips.roundTrip().meanNs()).isCloseTo(1_100_000, ROUNDING);
        assertThat(trips.roundTrip().standardDeviationNs()).isCloseTo(Math.sqrt(390_000_000_000.0), within(1e-3));
        assertThat(trips.roundTrip().minimumNs()).isEqualTo(600_000);
        assertThat(trips.roundTrip().maximumNs()).isEqualTo(1_800_000);
        // replied - received: 20, 40, 60 and, of the packet whose reply was lost, 90 us
        assertThat(trips.hostTime().n()).isEqualTo(4);
        assertThat(trips.hostTime().medianNs()).isEqualTo(50_000);
        assertThat(trips.hostTime().meanNs()).isCloseTo(52_500, ROUNDING);
        // answered - replied: 380, 560 and 1,340 us
        assertThat(trips.lagBack().medianNs()).isEqualTo(560_000);
        assertThat(trips.lagBack().meanNs()).isCloseTo(760_000, ROUNDING);
    }

    @Test
    void countsPacketsWithoutReplyInTimeAsLost() throws Exception {
        answered(run("0001-udp-24-round-trip-r1", "udp", 24)).write();

        // of four packets, all arrived; the reply to one was lost, and one was late
        assertThat(lossPercent("loss")).isEqualTo(50);
        assertThat(lossPercent("loss.forward")).isZero();
        assertThat(lossPercent("loss.back")).isEqualTo(25);
    }

    @Test
    void separatesPacketsLostForwardFromLostReplies() throws Exception {
        run("0001-udp-24-round-trip-r1", "udp", 24)
                .sent(0, 10, 20, 30)
                .received(new long[] {1, 20, 21}, new long[] {2, 30, 31})
                .answered(TIMEOUT_NS, new long[] {2, 40, 31})
                .write();

        assertThat(lossPercent("loss")).isEqualTo(75);
        assertThat(lossPercent("loss.forward")).isEqualTo(50);
        assertThat(lossPercent("loss.back")).isEqualTo(50);
    }

    @Test
    void missesLimitOfLossIfAllRepliesAreLost() throws Exception {
        run("0001-udp-24-round-trip-r1", "udp", 24)
                .sent(0, 10)
                .received(new long[] {0, 10, 11}, new long[] {1, 20, 21})
                .answered(TIMEOUT_NS)
                .write();

        assertThat(Requirement.parse("loss <= 1 %").judge(summary(), Judgment.Basis.VALUE))
                .extracting(Judgment::verdict)
                .containsExactly(Judgment.Outcome.MISSED);
    }

    @Test
    void leavesLimitOfRepliesUndecidedIfNoPacketArrived() throws Exception {
        run("0001-udp-24-round-trip-r1", "udp", 24)
                .sent(0, 10)
                .received()
                .answered(TIMEOUT_NS)
                .write();

        assertThat(Requirement.parse("loss.back <= 1 %").judge(summary(), Judgment.Basis.VALUE))
                .extracting(Judgment::verdict)
                .containsExactly(Judgment.Outcome.UNDECIDED);
    }

    /** Packet 1 was lost. The replies to packets 2 and 3 were not late yet, although packet 3 had arrived. */
    @Test
    void leavesOutPacketsWhoseReplyCouldComeWhenInterrupted() throws Exception {
        long ms = 1_000_000;
        run("0001-udp-24-round-trip-r1", "udp", 24)
                .sent(0, 100 * ms, 2_200 * ms, 3_000 * ms)
                .received(new long[] {0, ms, 2 * ms}, new long[] {3, 3_001 * ms, 3_002 * ms}, new long[] {
                    0, 3_003 * ms, 3_004 * ms
                })
                .answered(1_000 * ms, new long[] {0, 3 * ms, 2 * ms})
                .ended(RunRecord.State.INTERRUPTED, "Interrupted.")
                .write();

        Metrics metrics = summary().excluded().get(0).metrics();

        assertThat(metrics).isNotNull();
        assertThat(metrics.loss()).isEqualTo(new PacketLoss(1, 2));
        assertThat(metrics.packets()).isEqualTo(new RunPacketCounts(2, 3, 1, 1, 0, 0, 0));
    }

    private double lossPercent(String id) throws Exception {
        PointSummary point = summary().points().get(0);
        return point.value(MetricRegistry.of(id));
    }

    /** Without headers, reply n belongs to packet n. */
    @Test
    void pairsPacketsWithoutHeadersByTheirOrder() throws Exception {
        run("0001-tcp-1-round-trip-r1", "tcp", 1)
                .sent(0, 1_000_000)
                .received(new long[] {0, 100_000, 120_000}, new long[] {1, 1_300_000, 1_330_000})
                .answered(TIMEOUT_NS, new long[] {0, 200_000}, new long[] {1, 1_500_000})
                .write();

        RoundTrips trips = metrics().get(MetricGroup.ROUND_TRIPS);

        assertThat(trips).isNotNull();
        assertThat(trips.lost()).isZero();
        assertThat(trips.late()).isZero();
        assertThat(trips.roundTrip().meanNs()).isCloseTo(350_000, ROUNDING); // 200 and 500 us
        assertThat(trips.hostTime().meanNs()).isCloseTo(25_000, ROUNDING); // 20 and 30 us
        assertThat(trips.lagBack().meanNs()).isCloseTo(125_000, ROUNDING); // 80 and 170 us
    }

    @Test
    void poolsTheRunsOfAPoint() throws Exception {
        answered(run("0001-udp-24-round-trip-r1", "udp", 24)).write();
        run("0002-udp-24-round-trip-r2", "udp", 24)
                .sent(0, 2_000_000, 4_000_000, 6_000_000)
                .received(new long[] {0, 10_000, 30_000})
                .answered(TIMEOUT_NS, new long[] {0, 100_000, 30_000})
                .write();

        RoundTrips trips = metrics().get(MetricGroup.ROUND_TRIPS);

        assertThat(trips).isNotNull();
        assertThat(trips.lost()).isEqualTo(4);
        assertThat(trips.late()).isEqualTo(1);
        // 0.1, 0.6, 0.9 and 1.8 ms
        assertThat(trips.roundTrip().medianNs()).isEqualTo(750_000);
        assertThat(trips.roundTrip().meanNs()).isCloseTo(850_000, ROUNDING);
        // 20, 20, 40, 60 and 90 us
        assertThat(trips.hostTime().medianNs()).isEqualTo(40_000);
        // 70, 380, 560 and 1,340 us
        assertThat(trips.lagBack().medianNs()).isEqualTo(470_000);
    }

    @Test
    void hasNoRoundTripsOfOneWayRuns() throws Exception {
        run("0001-udp-24-r1", "udp", 24)
                .sent(0)
                .received(new long[] {0, 10_000})
                .write();
        assertThat(metrics().get(MetricGroup.ROUND_TRIPS)).isNull();
    }

    private RunFixture run(String name, String transport, int bytes) throws Exception {
        return new SessionFixture(directory.resolve("session")).run(name, transport, bytes);
    }

    /** Sends four packets 2 ms apart: the last has no reply, one has two, and one is late. */
    private static RunFixture answered(RunFixture run) {
        return run.sent(0, 2_000_000, 4_000_000, 6_000_000)
                .received(
                        new long[] {0, 200_000, 220_000},
                        new long[] {1, 2_300_000, 2_340_000},
                        new long[] {2, 4_400_000, 4_460_000},
                        new long[] {3, 6_500_000, 6_590_000})
                .answered(
                        TIMEOUT_NS,
                        new long[] {0, 600_000, 220_000},
                        new long[] {1, 2_900_000, 2_340_000},
                        new long[] {1, 3_500_000, 2_340_000},
                        new long[] {2, 5_800_000, 4_460_000});
    }

    private Metrics metrics() throws Exception {
        return summary().points().get(0).pooled();
    }

    private Summary summary() throws Exception {
        return Summaries.of(Session.open(directory.resolve("session")), SummaryOptions.DEFAULT);
    }
}
