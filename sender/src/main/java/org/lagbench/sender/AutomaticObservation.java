package org.lagbench.sender;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ClockMonitor;
import org.lagbench.core.cause.CauseRecorder;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;

/**
 * How the sender observes a run with {@link Observation#AUTO}: all packets where the expected price is below 2 % of the
 * lag; otherwise windows after the packets asked for, or nothing if the run is too short, or if the kernel refuses its
 * observer.
 */
final class AutomaticObservation {
    /** The key of the sender's metadata with what is observed. */
    private static final String OBSERVED = "observed";

    /** The price on two virtual CPUs of both sides together was 0.7 µs (docs/how-to/find-tail-causes.md). */
    private static final long EXPECTED_PRICE_NS = 1_000;

    private static final long LAG_PER_PRICE = 50;

    private AutomaticObservation() {}

    /** Returns why a run cannot be observed automatically, as a sentence; null if it can, or need not. */
    static @Nullable String refusal(RunSpec spec) {
        if (!spec.point().observes(Observation.AUTO)) {
            return null;
        }
        return spec.stream() == null
                ? CauseRecorder.observerRefusal()
                : "The windows of concurrent streams would not be concurrent.";
    }

    /**
     * Returns what both sides observe.
     *
     * @param refusal the result of {@link #refusal}
     * @return the point with other observations, without {@link Observation#AUTO} unless it has windows
     */
    static Point resolve(Point point, @Nullable String refusal, ClockMonitor clocks) {
        if (!point.observes(Observation.AUTO)) {
            return point;
        }
        Set<Observation> observe = new TreeSet<>(point.observe());
        if (refusal == null && isFar(clocks)) {
            observe.add(Observation.CAUSES);
        }
        if (refusal != null
                || observe.contains(Observation.CAUSES)
                || ObservedWindows.of(point).blocks() == 0) {
            observe.remove(Observation.AUTO);
        }
        return point.with(point.settings(), point.program(), observe);
    }

    /** Returns whether half of the shortest round trip between both hosts is long compared with the price. */
    private static boolean isFar(ClockMonitor clocks) {
        return clocks.twoWay().stream().mapToLong(OffsetInterval::smallestRoundTripNs).min().stream()
                .anyMatch(roundTripNs -> roundTripNs / 2 >= LAG_PER_PRICE * EXPECTED_PRICE_NS);
    }

    /**
     * Returns the entries for {@code run.json}.
     *
     * @param wanted the point as in the experiment
     * @param point the result of {@link #resolve}
     * @param seed of the order of the windows
     */
    static Map<String, Object> metadata(Point wanted, Point point, @Nullable String refusal, long seed) {
        if (!wanted.observes(Observation.AUTO)) {
            return Map.of();
        }
        if (point.observes(Observation.AUTO)) {
            return Map.of(OBSERVED, "windows", ObservedWindows.SEED, seed);
        }
        return Map.of(
                OBSERVED,
                point.observes(Observation.CAUSES)
                        ? "all packets"
                        : "nothing: " + (refusal == null ? "The run has too few packets for windows." : refusal));
    }
}
