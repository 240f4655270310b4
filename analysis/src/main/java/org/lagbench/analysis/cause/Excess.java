package org.lagbench.analysis.cause;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.core.cause.Cause;

/**
 * What a packet's lag exceeds the median by: what the parts of its ledger exceed those of usual packets by.
 *
 * @param byCause the excess by cause, in ns, each positive
 * @param unexplainedNs the excess without a cause, in ns
 */
public record Excess(Map<SideCause, Double> byCause, double unexplainedNs) {
    /** Parts that stand for several places, because a stamp is missing; as what is not explained. */
    private static final Set<Cause> OF_SEVERAL_PLACES = EnumSet.of(Cause.BEFORE_RECEIVER, Cause.NETWORK_OR_RECEIVER);

    /** The parts of these places if no stamp is missing. */
    private static final Set<Cause> ON_THE_WAY =
            EnumSet.of(Cause.SENDER_QUEUE, Cause.NETWORK, Cause.BEFORE_RECEIVER, Cause.NETWORK_OR_RECEIVER);

    /**
     * Returns the excess of a packet. What it has less of than usual packets reduces the excess of other parts, first
     * of the same place. A library that held it for a shorter time absorbed delays before that. If packets differ in
     * the stamps that they have, parts of one place and of several places replace each other.
     *
     * @param usual packets next to the median
     * @param excessNs the lag above the median, the sum of the parts
     */
    static Excess of(Ledger ledger, LedgerTotal usual, double excessNs) {
        double packets = (double) Math.max(1, usual.packets());
        Map<@Nullable SideCause, Double> moreNs = new HashMap<>();
        ledger.parts().byCause().forEach((cause, ns) -> moreNs.put(cause, (double) ns));
        moreNs.put(null, (double) ledger.parts().unexplainedNs());
        usual.parts().forEach((cause, part) -> moreNs.merge(cause, (double) -part.ns() / packets, Double::sum));
        moreNs.merge(null, (double) -usual.notExplained().ns() / packets, Double::sum);
        Map<@Nullable SideCause, Double> lessNs = new HashMap<>(moreNs);
        lessNs.replaceAll((cause, ns) -> Math.max(0, -ns));
        moreNs.values().removeIf(ns -> ns <= 0);

        reduce(moreNs, cause -> cause == null || cause.side() != Role.RECEIVER, sum(lessNs, Excess::isHold));
        Map<Role, Double> restNs = new EnumMap<>(Role.class);
        for (Role place : Role.values()) {
            Predicate<@Nullable SideCause> isHere = cause -> cause != null && place(cause) == place && !isHold(cause);
            double lessHereNs = sum(lessNs, isHere);
            restNs.put(place, Math.max(0, lessHereNs - sum(moreNs, isHere)));
            reduce(moreNs, isHere, lessHereNs);
        }
        double pathNs = restNs.getOrDefault(Role.PATH, 0.0) + lessNs.getOrDefault(null, 0.0);
        reduce(moreNs, cause -> cause == null || ON_THE_WAY.contains(cause.cause()), pathNs);
        double hostsNs = restNs.getOrDefault(Role.SENDER, 0.0) + restNs.getOrDefault(Role.RECEIVER, 0.0);
        reduce(moreNs, cause -> cause == null || OF_SEVERAL_PLACES.contains(cause.cause()), hostsNs);
        reduce(moreNs, cause -> true, sum(moreNs, cause -> true) - excessNs);
        double unexplainedNs = moreNs.isEmpty() ? excessNs : moreNs.getOrDefault(null, 0.0);
        moreNs.remove(null);
        return new Excess(new TreeMap<>(moreNs), unexplainedNs);
    }

    private static boolean isHold(@Nullable SideCause cause) {
        return cause != null && cause.cause() == Cause.LIBRARY;
    }

    /** Reduces the sum of some parts, all by the same factor, at most to nothing; a negative one increases it. */
    private static void reduce(
            Map<@Nullable SideCause, Double> parts, Predicate<@Nullable SideCause> which, double byNs) {
        double sumNs = sum(parts, which);
        double factor = sumNs == 0 ? 1 : Math.max(0, 1 - byNs / sumNs);
        parts.replaceAll((cause, ns) -> which.test(cause) ? ns * factor : ns);
        parts.values().removeIf(ns -> ns == 0);
    }

    private static double sum(Map<@Nullable SideCause, Double> parts, Predicate<@Nullable SideCause> which) {
        double sumNs = 0;
        for (Map.Entry<@Nullable SideCause, Double> part : parts.entrySet()) {
            sumNs += which.test(part.getKey()) ? part.getValue() : 0;
        }
        return sumNs;
    }

    /**
     * Returns the same with the events that made a queue instead of the wait in it, as far as they took its time.
     *
     * @param busyNs how long the queue moved during the wait
     * @param before the cause of the wait before that; null if it is not explained
     */
    Excess withMakersOf(SideCause queue, Parts makers, long busyNs, @Nullable SideCause before) {
        double waitedNs = byCause.getOrDefault(queue, 0.0);
        double leftNs = Math.min(waitedNs, (double) busyNs);
        Map<SideCause, Double> causes = new TreeMap<>(byCause);
        double stuckNs = waitedNs - leftNs;
        causes.merge(queue, -stuckNs, Double::sum);
        if (before != null) {
            causes.merge(before, stuckNs, Double::sum);
        }
        for (Map.Entry<SideCause, Long> maker : makers.byCause().entrySet()) {
            double tookNs = Math.min(leftNs, (double) maker.getValue());
            causes.merge(maker.getKey(), tookNs, Double::sum);
            causes.merge(queue, -tookNs, Double::sum);
            leftNs -= tookNs;
        }
        causes.values().removeIf(ns -> ns <= 0);
        return new Excess(causes, unexplainedNs + (before == null ? stuckNs : 0));
    }

    /**
     * Returns the main cause: of the place with the largest excess the largest kind of cause, and of that the program
     * with the largest part; null if more than at that place is not explained.
     */
    public @Nullable SideCause cause() {
        Map<SideCause, Double> ofPlace = largest(byCause, Excess::place);
        double placeNs = ofPlace.values().stream().mapToDouble(ns -> ns).sum();
        return ofPlace.isEmpty() || placeNs < unexplainedNs
                ? null
                : largest(largest(ofPlace, SideCause::cause), cause -> cause)
                        .keySet()
                        .iterator()
                        .next();
    }

    /** What is retransmitted was lost on the path. */
    private static Role place(SideCause cause) {
        return cause.cause() == Cause.RETRANSMISSION ? Role.PATH : cause.side();
    }

    /** Returns the parts of the group with the largest sum; none of none. */
    private static <K> Map<SideCause, Double> largest(Map<SideCause, Double> parts, Function<SideCause, K> group) {
        Map<K, Map<SideCause, Double>> groups = new LinkedHashMap<>();
        parts.forEach((cause, ns) -> groups.computeIfAbsent(group.apply(cause), key -> new TreeMap<>())
                .put(cause, ns));
        return groups.values().stream()
                .max(Comparator.comparingDouble(
                        one -> one.values().stream().mapToDouble(ns -> ns).sum()))
                .orElse(Map.of());
    }
}
