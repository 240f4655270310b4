package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;

/**
 * The effect of concurrent streams on a stream: its lag alone and together with them, repeat by repeat. Only packets
 * sent while all streams were active count.
 *
 * @param point the stream together with the others
 * @param repeats number of repeats that have both
 * @param sharedPart the smallest share of the stream's packets, of any repeat, that were sent while all streams were
 *     active
 * @param median of the lag; null if a repeat has none, or none greater than zero
 * @param q99 the 99 % quantile of the lag; null as {@code median}
 * @param lostPartAlone share of the packets that were lost alone
 * @param lostPartTogether share of the packets that were lost together
 */
public record StreamEffect(
        MeasuredPoint point,
        int repeats,
        double sharedPart,
        @Nullable PairedRatio median,
        @Nullable PairedRatio q99,
        double lostPartAlone,
        double lostPartTogether) {
    private static final String LAG = "Lag of a stream";
    private static final String LOSS = "Loss of a stream";

    /** The metrics of an effect. They are of runs with other streams and without, so that no run has them. */
    static final List<Metric<StreamEffect>> METRICS = Stream.of(
                    ofLag("streams.lag.median.", "Median", StreamEffect::median),
                    ofLag("streams.lag.q99.", "Q99", StreamEffect::q99),
                    List.of(
                            share("streams.loss.alone", LOSS, "Alone", StreamEffect::lostPartAlone),
                            share("streams.loss.together", LOSS, "Together", StreamEffect::lostPartTogether),
                            share(
                                    "streams.shared",
                                    "Packets while all streams were active",
                                    "Share",
                                    StreamEffect::sharedPart),
                            Metric.<StreamEffect>count(
                                    "streams.repeats",
                                    "Streams alone and together",
                                    "Repeats",
                                    "repeats",
                                    Combination.NOT_JUDGED,
                                    StreamEffect::repeats)))
            .flatMap(List::stream)
            .toList();

    private static List<Metric<StreamEffect>> ofLag(
            String id, String statistic, Function<StreamEffect, @Nullable PairedRatio> ratio) {
        String together = statistic + ", together to alone";
        return Metric.within(
                ratio,
                List.of(
                        Metric.time(
                                id + "alone", LAG, statistic + " alone", Combination.NOT_JUDGED, PairedRatio::aloneNs),
                        Metric.time(
                                id + "together",
                                LAG,
                                statistic + " together",
                                Combination.NOT_JUDGED,
                                PairedRatio::togetherNs),
                        share(id + "ratio", LAG, together, PairedRatio::ratio),
                        share(id + "ratio.low", LAG, together + ", low", PairedRatio::ratioLow),
                        share(id + "ratio.high", LAG, together + ", high", PairedRatio::ratioHigh)));
    }

    private static <G> Metric<G> share(String id, String title, String statistic, Metric.Getter<G> share) {
        return Metric.fraction(id, title, statistic, Combination.NOT_JUDGED, share);
    }

    /** One repeat of a set of streams. */
    private record StreamRepeat(Set<String> streams, String engine, String jvm, int repeat) {
        static StreamRepeat of(RunRecord run, Set<String> streams) {
            return new StreamRepeat(
                    streams,
                    run.point().program().engine(),
                    run.point().program().jvmOptions().text(),
                    run.run().repeat());
        }

        StreamRepeat alone(String stream) {
            return new StreamRepeat(Set.of(stream), engine, jvm, repeat);
        }
    }

    /** The lags of the packets of a run that were sent in a period, its ends included. */
    private record PeriodLags(long sent, SeriesStatistics lags) {
        static PeriodLags of(JoinedRun run, long firstNs, long lastNs) throws LagbenchException {
            long sent = 0;
            for (long packet = 0; packet < run.sent(); packet++) {
                long sentNs = run.sentNs(packet);
                sent += sentNs >= firstNs && sentNs <= lastNs ? 1 : 0;
            }
            return new PeriodLags(
                    sent,
                    SeriesStatistics.of(consumer -> run.forEachFirstCopy((arrival, packet) -> {
                        long sentNs = run.sentNs(packet);
                        if (sentNs >= firstNs && sentNs <= lastNs) {
                            consumer.accept(run.receivedNs(arrival) - sentNs);
                        }
                    })));
        }
    }

    /** One repeat of a stream alone and together with others. */
    private record PairedLags(PeriodLags alone, PeriodLags together, double sharedPart) {}

    /** Returns the effect on each stream that was sent alone and together; none if the session has no streams. */
    static List<StreamEffect> of(List<RunDirectory> directories) throws LagbenchException {
        Map<StreamRepeat, Map<String, RunDirectory>> repeats = new LinkedHashMap<>();
        for (RunDirectory directory : directories) {
            RunRecord record = directory.record();
            StreamRole role = directory.completeStream();
            if (record != null && role != null) {
                Set<String> streams = new HashSet<>(role.beside());
                streams.add(role.name());
                repeats.computeIfAbsent(StreamRepeat.of(record, streams), repeat -> new LinkedHashMap<>())
                        .putIfAbsent(role.name(), directory);
            }
        }
        Map<MeasuredPoint, List<PairedLags>> effects = new TreeMap<>();
        for (Map.Entry<StreamRepeat, Map<String, RunDirectory>> repeat : repeats.entrySet()) {
            int streams = repeat.getKey().streams().size();
            if (streams > 1 && repeat.getValue().size() == streams) { // neither alone nor incomplete
                add(repeat.getKey(), repeat.getValue(), repeats, effects);
            }
        }
        return effects.entrySet().stream()
                .map(effect -> of(effect.getKey(), effect.getValue()))
                .toList();
    }

    /** Adds the streams of a repeat that were also sent alone. */
    private static void add(
            StreamRepeat repeat,
            Map<String, RunDirectory> together,
            Map<StreamRepeat, Map<String, RunDirectory>> repeats,
            Map<MeasuredPoint, List<PairedLags>> effects)
            throws LagbenchException {
        Map<String, JoinedRun> runs = new LinkedHashMap<>();
        try {
            long firstNs = Long.MIN_VALUE;
            long lastNs = Long.MAX_VALUE;
            for (Map.Entry<String, RunDirectory> stream : together.entrySet()) {
                JoinedRun run = stream.getValue().open();
                runs.put(stream.getKey(), run);
                firstNs = Math.max(firstNs, firstNs(run));
                lastNs = Math.min(lastNs, run.sent() == 0 ? 0 : run.sentNs(run.sent() - 1));
            }
            for (Map.Entry<String, JoinedRun> stream : runs.entrySet()) {
                RunDirectory alone = repeats.getOrDefault(repeat.alone(stream.getKey()), Map.of())
                        .get(stream.getKey());
                RunRecord record =
                        Objects.requireNonNull(together.get(stream.getKey())).record();
                if (alone != null && record != null) {
                    PeriodLags shared = PeriodLags.of(stream.getValue(), firstNs, lastNs);
                    double sharedPart = part(shared.sent(), stream.getValue().sent());
                    try (JoinedRun run = alone.open()) {
                        // the first part of the run alone, as long as the shared period
                        PeriodLags asLong =
                                PeriodLags.of(run, firstNs(run), firstNs(run) + Math.max(0, lastNs - firstNs));
                        effects.computeIfAbsent(MeasuredPoint.of(record), point -> new ArrayList<>())
                                .add(new PairedLags(asLong, shared, sharedPart));
                    }
                }
            }
        } finally {
            JoinedRun.closeAll(List.copyOf(runs.values()));
        }
    }

    private static long firstNs(JoinedRun run) throws LagbenchException {
        return run.sent() == 0 ? 0 : run.sentNs(0);
    }

    private static StreamEffect of(MeasuredPoint point, List<PairedLags> repeats) {
        List<PeriodLags> alone = repeats.stream().map(PairedLags::alone).toList();
        List<PeriodLags> together = repeats.stream().map(PairedLags::together).toList();
        return new StreamEffect(
                point,
                repeats.size(),
                repeats.stream().mapToDouble(PairedLags::sharedPart).min().orElse(1),
                ratio(alone, together, Statistic.MEDIAN),
                ratio(alone, together, Statistic.Q99),
                lostPart(alone),
                lostPart(together));
    }

    private static @Nullable PairedRatio ratio(List<PeriodLags> alone, List<PeriodLags> together, Statistic statistic) {
        return PairedRatio.of(valuesNs(alone, statistic), valuesNs(together, statistic));
    }

    private static double[] valuesNs(List<PeriodLags> repeats, Statistic statistic) {
        return repeats.stream().mapToDouble(one -> statistic.ns(one.lags())).toArray();
    }

    private static double lostPart(List<PeriodLags> repeats) {
        long sent = repeats.stream().mapToLong(PeriodLags::sent).sum();
        return part(sent - repeats.stream().mapToLong(one -> one.lags().n()).sum(), sent);
    }

    private static double part(long count, long whole) {
        return whole == 0 ? 0 : (double) count / whole;
    }
}
