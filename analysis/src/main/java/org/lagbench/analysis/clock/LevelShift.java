package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.CorrelationTime;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;

/**
 * A sudden change of the smallest lags of a run: a step of a clock, or another path.
 *
 * @param boundary the first window after the change
 * @param skew the slope of the smallest lags before and after it
 * @param beforeNs their level before it, at the time of the first packet
 * @param sizeNs how much higher the level is after it
 * @param lowerNs the smallest size that the spread of the smallest lags allows
 * @param upperNs the largest size
 */
record LevelShift(int boundary, double skew, double beforeNs, double sizeNs, double lowerNs, double upperNs) {
    /** Smaller changes are not searched for: the power states of a processor change delays by some µs. */
    static final double SMALLEST_NS = 20_000;

    private static final double MAX_SKEW = 600e-6;

    /** The numbers of windows that are compared on each side, one for each of {@link #MIN_SPREADS}. */
    private static final int[] REACHES = {4, 16, 64};

    /** The smallest size of a change, in spreads of the windows: the fewer windows, the clearer it must be. */
    private static final double[] MIN_SPREADS = {8, 4, 2.5};

    private static final int MEASURED_WINDOWS = 32;
    private static final int MAX_CANDIDATES = 5;
    private static final double STANDARD_DEVIATIONS_PER_MAD = 1.4826;
    private static final double RESOLUTION_NS = 1_000;

    /** Normal quantile of an interval of 99 %. */
    private static final double QUANTILE_99 = 2.576;

    /** Windows on each side of the step whose packets are read. */
    private static final int WINDOWS = 6;

    /** Windows next to the boundary, which may contain the step. */
    private static final int UNCERTAIN_WINDOWS = 2;

    /** Exchanges after the step that are read. */
    private static final int EXCHANGES = 16;

    private static final double IMPROBABLE = 1e-5;
    private static final int MIN_SLOW = 2;

    private record Candidate(int boundary, double score) {}

    /** Returns the clearest changes between two windows, the clearest first. */
    static List<LevelShift> search(LagWindows windows, int from, int until) {
        double skew = skew(windows, from, until, until);
        List<Candidate> candidates = new ArrayList<>();
        for (int scale = 0; scale < REACHES.length; scale++) {
            int reach = REACHES[scale];
            for (int boundary = from + reach; boundary <= until - reach; boundary++) {
                double[] before = windows.rests(skew, boundary - reach, boundary);
                double[] after = windows.rests(skew, boundary, boundary + reach);
                double size = Math.abs(Quantile.median(after) - Quantile.median(before));
                double spread = Math.max(deviation(before), deviation(after)) + RESOLUTION_NS;
                double score = size / spread / MIN_SPREADS[scale];
                if (size >= SMALLEST_NS && score >= 1 && isNearJump(windows, skew, boundary, size)) {
                    candidates.add(new Candidate(boundary, score));
                }
            }
        }
        candidates.sort(Comparator.comparingDouble(Candidate::score).reversed());
        List<LevelShift> found = new ArrayList<>();
        List<Candidate> tried = new ArrayList<>();
        for (Candidate candidate : candidates) {
            boolean isNew =
                    tried.stream().allMatch(other -> Math.abs(other.boundary() - candidate.boundary()) > REACHES[0]);
            if (isNew && tried.size() < MAX_CANDIDATES) {
                tried.add(candidate);
                LevelShift shift = measure(windows, from, candidate.boundary(), until);
                if (shift != null) {
                    found.add(shift);
                }
            }
        }
        return found;
    }

    /** Returns whether the next windows to a boundary near this one differ by half of a size: else two steps add up. */
    private static boolean isNearJump(LagWindows windows, double skew, int near, double size) {
        int reach = REACHES[0];
        return IntStream.rangeClosed(Math.max(reach, near - reach), Math.min(windows.count() - reach, near + reach))
                .anyMatch(boundary -> 2 * Math.abs(windows.jump(skew, boundary, reach)) >= size);
    }

