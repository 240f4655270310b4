package org.lagbench.analysis.media;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.commons.math3.special.Beta;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketLags;
import org.lagbench.analysis.media.DelayBudget.DelayInterval;
import org.lagbench.analysis.media.DelayBudget.DelayVerdict;
import org.lagbench.analysis.media.DelayBudget.LateTarget;
import org.lagbench.analysis.media.MediaMetrics.Pdv;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.analysis.statistics.OrderStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * How long a receiver must buffer packets so that few are late. Delays are relative to the smallest lag of each run, as
 * packet delay variation is (RFC 5481 §4.2), so that the clock offset does not matter. A lost packet is late at any
 * delay, because its lag is infinite (RFC 7679 §3.4).
 *
 * <p>The delay for a share p of n packets is the smallest that at most ⌊p·n⌋ packets exceed. Its 95 % confidence
 * interval is between two order statistics. Let E be the number of packets that exceed the true delay. The lower end is
 * the delay that as many packets exceed as the 97.5 % quantile of E. The upper end is the delay that fewer packets
 * exceed than its 2.5 % quantile. If packets were late independently of each other, E would be binomial (n, p). But a
 * stall delays all packets during it. So {@link BlockBootstrap} resamples E from the packets that exceed the delay
 * found, and its quantiles become delays in the same way (Woodruff 1952).
 *
 * <p>Where even the interval for independent packets has no upper end among the packets, the budget reports too few
 * packets; nothing is extrapolated.
 *
 * @param packets packets sent
 * @param lost packets of which no copy arrived
 * @param leastLagNs the smallest lag of all runs in ns, by the raw clocks; null if nothing arrived
 * @param budgets one for each {@link LateTarget}, in their order
 * @param adaptive the simulation of an adaptive buffer
 */
