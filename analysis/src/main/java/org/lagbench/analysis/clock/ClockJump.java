package org.lagbench.analysis.clock;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TwoWayExchange;

/**
 * A jump between two clocks, found in two-way stamps: no offset line of at most 500 ppm satisfies the bounds of all
 * exchanges. Assumes only that no delay is negative, so that it is never found where there is none. A jump of less than
 * half a round trip may be missed.
 *
 * @param afterNs a time before the jump, by the sender's clock, ns since the epoch
 * @param beforeNs a time after the jump
 * @param sizeNs about how much the receiver's clock gained on the sender's, in ns; null if there was more than one jump
 */
public record ClockJump(long afterNs, long beforeNs, @Nullable Long sizeNs) {
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_MS = 1e6;

    /** Returns the jump; null if one line satisfies all exchanges. */
    public static @Nullable ClockJump find(TwoWayStamps stamps) {
        int count = stamps.count();
        if (!OffsetLines.of(stamps).isEmpty()) {
            return null;
        }
        // the first exchange that contradicts the earlier ones returned after the jump; the last one that contradicts
        // the later ones was sent before it; both are the same if the clock jumped during an exchange
        int returned = greatest(count, size -> !OffsetLines.of(stamps, 0, size).isEmpty());
        int agreeToLast = greatest(
                count, size -> !OffsetLines.of(stamps, count - size, count).isEmpty());
        int sent = count - agreeToLast - 1;
        if (sent > returned) {
            return new ClockJump(
                    stamps.get(Math.max(0, returned - 1)).sentNs(),
                    stamps.get(Math.min(count - 1, sent + 1)).returnedNs(),
                    null);
        }
        boolean isDuringExchange = sent == returned;
        return new ClockJump(
                stamps.get(sent).sentNs(),
                stamps.get(returned).returnedNs(),
                size(stamps, isDuringExchange ? sent : sent + 1, isDuringExchange ? returned + 1 : returned));
    }

    /** Returns a sentence for the reader of a table. */
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
     * Returns how far the exchange with the shortest round trip, on the side of the jump with fewer exchanges, is from
     * the line through the other side.
     *
     * @param untilBefore number of exchanges before the jump
     * @param fromAfter the first exchange after the jump
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

    /** Returns the greatest number below a limit for which a monotone condition holds; 0 if there is none. */
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
