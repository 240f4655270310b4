package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.PacketTransport;

class LeadOutTest {
    @ParameterizedTest
    @CsvSource({
        "udp, 24, flood, 1000",
        "tcp, 60000, flood, 4",
        "tcp, 16777216, flood, 1",
        "udp, 24, hybrid:125us, 16",
        "udp, 992, hybrid:40ms:12, 24",
        "udp, 992, spin:1ms:48, 48",
        "udp, 24, sleep:100ms, 10",
        "udp, 24, sleep:10s, 1",
        "ieee1394, 992, flood, 17"
    })
    void lastsAsLongAsMediumNeeds(String transport, int bytes, String pace, long packets) throws Exception {
        assertThat(leadOut(transport, bytes, pace, Map.of())).isEqualTo(packets);
    }

    @ParameterizedTest
    @CsvSource({"tcp, 24, sleep:125us, no-delay, false, 2730", "tcp, 24, sleep:10ms, no-delay, false, 100"})
    void completesSegmentWithNagle(String transport, int bytes, String pace, String setting, String value, long packets)
            throws Exception {
        assertThat(leadOut(transport, bytes, pace, Map.of(setting, value))).isEqualTo(packets);
    }

    @ParameterizedTest
    @CsvSource({"flood, 175", "sleep:125us, 175", "sleep:10ms, 100"})
    void completesInterruptInterval(String pace, long packets) throws Exception {
        assertThat(leadOut("ieee1394", 24, pace, Map.of("input-buffer", "4096", "queue-packets", "5")))
                .isEqualTo(packets);
    }

    /** On a path with a round trip of 100 ms, a lead-out of 1,000 packets would take 100 s. */
    @Test
    void isOnePacketIfEachWaitsForReply() throws Exception {
        assertThat(leadOut("tcp", 2, "flood", Map.of("no-delay", "false"), TrafficSpec.of(Traffic.ROUND_TRIP)))
                .isEqualTo(1);
    }

    private static long leadOut(String transport, int bytes, String pace, Map<String, String> settings)
            throws Exception {
        return leadOut(transport, bytes, pace, settings, TrafficSpec.ONE_WAY);
    }

    private static long leadOut(
            String transport, int bytes, String pace, Map<String, String> settings, TrafficSpec traffic)
            throws Exception {
        PacketTransport medium = FakeReceiver.transport(transport);
        RunSpec spec = new RunSpec(
                "run",
                new Point(
                        transport,
                        bytes,
                        1,
                        0,
                        pace(pace),
                        traffic,
                        Settings.of(medium.settings(), settings),
                        new EngineSpec("java", JvmOptions.NONE),
                        Set.of(),
                        RunConditions.of(Duration.ZERO, Duration.ofSeconds(30))),
                1,
                null);
        return UnrecordedPackets.leadOutPackets(spec, medium);
    }

    /** Returns the pace of {@code flood}, or of a mode, an interval and the packets of a burst. */
    private static Pace pace(String text) {
        String[] parts = text.split(":", -1);
        return parts.length == 1
                ? Pace.flood()
                : new Pace(
                        Pace.Mode.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                        Durations.parseNs(parts[1]),
                        parts.length == 2 ? 1 : Integer.parseInt(parts[2]));
    }
}
