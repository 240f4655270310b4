package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;

/** Runs over RIST by the real library, on loopback. */
class RistRunTest {
    private static final int PACKETS = 200;

    /** Longer than a side of the run may have to wait for a processor: what is later than the buffer is dropped. */
    private static final int BUFFER_MS = 2_000;

    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000, 1);

    @TempDir
    private Path directory;

    @BeforeEach
    void needsLibrary() throws LagbenchException {
        InterfaceRun.assumeAvailable("librist", "rist");
    }

    @ParameterizedTest
    @CsvSource({"992, main, none", "24, main, aes-128", "1432, main, aes-256", "1440, simple, none"})
    void deliversEachPacketAfterItsBuffer(int packetBytes, String profile, String encryption) throws Exception {
        Map<String, String> settings =
                Map.of("buffer", BUFFER_MS + "ms", "rtt-min", "20ms", "profile", profile, "encryption", encryption);
        InterfaceRun ended;
        try (InterfaceRun run = InterfaceRun.open(directory, "librist", "rist", settings, packetBytes, PACKETS, 2, 16)
                .connect()) {
            run.sender.send(-2, PACKETS + 16, PACE);
            run.receiver.drain(10_000);

            assertThat(run.failures).isEmpty();
            assertThat(run.receiver.counts().distinct()).isEqualTo(PACKETS);
            assertThat(run.receiver.counts().foreign()).isZero();
            assertThat(run.receiver.counts().warmUpReceived()).isEqualTo(2);
            assertThat(run.sender.metadata()).containsKey("ristPacketsRetransmitted");
            assertThat(run.receiver.metadata()).containsKey("ristPacketsRepaired");
            ended = run;
        }
        try (CaptureReader sent = CaptureReader.open(ended.sentFile);
                CaptureReader received = CaptureReader.open(ended.receivedFile)) {
            for (int i = 0; i < PACKETS; i++) {
                int packet = (int) received.value(i, received.field("seq"));
                long lagNs =
                        received.value(i, received.field("received_ns")) - sent.value(packet, sent.field("sent_ns"));
                assertThat(lagNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(BUFFER_MS - 5));
            }
        }
    }
}