public record PlayoutBudget(
        long packets, long lost, @Nullable Long leastLagNs, List<DelayBudget> budgets, AdaptiveBuffer adaptive) {
    /** The confidence of the intervals. */
    public static final double CONFIDENCE = 0.95;

    /** The seed of the bootstrap's random numbers. */
    public static final int SEED = 7679;
    /** The number of the bootstrap's resamples. */
    public static final int REPLICATES = 1000;

    private static final String TITLE = "Playout";

    /** The metrics of the budget. */
    public static final List<Metric<PlayoutBudget>> METRICS = Stream.of(
                    List.of(
                            Metric.packets("playout.packets", TITLE, "Packets", PlayoutBudget::packets)
                                    .higherIsBetter(),
                            Metric.packets("playout.lost", TITLE, "Lost", PlayoutBudget::lost),
                            Metric.time(
                                            "playout.leastLag",
                                            TITLE,
                                            "Min lag",
                                            Combination.MIN,
                                            PlayoutBudget::leastLagNs)
                                    .byTwoClocks()),
                    Arrays.stream(LateTarget.values())
                            .flatMap(target -> Metric.within(
                                    (PlayoutBudget budget) -> budget.budget(target), DelayBudget.metrics(target))
                                    .stream())
                            .toList(),
                    Metric.within(PlayoutBudget::adaptive, AdaptiveBuffer.METRICS))
            .flatMap(List::stream)
            .toList();

    /** Computes the budget of runs of one point, in at most a dozen passes and 3 MiB. */
    public static PlayoutBudget of(List<JoinedRun> runs) throws LagbenchException {
        long packets = 0;
        long lost = 0;
        long[] minLagsNs = new long[runs.size()];
        for (int i = 0; i < minLagsNs.length; i++) {
            packets += runs.get(i).sent();
            lost += runs.get(i).counts().lost();
            minLagsNs[i] = runs.get(i).lags().minNs();
        }
        OrderStatistics delays = OrderStatistics.of(Pdv.values(runs));
        return new PlayoutBudget(
                packets,
                lost,
                delays.n() == 0 ? null : (Long) Arrays.stream(minLagsNs).min().orElseThrow(),
                budgets(runs, minLagsNs, packets, delays),
                AdaptiveBuffer.of(runs, minLagsNs));
    }

    /** Returns the delay for a share. */
    public DelayBudget budget(LateTarget target) {
        return budgets.get(List.of(LateTarget.values()).indexOf(target));
    }

    private static List<DelayBudget> budgets(
            List<JoinedRun> runs, long[] minLagsNs, long packets, OrderStatistics delays) throws LagbenchException {
        List<LateTarget> given = Arrays.stream(LateTarget.values())
                .filter(target -> verdict(target, packets, delays.n()) == DelayVerdict.GIVEN)
                .toList();
        long[] delaysNs = delays.at(given.stream()
                .mapToLong(target -> packets - 1 - target.allowedLate(packets))
                .toArray());
        LateCells cells = new LateCells(packets);
        int[][] late = given.isEmpty() ? new int[0][] : lateCounts(cells, runs, minLagsNs, delaysNs);
        List<LateCountInterval> counts = new ArrayList<>();
        List<Integer> blocks = new ArrayList<>();
        for (int i = 0; i < late.length; i++) {
            BlockBootstrap bootstrap = new BlockBootstrap(late[i]);
            blocks.add(bootstrap.blockCells());
            counts.add(LateCountInterval.binomial(packets, given.get(i).share()));
            counts.add(LateCountInterval.percentile(bootstrap.draw()));
        }
        List<DelayInterval> intervals = intervals(counts, packets, delays);
        List<DelayBudget> budgets = new ArrayList<>();
        for (LateTarget target : LateTarget.values()) {
            int i = given.indexOf(target);
            budgets.add(
                    i < 0
                            ? new DelayBudget(target, verdict(target, packets, delays.n()), null, null, null, 0)
                            : new DelayBudget(
                                    target,
                                    DelayVerdict.GIVEN,
                                    delaysNs[i],
                                    intervals.get(2 * i),
                                    intervals.get(2 * i + 1),
                                    cells.packetsOf(blocks.get(i))));
        }
        return budgets;
    }

    /**
     * Counts the packets whose lag exceeds each delay. Where several packets have exactly that delay, they count too,
     * because otherwise few might remain.
     */
    private static int[][] lateCounts(LateCells cells, List<JoinedRun> runs, long[] minLagsNs, long[] delaysNs)
            throws LagbenchException {
        int[][] later = cells.count(runs, minLagsNs, delaysNs);
        int[][] asLate = cells.count(
                runs, minLagsNs, Arrays.stream(delaysNs).map(delay -> delay - 1).toArray());
        for (int i = 0; i < later.length; i++) {
            if (Arrays.stream(asLate[i]).sum() > Arrays.stream(later[i]).sum() + 1) {
                later[i] = asLate[i];
            }
        }
        return later;
    }

    private static DelayVerdict verdict(LateTarget target, long packets, long arrived) {
        if (packets < target.packetsNeeded()) {
            return DelayVerdict.TOO_FEW_PACKETS;
        }
        return packets - arrived > target.allowedLate(packets) ? DelayVerdict.MORE_LOST : DelayVerdict.GIVEN;
    }

    /** Returns the delays that the given numbers of packets exceed, all found in the same passes. */
    private static List<DelayInterval> intervals(List<LateCountInterval> counts, long packets, OrderStatistics delays)
            throws LagbenchException {
        long[] ranks = counts.stream()
                .flatMapToLong(count ->
                        LongStream.of(Math.max(0, packets - 1 - count.atMost()), packets - 1 - count.atLeast()))
                .toArray();
        long[] found =
                delays.at(Arrays.stream(ranks).filter(rank -> rank < delays.n()).toArray());
        List<DelayInterval> intervals = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < ranks.length; i += 2) {
            Long low = ranks[i] < delays.n() ? (Long) found[next++] : null;
            Long high = ranks[i + 1] < delays.n() ? (Long) found[next++] : null;
            intervals.add(new DelayInterval(low, high));
        }
        return intervals;
    }

    /**
     * An interval for a delay in numbers of late packets. The lower end is the delay that {@code atMost} packets
     * exceed; the upper end is the one that {@code atLeast} packets exceed. Each end has an error probability of
     * {@value #TAIL}.
     *
     * @param atMost number of packets that exceed the lower end; −1 if that is unknown
     * @param atLeast number of packets that exceed the upper end; −1 if no packet is late enough
     */
    record LateCountInterval(long atMost, long atLeast) {
        /** The error probability at either end of a 95 % confidence interval. */
        static final double TAIL = 0.025;

        /**
         * Returns the interval by the order statistics of independent packets: the number of late ones is binomial.
         *
         * @param n number of packets
         * @param share probability that a packet is late at the true delay, between 0 and 1
         */
        static LateCountInterval binomial(long n, double share) {
            return new LateCountInterval(min(n, share, 1 - TAIL), min(n, share, TAIL) - 1);
        }

        /**
         * Returns the interval by resampled numbers of late packets, in any order; without numbers, both ends are open.
         */
        static LateCountInterval percentile(long[] numbers) {
            if (numbers.length == 0) {
                return new LateCountInterval(-1, -1);
            }
            int tail = (int) (numbers.length * TAIL);
            long[] sorted = Arrays.stream(numbers).sorted().toArray();
            return new LateCountInterval(sorted[numbers.length - 1 - tail], sorted[tail] - 1);
        }

        /**
         * Returns the smallest number n of packets with which the interval has an upper end: (1 − share)ⁿ ≤
         * {@link #TAIL}.
         */
        static long packetsNeeded(double share) {
            return (long) Math.ceil(Math.log(TAIL) / Math.log1p(-share));
        }

        /** Returns the smallest k with P(binomial ≤ k) > probability. */
        private static long min(long n, double share, double probability) {
            return Bisection.first(0, n, k -> atMost(k, n, share) > probability);
        }

        /** Returns P(binomial(n, share) ≤ k), by the incomplete beta function. */
        private static double atMost(long k, long n, double share) {
            return k >= n ? 1 : Beta.regularizedBeta(1 - share, (double) (n - k), k + 1.0);
        }
    }

    /**
     * Counts late and lost packets in cells of consecutive packets sent, of all runs concatenated. Every packet counts
     * as late until it is found to be in time, so that the order of arrival does not matter.
     */
    static final class LateCells {
        private final long packets;
        private final int cells;

        LateCells(long packets) {
            this.packets = packets;
            this.cells = (int) Math.min(packets, BlockBootstrap.CELLS);
        }

        /** Returns how many packets so many cells contain together. */
        long packetsOf(int count) {
            return Math.round(count * (packets / (double) cells));
        }

        /**
         * Counts the late packets of each cell, for each limit.
         *
         * @param minLagsNs the lag of each run, in ns, that delays are relative to
         * @param limitsNs the delays, in ns, above which packets are late
         */
        int[][] count(List<JoinedRun> runs, long[] minLagsNs, long[] limitsNs) throws LagbenchException {
            int[][] late = new int[limitsNs.length][cells];
            for (int[] counts : late) {
                Arrays.setAll(counts, cell -> (int) (first(cell + 1) - first(cell)));
            }
            long before = 0;
            for (int r = 0; r < minLagsNs.length; r++) {
                JoinedRun run = runs.get(r);
                long leastLagNs = minLagsNs[r];
                long firstPacket = before;
                PacketLags.forEach(run, (packet, lagNs) -> {
                    long delayNs = lagNs - leastLagNs;
                    int cell = (int) ((firstPacket + packet) * cells / packets);
                    for (int limit = 0; limit < limitsNs.length; limit++) {
                        late[limit][cell] -= delayNs <= limitsNs[limit] ? 1 : 0;
                    }
                });
                before += run.sent();
            }
            return late;
        }

        private long first(int cell) {
            return (cell * packets + cells - 1) / cells;
        }
    }
}
