package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.session.Session;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * Computes the summary of a session.
 *
 * <p>Each pass reads the values from the captures again, so that memory does not grow with them. It takes a megabyte
 * for each partition of each repeat of a point, and 4 MiB per partition for the series being computed. A reordered run
 * takes a bit per packet while it is joined, and a run with duplicates a bit per received packet. Runs of 100 million
 * packets take less than 64 MiB.
 */
public final class Summaries {
    private final SummaryOptions options;
    private final List<PointSummary> points = new ArrayList<>();
    private final List<ExcludedRun> excluded = new ArrayList<>();

    private Summaries(SummaryOptions options) {
        this.options = options;
    }

    /**
     * Computes the summary of a session.
     *
     * @throws LagbenchException with the path, if a capture of a complete run cannot be read or is corrupt
     */
    public static Summary of(Session session, SummaryOptions options) throws LagbenchException {
        Summaries summaries = new Summaries(options);
        Map<PointKey, Map<RunDirectory, RunRecord>> runsByPoint = new TreeMap<>();
        for (RunDirectory run : session.runs()) {
            RunRecord record = run.record();
            if (record == null) {
                summaries.excluded.add(new ExcludedRun(run.name(), String.valueOf(run.problem()), null, null));
            } else {
                runsByPoint
                        .computeIfAbsent(PointKey.of(record), point -> new LinkedHashMap<>())
                        .put(run, record);
            }
        }
        for (Map.Entry<PointKey, Map<RunDirectory, RunRecord>> entry : runsByPoint.entrySet()) {
            summaries.summarize(entry.getKey(), entry.getValue());
        }
        summaries.excluded.sort(Comparator.comparing(ExcludedRun::name));
        return new Summary(
                session.name(),
                options.corrected(),
                summaries.points,
                options.includes(Detail.STREAMS) ? StreamEffects.of(session.runs()) : List.of(),
                summaries.excluded);
    }

    /** Runs that are closed together. */
    private record OpenRuns(List<OpenRun> all) implements AutoCloseable {
        @Override
        public void close() throws LagbenchException {
            JoinedRun.closeAll(all.stream().map(OpenRun::run).toList());
        }
    }

    private void summarize(PointKey point, Map<RunDirectory, RunRecord> records) throws LagbenchException {
        List<RunSummary> runs = new ArrayList<>();
        try (OpenRuns open = new OpenRuns(new ArrayList<>())) {
            for (Map.Entry<RunDirectory, RunRecord> entry : records.entrySet()) {
                RunRecord record = entry.getValue();
                OpenRun run = open(point, entry.getKey(), record);
                if (run != null) {
                    open.all().add(run);
                    Figures figures = Figures.of(point, List.of(run), List.of(), options);
                    runs.add(new RunSummary(
                            entry.getKey().name(), record.repeat(), record.state(), figures, record.lab()));
                }
            }
            if (!runs.isEmpty()) {
                List<Figures> ofEach = runs.stream().map(RunSummary::figures).toList();
                Figures pooled = runs.size() == 1 ? ofEach.get(0) : Figures.of(point, open.all(), ofEach, options);
                points.add(new PointSummary(point, pooled, runs));
            }
        }
    }

    /** Opens a run for pooling; returns null if the run is excluded. */
    private @Nullable OpenRun open(PointKey point, RunDirectory directory, RunRecord record) throws LagbenchException {
        boolean complete = record.state() == RunRecord.State.COMPLETE;
        OpenRun run;
        try {
            run = OpenRun.open(directory, record, options.corrected());
        } catch (LagbenchException e) {
            if (complete) {
                throw e;
            }
            String reason = incompleteReason(record) + "; " + e.sentence();
            excluded.add(new ExcludedRun(directory.name(), reason, point, null));
            return null;
        }
        @Nullable String reason = complete ? truncationReason(record, run.run()) : incompleteReason(record);
        if (reason == null || (!complete && options.includeBroken())) {
            return run;
        }
        try (run) {
            Figures figures = Figures.of(point, List.of(run), List.of(), options);
            excluded.add(new ExcludedRun(directory.name(), reason, point, figures));
        }
        return null;
    }

    private static String incompleteReason(RunRecord record) {
        String state = record.state() == RunRecord.State.INTERRUPTED ? "interrupted" : "broke off";
        return record.failure() == null ? state : state + ": " + record.failure();
    }

    /** Returns which capture of a complete run holds fewer packets than the run's record; null if none does. */
    private static @Nullable String truncationReason(RunRecord record, JoinedRun run) {
        if (run.sent() < record.packets()) {
            return "the sender's capture was cut off: it holds " + run.sent() + " of " + record.packets() + " packets";
        }
        RunRecord.Counts counts = record.counts();
        long recorded = counts == null ? 0 : counts.received() - counts.unrecorded();
        return run.received() < recorded
                ? "the receiver's capture was cut off: it holds " + run.received() + " of " + recorded + " packets"
                : null;
    }
}
