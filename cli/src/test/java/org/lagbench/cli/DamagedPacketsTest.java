package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.run.RunRecord;
import org.lagbench.report.table.Warnings;

/** Flips bits of packets on a lab's link. The receive buffer has room for all packets of a run. */
@Tag("night")
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class DamagedPacketsTest {
    private static final long PACKETS = 250;

    /** At most the packets around the recorded ones that the link may have damaged as well. */
    private static final long UNRECORDED = 1_100;

    @TempDir
    private Path directory;

    @BeforeEach
    void onlyRootMakesNamespaces() throws Exception {
        Namespaces.assumeCreatable();
    }

    @ParameterizedTest
    @CsvSource({"none, 'java, java-nio, c, netty'", "events, c"}) // the record of drops is the same for all
    void doesNotTakeDamageForFullBuffer(String observe, String engines) throws Exception {
        Sweeps sweeps = new Sweeps(directory);
        try (LagbenchProcess sweep = sweeps.start(
                """
                observe: %s
                jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                lab: {delay: 2ms, backend: relay, forward: {damage: 15%%}}
                transports: [udp]
                engine: [%s]
                udp: {receive-buffer: 4MiB}
                packet-bytes: 200
                packets: 250
                warm-up-packets: 50
                pace: {mode: sleep, interval: 2ms}
                """
                        .formatted(observe, engines),
                "--no-report")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        Summary summary = Summaries.of(
                Session.open(sweeps.session()), new SummaryOptions(false, false, Tail.Q50, SummaryOptions.all()));
        assertThat(summary.points()).hasSize(engines.split(",").length).allSatisfy(point -> {
            Metrics metrics = point.pooled();
            long lost = metrics.packets().lost();
            assertThat(lost).isBetween(PACKETS / 25, PACKETS / 3);
            assertThat(metrics.get(MetricGroup.KERNEL_DROPS)).isZero();
            assertThat(metrics.get(MetricGroup.DAMAGED)).isEqualTo(lost);
            assertThat(metrics.require(MetricGroup.LOSS_PLACES).damaged()).isEqualTo(lost);
            assertThat(damagedByLink(point)).isBetween(lost, lost + UNRECORDED);
            if (observe.equals("events")) {
                assertThat(Objects.requireNonNull(metrics.get(CauseGroups.LEDGER))
                                .losses())
                        .satisfies(losses -> assertThat(losses.byKernelDrop()).isZero())
                        .satisfies(losses -> assertThat(losses.unexplained()).isZero());
            }
        });
        assertThat(Warnings.of(summary))
                .as("the lab requests the damage")
                .noneMatch(warning -> warning.contains("overflowed") || warning.contains("were lost"));
    }

    private static long damagedByLink(PointSummary point) {
        RunRecord.LabRecord lab = Objects.requireNonNull(point.runs().get(0).lab());
        return lab.stations().stream()
                .filter(station -> station.place().equals("relay forward"))
                .map(station -> station.counts().get("damaged"))
                .findFirst()
                .orElseThrow();
    }
}
