package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.cause.LedgerTotal.PartTotal;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.cause.Cause;

/** Makes sweeps over labs that lose packets. */
@Tag("merge")
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class LossySweepTest {
    private static final SideCause RETRANSMISSION = new SideCause(Role.SENDER, Cause.RETRANSMISSION, null);

    @TempDir
    private Path directory;

    @BeforeEach
    void onlyRootMakesNamespaces() throws Exception {
        Namespaces.assumeCreatable();
    }

    private Sweeps sweeps() {
        return new Sweeps(directory);
    }

    /** Returns the metrics of each point. */
    private List<Metrics> sweep(String experiment) throws Exception {
        try (LagbenchProcess sweep = sweeps().start(experiment, "--no-report")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        return Summaries.of(
                        Session.open(sweeps().session()),
                        new SummaryOptions(false, false, Tail.Q50, SummaryOptions.all()))
                .points()
                .stream()
                .map(PointSummary::pooled)
                .toList();
    }

    @Test
    void attributesPacketsBehindLossToRetransmission() throws Exception {
        Metrics figures = sweep(
                        """
                        observe: [events, timestamping]
                        jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                        lab: {delay: 30ms, backend: relay, forward: {loss: 4%}}
                        transports: [tcp]
                        packet-bytes: 100
                        packets: 400
                        drain: 5s
                        warm-up-packets: 1000
                        pace: {mode: sleep, interval: 1ms}
                        """)
                .get(0);
        Path run = Sweeps.runs(sweeps().session()).get(0);
        List<long[]> retransmitted = retransmitted(run);
        assertThat(Objects.requireNonNull(figures.get(MetricGroup.RETRANSMISSIONS))
                        .segments())
                .isEqualTo(retransmitted.size())
                .isPositive();
        List<long[]> retransmissions = retransmissions(run);
        assertThat(retransmitted).allSatisfy(wait -> assertThat(retransmissions)
                .anyMatch(found -> found[0] <= wait[1] && wait[0] <= found[1]));
        assertThat(excessNs(figures)).isPositive();
    }

    /**
     * Netty writes to the connection in another thread. The link loses all segments for some time: random losses may
     * all be of packets after the recorded ones, which the count of segments contains.
     */
    @Test
    void attributesLossToRetransmissionOfNetty() throws Exception {
        List<Metrics> points = sweep(
                """
                engine: netty
                observe: events
                jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                lab: {delay: 30ms, backend: relay, forward: {outages: [{start: 150ms, stop: 450ms}]}}
                transports: [tcp]
                packet-bytes: 100
                packets: 800
                drain: 5s
                warm-up-packets: 1000
                pace: {mode: sleep, interval: 1ms}
                """);
        assertThat(points).hasSize(1).allSatisfy(point -> {
            assertThat(Objects.requireNonNull(point.get(MetricGroup.RETRANSMISSIONS))
                            .segments())
                    .isPositive();
            assertThat(excessNs(point)).isPositive();
        });
    }

    /** Returns two kernel stamps for each retransmission: when the driver got the segment first, and when again. */
    /** Returns how much later slow packets were by retransmissions. */
    private static double excessNs(Metrics metrics) {
        return Objects.requireNonNull(metrics.get(CauseGroups.LEDGER))
                .lag()
                .tail()
                .parts()
                .getOrDefault(RETRANSMISSION, PartTotal.NONE)
                .excessNs();
    }

    private static List<long[]> retransmitted(Path run) throws Exception {
        List<long[]> again = new ArrayList<>();
        Map<Long, Long> first = new HashMap<>();
        try (CaptureReader kernel = CaptureReader.open(run.resolve("sender-kernel.npy"))) {
            for (long i = 0; i < kernel.records(); i++) {
                long key = kernel.value(i, kernel.field("key"));
                boolean isOfPacket = key >= 100; // the connection's greeting, before the run, may be lost too
                if (kernel.value(i, kernel.field("stage")) == KernelCapture.SENT && isOfPacket) {
                    long sentNs = kernel.value(i, kernel.field("kernel_ns"));
                    Long firstNs = first.putIfAbsent(key, sentNs);
                    if (firstNs != null) {
                        again.add(new long[] {firstNs, sentNs});
                    }
                }
            }
        }
        return again;
    }

    /** Returns when each recorded retransmission began and ended. */
    private static List<long[]> retransmissions(Path run) throws Exception {
        List<long[]> found = new ArrayList<>();
        try (CaptureReader events = CaptureReader.open(run.resolve(EventsCapture.SENDER_FILE_NAME))) {
            for (long i = 0; i < events.records(); i++) {
                if (events.value(i, events.field("cause")) == Cause.RETRANSMISSION.code()) {
                    found.add(new long[] {
                        events.value(i, events.field("start_ns")), events.value(i, events.field("end_ns"))
                    });
                }
            }
        }
        return found;
    }
}
