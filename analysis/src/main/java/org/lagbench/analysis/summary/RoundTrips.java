package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.PooledRuns.OpenRun;
import org.lagbench.analysis.summary.SeriesMetrics.Shown;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.TrafficSpec;

/**
 * The metrics of the replies to packets. The lag of the packets themselves is {@link PacketDelay#TRANSMIT_LAG}.
 *
 * @param lost packets without a reply
 * @param late packets whose first reply came after the reply timeout; they are part of the round trips
 * @param duplicated replies beyond the first of a packet
 * @param roundTrip answered − sent of the first reply of each packet, by one clock
 * @param hostTime replied − received of the first copy of each packet, by the other clock
 * @param lagBack answered − replied of the first reply of each packet, by both clocks
 */
public record RoundTrips(
        long lost,
        long late,
        long duplicated,
        SeriesStatistics roundTrip,
        SeriesStatistics hostTime,
        SeriesStatistics lagBack) {
    /** The metrics of replies. */
    static final List<Metric<RoundTrips>> METRICS = Stream.of(
                    series("roundTrip", "Round trip", Shown.MAIN, Metric::notNegative, RoundTrips::roundTrip),
                    series(
                            "hostTime",
                            "Time at the receiver",
                            Shown.NOWHERE,
                            UnaryOperator.identity(),
                            RoundTrips::hostTime),
                    series("lagBack", "Lag of replies", Shown.NOWHERE, Metric::byTwoClocks, RoundTrips::lagBack),
                    List.of(
                            Metric.packets("roundTrips.lost", "Replies", "Lost", RoundTrips::lost),
                            Metric.packets("roundTrips.late", "Replies", "Late", RoundTrips::late),
                            Metric.packets("roundTrips.duplicated", "Replies", "Copies", RoundTrips::duplicated)))
            .flatMap(List::stream)
            .toList();

    private static List<Metric<RoundTrips>> series(
            String id,
            String title,
            Shown shown,
            UnaryOperator<Metric<SeriesStatistics>> clocks,
            Function<RoundTrips, SeriesStatistics> statistics) {
        return Metric.within(statistics, SeriesMetrics.of(id + ".", title, shown, clocks));
    }

    /** Returns the metrics of one run or several; null if packets are not answered. */
    static @Nullable RoundTrips of(PooledRuns pooled) throws LagbenchException {
        if (!pooled.point().isRoundTrip()) {
            return null;
        }
        List<JoinedRun> runs = pooled.joined();
        List<JoinedRun> replies = new ArrayList<>();
        RunPacketCounts counts = RunPacketCounts.NONE;
        long[] late = {0};
        for (OpenRun run : pooled.open()) {
            JoinedRun answered = Objects.requireNonNull(run.replies());
            TrafficSpec traffic = run.record().point().traffic();
            long timeoutNs = traffic.isAnswered() ? traffic.replyTimeout().toNanos() : Long.MAX_VALUE;
            PacketDelay.TRANSMIT_LAG.forEach(answered, tripNs -> late[0] += tripNs > timeoutNs ? 1 : 0);
            replies.add(answered);
            counts = counts.plus(answered.counts());
        }
        boolean hasHeader = pooled.point().packetBytes() >= RunParameters.MINIMUM_PACKET_BYTES;
        return new RoundTrips(
                counts.lost(),
                late[0],
                counts.duplicated(),
                SeriesStatistics.of(PacketDelay.TRANSMIT_LAG.pooled(replies)),
                SeriesStatistics.of(hostTimesNs(runs)),
                SeriesStatistics.of(
                        hasHeader
                                ? consumer -> hostTimesNs(replies).forEach(ns -> consumer.accept(-ns))
                                : lagsBackInOrderNs(runs, replies)));
    }

    private static LongValues hostTimesNs(List<JoinedRun> runs) {
        return consumer -> {
            for (JoinedRun run : runs) {
                int replied = repliedField(run);
                run.forEachFirstCopy((arrival, packet) ->
                        consumer.accept(run.arrivalValue(arrival, replied) - run.receivedNs(arrival)));
            }
        };
    }

    /** Returns the lags back of runs whose packets have no header: arrival n and reply n belong to the same packet. */
    private static LongValues lagsBackInOrderNs(List<JoinedRun> runs, List<JoinedRun> replies) {
        return consumer -> {
            for (int i = 0; i < runs.size(); i++) {
                JoinedRun run = runs.get(i);
                JoinedRun answered = replies.get(i);
                int replied = repliedField(run);
                for (long n = 0; n < Math.min(run.received(), answered.received()); n++) {
                    consumer.accept(answered.receivedNs(n) - run.arrivalValue(n, replied));
                }
            }
        };
    }

    private static int repliedField(JoinedRun run) {
        return run.arrivalFields().indexOf("replied_ns");
    }
}
