package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;

class RunSpecTest {
    @ParameterizedTest
    @CsvSource({
        "run, 23, 1, 0, 500, 30000, smallest are 24",
        "../run, 24, 1, 0, 500, 30000, name: ../run is not",
        "run, 24, 0, 0, 500, 30000, packets: 0",
        "run, 24, 1000000001, 0, 500, 30000, packets: 1000000001",
        "run, 24, 1, -1, 500, 30000, warm-up-packets: -1",
        "run, 24, 1, 0, -1, 30000, drain",
        "run, 24, 1, 0, 60001, 30000, drain",
        "run, 24, 1, 0, 500, 999, stall-timeout: 999ms",
        "run, 24, 1, 0, 500, 3600001, stall-timeout: 3600001ms"
    })
    void refusesValuesOutOfRange(
            String name, int packetBytes, long packets, long warmUp, long drainMs, long stallMs, String message) {
        assertThatThrownBy(() -> spec(name, packetBytes, packets, warmUp, Pace.flood(), drainMs, stallMs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refusesIntervalBeyondStallTimeout() {
        Pace slow = new Pace(Pace.Mode.SLEEP, 2_000_000_000L);

        assertThatThrownBy(() -> spec("run", 24, 1, 0, slow, 500, 2_000))
                .hasMessageContaining("longer than the time between packets");
    }

    @Test
    void ordersSourcesByDeclaration() {
        Point point = spec("run", 24, 1, 0, Pace.flood(), 500, 2_000).point();
        Set<ObservedSource> observe = new LinkedHashSet<>(List.of(ObservedSource.EVENTS, ObservedSource.TIMESTAMPING));

        Point observed = new Point(
                point.transport(),
                point.packetBytes(),
                point.packets(),
                point.warmUpPackets(),
                point.pace(),
                point.traffic(),
                point.settings(),
                point.program(),
                observe,
                point.conditions());

        assertThat(observed.observe()).containsExactly(ObservedSource.TIMESTAMPING, ObservedSource.EVENTS);
    }

    private static RunSpec spec(
            String name, int packetBytes, long packets, long warmUp, Pace pace, long drainMs, long stallMs) {
        return new RunSpec(
                name,
                new Point(
                        "udp",
                        packetBytes,
                        packets,
                        warmUp,
                        pace,
                        TrafficSpec.ONE_WAY,
                        Settings.of(List.of(), Map.of()),
                        new EngineSpec("java", JvmOptions.NONE),
                        ObservedSource.DEFAULT,
                        RunConditions.of(Duration.ofMillis(drainMs), Duration.ofMillis(stallMs))),
                1,
                null);
    }
}
