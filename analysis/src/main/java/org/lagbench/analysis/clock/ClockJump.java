package org.lagbench.analysis.clock;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TwoWayExchange;

/**
 * That the clocks did not run steadily, as found in two-way stamps: no line of at most 500 ppm lies within what all
 * exchanges allow. No assumption on delays is made but that none is negative, so that it is never found where there is
 * none; one smaller than half a round trip may go unnoticed.
 *
 * @param afterNs a time before it, by the sender's clock, ns since the epoch
 * @param beforeNs a time after it
 * @param sizeNs about how much the receiver's clock gained on the sender's, in ns; null if it was more than one jump
 */
public record ClockJump(long afterNs, long beforeNs, @Nullable Long sizeNs) {
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_MS = 1e6;

    /** Looks for one; null if all exchanges agree with one line. */
    public static @Nullable ClockJump find(TwoWayStamps stamps) {
        int count = stamps.count();
        if (!OffsetLines.of(stamps).isEmpty()) {
            return null;
        }
        int agreeFromFirst =
                greatest(count, size -> !OffsetLines.of(stamps, 0, size).isEmpty());
        int agreeToLast = greatest(
                count, size -> !OffsetLines.of(stamps, count - size, count).isEmpty());
        // the exchange that the earlier ones do not allow came back after the jump; that which the later ones do not
        // allow was sent before it; a clock set in mid-exchange makes them the same
        int came = agreeFromFirst;
        int went = count - agreeToLast - 1;
        if (went > came) {
            return new ClockJump(
                    stamps.get(Math.max(0, came - 1)).sentNs(),
                    stamps.get(Math.min(count - 1, went + 1)).returnedNs(),
                    null);
        }
        boolean within = went == came;
        return new ClockJump(
                stamps.get(went).sentNs(),
                stamps.get(came).returnedNs(),
                size(stamps, within ? went : went + 1, within ? came + 1 : came));
    }

    /** A sentence for the reader of a table. */
    public String sentence(long firstPacketNs) {
        String when = String.format(
                Locale.ROOT,
                "between %.1f s and %.1f s after the first packet",
                Math.floor((afterNs - firstPacketNs) / NS_PER_S * 10) / 10,
                Math.ceil((beforeNs - firstPacketNs) / NS_PER_S * 10) / 10);
        return sizeNs == null
                ? "By the two-way stamps the clocks did not run steadily " + when
                        + ": one of them was set, or its rate changed."
                : String.format(
                        Locale.ROOT,
                        "By the two-way stamps the receiver's clock jumped by about %+.3f ms against the sender's %s:"
                                + " one of them was set, or its rate changed.",
                        sizeNs / NS_PER_MS,
                        when);
    }

    /**
     * How far the exchange with the shortest round trip of the side with fewer exchanges is from the line of the other
     * side.
     *
     * @param untilBefore how many exchanges there are before the jump
     * @param fromAfter the first exchange after it
     */
    private static @Nullable Long size(TwoWayStamps stamps, int untilBefore, int fromAfter) {
        int count = stamps.count();
        if (untilBefore == 0 || fromAfter == count) {
            return null;
        }
        boolean lineBefore = untilBefore >= count - fromAfter;
        OffsetLines lines =
                lineBefore ? OffsetLines.of(stamps, 0, untilBefore) : OffsetLines.of(stamps, fromAfter, count);
        List<TwoWayExchange> others =
                stamps.exchanges().subList(lineBefore ? fromAfter : 0, lineBefore ? count : untilBefore);
        TwoWayExchange shortest = Collections.min(others, Comparator.comparingLong(TwoWayExchange::roundTripNs));
        long offsetNs = shortest.upperNs() - shortest.roundTripNs() / 2;
        long beyondNs = offsetNs - lines.middle().offsetNs(shortest.sentNs());
        return lineBefore ? beyondNs : -beyondNs;
    }

    /**
     * The greatest number below a limit that a condition holds for, which holds for all less ones too; 0 if for none.
     */
    private static int greatest(int limit, IntPredicate condition) {
        int with = 0;
        int without = limit;
        while (without - with > 1) {
            int middle = (with + without) >>> 1;
            if (condition.test(middle)) {
                with = middle;
            } else {
                without = middle;
            }
        }
        return with;
    }
}
