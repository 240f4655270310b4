package org.lagbench.analysis.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;
import org.lagbench.analysis.statistics.Interval;

/**
 * Searches for the highest rate that a path carries without a growing queue. The result of each packet train is whether
 * its rate is too high. All rates up to the low bound are assumed to be low enough, all rates from the high bound too
 * high. The search chooses the tested rates as bounds that contradict the fewest results, and the widest bounds if
 * there are several. Thus one wrong result, for example after a pause of a host, only widens the interval. Not
 * thread-safe.
 */
public final class RateSearch {
    /** The ratio of the bounds at which the search ends. */
    public static final double RESOLUTION = 1.06;

    private static final double GROWTH = 4;

    /** The number of trains that must confirm each bound. */
    private static final int CONFIRMATIONS = 2;

    private final double first;
    private final double min;
    private final double max;
    private final List<Test> tests = new ArrayList<>();

    /** A tested rate. */
    private record Test(double rate, boolean isTooHigh) {}

    /**
     * The bounds of a rate.
     *
     * @param low 0 if no tested rate was low enough
     * @param high infinite if no tested rate was too high
     */
    public record Bounds(double low, double high) {
        /** Returns the geometric mean; NaN if one of the bounds is unknown. */
        public double middle() {
            return isClosed() ? Math.sqrt(low * high) : Double.NaN;
        }

        /** Returns whether both bounds are known. */
        public boolean isClosed() {
            return low > 0 && high < Double.POSITIVE_INFINITY;
        }
    }

    /**
     * Creates a search.
     *
     * @param first the rate of the first train
     * @param min the minimum rate of a train
     * @param max the maximum rate of a train
     */
    public RateSearch(double first, double min, double max) {
        this.first = first;
        this.min = min;
        this.max = max;
    }

    /** Adds the result of a train. */
    public void add(double rate, boolean isTooHigh) {
        tests.add(new Test(rate, isTooHigh));
    }

    /** Returns the bounds so far. */
    public Bounds bounds() {
        SortedSet<Double> rates = new TreeSet<>(tests.stream().map(Test::rate).toList());
        List<Double> edges = new ArrayList<>(List.of(0.0));
        edges.addAll(rates);
        edges.add(Double.POSITIVE_INFINITY);
        long minContradicting = Long.MAX_VALUE;
        double low = 0;
        double high = Double.POSITIVE_INFINITY;
        for (int i = 0; i + 1 < edges.size(); i++) {
            double lowEnough = edges.get(i);
            long contradicting = tests.stream()
                    .filter(test -> test.isTooHigh() == (test.rate() <= lowEnough))
                    .count();
            if (contradicting < minContradicting) {
                minContradicting = contradicting;
                low = lowEnough;
            }
            if (contradicting == minContradicting) {
                high = edges.get(i + 1);
            }
        }
        return new Bounds(low, high);
    }

    /** Returns the rate of the next train; empty if the search has ended. */
    public OptionalDouble next() {
        Bounds bounds = bounds();
        if (tests.isEmpty()) {
            return OptionalDouble.of(first);
        }
        if (bounds.high() == Double.POSITIVE_INFINITY) {
            return bounds.low() < max
                    ? OptionalDouble.of(Math.min(max, bounds.low() * GROWTH))
                    : OptionalDouble.empty();
        }
        if (bounds.low() == 0) {
            return bounds.high() > min
                    ? OptionalDouble.of(Math.max(min, bounds.high() / GROWTH))
                    : OptionalDouble.empty();
        }
        if (bounds.high() > RESOLUTION * bounds.low()) {
            return OptionalDouble.of(bounds.middle());
        }
        if (count(bounds.low()) < CONFIRMATIONS) {
            return OptionalDouble.of(bounds.low());
        }
        return count(bounds.high()) < CONFIRMATIONS ? OptionalDouble.of(bounds.high()) : OptionalDouble.empty();
    }

    private long count(double rate) {
        return tests.stream().filter(test -> test.rate() == rate).count();
    }

    /**
     * A train of packets that tested a rate. Rates are in bits of IP packets per second.
     *
     * @param rate the scheduled rate
     * @param bytes total size of the IP packets
     * @param received the rate at which the packets arrived
     * @param lostShare the part of the packets that were lost
     * @param isTooFast whether the scheduled rate was too high for the path or for the sender
     * @param isTooFastForNetwork whether the rate was too high for the network
     * @param isDisturbed whether a host or a link paused, so that the train does not show whether the rate is too high
     * @param isSpoiled whether the machine spoiled the run: the path carries what arrived, but may carry more
     */
    public record RateTest(
            double rate,
            long bytes,
            Interval received,
            double lostShare,
            boolean isTooFast,
            boolean isTooFastForNetwork,
            boolean isDisturbed,
            boolean isSpoiled) {
        /** Returns the result of a train. */
        public static RateTest of(double rate, PacketTrain train, boolean isSpoiled) {
            return new RateTest(
                    rate,
                    train.bytes(),
                    train.receivedInterval(),
                    train.lostShare(),
                    train.isTooFast(),
                    train.isTooFastForNetwork(),
                    train.isDisturbed(),
                    isSpoiled);
        }

        /** Returns whether the train filled the path. A disturbed train does not show this. */
        public boolean fillsPath() {
            return isTooFast && !isDisturbed;
        }

        /** Returns whether the train filled the path, and the machine did not spoil its run. */
        public boolean boundsPath() {
            return fillsPath() && !isSpoiled;
        }

        /** Returns whether another train at this rate may show more. */
        public boolean isDoubtful() {
            return isDisturbed || (isTooFast && isSpoiled);
        }
    }
}