    /** Measures a change; returns null if it is not sudden, or not clear. */
    private static @Nullable LevelShift measure(LagWindows windows, int from, int near, int until) {
        double skew = skew(windows, from, near, until);
        int boundary = sharpest(windows, skew, from, near, until);
        int first = Math.max(from, boundary - MEASURED_WINDOWS);
        int end = Math.min(until, boundary + MEASURED_WINDOWS);
        double[] before = windows.rests(skew, first, boundary);
        double[] after = windows.rests(skew, boundary, end);
        double size = Quantile.median(after) - Quantile.median(before);
        // A step also shows in the windows next to the boundary; a slow change of the clock rate does not.
        int close = Math.min(REACHES[0], Math.min(boundary - from, until - boundary));
        double closeSize = windows.jump(skew, boundary, close);
        double localSkew = skew(windows, first, boundary, end);
        double distanceNs = windows.sentNs((boundary + end) / 2) - windows.sentNs((first + boundary) / 2);
        // which clock stepped is unknown, so that the time between the windows is uncertain by the step
        double bendNs = Math.abs((localSkew - skew) * distanceNs) + Math.abs(skew * size) + RESOLUTION_NS;
        // if the rate wanders, the nearest windows are more exact, but also vary more
        double wanderNs = Math.abs(closeSize - size);
        double lower = lowOfMedian(after) - highOfMedian(before) - bendNs - wanderNs;
        double upper = highOfMedian(after) - lowOfMedian(before) + bendNs + wanderNs;
        boolean isSudden = Math.min(closeSize / size, size / closeSize) >= 0.5;
        boolean isClear = Math.min(lower / size, upper / size) >= 0.5;
        return Math.abs(size) >= SMALLEST_NS && isSudden && isClear
                ? new LevelShift(boundary, skew, Quantile.median(before), size, lower, upper)
                : null;
    }

    /** Returns the boundary near another at which the windows on both sides agree best with two levels. */
    private static int sharpest(LagWindows windows, double skew, int from, int near, int until) {
        int reach = REACHES[0];
        int first = Math.max(from, near - 4 * reach);
        int end = Math.min(until, near + 4 * reach);
        double[] before = windows.rests(skew, first, near);
        double[] after = windows.rests(skew, near, end);
        double middle = (Quantile.median(before) + Quantile.median(after)) / 2;
        boolean isRise = Quantile.median(after) > Quantile.median(before);
        int best = near;
        int minWrong = Integer.MAX_VALUE;
        for (int boundary = Math.max(first, near - reach) + 1; boundary < Math.min(end, near + reach); boundary++) {
            int wrong = 0;
            for (int window = first; window < end; window++) {
                boolean isHigh = windows.lagNs(window) - skew * windows.sentNs(window) > middle;
                wrong += isHigh == (window >= boundary) == isRise ? 0 : 1;
            }
            if (wrong < minWrong || (wrong == minWrong && Math.abs(boundary - near) < Math.abs(best - near))) {
                minWrong = wrong;
                best = boundary;
            }
        }
        return best;
    }

    /**
     * Returns the median slope between windows that are an eighth of all windows apart; a few changes of level hardly
     * affect it. Pairs of windows on both sides of the boundary do not count.
     */
    private static double skew(LagWindows windows, int from, int boundary, int until) {
        int distance = Math.max(1, (until - from) / 8);
        double[] slopes = IntStream.range(from, until - distance)
                .filter(window -> window >= boundary || window + distance < boundary)
                .mapToDouble(window -> (windows.lagNs(window + distance) - windows.lagNs(window))
                        / (windows.sentNs(window + distance) - windows.sentNs(window)))
                .filter(slope -> Math.abs(slope) <= MAX_SKEW)
                .toArray();
        return slopes.length == 0 ? 0 : Quantile.median(slopes);
    }

    /** Returns the standard deviation as estimated from the median of absolute deviations. */
    private static double deviation(double[] values) {
        double median = Quantile.median(values);
        return STANDARD_DEVIATIONS_PER_MAD
                * Quantile.median(Arrays.stream(values)
                        .map(value -> Math.abs(value - median))
                        .toArray());
    }

