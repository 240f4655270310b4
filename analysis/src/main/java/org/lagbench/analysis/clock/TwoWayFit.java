package org.lagbench.analysis.clock;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.lagbench.core.clock.TwoWayExchange;

/**
 * Offset and skew by two-way stamps. An exchange gives the offset ((received − sent) + (replied − returned)) / 2, off
 * by at most half its round trip (RFC 5905 §8), and by less if it waited little in queues: so the exchange with the
 * shortest round trip is taken (the clock filter, RFC 5905 §10) of each of {@value #WINDOWS} windows of time, then the
 * half of these that have the shortest, and through them the line of least squares.
 */
public final class TwoWayFit {
    private static final int WINDOWS = 20;

    /** Fewer exchanges make no line whose slope means anything. */
    private static final int LEAST_FOR_SKEW = 3;

    private TwoWayFit() {}

    /** The estimate; with too few exchanges for a slope its skew is 0, which its uncertainties know. */
    public static OffsetEstimate of(TwoWayStamps stamps) {
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
        return OffsetEstimate.of(line, stamps, OffsetLines.of(stamps));
    }

    /** The exchanges to be fitted, that with the shortest round trip first. */
    private static List<TwoWayExchange> shortestOfWindows(TwoWayStamps stamps) {
        TwoWayExchange[] shortest = new TwoWayExchange[WINDOWS];
        long windowNs = Math.max(0, stamps.lastNs() - stamps.firstNs()) / WINDOWS + 1;
        for (TwoWayExchange exchange : stamps.exchanges()) {
            // beyond these windows is only what was sent by a clock that was set in between
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
