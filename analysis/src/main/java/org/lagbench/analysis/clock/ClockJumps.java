package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.List;
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
 * <p>Steps that the packets do not show are then searched for in the exchanges alone ({@link ExchangeJump}).
 */
public final class ClockJumps {
    private static final int MOST_JUMPS = 16;

    /** Exchanges on each side of a step that are compared: the nearest, because there may be other steps. */
    private static final int MOST_EXCHANGES = 16;

    /** An envelope of fewer exchanges is too uncertain. */
    private static final int LEAST_EXCHANGES = 3;

    private final OneWayLags lags;
    private final LagWindows windows;
    private final List<ClockJump> found = new ArrayList<>();

    private ClockJumps(OneWayLags lags, LagWindows windows) {
        this.lags = lags;
        this.windows = windows;
    }

    /** Returns the steps of a run in the order of time. Takes one pass through the captures. */
    public static List<ClockJump> find(JoinedRun run, TwoWayStamps stamps) throws LagbenchException {
        return find(OneWayLags.of(run), stamps);
    }

    static List<ClockJump> find(OneWayLags lags, TwoWayStamps stamps) throws LagbenchException {
        ClockJumps search = new ClockJumps(lags, LagWindows.of(lags));
        search.find(0, search.windows.count(), stamps.exchanges());
        return List.copyOf(search.found);
    }

    /** The exchanges that were over before a step, and those that began after it. */
    private record Sides(List<TwoWayExchange> before, List<TwoWayExchange> after) {
        static Sides of(List<TwoWayExchange> exchanges, ClockJump jump) {
            Sides sides = new Sides(new ArrayList<>(), new ArrayList<>());
            long lastNs = Long.MIN_VALUE;
            boolean isAfter = false;
            for (TwoWayExchange exchange : exchanges) {
                isAfter |= exchange.sentNs() > jump.afterNs() || exchange.sentNs() < lastNs;
                lastNs = exchange.sentNs();
                if (!isAfter && exchange.returnedNs() <= jump.afterNs()) {
                    sides.before.add(exchange);
                } else if (isAfter && exchange.sentNs() >= jump.beforeNs()) {
                    sides.after.add(exchange);
                }
            }
            return sides;
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
        if (found.size() < MOST_JUMPS) {
            for (LevelShift shift : LevelShift.search(windows, from, until)) {
                ClockJump jump = new JumpMoment(lags, windows, shift).locate(exchanges);
                Sides sides = jump == null ? null : Sides.of(exchanges, jump);
                if (jump != null && sides != null && isConfirmed(shift, sides.nearest())) {
                    find(from, shift.boundary(), sides.before);
                    found.add(jump);
                    find(shift.boundary(), until, sides.after);
                    return;
                }
            }
        }
        ClockJump jump = ExchangeJump.find(exchanges);
        if (jump != null) {
            found.add(jump);
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
}
