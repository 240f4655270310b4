package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class SenderClockTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long HOUR_NS = 3_600 * SECOND_NS;

    private final SenderClock clock = new SenderClock();
    private final long nowNs = RealtimeClock.nowNs();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {-HOUR_NS, 0, HOUR_NS})
    void acceptsStampsOfClockThatIsAheadOrBehind(long aheadNs) throws Exception {
        clock.addPing(nowNs + aheadNs, nowNs);
        clock.addPing(nowNs + aheadNs + SECOND_NS, nowNs + 3 * SECOND_NS); // the way of this one took 2 s
        Path file = capture(nowNs + aheadNs, RealtimeClock.nowNs() + aheadNs);

        assertThatCode(() -> clock.check(file, 0, "peer")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(longs = {-HOUR_NS, -2 * SECOND_NS, HOUR_NS, 1L << 61})
    void rejectsStampOutsideOfRun(long laterNs) throws Exception {
        clock.addPing(nowNs, nowNs);
        Path file = capture(nowNs, nowNs + laterNs);

        assertThatThrownBy(() -> clock.check(file, 0, "peer"))
                .isInstanceOfSatisfying(LagbenchException.class, SenderClockTest::assertBroken)
                .hasMessageStartingWith("The sender at peer reports what cannot be true: record 1 has a packet sent at "
                        + (nowNs + laterNs) + " ns");
    }

    @Test
    void acceptsStampsAfterReportedStep() throws Exception {
        clock.addPing(nowNs, nowNs);
        Path file = capture(nowNs, nowNs + HOUR_NS);

        assertThatCode(() -> clock.check(file, HOUR_NS, "peer")).doesNotThrowAnyException();
    }

    @Test
    void rejectsStampsWithoutPing() throws Exception {
        Path file = capture(nowNs);

        assertThatThrownBy(() -> clock.check(file, 0, "peer")).hasMessageContaining("cannot be true");
    }

    @Test
    void rejectsInvalidCapture() throws Exception {
        Path file = Files.writeString(directory.resolve("empty"), "");

        assertThatThrownBy(() -> clock.check(file, 0, "peer"))
                .isInstanceOfSatisfying(LagbenchException.class, SenderClockTest::assertBroken)
                .hasMessageContaining("an invalid capture");
    }

    private static void assertBroken(LagbenchException failure) {
        if (failure.exitCode() != ExitCode.BROKEN) {
            throw new AssertionError(failure.exitCode());
        }
    }

    private Path capture(long... sentNs) throws Exception {
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        try (SenderCapture capture = SenderCapture.create(file, sentNs.length, false)) {
            for (int packet = 0; packet < sentNs.length; packet++) {
                capture.append(packet, sentNs[packet], sentNs[packet], sentNs[packet]);
            }
        }
        return file;
    }
}
