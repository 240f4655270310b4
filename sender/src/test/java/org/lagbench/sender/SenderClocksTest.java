package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;

/** Tests how a sender handles the clocks of both hosts. */
@Tag("one-java")
class SenderClocksTest {
    private final Path directory;

    @AutoClose
    private final FakeReceiver receiver = new FakeReceiver();

    SenderClocksTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
    }

    @Test
    void refusesToStartWithLargeClockBound() throws Exception {
        receiver.isOnAnotherKernel(50_000_000);
        CompletableFuture<Long> served = receiver.serveUntilClosed();

        LagbenchException refused =
                receiver.broken(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(5)), directory);

        assertThat(served.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(refused.exitCode()).isEqualTo(ExitCode.CLOCK);
        assertThat(refused)
                .hasMessageMatching("(?s).*: ± ([5-9]\\d|\\d{3,})\\.\\d+ ms .*")
                .hasMessageContaining("allowed ± 1")
                .hasMessageContaining("Nothing keeps the receiver's clock.")
                .hasMessageContaining("--accept-unsynchronized");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void recordsAcceptedClockBound() throws Exception {
        receiver.isOnAnotherKernel(50_000_000);
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            receiver.await(connection, ControlMessage.Done.class);
            connection.close();
            return 0L;
        });

        LagbenchException broken = receiver.broken(
                accepting(FakeReceiver.spec("udp", new Pace(Pace.Mode.SLEEP, 5_000_000), Duration.ofSeconds(5))),
                directory);

        served.get(60, TimeUnit.SECONDS);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN);
        RunRecord.Clock clock = RunRecord.read(directory.resolve("run")).clock();
        assertThat(clock).isNotNull();
        assertThat(clock.accepted()).isTrue();
        assertThat(clock.basis()).isEqualTo(ClockBound.Basis.TWO_WAY);
        assertThat(clock.boundNs()).isBetween(50_000_000L, 1_000_000_000L);
        // the clock was asked before the run, once a second during it, and after it
        assertThat(clock.twoWay()).hasSizeGreaterThanOrEqualTo(3).allSatisfy(interval -> {
            assertThat(interval.lowerNs()).isLessThanOrEqualTo(50_000_000);
            assertThat(interval.upperNs()).isGreaterThanOrEqualTo(50_000_000);
        });
        try (CaptureReader twoWay = CaptureReader.open(directory.resolve("run/two-way.npy"))) {
            assertThat(twoWay.records()).isGreaterThanOrEqualTo(40);
        }
    }

    @ParameterizedTest
    @CsvSource({"50000000, 0, exchanges prove", "30000, 30000, count as two clocks", "0, -30000, than the sender's"})
    void treatsCloneOfThisVmAsAnotherClock(long aheadNs, long fakedNs, String mark) throws Exception {
        receiver.isCopy(aheadNs, fakedNs);
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            receiver.await(connection, ControlMessage.Done.class);
            connection.close();
            return 0L;
        });

        receiver.broken(accepting(FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(5))), directory);

        served.get(60, TimeUnit.SECONDS);
        RunRecord.Clock clock = RunRecord.read(directory.resolve("run")).clock();
        assertThat(clock).isNotNull();
        assertThat(clock.basis()).isEqualTo(ClockBound.Basis.TWO_WAY);
        assertThat(clock.boundNs()).isGreaterThanOrEqualTo(aheadNs);
        assertThat(clock.marks()).anyMatch(text -> text.contains("same boot identifier") && text.contains(mark));
    }

    @Test
    void discardsClockSamplesOfWait() throws Exception {
        receiver.isOnAnotherKernel(50_000_000);
        RunRequest request = FakeReceiver.request(
                FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(5)),
                Duration.ofMillis(20),
                Duration.ofSeconds(20),
                false);
        receiver.setsItsClockAfterAsking();
        CompletableFuture<Long> served = receiver.serve((connection, packets) -> {
            receiver.begin(connection);
            receiver.await(connection, ControlMessage.Done.class);
            connection.close();
            return 0L;
        });

        receiver.broken(request, directory);

        served.get(60, TimeUnit.SECONDS);
        try (CaptureReader twoWay = CaptureReader.open(directory.resolve("run/two-way.npy"))) {
            assertThat(twoWay.records()).isGreaterThanOrEqualTo(40);
            for (long i = 0; i < twoWay.records(); i++) {
                assertThat(twoWay.value(i, twoWay.field("replied_ns")))
                        .isLessThanOrEqualTo(twoWay.value(i, twoWay.field("returned_ns")));
            }
        }
    }

    /** A receiver ends a connection that is silent for half a minute. */
    @Test
    void asksReceiverWhileItWaitsForIdleHost() throws Exception {
        CompletableFuture<Long> served = receiver.serveUntilClosed();

        receiver.broken(
                new RunRequest(
                        FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(5)),
                        Duration.ofMillis(1),
                        0,
                        Duration.ofSeconds(1),
                        true),
                directory);

        assertThat(served.get(60, TimeUnit.SECONDS)).isOne();
        assertThat(receiver.loadsAsked()).isGreaterThanOrEqualTo(2);
    }

    private static RunRequest accepting(RunSpec spec) {
        return FakeReceiver.request(spec, Duration.ofMillis(1), Duration.ZERO, true);
    }
}
