package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.cause.DriverStamps;
import org.lagbench.analysis.cause.Ledger;
import org.lagbench.analysis.cause.Parts.Kind;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.DepartureFacts;
import org.lagbench.core.run.RunRecord;

/** Stamps packets of several engines when they leave for the driver, and divides their lags there. */
@Tag("night")
@Tag("one-java")
class DeparturesTest {
    private static final int PACKETS = 200;

    private static final String EXPERIMENT =
            """
            name: departures
            observe: events
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            packet-bytes: 100
            packets: 200
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            drain: 2s
            """;

    @TempDir
    private Path directory;

    /** Frames of gRPC may leave together if a host is busy, any number without a stamp. */
    @ParameterizedTest
    @CsvSource({"tcp, 'netty, c, grpc'", "udp, 'netty, c'"})
    void dividesTheLagOfAnyEngineWhereThePacketLeft(String transport, String engines) throws Exception {
        Sweeps sweeps = new Sweeps(directory);
        String axes = "transports: [" + transport + "]\nengine: [" + engines + "]\n";
        try (LagbenchThread sweep = sweeps.startHere(EXPERIMENT + axes, "--quiet", "--no-report")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        List<Path> runs = Sweeps.runs(sweeps.session());
        assertThat(runs).hasSize(engines.split(",").length);
        for (Path run : runs) {
            RunRecord record = RunRecord.read(run);
            assumeThat(record.sender().metadata())
                    .as("the kernel permits no observer")
                    .containsEntry("departureStamps", DepartureFacts.OBSERVER);
            assertThat(record.sender().metadata()).containsEntry("departuresLost", 0);
            int missing = record.point().program().engine().equals("grpc") ? PACKETS - 1 : 0;
            assertThat(record.sender().metadata().get("packetsWithoutDepartureStamp"))
                    .isEqualTo(PACKETS - assertDivided(run, record))
                    .asInstanceOf(InstanceOfAssertFactories.INTEGER)
                    .isBetween(0, missing);
        }
    }

    /** Returns how many packets have a stamp. */
    private static int assertDivided(Path directory, RunRecord record) throws LagbenchException {
        try (JoinedRun run = JoinedRun.open(directory)) {
            DriverStamps stamps = DriverStamps.read(directory, record, run);
            int[] seen = {0};
            run.forEachFirstCopy((arrival, packet) -> {
                long untilNs = run.kernelNs(arrival) == 0 ? run.receivedNs(arrival) : run.kernelNs(arrival);
                if (stamps.leftNs(packet) != DriverStamps.NONE) {
                    assertThat(stamps.leftNs(packet)).isBetween(run.sentNs(packet), untilNs);
                    seen[0]++;
                }
            });
            for (Ledger ledger : Ledger.slowest(run, 12)) {
                List<Part> parts = ledger.parts().parts();
                if (stamps.leftNs(ledger.packet()) == DriverStamps.NONE) {
                    continue;
                }
                assertThat(parts)
                        .filteredOn(part -> part.cause() != null && part.cause().cause() == Cause.SEND_CALL)
                        .allMatch(part -> part.kind() == Kind.STAMP);
                assertThat(parts)
                        .noneMatch(part -> part.cause() != null && part.cause().cause() == Cause.BEFORE_RECEIVER);
            }
            return seen[0];
        }
    }
}
