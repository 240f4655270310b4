package org.lagbench.analysis.summary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;

/**
 * The effect of concurrent streams on a stream: its lag alone and together with them, repeat by repeat. Only packets
 * sent while all streams were active count.
 *
 * @param point the stream together with the others
 * @param repeats number of repeats that have both
 * @param sharedPart the least share of the stream's packets, of any repeat, that were sent while all streams were
 *     active
 * @param median of the lag; null if a repeat has none, or none greater than zero
 * @param q99 the 99 % quantile of the lag; null as {@code median}
 * @param lostPartAlone share of the packets that were lost alone
 * @param lostPartTogether share of the packets that were lost together
 */
public record StreamEffect(
        PointKey point,
        int repeats,
        double sharedPart,
        @Nullable PairedRatio median,
        @Nullable PairedRatio q99,
        double lostPartAlone,
        double lostPartTogether) {
    /** One repeat of a set of streams. */
    private record StreamRepeat(Set<String> streams, String engine, String jvm, int repeat) {
        static StreamRepeat of(RunRecord run, StreamRole role) {
            Set<String> streams = new HashSet<>(role.beside());
            streams.add(role.name());
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

    private record StreamRun(Path directory, PointKey point, String stream) {}

    /** The time from the first packet sent to the last. */
    private record SendPeriod(long firstNs, long lastNs) {
        static SendPeriod of(JoinedRun run) throws LagbenchException {
            return run.sent() == 0 ? new SendPeriod(0, 0) : new SendPeriod(run.sentNs(0), run.sentNs(run.sent() - 1));
        }

        boolean contains(long sentNs) {
            return sentNs >= firstNs && sentNs <= lastNs;
        }
    }

    /** The lags of the packets of a run that were sent in a period. */
    private record PeriodLags(long sent, SeriesStatistics lags) {
        static PeriodLags of(JoinedRun run, SendPeriod period) throws LagbenchException {
            long sent = 0;
            for (long packet = 0; packet < run.sent(); packet++) {
                sent += period.contains(run.sentNs(packet)) ? 1 : 0;
            }
            return new PeriodLags(
                    sent,
                    SeriesStatistics.of(consumer -> run.forEachFirstCopy((arrival, packet) -> {
                        long sentNs = run.sentNs(packet);
                        if (period.contains(sentNs)) {
                            consumer.accept(run.receivedNs(arrival) - sentNs);
                        }
                    })));
        }
    }

    /** One repeat of a stream alone and together with others. */
    private record PairedLags(PeriodLags alone, PeriodLags together, double sharedPart) {
        static PairedLags of(StreamRun aloneRun, StreamRun togetherRun, SendPeriod shared) throws LagbenchException {
            try (JoinedRun together = JoinedRun.open(togetherRun.directory());
                    JoinedRun alone = JoinedRun.open(aloneRun.directory())) {
                PeriodLags ofShared = PeriodLags.of(together, shared);
                // the first part of the run alone, as long as the shared period
                long firstNs = SendPeriod.of(alone).firstNs();
                SendPeriod asLong = new SendPeriod(firstNs, firstNs + Math.max(0, shared.lastNs() - shared.firstNs()));
                return new PairedLags(PeriodLags.of(alone, asLong), ofShared, part(ofShared.sent(), together.sent()));
            }
        }
    }

    /** Returns the effect on each stream that was sent alone and together; none if the session has no streams. */
    static List<StreamEffect> of(List<RunDirectory> directories) throws LagbenchException {
        Map<StreamRepeat, List<StreamRun>> runs = new HashMap<>();
        for (RunDirectory directory : directories) {
            RunRecord record = directory.record();
            StreamRole role = record == null ? null : record.run().stream();
            if (record != null && role != null && record.state() == RunRecord.State.COMPLETE) {
                runs.computeIfAbsent(StreamRepeat.of(record, role), repeat -> new ArrayList<>())
                        .add(new StreamRun(directory.path(), PointKey.of(record), role.name()));
            }
        }
        Map<PointKey, List<PairedLags>> effects = new TreeMap<>();
        for (Map.Entry<StreamRepeat, List<StreamRun>> entry : runs.entrySet()) {
            StreamRepeat repeat = entry.getKey();
            List<StreamRun> together = entry.getValue();
            if (repeat.streams().size() < 2
                    || together.size() != repeat.streams().size()) {
                continue; // alone, or not all streams are complete
            }
            SendPeriod shared = sharedPeriod(together);
            for (StreamRun run : together) {
                List<StreamRun> alone = runs.get(repeat.alone(run.stream()));
                if (alone != null) {
                    effects.computeIfAbsent(run.point(), point -> new ArrayList<>())
                            .add(PairedLags.of(alone.get(0), run, shared));
                }
            }
        }
        return effects.entrySet().stream()
                .map(effect -> of(effect.getKey(), effect.getValue()))
                .toList();
    }

    /** Returns the period in which all runs were sending. */
    private static SendPeriod sharedPeriod(List<StreamRun> together) throws LagbenchException {
        long firstNs = Long.MIN_VALUE;
        long lastNs = Long.MAX_VALUE;
        for (StreamRun run : together) {
            try (JoinedRun joined = JoinedRun.open(run.directory())) {
                SendPeriod period = SendPeriod.of(joined);
                firstNs = Math.max(firstNs, period.firstNs());
                lastNs = Math.min(lastNs, period.lastNs());
            }
        }
        return new SendPeriod(firstNs, lastNs);
    }

    private static StreamEffect of(PointKey point, List<PairedLags> repeats) {
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
