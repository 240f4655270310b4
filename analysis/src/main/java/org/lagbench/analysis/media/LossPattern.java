package org.lagbench.analysis.media;

import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.CountStatistics;
import org.lagbench.analysis.statistics.Ratio;
import org.lagbench.core.failure.LagbenchException;

/**
 * The pattern of losses (RFC 3357). The loss distance (§4) of a lost packet is its sequence number minus that of the
 * packet lost before it, 0 for the first. A loss period (§4) begins with a lost packet whose predecessor was not lost.
 * A loss is noticeable (§6.1) if its distance is not 0 and at most δ = {@value #DELTA}, the δ of the RFC's example:
 * codecs conceal a single loss better than losses in close succession.
 *
 * <p>Takes a bit per packet of one run at a time, only for runs with losses.
 *
 * @param lost lost packets
 * @param noticeable noticeable losses
 * @param noticeableRate their share of the lost, Type-P-One-Way-Loss-Noticeable-Rate (§6.1); NaN if there is no loss
 * @param distances the loss distances in packets, without the zeros of first losses (§5.4)
 * @param periodLengths the lengths of the loss periods in packets (§6.3); as many as there are periods (§6.2)
 * @param interPeriodLengths the loss distances between successive periods in packets (§6.4), without the zeros of first
 *     periods
 */
public record LossPattern(
        long lost,
        long noticeable,
        double noticeableRate,
        CountStatistics distances,
        CountStatistics periodLengths,
        CountStatistics interPeriodLengths) {
    /** The loss constraint in packets. */
    public static final int DELTA = 99;

    /** Accepts the measures of a run's losses, each in packets. */
    private record LossMeasures(LongConsumer distances, LongConsumer periodLengths, LongConsumer interPeriodLengths) {}

    static LossPattern of(List<JoinedRun> runs) throws LagbenchException {
        return of(runs, DELTA);
    }

    static LossPattern of(List<JoinedRun> runs, int delta) throws LagbenchException {
        long lost = runs.stream().mapToLong(run -> run.counts().lost()).sum();
        if (lost == 0) {
            return new LossPattern(0, 0, Double.NaN, CountStatistics.NONE, CountStatistics.NONE, CountStatistics.NONE);
        }
        long[] noticeable = {0};
        forEach(
                runs,
                new LossMeasures(
                        distance -> noticeable[0] += distance <= delta ? 1 : 0,
                        LossPattern::ignore,
                        LossPattern::ignore));
        return new LossPattern(
                lost,
                noticeable[0],
                Ratio.of(noticeable[0], lost),
                statistics(runs, consumer -> new LossMeasures(consumer, LossPattern::ignore, LossPattern::ignore)),
                statistics(runs, consumer -> new LossMeasures(LossPattern::ignore, consumer, LossPattern::ignore)),
                statistics(runs, consumer -> new LossMeasures(LossPattern::ignore, LossPattern::ignore, consumer)));
    }

    private static void ignore(long value) {}

    private static CountStatistics statistics(List<JoinedRun> runs, Function<LongConsumer, LossMeasures> measure)
            throws LagbenchException {
        return CountStatistics.of(consumer -> forEach(runs, measure.apply(consumer)));
    }

    private static void forEach(List<JoinedRun> runs, LossMeasures measures) throws LagbenchException {
        for (JoinedRun run : runs) {
            if (run.counts().lost() > 0) {
                forEach(run.arrivedPackets(), run.sent(), measures);
            }
        }
    }

    private static void forEach(BitSet arrived, long sent, LossMeasures measures) {
        int previous = -1;
        long periodLength = 0;
        for (int lost = arrived.nextClearBit(0); lost < sent; lost = arrived.nextClearBit(lost + 1)) {
            boolean beginsPeriod = periodLength == 0 || lost - previous > 1;
            if (periodLength > 0) {
                measures.distances.accept(lost - previous);
            }
            if (periodLength > 0 && beginsPeriod) {
                measures.interPeriodLengths.accept(lost - previous);
                measures.periodLengths.accept(periodLength);
            }
            periodLength = beginsPeriod ? 1 : periodLength + 1;
            previous = lost;
        }
        measures.periodLengths.accept(periodLength);
    }
}
