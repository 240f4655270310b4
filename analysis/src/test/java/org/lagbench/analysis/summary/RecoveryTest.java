package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.run.RunRecord.LabRecord.Station;

class RecoveryTest {
    private static final long MS = 1_000_000;
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    private final SessionFixture session;

    RecoveryTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    /**
     * Returns a run of 10 packets of 100 bytes: packet 3 is lost, packet 5 is 6 ms later than the others, 6 is 5 ms.
     */
    private RunFixture run(String name, String transport, long leastLagMs) {
        long[] sent = new long[10];
        long[][] received = new long[9][];
        int arrivals = 0;
        for (int i = 0; i < sent.length; i++) {
            sent[i] = 10 * MS * i;
            long lateMs = i == 5 ? 6 : i == 6 ? 5 : 0;
            if (i != 3) {
                received[arrivals++] = new long[] {i, sent[i] + (leastLagMs + lateMs) * MS};
            }
        }
        return session.run(name, transport, 100).sent(sent).received(received);
    }

    private Recovery recovery() throws Exception {
        Summary summary = Summaries.of(
                Session.open(session.path()),
                new SummaryOptions(true, false, Tail.DEFAULT, Set.of(MetricGroup.RECOVERY)));
        return summary.points().get(0).pooled().require(MetricGroup.RECOVERY);
    }

    @Test
    void judgesPacketsWithoutConfiguredLatencyByLimits() throws Exception {
        run("0001-udp-100-r1", "udp", 20).write();
        run("0002-udp-100-r2", "udp", 40).write();

        Recovery recovery = recovery();
        assertThat(recovery.configuredLatencyNs()).isNull();
        assertThat(recovery.effectiveLatencyNs()).isNaN();
        assertThat(recovery.late()).isNull();
        assertThat(recovery.lateShare()).isNaN();
        assertThat(recovery.arrived999Ns()).as("fewer arrived").isNaN();
        assertThat(recovery.unusable()).hasSize(6);
        assertThat(recovery.unusable().get("20ms")).isEqualTo(0.65, EXACT);
        assertThat(recovery.unusable().get("50ms")).isEqualTo(0.1, EXACT);
        assertThat(recovery.loss().share()).isEqualTo(0.1, EXACT);
        assertThat(recovery.loss().low()).as("of two runs").isNaN();
        assertThat(recovery.loss().high()).isNaN();
        assertThat(recovery.loss().burst()).isEqualTo(1, EXACT);
        assertThat(recovery.library()).isNull();
        assertThat(recovery.link()).isNull();
    }

    /** Of 2,000 packets two are lost, and 100 take 150 ms: the 1,998th is one of these. */
    @Test
    void latencyBelongsToSentPackets() throws Exception {
        long[] sent = new long[2_000];
        long[][] received = new long[1_998][];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = 10 * MS * i;
            if (i < received.length) {
                received[i] = new long[] {i, sent[i] + (i % 20 == 0 ? 150 : 1) * MS};
            }
        }
        session.run("0001-tcp-100-r1", "tcp", 100).sent(sent).received(received).write();

        Recovery recovery = recovery();
        assertThat(recovery.arrived999Ns()).isEqualTo(150.0 * MS);
        assertThat(recovery.unusable().get("100ms")).isEqualTo(102 / 2_000.0, EXACT);
        assertThat(recovery.unusable().get("150ms")).isEqualTo(2 / 2_000.0, EXACT);
        assertThat(MetricRegistry.judged("recovery.unusable.100ms").unit()).isEqualTo("%");
    }

    /** 15 packets of 100 bytes passed the link, 5 of them not recorded: 1,500 bytes. */
    @Test
    void addsCountsOfKernelAndLinkOverAllPackets() throws Exception {
        Map<String, Long> counts = Map.of("lost", 2L, "lostInBursts", 1L, "receivedBytes", 3_000L);
        LabRecord lab = new LabRecord("lossy", "yaml", 0, null, List.of(new Station("relay forward", counts)));
        run("0001-tcp-100-r1", "tcp", 20)
                .metadata(Map.of("retransmittedSegments", 3, "retransmittedBytes", 300, "leadOutPackets", 5), Map.of())
                .lab(lab)
                .write();

        Recovery recovery = recovery();
        Recovery.Library kernel = Objects.requireNonNull(recovery.library());
        Recovery.Link link = Objects.requireNonNull(recovery.link());
        assertThat(kernel.retransmitted()).isEqualTo(3);
        assertThat(kernel.addedShare()).isEqualTo(0.2, EXACT);
        assertThat(link.framesLost()).isEqualTo(3);
        assertThat(link.addedShare()).isEqualTo(1, EXACT);
    }

    @Test
    void readsCountsOfEnginesLibrary() throws Exception {
        run("0001-udp-100-r1", "udp", 20)
                .engine("quic", "default")
                .metadata(Map.of("quicPacketsLost", 4, "quicPacketsNotSent", 2), Map.of())
                .write();

        Recovery.Library library = Objects.requireNonNull(recovery().library());
        assertThat(library.notSent()).isEqualTo(2);
        assertThat(library.lost()).isEqualTo(4);
        assertThat(library.addedShare()).isNull();
    }

    @Test
    void ignoresLinkThatAlsoCarriesOthers() throws Exception {
        Station relay = new Station("relay forward", Map.of("lost", 2L, "receivedBytes", 3_000L));
        Station flow = new Station("flow 1 forward", Map.of("sent", 10L));
        run("0001-udp-100-r1", "udp", 20)
                .lab(new LabRecord("shared", "yaml", 0, null, List.of(relay, flow)))
                .write();

        assertThat(recovery().link()).isNull();
    }

    /** One run of six loses ten times as much: the interval is that of the requirement, and contains both. */
    @Test
    void intervalIsThatOfRequirementOverRuns() throws Exception {
        for (int repeat = 1; repeat <= 6; repeat++) {
            int lost = repeat == 1 ? 100 : 10;
            long[] sent = new long[1_000];
            long[][] received = new long[sent.length - lost][];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = i * MS;
                if (i >= lost) {
                    received[i - lost] = new long[] {i, sent[i] + MS};
                }
            }
            session.run("000" + repeat + "-udp-100-r" + repeat, "udp", 100)
                    .sent(sent)
                    .received(received)
                    .write();
        }
        Summary summary = Summaries.of(
                Session.open(session.path()),
                new SummaryOptions(true, false, Tail.DEFAULT, Set.of(MetricGroup.RECOVERY)));
        PointSummary point = summary.points().get(0);
        Recovery.Loss loss = point.pooled().require(MetricGroup.RECOVERY).loss();
        Interval required =
                point.estimate(MetricRegistry.of("recovery.loss.share")).interval();
        assertThat(required).isEqualTo(point.estimate(MainMetrics.LOSS).interval());
        assertThat(100 * loss.low()).isEqualTo(required.low(), EXACT);
        assertThat(100 * loss.high()).isEqualTo(required.high(), EXACT);
        assertThat(loss.share()).isEqualTo(.025, EXACT);
        assertThat(loss.low()).isLessThan(.01);
        assertThat(loss.high()).isGreaterThan(.09);
        assertThat(loss.burst()).isEqualTo((100 * 100 + 5 * 10 * 10) / 150., EXACT);
    }
}
