package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.statistics.PairedRatio.Pair;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;

/** Finds what streams that were sent at the same time did to each other. */
final class StreamEffects {
    /** What one repeat of a point has in common: the same streams, once. */
    private record Occasion(Set<String> streams, String engine, String jvm, int repeat) {
        static Occasion of(RunRecord run, StreamRole role) {
            Set<String> streams = new HashSet<>(role.beside());
            streams.add(role.name());
            return new Occasion(Set.copyOf(streams), run.engine(), run.jvm(), run.repeat());
        }

        Occasion ofOne(String stream) {
            return new Occasion(Set.of(stream), engine, jvm, repeat);
        }
    }

    /** From the first packet sent to the last. */
    private record SendPeriod(long firstNs, long lastNs) {
        long lengthNs() {
            return lastNs - firstNs;
        }
    }

    private record Run(RunDirectory directory, RunRecord record, StreamRole role) {}

    /** What was found of some packets of a run. */
    private record Found(long sent, long received, double medianNs, double q99Ns) {}

    private final Map<Occasion, List<Run>> runs = new HashMap<>();

    private StreamEffects() {}

    /** The effects on each stream that was sent alone and among others; none if the session is not of streams. */
    static List<StreamEffect> of(List<RunDirectory> directories) throws LagbenchException {
        StreamEffects effects = new StreamEffects();
        for (RunDirectory directory : directories) {
            RunRecord record = directory.record();
            StreamRole role = record == null ? null : record.stream();
            if (record != null && role != null && record.state() == RunRecord.State.COMPLETE) {
                effects.runs
                        .computeIfAbsent(Occasion.of(record, role), occasion -> new ArrayList<>())
                        .add(new Run(directory, record, role));
            }
        }
        return effects.find();
    }

    private List<StreamEffect> find() throws LagbenchException {
        Map<PointKey, Repeats> repeats = new TreeMap<>();
        for (Map.Entry<Occasion, List<Run>> entry : runs.entrySet()) {
            Occasion occasion = entry.getKey();
            List<Run> together = entry.getValue();
            if (occasion.streams().size() < 2
                    || together.size() != occasion.streams().size()) {
                continue; // alone, or not all of them came to their end
            }
            SendPeriod shared = shared(together);
            for (Run run : together) {
                List<Run> alone = runs.get(occasion.ofOne(run.role().name()));
                if (alone != null) {
                    Run by = alone.get(0);
                    repeats.computeIfAbsent(PointKey.of(run.record()), Repeats::new)
                            .add(by, run, shared);
                }
            }
        }
        List<StreamEffect> effects = new ArrayList<>();
        repeats.values().forEach(of -> effects.add(of.effect()));
        return effects;
    }

    /** While all of them were sent. */
    private static SendPeriod shared(List<Run> together) throws LagbenchException {
        long firstNs = Long.MIN_VALUE;
        long lastNs = Long.MAX_VALUE;
        for (Run run : together) {
            try (JoinedRun joined = JoinedRun.open(run.directory().path())) {
                SendPeriod span = span(joined);
                firstNs = Math.max(firstNs, span.firstNs());
                lastNs = Math.min(lastNs, span.lastNs());
            }
        }
        return new SendPeriod(firstNs, lastNs);
    }

    private static SendPeriod span(JoinedRun run) throws LagbenchException {
        return run.sent() == 0 ? new SendPeriod(0, 0) : new SendPeriod(run.sentNs(0), run.sentNs(run.sent() - 1));
    }

    /** The repeats of one stream among the same others. */
    private static final class Repeats {
        private final PointKey point;
        private final List<Pair> medians = new ArrayList<>();
        private final List<Pair> q99s = new ArrayList<>();
        private double sharedPart = 1;
        private long sentAlone;
        private long receivedAlone;
        private long sentTogether;
        private long receivedTogether;

        Repeats(PointKey point) {
            this.point = point;
        }

        void add(Run by, Run among, SendPeriod shared) throws LagbenchException {
            Found amongThem;
            long sent;
            try (JoinedRun run = JoinedRun.open(among.directory().path())) {
                amongThem = found(run, shared);
                sent = run.sent();
            }
            Found byItself;
            try (JoinedRun run = JoinedRun.open(by.directory().path())) {
                // as long, from its own start
                long firstNs = span(run).firstNs();
                byItself = found(run, new SendPeriod(firstNs, firstNs + Math.max(0, shared.lengthNs())));
            }
            medians.add(new Pair(byItself.medianNs(), amongThem.medianNs()));
            q99s.add(new Pair(byItself.q99Ns(), amongThem.q99Ns()));
            sharedPart = Math.min(sharedPart, part(amongThem.sent(), sent));
            sentAlone += byItself.sent();
            receivedAlone += byItself.received();
            sentTogether += amongThem.sent();
            receivedTogether += amongThem.received();
        }

        StreamEffect effect() {
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

        /** What is to tell of the packets that were sent within a span. */
        private static Found found(JoinedRun run, SendPeriod span) throws LagbenchException {
            LongValues lags = consumer -> {
                for (long i = 0; i < run.received(); i++) {
                    if (run.isFirstCopy(i)) {
                        long sentNs = run.sentNs(run.packetOf(i));
                        if (sentNs >= span.firstNs() && sentNs <= span.lastNs()) {
                            consumer.accept(run.receivedNs(i) - sentNs);
                        }
                    }
                }
            };
            long sent = 0;
            for (long packet = 0; packet < run.sent(); packet++) {
                long sentNs = run.sentNs(packet);
                if (sentNs >= span.firstNs() && sentNs <= span.lastNs()) {
                    sent++;
                }
            }
            SeriesStatistics statistics = SeriesStatistics.of(lags);
            return new Found(
                    sent,
                    statistics.n(),
                    statistics.medianNs(),
                    statistics.withoutQ99().quantileNs());
        }
    }
}
