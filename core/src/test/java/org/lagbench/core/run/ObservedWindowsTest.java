package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;

class ObservedWindowsTest {
    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 250_000);

    @ParameterizedTest
    @CsvSource({"31000, 0", "32000, 6", "80000, 16", "10000000, 30"})
    void takesHalfOfTheTime(long packets, int blocks) {
        Point point = point(packets, PACE, TrafficSpec.ONE_WAY, Set.of(ObservedSource.AUTO));
        ObservedWindows windows = ObservedWindows.of(point);
        assertThat(windows.blocks()).isEqualTo(blocks);
        assertThat(windows.packets())
                .isEqualTo(blocks == 0 ? 0 : (2L * blocks + 1) * 1_200)
                .isLessThanOrEqualTo(packets / 2);
        assertThat(point.stampedPackets()).isEqualTo(packets + windows.packets());
        if (blocks > 0) {
            assertThat(windows.firstPacket(windows.count())).isEqualTo(point.stampedPackets());
        }
    }

    @Test
    void observesOneWindowOfEachBlock() {
        ObservedWindows windows = new ObservedWindows(100, 30, 10);
        boolean[] observed = windows.areObserved(1);
        int first = 0;
        for (int block = 0; block < 30; block++) {
            assertThat(observed[2 * block]).isNotEqualTo(observed[2 * block + 1]);
            first += observed[2 * block] ? 1 : 0;
        }
        assertThat(first).isBetween(1, 29);
        assertThat(windows.areObserved(1)).isEqualTo(observed);
        assertThat(windows.areObserved(2)).isNotEqualTo(observed);
    }

    @Test
    void needsPaceAndOneWayTraffic() {
        assertThat(blocks(Pace.flood(), TrafficSpec.ONE_WAY, Set.of(ObservedSource.AUTO)))
                .isZero();
        assertThat(blocks(PACE, TrafficSpec.of(Traffic.ROUND_TRIP), Set.of(ObservedSource.AUTO)))
                .isZero();
        assertThat(blocks(new Pace(Pace.Mode.SLEEP, 10_000_000), TrafficSpec.ONE_WAY, Set.of(ObservedSource.AUTO)))
                .isZero();
        assertThat(blocks(PACE, TrafficSpec.ONE_WAY, Set.of(ObservedSource.EVENTS)))
                .isZero();
    }

    @Test
    void recordsEventsOfAllPacketsOrInWindows() {
        Point all = point(1_000_000, PACE, TrafficSpec.ONE_WAY, Set.of(ObservedSource.EVENTS));
        Point replies = point(1_000_000, PACE, TrafficSpec.of(Traffic.ROUND_TRIP), Set.of(ObservedSource.EVENTS));
        Point windows = point(1_000_000, PACE, TrafficSpec.ONE_WAY, Set.of(ObservedSource.AUTO));
        Point one = point(1_000_000, PACE, TrafficSpec.ONE_WAY, Set.of(ObservedSource.JVM));
        for (ObservedSource source : ObservedSource.values()) {
            boolean isEvent = source != ObservedSource.TIMESTAMPING && source != ObservedSource.AUTO;
            assertThat(all.records(source)).as("%s", source).isEqualTo(isEvent);
            assertThat(replies.records(source))
                    .as("%s", source)
                    .isEqualTo(isEvent && source != ObservedSource.ARRIVALS);
            assertThat(windows.records(source)).as("%s", source).isEqualTo(source != ObservedSource.TIMESTAMPING);
            assertThat(windows.observes(source)).as("%s", source).isEqualTo(source == ObservedSource.AUTO);
            assertThat(one.records(source)).as("%s", source).isEqualTo(source == ObservedSource.JVM);
        }
    }

    private static int blocks(Pace pace, TrafficSpec traffic, Set<ObservedSource> observe) {
        return ObservedWindows.of(point(1_000_000, pace, traffic, observe)).blocks();
    }

    private static Point point(long packets, Pace pace, TrafficSpec traffic, Set<ObservedSource> observe) {
        return new Point(
                "udp",
                100,
                packets,
                0,
                pace,
                traffic,
                new Settings(Map.of()),
                new EngineSpec("c", JvmOptions.NONE),
                observe,
                RunConditions.of(Duration.ZERO, Duration.ofHours(1)));
    }
}
