package org.lagbench.analysis.clock;

import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TwoWayExchange;

/**
 * Finds a step in two-way stamps alone: no offset line of at most 500 ppm satisfies the bounds of all exchanges.
 * Assumes only that no delay is negative, so that a step is never found where there is none. A step of less than a
 * round trip may be missed.
 */
final class ExchangeJump {
    private ExchangeJump() {}

    /** Returns the step; null if one line satisfies all exchanges. */
    static @Nullable ClockJump find(List<TwoWayExchange> exchanges) {
        int count = exchanges.size();
        if (count == 0 || !lines(exchanges, 0, count).isEmpty()) {
            return null;
        }
        // the first exchange that contradicts the earlier ones returned after the step; the last one that contradicts
        // the later ones was sent before it; both are the same if the clock stepped during an exchange
        int returned = greatest(count, size -> !lines(exchanges, 0, size).isEmpty());
        int agreeToLast =
                greatest(count, size -> !lines(exchanges, count - size, count).isEmpty());
        int sent = count - agreeToLast - 1;
        if (sent > returned) {
            return new ClockJump(
                    exchanges.get(Math.max(0, returned - 1)).sentNs(),
                    exchanges.get(Math.min(count - 1, sent + 1)).returnedNs(),
                    null,
                    null,
                    null);
        }
        boolean isDuringExchange = sent == returned;
        int untilBefore = isDuringExchange ? sent : sent + 1;
        int fromAfter = isDuringExchange ? returned + 1 : returned;
        long afterNs = exchanges.get(sent).sentNs();
        long beforeNs = exchanges.get(returned).returnedNs();
        if (untilBefore == 0 || fromAfter == count) {
            return new ClockJump(afterNs, beforeNs, null, null, null);
        }
        OffsetLines before = lines(exchanges, 0, untilBefore);
        OffsetLines after = lines(exchanges, fromAfter, count);
        long leastNs = (long) Math.floor(after.leastGainOn(before));
        long greatestNs = (long) Math.ceil(after.greatestGainOn(before));
        return leastNs <= 0 && greatestNs >= 0 // the rate changed
                ? new ClockJump(afterNs, beforeNs, null, null, null)
                : new ClockJump(afterNs, beforeNs, Math.round(after.gainOn(before)), leastNs, greatestNs);
    }

    /** Returns the lines that some of the exchanges allow, all with one origin. */
    private static OffsetLines lines(List<TwoWayExchange> exchanges, int from, int until) {
        TwoWayExchange first = exchanges.get(0);
        OffsetLines lines = new OffsetLines(first.sentNs(), first.upperNs());
        exchanges.subList(from, until).forEach(lines::add);
        return lines;
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
