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
import org.lagbench.analysis.cause.Tail;
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
    void countsLatePacketsAfterLatencyOfTheirConnection() throws Exception {
        run("0001-udp-100-r1", "udp", 20).write();
        run("0002-udp-100-r2", "udp", 40).write();

        Recovery recovery = recovery();
        assertThat(recovery.effectiveLatencyNs()).isEqualTo(30.0 * MS);
        assertThat(recovery.configuredLatencyNs()).isNull();
        assertThat(recovery.late()).isEqualTo(2);
        assertThat(recovery.lateShare()).isEqualTo(0.1, EXACT);
        assertThat(recovery.loss().share()).isEqualTo(0.1, EXACT);
        assertThat(recovery.loss().low()).isLessThan(0.1);
        assertThat(recovery.loss().high()).isGreaterThan(0.1);
        assertThat(recovery.loss().burst()).isEqualTo(1, EXACT);
        assertThat(recovery.library()).isNull();
        assertThat(recovery.link()).isNull();
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

    /** Losses of 50 packets in succession say less about their share than as many single ones. */
    @Test
    void widensIntervalOfLossesInBursts() throws Exception {
        int packets = 1_000;
        double[] highs = new double[2];
        for (int kind = 0; kind < 2; kind++) {
            SessionFixture one = new SessionFixture(session.path().resolveSibling("kind" + kind));
            long[] sent = new long[packets];
            long[][] received = new long[packets - 50][];
            int arrivals = 0;
            for (int i = 0; i < packets; i++) {
                sent[i] = i * MS;
                boolean isLost = kind == 0 ? i % 20 == 0 : i >= 400 && i < 450;
                if (!isLost) {
                    received[arrivals++] = new long[] {i, sent[i] + MS};
                }
            }
            one.run("0001-udp-100-r1", "udp", 100).sent(sent).received(received).write();
            highs[kind] = Summaries.of(
                            Session.open(one.path()),
                            new SummaryOptions(true, false, Tail.DEFAULT, Set.of(MetricGroup.RECOVERY)))
                    .points()
                    .get(0)
                    .pooled()
                    .require(MetricGroup.RECOVERY)
                    .loss()
                    .high();
        }
        assertThat(highs[0]).isBetween(0.05, 0.08);
        assertThat(highs[1]).isGreaterThan(2 * highs[0]);
    }
}
