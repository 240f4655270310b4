package org.lagbench.sender;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ReceiverQuestions;
import org.lagbench.core.cause.KernelObserver;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.DecidedObservation;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;

/**
 * What both sides of a run observe, where its point leaves that to them ({@link ObservedSource#AUTO}): all packets
 * where the expected price is below 2 % of the lag; otherwise windows after the packets asked for; or nothing.
 *
 * @param wanted the point of the experiment
 * @param point the point with other sources: without {@link ObservedSource#AUTO} unless it has windows
 * @param refusal why nothing is observed, as a sentence; null if something is
 */
record ObservationDecision(Point wanted, Point point, @Nullable String refusal) {
    /** The price on two virtual CPUs of both sides together was 0.7 µs (docs/explanation/observation.md). */
    private static final long EXPECTED_PRICE_NS = 1_000;

    private static final long LAG_PER_PRICE = 50;

    /** The shortest round trip of which half is a lag that is long compared with the price. */
    private static final long FAR_ROUND_TRIP_NS = 2 * LAG_PER_PRICE * EXPECTED_PRICE_NS;

    /**
     * Decides what a run observes. Asks the kernels of both sides only if it would observe something.
     *
     * @param isProbe whether it is a probe of a monitor
     * @param smallestRoundTripNs of the exchanges with the receiver; empty on one kernel
     * @throws LagbenchException if the receiver does not answer
     */
    static ObservationDecision of(
            RunSpec spec, boolean isProbe, OptionalLong smallestRoundTripNs, ReceiverQuestions receiver)
            throws LagbenchException {
        Point wanted = spec.point();
        if (!wanted.observes(ObservedSource.AUTO)) {
            return new ObservationDecision(wanted, wanted, null);
        }
        boolean isFar = isFar(System.getenv(Network.ROUND_TRIP_VARIABLE), smallestRoundTripNs);
        String refusal = refusal(spec, isProbe, isFar);
        if (refusal == null) {
            refusal = KernelObserver.refusal();
        }
        if (refusal == null) {
            String ofReceiver = receiver.observerRefusal();
            refusal = ofReceiver == null ? null : "On the receiver: " + ofReceiver;
        }
        return of(wanted, refusal, isFar);
    }

    /**
     * Returns whether half of the round trip between both sides is long compared with the price.
     *
     * @param emulatedNs the delays of an emulated network, which is on one kernel; null without one
     * @param smallestNs of the exchanges; empty on one kernel
     */
    static boolean isFar(@Nullable String emulatedNs, OptionalLong smallestNs) {
        long roundTripNs = emulatedNs == null ? smallestNs.orElse(0) : Long.parseLong(emulatedNs);
        return roundTripNs >= FAR_ROUND_TRIP_NS;
    }

    /** Returns the decision about a point, from its reason to observe nothing. */
    static ObservationDecision of(Point wanted, @Nullable String refusal, boolean isFar) {
        Set<ObservedSource> observe = new TreeSet<>(wanted.observe());
        if (refusal == null && isFar) {
            observe.add(ObservedSource.EVENTS);
        }
        if (refusal != null || observe.stream().anyMatch(ObservedSource::isEvent)) {
            observe.remove(ObservedSource.AUTO);
        }
        return new ObservationDecision(wanted, wanted.with(wanted.settings(), wanted.program(), observe), refusal);
    }

    /** Returns why a run observes nothing, even if both kernels permit their observers; null if it does. */
    static @Nullable String refusal(RunSpec spec, boolean isProbe, boolean isFar) {
        Point point = spec.point();
        if (isProbe) {
            return "A probe must cost little.";
        } else if (spec.stream() != null) {
            return "The observers of concurrent streams would add to the lags of all.";
        } else if (point.pace().mode() == Pace.Mode.FLOOD || point.traffic().kind() == Traffic.TRANSFER) {
            return "Observing would lower the rate.";
        } else if (isFar || ObservedWindows.of(point).blocks() > 0) {
            return null;
        }
        return "The sides are on one host, or the round trip between them is below 100 µs, and "
                + (point.traffic().isAnswered()
                        ? "runs with replies have no windows."
                        : "the run has too few packets for windows.");
    }

    /**
     * Returns the entries for {@code run.json}.
     *
     * @param seed of the order of the windows
     */
    Map<String, Object> metadata(long seed) {
        if (!wanted.observes(ObservedSource.AUTO)) {
            return Map.of();
        } else if (refusal != null) {
            return DecidedObservation.nothing(refusal).metadata();
        } else if (!point.observes(ObservedSource.AUTO)) {
            return DecidedObservation.of(DecidedObservation.ALL_PACKETS).metadata();
        }
        Map<String, Object> metadata =
                new HashMap<>(DecidedObservation.of(DecidedObservation.WINDOWS).metadata());
        metadata.put(ObservedWindows.SEED, seed);
        return metadata;
    }
}
