package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lagbench.core.cause.JvmEvents.Interval;

/** The clock of the Flight Recorder, and the intervals composed of its events. */
class AnchoredTimeTest {
    @Test
    void interpolatesBetweenAnchors() {
        AnchoredTime time = new AnchoredTime();
        time.add(2_000, 1_900, 3);
        time.add(1_000, 1_000, 5);
        time.sort();
        assertThat(time.realtimeNs(1_500)).isEqualTo(1_450);
        assertThat(time.realtimeNs(500)).isEqualTo(500);
        assertThat(time.realtimeNs(3_000)).isEqualTo(2_900);
        assertThat(time.maxOffsetNs()).isEqualTo(100);
        assertThat(time.uncertaintyNs()).isEqualTo(103);
    }

    @Test
    void returnsTimeUnchangedWithoutAnchor() {
        assertThat(new AnchoredTime().realtimeNs(77)).isEqualTo(77);
    }

    @Test
    void countsSafepointWithPauseAsCollection() {
        List<Interval> stops = SafepointIntervals.of(
                List.of(
                        new Interval(Cause.GARBAGE_COLLECTION, 110, 190),
                        new Interval(Cause.GARBAGE_COLLECTION, 700, 710)),
                Map.of(1L, 100L, 2L, 300L, 3L, 500L),
                Map.of(1L, 200L, 2L, 310L));
        assertThat(stops)
                .containsExactly(
                        new Interval(Cause.GARBAGE_COLLECTION, 100, 200),
                        new Interval(Cause.SAFEPOINT, 300, 310),
                        new Interval(Cause.GARBAGE_COLLECTION, 700, 710));
    }
}
