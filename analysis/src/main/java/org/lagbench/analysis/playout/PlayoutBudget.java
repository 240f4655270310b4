package org.lagbench.analysis.playout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.media.Pdv;
import org.lagbench.analysis.playout.DelayBudget.DelayVerdict;
import org.lagbench.analysis.statistics.OrderStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * How long a receiver must hold packets back so that few are late. Delays are beyond the least lag of each run, as
 * packet delay variation is (RFC 5481 §4.2), so that an offset of the clocks does not matter: a packet is played that
 * long after the fastest one could have been. A lost packet is late at any delay, as its lag is infinite (RFC 7679
 * §3.4).
 *
 * <p>The delay for a share p of n packets is the least of which at most ⌊p·n⌋ packets are later. Its interval of 95 %
 * confidence goes from one order statistic to another: with E the number of packets later than the true delay, from the
 * delay that as many exceed as the 97.5 % quantile of E to the one that fewer exceed than its 2.5 % quantile. If
 * packets are late independently of each other, E is binomial (n, p). They are not: a stall delays all that come in it.
 * So E is drawn again by {@link BlockBootstrap} from the packets later than the delay found, and its quantiles are
 * turned into delays in the same way (Woodruff 1952).
 *
 * <p>Where even the interval for independent packets has no upper end among the packets, the share is too small for so
 * few: that is told, and nothing is extrapolated.
 *
 * @param packets packets sent
 * @param lost those of which no copy came
 * @param leastLagNs the least lag of all the runs in ns, by the clocks as they are; null if nothing came
 * @param budgets one a {@link LateTarget}, in their order
 * @param adaptive what an adaptive buffer would have done
 */
public record PlayoutBudget(
        long packets, long lost, @Nullable Long leastLagNs, List<DelayBudget> budgets, AdaptiveBuffer adaptive) {
    /** Of the intervals. */
    public static final double CONFIDENCE = 0.95;

    /** By which the bootstrap's random numbers can be drawn again. */
    public static final int SEED = BlockBootstrap.SEED;

    /** How often the bootstrap draws. */
    public static final int REPLICATES = BlockBootstrap.REPLICATES;

    public PlayoutBudget {
        budgets = List.copyOf(budgets);
    }

    /**
     * Of runs of one point, in at most a dozen passes and 3 MiB, however long they are.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public static PlayoutBudget of(List<JoinedRun> runs) throws LagbenchException {
        long packets = 0;
        long lost = 0;
        long least = Long.MAX_VALUE;
        long[] leastLagsNs = new long[runs.size()];
        for (int i = 0; i < leastLagsNs.length; i++) {
            packets += runs.get(i).sent();
            lost += runs.get(i).counts().lost();
            leastLagsNs[i] = Pdv.leastLagNs(runs.get(i));
            least = Math.min(least, leastLagsNs[i]);
        }
        OrderStatistics delays = OrderStatistics.of(Pdv.values(runs));
        return new PlayoutBudget(
                packets,
                lost,
                delays.n() == 0 ? null : least,
                budgets(runs, leastLagsNs, packets, delays),
                AdaptiveBuffer.of(runs, leastLagsNs));
    }

    /** The delay for one share. */
    public DelayBudget budget(LateTarget target) {
        return budgets.stream()
                .filter(budget -> budget.target() == target)
                .findFirst()
                .orElseThrow();
    }

    private static List<DelayBudget> budgets(
            List<JoinedRun> runs, long[] leastLagsNs, long packets, OrderStatistics delays) throws LagbenchException {
        List<LateTarget> given = new ArrayList<>();
        for (LateTarget target : LateTarget.values()) {
            if (verdict(target, packets, delays.n()) == DelayVerdict.GIVEN) {
                given.add(target);
            }
        }
        long[] delaysNs = delays.at(given.stream()
                .mapToLong(target -> packets - 1 - target.mayBeLate(packets))
                .toArray());
        LateCells cells = new LateCells(packets);
        int[][] late = given.isEmpty() ? new int[0][] : lateThen(cells, runs, leastLagsNs, delaysNs);
        List<LateCountInterval> counts = new ArrayList<>();
        List<Integer> blocks = new ArrayList<>();
        for (int i = 0; i < delaysNs.length; i++) {
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
     * The packets later than each delay; where that is one of many packets, those as late as well, or few might be
     * left.
     */
    private static int[][] lateThen(LateCells cells, List<JoinedRun> runs, long[] leastLagsNs, long[] delaysNs)
            throws LagbenchException {
        int[][] later = cells.count(runs, leastLagsNs, delaysNs);
        int[][] asLate = cells.count(
                runs,
                leastLagsNs,
                Arrays.stream(delaysNs).map(delay -> delay - 1).toArray());
        for (int i = 0; i < later.length; i++) {
            if (Arrays.stream(asLate[i]).sum() > Arrays.stream(later[i]).sum() + 1) {
                later[i] = asLate[i];
            }
        }
        return later;
    }

    private static DelayVerdict verdict(LateTarget target, long packets, long came) {
        if (packets < target.packetsNeeded()) {
            return DelayVerdict.TOO_FEW_PACKETS;
        }
        return packets - came > target.mayBeLate(packets) ? DelayVerdict.MORE_LOST : DelayVerdict.GIVEN;
    }

    /** The delays that so many packets exceed, all looked up at once. */
    private static List<DelayInterval> intervals(List<LateCountInterval> counts, long packets, OrderStatistics delays)
            throws LagbenchException {
        List<Long> ranks = new ArrayList<>();
        for (LateCountInterval count : counts) {
            ranks.add(Math.max(0, packets - 1 - count.atMost()));
            ranks.add(packets - 1 - count.atLeast());
        }
        long[] found = delays.at(ranks.stream()
                .mapToLong(Long::longValue)
                .filter(rank -> rank < delays.n())
                .toArray());
        List<DelayInterval> intervals = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < counts.size(); i++) {
            Long low = ranks.get(2 * i) < delays.n() ? found[next++] : null;
            Long high = ranks.get(2 * i + 1) < delays.n() ? found[next++] : null;
            intervals.add(new DelayInterval(low, high));
        }
        return intervals;
    }
}
