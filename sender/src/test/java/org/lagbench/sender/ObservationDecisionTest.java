package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;

/** What a run observes by its point, its hosts and the rights of both sides. */
class ObservationDecisionTest {
    private static final Pace PACE = new Pace(Pace.Mode.HYBRID, 1_000_000);
    private static final int SHORT = 7_000;
    private static final int LONG = 9_000;

    private static Point point(Pace pace, TrafficSpec traffic, long packets, Set<ObservedSource> observe) {
        Point point = FakeReceiver.spec("udp", pace, Duration.ofSeconds(5)).point();
        return new Point(
                point.transport(),
                point.packetBytes(),
                packets,
                point.warmUpPackets(),
                pace,
                traffic,
                point.settings(),
                point.program(),
                observe,
                point.conditions());
    }

    private static RunSpec spec(Pace pace, TrafficSpec traffic, long packets) {
        return new RunSpec("run", point(pace, traffic, packets, Set.of(ObservedSource.AUTO)), 1, null);
    }

    @Test
    void isFarByRoundTripOfExchangesOrLab() {
        assertThat(ObservationDecision.isFar(null, OptionalLong.of(100_000))).isTrue();
        assertThat(ObservationDecision.isFar(null, OptionalLong.of(99_999))).isFalse();
        assertThat(ObservationDecision.isFar(null, OptionalLong.empty())).isFalse();
        assertThat(ObservationDecision.isFar("40000000", OptionalLong.empty())).isTrue();
        assertThat(ObservationDecision.isFar("0", OptionalLong.empty())).isFalse();
    }

    @Test
    void observesFarRunsOfAnyLength() {
        RunSpec run = spec(PACE, TrafficSpec.ONE_WAY, SHORT);
        assertThat(ObservationDecision.refusal(run, false, true)).isNull();
        assertThat(ObservationDecision.refusal(run, false, false)).contains("100 µs", "too few packets");
        assertThat(ObservationDecision.refusal(spec(PACE, TrafficSpec.ONE_WAY, LONG), false, false))
                .isNull();
    }

    @Test
    void observesRepliesOnlyFar() {
        RunSpec run = spec(PACE, TrafficSpec.of(Traffic.ROUND_TRIP), LONG);
        assertThat(ObservationDecision.refusal(run, false, true)).isNull();
        assertThat(ObservationDecision.refusal(run, false, false)).contains("replies");
    }

    @Test
    void observesNoFloodsProbesAndStreams() {
        RunSpec run = spec(PACE, TrafficSpec.ONE_WAY, LONG);
        assertThat(ObservationDecision.refusal(spec(Pace.flood(), TrafficSpec.ONE_WAY, LONG), false, true))
                .contains("rate");
        assertThat(ObservationDecision.refusal(run, true, true)).contains("probe");
        RunSpec stream = new RunSpec(
                run.name(), run.point(), 1, new StreamRole("video", StreamRole.Direction.FORWARD, List.of("audio")));
        assertThat(ObservationDecision.refusal(stream, false, true)).contains("concurrent");
    }

    @Test
    void keepsOtherObservations() {
        Point wanted = point(PACE, TrafficSpec.ONE_WAY, LONG, Set.of(ObservedSource.AUTO, ObservedSource.TIMESTAMPING));
        assertThat(ObservationDecision.of(wanted, null, true).point().observe())
                .containsExactlyInAnyOrder(ObservedSource.EVENTS, ObservedSource.TIMESTAMPING);
        assertThat(ObservationDecision.of(wanted, null, false).point()).isEqualTo(wanted);
        assertThat(ObservationDecision.of(wanted, "No right.", true).point().observe())
                .containsExactly(ObservedSource.TIMESTAMPING);
    }

    @Test
    void recordsDecision() {
        Point wanted = point(PACE, TrafficSpec.ONE_WAY, LONG, Set.of(ObservedSource.AUTO));
        assertThat(ObservationDecision.of(wanted, null, true).metadata(5)).isEqualTo(Map.of("observed", "all packets"));
        assertThat(ObservationDecision.of(wanted, "No right.", true).metadata(5))
                .isEqualTo(Map.of("observed", "none", "observedReason", "No right."));
        assertThat(ObservationDecision.of(wanted, null, false).metadata(5))
                .isEqualTo(Map.of("observed", "windows", ObservedWindows.SEED, 5L));
        Point causes = point(PACE, TrafficSpec.ONE_WAY, LONG, Set.of(ObservedSource.EVENTS));
        assertThat(new ObservationDecision(causes, causes, null).metadata(5)).isEmpty();
    }
}
