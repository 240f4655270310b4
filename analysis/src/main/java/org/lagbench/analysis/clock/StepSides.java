package org.lagbench.analysis.clock;

import java.util.List;
import java.util.stream.IntStream;
import org.lagbench.core.clock.TwoWayExchange;

/** The exchanges that were over before a step, and those that began after it. */
record StepSides(List<TwoWayExchange> before, List<TwoWayExchange> after) {
    /** Returns the exchanges of both sides, without one during which the clock may have been stepped. */
    static StepSides of(List<TwoWayExchange> exchanges, StampStep step) {
        long fromNs = Math.min(step.afterNs(), step.beforeNs());
        long untilNs = Math.max(step.afterNs(), step.beforeNs());
        int firstAfter = firstSetBack(exchanges, fromNs, untilNs);
        if (firstAfter >= 0) { // the readings of the sender's clock occur twice, and their order decides
            return new StepSides(
                    exchanges.subList(0, firstAfter - 1),
                    exchanges.subList(firstAfter, exchanges.size()).stream()
                            .filter(exchange -> exchange.sentNs() >= fromNs)
                            .toList());
        }
        // if the sender's clock was set back by less than the time between exchanges, some readings occur twice
        long gainNs = step.greatestNs() == null ? 0 : Math.max(0, step.greatestNs());
        long twiceNs = gainNs <= longestGapNs(exchanges) ? gainNs : 0;
        return new StepSides(
                exchanges.stream()
                        .filter(exchange -> exchange.returnedNs() <= fromNs - twiceNs)
                        .toList(),
                exchanges.stream()
                        .filter(exchange -> exchange.sentNs() >= untilNs + twiceNs)
                        .toList());
    }

    private static long longestGapNs(List<TwoWayExchange> exchanges) {
        return IntStream.range(1, exchanges.size())
                .mapToLong(i -> exchanges.get(i).sentNs() - exchanges.get(i - 1).sentNs())
                .max()
                .orElse(0);
    }

    /** Returns the first exchange that was sent before its predecessor by the clock's readings; −1 if none was. */
    private static int firstSetBack(List<TwoWayExchange> exchanges, long fromNs, long untilNs) {
        for (int i = 1; i < exchanges.size(); i++) {
            long sentNs = exchanges.get(i).sentNs();
            long previousNs = exchanges.get(i - 1).sentNs();
            if (sentNs < previousNs && sentNs <= untilNs && previousNs >= fromNs) {
                return i;
            }
        }
        return -1;
    }

    /** Returns at most this number of exchanges of each side, the nearest to the step. */
    StepSides nearest(int most) {
        int last = before.size();
        return new StepSides(
                before.subList(Math.max(0, last - most), last), after.subList(0, Math.min(most, after.size())));
    }
}
