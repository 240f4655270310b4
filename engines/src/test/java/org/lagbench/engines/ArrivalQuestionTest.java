package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.ArrivalQuestion;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.TrafficSpec;

class ArrivalQuestionTest {
    /** What passes on every path: 548 bytes over IPv4 and 1,232 over IPv6. QUIC's handshake has 1,200 bytes. */
    @ParameterizedTest
    @CsvSource({
        "udp, java,    548, false, false",
        "udp, java,    549, false, true",
        "udp, java,   1232, true,  false",
        "udp, java,   1233, true,  true",
        "udp, quic,   1156, false, false",
        "udp, quic,   1157, false, true",
        "udp, aeron,    24, false, false",
        "udp, aeron,  1400, false, true",
        "srt, libsrt,   24, false, false",
        "srt, libsrt,  532, false, false",
        "srt, libsrt,  533, false, true",
        "rist, librist, 24, false, false",
        "rist, librist, 1000, false, true"
    })
    void namesTheMtuOnlyOfLargePackets(
            String transport, String engine, int packetBytes, boolean isIpv6, boolean namesMtu) throws Exception {
        Map<String, String> given = engine.equals("quic") ? Map.of("delivery", "datagram") : Map.of();
        String question = ArrivalQuestion.of(point(transport, engine, packetBytes, given), isIpv6);
        assertThat(question.contains("lagbench doctor HOST --size"))
                .as(question)
                .isEqualTo(namesMtu);
        assertThat(question.contains("at the same port")).as(question).isNotEqualTo(engine.equals("java"));
        assertThat(question.contains("Does a firewall")).as(question).isEqualTo(engine.equals("java") || !namesMtu);
    }

    private static Point point(String transport, String engine, int packetBytes, Map<String, String> given)
            throws Exception {
        Transport known = Transports.load().named(transport);
        Engine found = Engines.load().named(engine);
        return new Point(
                transport,
                packetBytes,
                100,
                0,
                new Pace(Pace.Mode.SLEEP, 1_000_000, 1),
                TrafficSpec.ONE_WAY,
                Settings.of(known.settings(), Map.of()),
                new EngineSpec(engine, Settings.of(found.settings(), given), JvmOptions.NONE),
                Set.of(),
                RunConditions.of(Duration.ZERO, Duration.ofSeconds(10)));
    }
}
