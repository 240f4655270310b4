package org.lagbench.analysis.media;

import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.CountStatistics;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;

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

    private static final String TITLE = "Loss pattern";

    /** The metrics of losses. */
    static final List<Metric<LossPattern>> METRICS = Stream.of(
                    List.of(
                            Metric.packets("media.loss.lost", TITLE, "Lost", LossPattern::lost),
                            Metric.packets("media.loss.noticeable", TITLE, "Noticeable", LossPattern::noticeable),
                            Metric.quotient(
                                            "media.loss.noticeableRate",
                                            TITLE,
                                            "Noticeable share",
                                            LossPattern::noticeableRate,
                                            LossPattern::lost)
                                    .zeroIfAbsent()),
                    distances("media.loss.distances.", "Loss distance", LossPattern::distances),
                    Metric.within(
                                    LossPattern::periodLengths,
                                    CountStatistics.metrics("media.loss.periodLengths.", "Loss period"))
                            .stream()
                            .map(Metric::zeroIfAbsent)
                            .toList(),
                    distances(
                            "media.loss.interPeriodLengths.", "Between loss periods", LossPattern::interPeriodLengths))
            .flatMap(List::stream)
            .toList();

    private static List<Metric<LossPattern>> distances(
            String id, String title, Function<LossPattern, CountStatistics> statistics) {
        return CountStatistics.metrics(id, title).stream()
                .map(metric -> metric.within(statistics).higherIsBetter())
                .toList();
    }

    /** A measure of losses, in packets. */
    private enum Measure {
        DISTANCE,
        PERIOD_LENGTH,
        INTER_PERIOD_LENGTH
    }

    static LossPattern of(List<JoinedRun> runs) throws LagbenchException {
        return of(runs, DELTA);
    }

    static LossPattern of(List<JoinedRun> runs, int delta) throws LagbenchException {
        long lost = runs.stream().mapToLong(run -> run.counts().lost()).sum();
        if (lost == 0) {
            return new LossPattern(0, 0, Double.NaN, CountStatistics.NONE, CountStatistics.NONE, CountStatistics.NONE);
        }
        long[] noticeable = {0};
        values(runs, Measure.DISTANCE).forEach(distance -> noticeable[0] += distance <= delta ? 1 : 0);
        return new LossPattern(
                lost,
                noticeable[0],
                (double) noticeable[0] / lost,
                CountStatistics.of(values(runs, Measure.DISTANCE)),
                CountStatistics.of(values(runs, Measure.PERIOD_LENGTH)),
                CountStatistics.of(values(runs, Measure.INTER_PERIOD_LENGTH)));
    }

    private static LongValues values(List<JoinedRun> runs, Measure measure) {
        return consumer -> {
            for (JoinedRun run : runs) {
                if (run.counts().lost() > 0) {
                    forEach(run.arrivedPackets(), run.sent(), measure, consumer);
                }
            }
        };
    }

    private static void forEach(BitSet arrived, long sent, Measure measure, LongConsumer consumer) {
        int previous = -1;
        long periodLength = 0;
        for (int lost = arrived.nextClearBit(0); lost < sent; lost = arrived.nextClearBit(lost + 1)) {
            boolean beginsPeriod = periodLength == 0 || lost - previous > 1;
            if (periodLength > 0 && (beginsPeriod || measure == Measure.DISTANCE)) {
                consumer.accept(measure == Measure.PERIOD_LENGTH ? periodLength : lost - previous);
            }
            periodLength = beginsPeriod ? 1 : periodLength + 1;
            previous = lost;
        }
        if (measure == Measure.PERIOD_LENGTH) {
            consumer.accept(periodLength);
        }
    }
}
