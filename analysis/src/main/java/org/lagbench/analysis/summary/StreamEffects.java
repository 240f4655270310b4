package org.lagbench.analysis.summary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.statistics.PairedRatio.Pair;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;

/** Computes the effects of concurrent streams on each other. */
final class StreamEffects {
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

    private record PeriodMetrics(long sent, long received, double medianNs, double q99Ns) {
        static PeriodMetrics of(JoinedRun run, SendPeriod period) throws LagbenchException {
            SeriesStatistics lags = SeriesStatistics.of(consumer -> run.forEachFirstCopy((arrival, packet) -> {
                long sentNs = run.sentNs(packet);
                if (period.contains(sentNs)) {
                    consumer.accept(run.receivedNs(arrival) - sentNs);
                }
            }));
            long sent = 0;
            for (long packet = 0; packet < run.sent(); packet++) {
                sent += period.contains(run.sentNs(packet)) ? 1 : 0;
            }
            return new PeriodMetrics(
                    sent, lags.n(), lags.medianNs(), lags.withoutQ99().quantileNs());
        }
    }

    private StreamEffects() {}

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
        Map<PointKey, EffectBuilder> effects = new TreeMap<>();
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
                    effects.computeIfAbsent(run.point(), point -> new EffectBuilder())
                            .add(alone.get(0), run, shared);
                }
            }
        }
        List<StreamEffect> built = new ArrayList<>();
        effects.forEach((point, effect) -> built.add(effect.build(point)));
        return built;
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

    /** Accumulates the repeats of one stream that is sent together with the same other streams. */
    private static final class EffectBuilder {
        private final List<Pair> medians = new ArrayList<>();
        private final List<Pair> q99s = new ArrayList<>();
        private double sharedPart = 1;
        private long sentAlone;
        private long receivedAlone;
        private long sentTogether;
        private long receivedTogether;

        void add(StreamRun aloneRun, StreamRun togetherRun, SendPeriod shared) throws LagbenchException {
            PeriodMetrics together;
            try (JoinedRun run = JoinedRun.open(togetherRun.directory())) {
                together = PeriodMetrics.of(run, shared);
                sharedPart = Math.min(sharedPart, part(together.sent(), run.sent()));
            }
            PeriodMetrics alone;
            try (JoinedRun run = JoinedRun.open(aloneRun.directory())) {
                // the first part of the run alone, as long as the shared period
                long firstNs = SendPeriod.of(run).firstNs();
                alone = PeriodMetrics.of(
                        run, new SendPeriod(firstNs, firstNs + Math.max(0, shared.lastNs() - shared.firstNs())));
            }
            medians.add(new Pair(alone.medianNs(), together.medianNs()));
            q99s.add(new Pair(alone.q99Ns(), together.q99Ns()));
            sentAlone += alone.sent();
            receivedAlone += alone.received();
            sentTogether += together.sent();
            receivedTogether += together.received();
        }

        StreamEffect build(PointKey point) {
            return new StreamEffect(
                    point,
                    medians.size(),
                    sharedPart,
                    PairedRatio.of(medians),
                    PairedRatio.of(q99s),
                    part(sentAlone - receivedAlone, sentAlone),
                    part(sentTogether - receivedTogether, sentTogether));
        }

        private static double part(long count, long whole) {
            return whole == 0 ? 0 : (double) count / whole;
        }
    }
}
