package org.lagbench.analysis.clock;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.lagbench.core.clock.TwoWayExchange;

/**
 * Offset and skew by two-way stamps. An exchange estimates the offset as ((received − sent) + (replied − returned)) /
 * 2, with an error of at most half its round trip (RFC 5905 §8). A short round trip had little queueing. So the fit
 * takes the exchange with the shortest round trip of each of {@value #WINDOWS} windows (the clock filter, RFC 5905
 * §10). It keeps the shorter half of these, and computes the least-squares line through them.
 */
final class TwoWayFit {
    private static final int WINDOWS = 20;

    /** The least number of exchanges for a skew: the slope of a line through fewer means nothing. */
    private static final int LEAST_FOR_SKEW = 3;

    private TwoWayFit() {}

    /**
     * Estimates the offset. With too few exchanges the skew is 0, and its uncertainty covers the error of that value.
     *
     * @param fromNs the earliest time for which the uncertainty holds, by the sender's clock
     * @param untilNs the latest time
     */
    static OffsetEstimate of(TwoWayStamps stamps, long fromNs, long untilNs) {
        List<TwoWayExchange> exchanges = shortestOfWindows(stamps);
        TwoWayExchange shortest = exchanges.get(0);
        long originNs = stamps.midSpanNs();
        long baseNs = shortest.upperNs();
        SimpleRegression regression = new SimpleRegression();
        for (TwoWayExchange exchange : exchanges) {
            double atNs = ((exchange.sentNs() - originNs) + (exchange.returnedNs() - originNs)) / 2.0;
            double restNs = ((exchange.upperNs() - baseNs) + (exchange.lowerNs() - baseNs)) / 2.0;
            regression.addData(atNs, restNs);
        }
        OffsetLine line = exchanges.size() < LEAST_FOR_SKEW
                ? new OffsetLine(originNs, baseNs, -shortest.roundTripNs() / 2.0, 0)
                : new OffsetLine(originNs, baseNs, regression.getIntercept(), regression.getSlope());
        return OffsetEstimate.of(line, stamps, OffsetLines.of(stamps), fromNs, untilNs);
    }

    /** Returns the exchanges to fit, the one with the shortest round trip first. */
    private static List<TwoWayExchange> shortestOfWindows(TwoWayStamps stamps) {
        TwoWayExchange[] shortest = new TwoWayExchange[WINDOWS];
        long windowNs = Math.max(0, stamps.lastNs() - stamps.firstNs()) / WINDOWS + 1;
        for (TwoWayExchange exchange : stamps.exchanges()) {
            // only a clock step puts an exchange outside the windows
            long place = (exchange.sentNs() - stamps.firstNs()) / windowNs;
            int window = (int) Math.max(0, Math.min(WINDOWS - 1, place));
            if (shortest[window] == null || exchange.roundTripNs() < shortest[window].roundTripNs()) {
                shortest[window] = exchange;
            }
        }
        List<TwoWayExchange> sorted = Arrays.stream(shortest)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(TwoWayExchange::roundTripNs))
                .toList();
        int half = (sorted.size() + 1) / 2;
        return sorted.subList(0, Math.min(sorted.size(), Math.max(LEAST_FOR_SKEW, half)));
    }
}
