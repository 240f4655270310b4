package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.clock.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;

/**
 * Finds the steps of two clocks in the stamps of a run.
 *
 * <p>The smallest lags of the packets show each sudden change of level with its size and moment ({@link LevelShift}).
 * It is a step only if requests and replies of the two-way exchanges changed alike: a step moves received − sent of
 * both directions by the same amount, in opposite senses, and a round trip not at all. A change of the path or a queue
 * moves one direction, or both by adding to the round trip. So a step is mistaken for a change of the path only if no
 * exchange was made near it. The reverse happens only if one direction became faster by nearly as much as the other
 * became slower.
 *
 * <p>Steps that the packets do not show are then searched for in the exchanges alone ({@link #findInExchanges}).
 */
public final class StepSearch {
    private static final int MOST_STEPS = 16;

    /** Exchanges on each side of a step that are compared: the nearest, because there may be other steps. */
    private static final int MOST_EXCHANGES = 16;

    /** An envelope of fewer exchanges is too uncertain. */
    private static final int LEAST_EXCHANGES = 3;

    private final OneWayLags lags;
    private final LagWindows windows;
    private final List<StampStep> found = new ArrayList<>();

    private StepSearch(OneWayLags lags, LagWindows windows) {
        this.lags = lags;
        this.windows = windows;
    }

    /** Returns the steps of a run in the order of time. Takes one pass through the captures. */
    public static List<StampStep> find(JoinedRun run, TwoWayStamps stamps) throws LagbenchException {
        return find(OneWayLags.of(run), stamps);
    }

    static List<StampStep> find(OneWayLags lags, TwoWayStamps stamps) throws LagbenchException {
        StepSearch search = new StepSearch(lags, LagWindows.of(lags));
        search.find(0, search.windows.count(), stamps.exchanges());
        return List.copyOf(search.found);
    }

    /** The exchanges that were over before a step, and those that began after it. */
    private record Sides(List<TwoWayExchange> before, List<TwoWayExchange> after) {
        static Sides of(List<TwoWayExchange> exchanges, StampStep step) {
            long fromNs = Math.min(step.afterNs(), step.beforeNs());
            long untilNs = Math.max(step.afterNs(), step.beforeNs());
            int firstAfter = firstSetBack(exchanges, fromNs, untilNs);
            Sides sides = new Sides(new ArrayList<>(), new ArrayList<>());
            for (int i = 0; i < exchanges.size(); i++) {
                TwoWayExchange exchange = exchanges.get(i);
                // where the sender's clock was set back, its readings occur twice, and their order decides
                if (firstAfter < 0 ? exchange.returnedNs() <= fromNs : i < firstAfter) {
                    sides.before.add(exchange);
                } else if (firstAfter < 0 ? exchange.sentNs() >= untilNs : exchange.sentNs() >= fromNs) {
                    sides.after.add(exchange);
                }
            }
            return sides;
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

        Sides nearest() {
            int last = before.size();
            return new Sides(
                    before.subList(Math.max(0, last - MOST_EXCHANGES), last),
                    after.subList(0, Math.min(MOST_EXCHANGES, after.size())));
        }
    }

    /** Adds the steps between two windows, found in the packets or in the exchanges of that time. */
    private void find(int from, int until, List<TwoWayExchange> exchanges) throws LagbenchException {
        if (found.size() < MOST_STEPS) {
            for (LevelShift shift : LevelShift.search(windows, from, until)) {
                StampStep step = new StepMoment(lags, windows, shift).locate(exchanges);
                Sides sides = step == null ? null : Sides.of(exchanges, step);
                if (step != null && sides != null && isConfirmed(shift, sides.nearest())) {
                    find(from, shift.boundary(), sides.before);
                    found.add(step);
                    find(shift.boundary(), until, sides.after);
                    return;
                }
            }
        }
        StampStep step = findInExchanges(exchanges);
        if (step != null) {
            found.add(step);
        }
    }

    /** Returns whether the delays of requests and replies changed by as much as those of the packets. */
    private boolean isConfirmed(LevelShift shift, Sides sides) {
        if (Math.min(sides.before.size(), sides.after.size()) < LEAST_EXCHANGES) {
            return false;
        }
        return isLike(shift, requests(shift, sides.before), requests(shift, sides.after), 1)
                && isLike(shift, replies(shift, sides.before), replies(shift, sides.after), -1);
    }

    /** Returns received − sent of the requests, with the skew removed, in ascending order. */
    private double[] requests(LevelShift shift, List<TwoWayExchange> exchanges) {
        return exchanges.stream()
                .mapToDouble(exchange -> windows.lagNs(exchange.sentNs(), exchange.receivedNs())
                        - shift.skew() * windows.timeNs(exchange.sentNs()))
                .sorted()
                .toArray();
    }

    /** Returns returned − replied of the replies, with the skew removed, in ascending order. */
    private double[] replies(LevelShift shift, List<TwoWayExchange> exchanges) {
        return exchanges.stream()
                .mapToDouble(exchange -> shift.skew() * windows.timeNs(exchange.returnedNs())
                        - windows.lagNs(exchange.returnedNs(), exchange.repliedNs()))
                .sorted()
                .toArray();
    }

    /** Returns whether the smallest delay changed by the size of a step, to a quarter of it. */
    private static boolean isLike(LevelShift shift, double[] before, double[] after, int direction) {
        double quarterNs = Math.abs(shift.sizeNs()) / 4;
        double uncertainNs = gapNs(before) + gapNs(after);
        double changeNs = direction * (after[0] - before[0]);
        return uncertainNs <= quarterNs && Math.abs(changeNs - shift.sizeNs()) <= quarterNs;
    }

    private static double gapNs(double[] delays) {
        return delays[LEAST_EXCHANGES - 1] - delays[0];
    }

    /**
     * Finds a step in two-way stamps alone: no offset line of at most 500 ppm satisfies the bounds of all exchanges.
     * Assumes only that no delay is negative, so that a step is never found where there is none. A step of less than a
     * round trip may be missed.
     *
     * @return null if one line satisfies all exchanges
     */
    static @Nullable StampStep findInExchanges(List<TwoWayExchange> exchanges) {
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
            return new StampStep(
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
            return new StampStep(afterNs, beforeNs, null, null, null);
        }
        OffsetLines before = lines(exchanges, 0, untilBefore);
        OffsetLines after = lines(exchanges, fromAfter, count);
        long leastNs = (long) Math.floor(after.leastGainOn(before));
        long greatestNs = (long) Math.ceil(after.greatestGainOn(before));
        return leastNs <= 0 && greatestNs >= 0 // the rate changed
                ? new StampStep(afterNs, beforeNs, null, null, null)
                : new StampStep(afterNs, beforeNs, Math.round(after.gainOn(before)), leastNs, greatestNs);
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