    /**
     * Returns the lower end of the median's confidence interval of 99 %, by order statistics. A load lasts for many
     * windows: values that are correlated count as so many fewer.
     */
    private static double lowOfMedian(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double time = CorrelationTime.of(values).values();
        int rank = (int) Math.floor((values.length - QUANTILE_99 * Math.sqrt(values.length * time)) / 2);
        return sorted[Math.max(0, rank)];
    }

    private static double highOfMedian(double[] values) {
        return -lowOfMedian(Arrays.stream(values).map(value -> -value).toArray());
    }

    /**
     * A packet near the step.
     *
     * @param restNs its lag above the level before the step
     */
    private record Packet(long arrival, long sentNs, double restNs) {}

    /**
     * Returns the step, located between two packets; null if the packets do not show it. No delay is negative, so a
     * packet that is faster than the higher of the two levels allows was on the lower one. The first packets of the
     * higher level look like delayed ones of the lower. The step's interval ends where too many of them follow each
     * other to be a coincidence.
     *
     * @param exchanges the exchanges of the run in the order of time; those after the step show how long a packet took
     */
    @Nullable
    StampStep locate(JoinedRun run, LagWindows windows, List<TwoWayExchange> exchanges) throws LagbenchException {
        List<Packet> packets = new ArrayList<>();
        long from = windows.firstArrival(Math.max(0, boundary - WINDOWS));
        long until = windows.firstArrival(Math.min(windows.count(), boundary + WINDOWS));
        run.forEachFirstCopy(from, until, (arrival, number) -> {
            long sentNs = run.sentNs(number);
            double lagNs = windows.lagNs(sentNs, run.receivedNs(arrival));
            packets.add(new Packet(arrival, sentNs, lagNs - skew * windows.timeNs(sentNs) - beforeNs));
        });
        boolean isRise = sizeNs > 0;
        double fastNs = Math.max(0, sizeNs) - Math.abs(sizeNs) / 2;
        // the lower level is before a rise and after a fall
        long sureUntil = windows.firstArrival(Math.max(0, boundary - UNCERTAIN_WINDOWS));
        long sureFrom = windows.firstArrival(Math.min(windows.count(), boundary + UNCERTAIN_WINDOWS));
        int slow = 0;
        int sure = 0;
        int edge = -1;
        for (int i = 0; i < packets.size(); i++) {
            Packet packet = packets.get(i);
            boolean isFast = packet.restNs < fastNs;
            if (isRise ? packet.arrival < sureUntil : packet.arrival >= sureFrom) {
                sure++;
                slow += isFast ? 0 : 1;
            }
            if (isFast && (isRise || edge < 0)) {
                edge = i;
            }
        }
        if (edge < 0) {
            return null;
        }
        double slowShare = (slow + 1.0) / (sure + 2.0);
        int slowRun = MIN_SLOW + (int) Math.ceil(Math.log(IMPROBABLE) / Math.log(slowShare));
        Packet before = packets.get(isRise ? edge : Math.max(0, edge - slowRun));
        Packet after = packets.get(isRise ? Math.min(packets.size() - 1, edge + slowRun) : edge);
        return new StampStep(
                before.sentNs,
                after.sentNs + maxDelayNs(after, windows, exchanges),
                Math.round(sizeNs),
                (long) Math.floor(lowerNs),
                (long) Math.ceil(upperNs),
                before.arrival,
                after.arrival);
    }

    /**
     * Returns the delay of a packet plus that of a typical reply, without the offset of the clocks; 0 without
     * exchanges. The median, because an exchange may have begun before the step.
     */
    private long maxDelayNs(Packet packet, LagWindows windows, List<TwoWayExchange> exchanges) {
        double[] delaysNs = exchanges.stream()
                .filter(exchange -> exchange.sentNs() >= packet.sentNs)
                .limit(EXCHANGES)
                .mapToDouble(exchange -> packet.restNs
                        + beforeNs
                        + skew * windows.timeNs(exchange.returnedNs())
                        - windows.lagNs(exchange.returnedNs(), exchange.repliedNs()))
                .toArray();
        return delaysNs.length == 0 ? 0 : (long) Math.ceil(Math.max(0, StatUtils.percentile(delaysNs, 50)));
    }
}
