package org.lagbench.engines.srt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.engines.message.EngineProgram;

/** Limits of SRT, and its engine without its program. */
class SrtTransportTest {
    private final SrtTransport transport = new SrtTransport();

    private Settings settings(Map<String, String> given) {
        return Settings.of(transport.settings(), given);
    }

    @AfterEach
    void showProgram() {
        System.clearProperty(EngineProgram.DIRECTORY_PROPERTY);
    }

    @Test
    void reportsBuildWithoutLibsrt(@TempDir Path directory) {
        System.setProperty(EngineProgram.DIRECTORY_PROPERTY, directory.toString());
        assertThat(new SrtEngine().unavailableReason(transport))
                .hasMessageStartingWith("engine: libsrt is not available: it was built without libsrt.")
                .hasMessageContaining("apt-get install libsrt-gnutls-dev libgnutls28-dev nettle-dev")
                .extracting(LagbenchException::exitCode)
                .isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void namesWhatPkgConfigMissedAtTheBuild(@TempDir Path directory) throws Exception {
        System.setProperty(EngineProgram.DIRECTORY_PROPERTY, directory.toString());
        Files.writeString(directory.resolve("lagbench-srt.missing"), "Package 'gnutls', required by 'srt', not found");
        assertThat(new SrtEngine().unavailableReason(transport))
                .hasMessageContaining("built without libsrt (Package 'gnutls', required by 'srt', not found). Install");
    }

    @Test
    void hasRoomForPacketsOfOneFrame() {
        assertThat(transport.maximumPacketBytes(settings(Map.of()))).isEqualTo(1_456);
        assertThat(transport.maximumPacketBytes(settings(Map.of("fec", "10x5"))))
                .isEqualTo(1_452);
    }

    @Test
    void holdsPacketsForLatencyInWholeMilliseconds() throws Exception {
        assertThat(transport.holdNs(settings(Map.of()))).isEqualTo(TimeUnit.MILLISECONDS.toNanos(120));
        transport.check(992, settings(Map.of("latency", "0ms")));
        assertThatThrownBy(() -> transport.check(992, settings(Map.of("latency", "1500us"))))
                .hasMessageContaining("srt.latency: 1500us is not a whole number of ms");
    }

    @Test
    void sendsMatrixOfFilterAfterRecordedPackets() {
        assertThat(transport.leadOutPackets(992, settings(Map.of()), false)).isEqualTo(16);
        assertThat(transport.leadOutPackets(992, settings(Map.of("fec", "20x5")), false))
                .isEqualTo(100);
    }
}
