package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;

class PeerClockTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long HOUR_NS = 3_600 * SECOND_NS;

    private final PeerClock clock = new PeerClock();
    private final long nowNs = RealtimeClock.nowNs();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {-HOUR_NS, 0, HOUR_NS})
    void acceptsStampsOfClockThatIsAheadOrBehind(long aheadNs) throws Exception {
        clock.add(nowNs + aheadNs, nowNs);
        clock.add(nowNs + aheadNs + SECOND_NS, nowNs + 3 * SECOND_NS); // this stamp was 2 s on its way
        Path file = capture(nowNs + aheadNs, RealtimeClock.nowNs() + aheadNs);

        assertThat(clock.impossible(file, 0)).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {-HOUR_NS, -2 * SECOND_NS, HOUR_NS, 1L << 61})
    void rejectsStampOutsideOfRun(long laterNs) throws Exception {
        clock.add(nowNs, nowNs);
        Path file = capture(nowNs, nowNs + laterNs);

        assertThat(clock.impossible(file, 0)).startsWith("record 1 has a packet sent at " + (nowNs + laterNs) + " ns");
    }

    @Test
    void acceptsStampsAfterReportedStep() throws Exception {
        clock.add(nowNs, nowNs);
        Path file = capture(nowNs, nowNs + HOUR_NS);

        assertThat(clock.impossible(file, HOUR_NS)).isNull();
    }

    @Test
    void rejectsStampsWithoutMessage() throws Exception {
        Path file = capture(nowNs);

        assertThat(clock.impossible(file, 0)).startsWith("record 0");
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
