package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.StampStep.NoticedStep;
import org.lagbench.analysis.clock.StampStep.StepSides;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;

/**
 * Finds the steps of two clocks in the stamps of a run.
 *
 * <p>The smallest lags of the packets show each sudden change of level with its size and moment ({@link LevelShift}).
 * It is a step only if requests and replies of the two-way exchanges changed by the same amount: a step moves received
 * − sent of both directions by the same amount, in opposite senses, and a round trip not at all. A change of the path
 * or a queue moves one direction, or both by adding to the round trip. So a step is mistaken for a change of the path
 * only if there is no exchange near it. The reverse happens only if one direction became faster by nearly as much as
 * the other became slower.
 *
 * <p>Steps that the packets do not show are then searched for in the exchanges alone ({@link #findInExchanges}).
 */
public final class StepSearch {
    private static final int MAX_STEPS = 16;

    /** Exchanges on each side of a step that are compared: the nearest, because there may be other steps. */
    private static final int MAX_EXCHANGES = 16;

    /** An envelope of fewer exchanges is too uncertain. */
    private static final int MIN_EXCHANGES = 3;

    private final JoinedRun run;
    private final LagWindows windows;
    private final List<StampStep> found = new ArrayList<>();

    private StepSearch(JoinedRun run) throws LagbenchException {
        this.run = run;
        this.windows = LagWindows.of(run);
    }

    /**
     * Returns the steps of a run in the order of time. Takes one pass through the captures, and another for each step
     * that packets do not show.
     *
     * @param noticed the steps that the hosts noticed; those that the packets do not show are found by the host's time
     */
    public static List<StampStep> find(JoinedRun run, TwoWayStamps stamps, List<NoticedStep> noticed)
            throws LagbenchException {
        StepSearch search = new StepSearch(run);
        search.find(0, search.windows.count(), stamps.exchanges());
        for (NoticedStep step : noticed) {
            if (search.found.stream().noneMatch(found -> found.is(step))) {
                search.add(step, stamps.exchanges());
            }
        }
        return List.copyOf(search.found);
    }

    /** Adds the steps between two windows, found in the packets or in the exchanges of that time. */
    private void find(int from, int until, List<TwoWayExchange> exchanges) throws LagbenchException {
        if (found.size() < MAX_STEPS) {
            for (LevelShift shift : LevelShift.search(windows, from, until)) {
                StampStep step = shift.locate(run, windows, exchanges);
                StepSides sides = step == null ? null : StepSides.of(exchanges, step);
                if (step != null && sides != null && isConfirmed(shift, sides)) {
                    find(from, shift.boundary(), sides.before());
                    found.add(step);
                    find(shift.boundary(), until, sides.after());
                    return;
                }
            }
        }
        StampStep step = findInExchanges(exchanges);
        if (step != null) {
            found.add(withArrivals(step, StepSides.of(exchanges, step)));
        }
    }

    /** Adds a step that the packets do not show, if there are exchanges before and after it. */
    private void add(NoticedStep noticed, List<TwoWayExchange> exchanges) throws LagbenchException {
        long gainNs = noticed.gainNs();
        int next = (int)
                found.stream().filter(step -> step.afterNs() <= noticed.atNs()).count();
        List<TwoWayExchange> near = exchanges;
        if (next < found.size()) {
            near = StepSides.of(near, found.get(next)).before();
        }
        if (next > 0) {
            near = StepSides.of(near, found.get(next - 1)).after();
        }
        long afterNs = noticed.atNs() - Math.abs(gainNs) - StampStep.NOTICE_NS;
        long beforeNs = noticed.atNs() + Math.abs(gainNs);
        StepSides sides = StepSides.of(near, new StampStep(afterNs, beforeNs, null, null, null));
        if (sides.before().isEmpty() || sides.after().isEmpty()) {
            return;
        }
        List<TwoWayExchange> both = new ArrayList<>(sides.before());
        both.addAll(sides.after());
        OffsetLines before = lines(both, 0, sides.before().size());
        OffsetLines after = lines(both, sides.before().size(), both.size());
        if (!before.isEmpty() && !after.isEmpty()) {
            OffsetLines.Gain shown = after.gainOn(before);
            long leastNs = Math.min(gainNs, (long) Math.floor(shown.leastNs()));
            long greatestNs = Math.max(gainNs, (long) Math.ceil(shown.greatestNs()));
            found.add(next, withArrivals(new StampStep(afterNs, beforeNs, gainNs, leastNs, greatestNs), sides));
        }
    }

    /** Returns a step that the packets do not show, with the packets that surely were before and after it. */
    private StampStep withArrivals(StampStep step, StepSides sides) throws LagbenchException {
        long fromNs = Math.min(step.afterNs(), step.beforeNs());
        long untilNs = Math.max(step.afterNs(), step.beforeNs());
        int last = sides.before().size() - 1;
        long receivedFromNs =
                last < 0 ? Long.MIN_VALUE : fromNs + sides.before().get(last).lowerNs();
        long[] between = {run.received(), -1};
        run.forEachFirstCopy((arrival, packet) -> {
            long sentNs = run.sentNs(packet);
            if (sentNs > fromNs || run.receivedNs(arrival) > receivedFromNs) {
                between[0] = Math.min(between[0], arrival);
            }
            if (sentNs < untilNs) {
                between[1] = arrival;
            }
        });
        return new StampStep(
                step.afterNs(),
                step.beforeNs(),
                step.sizeNs(),
                step.leastNs(),
                step.greatestNs(),
                between[0] - 1,
                between[1] + 1);
    }

    /** Returns whether the delays of requests and replies changed by as much as those of the packets. */
    private boolean isConfirmed(LevelShift shift, StepSides sides) {
        if (Math.min(sides.before().size(), sides.after().size()) < MIN_EXCHANGES) {
            return false;
        }
        // there may be another step among the exchanges: fewer of them then agree
        for (int max = MAX_EXCHANGES; max > 2 * MIN_EXCHANGES; max /= 2) {
            StepSides nearest = sides.nearest(max);
            if (isLike(shift, requests(shift, nearest.before()), requests(shift, nearest.after()), 1)
                    && isLike(shift, replies(shift, nearest.before()), replies(shift, nearest.after()), -1)) {
                return true;
            }
        }
        return false;
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
        return delays[MIN_EXCHANGES - 1] - delays[0];
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
        int returned = (int) Bisection.first(
                        1, count, size -> lines(exchanges, 0, (int) size).isEmpty())
                - 1;
        int sent = count
                - (int) Bisection.first(1, count, size -> lines(exchanges, count - (int) size, count)
                        .isEmpty());
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
        OffsetLines.Gain gain = lines(exchanges, fromAfter, count).gainOn(lines(exchanges, 0, untilBefore));
        long leastNs = (long) Math.floor(gain.leastNs());
        long greatestNs = (long) Math.ceil(gain.greatestNs());
        return leastNs <= 0 && greatestNs >= 0 // the rate changed
                ? new StampStep(afterNs, beforeNs, null, null, null)
                : new StampStep(afterNs, beforeNs, Math.round(gain.ns()), leastNs, greatestNs);
    }

    /** Returns the lines that some of the exchanges allow, all with one origin. */
    private static OffsetLines lines(List<TwoWayExchange> exchanges, int from, int until) {
        TwoWayExchange first = exchanges.get(0);
        OffsetLines lines = new OffsetLines(first.sentNs(), first.upperNs());
        exchanges.subList(from, until).forEach(lines::add);
        return lines;
    }
}
