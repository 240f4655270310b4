package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.Comparator;
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
 * Makes the summary of a session.
 *
 * <p>Values are read from the captures again for each pass and never kept, so that memory does not grow with them: a
 * megabyte for each partition of each repeat of a point, 4 MiB a partition for the series that is being computed, a bit
 * a packet while a run out of order is joined, and a bit a received packet of runs with duplicates. Runs of 100 million
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
     * The summary of a session.
     *
     * @throws LagbenchException with the path, if a capture of a complete run cannot be read or is corrupt
     */
    public static Summary of(Session session, SummaryOptions options) throws LagbenchException {
        Summaries summaries = new Summaries(options);
        Map<PointKey, List<RunDirectory>> runsByPoint = new TreeMap<>();
        for (RunDirectory run : session.runs()) {
            RunRecord record = run.record();
            if (record == null) {
                summaries.excluded.add(new ExcludedRun(run.name(), String.valueOf(run.problem()), null, null));
            } else {
                runsByPoint
                        .computeIfAbsent(PointKey.of(record), point -> new ArrayList<>())
                        .add(run);
            }
        }
        for (Map.Entry<PointKey, List<RunDirectory>> entry : runsByPoint.entrySet()) {
            summaries.summarize(entry.getKey(), entry.getValue());
        }
        summaries.excluded.sort(Comparator.comparing(ExcludedRun::name));
        return new Summary(
                session.name(),
                options.corrected(),
                summaries.points,
                options.asksFor(Detail.STREAMS) ? StreamEffects.of(session.runs()) : List.of(),
                summaries.excluded);
    }

    private void summarize(PointKey point, List<RunDirectory> directories) throws LagbenchException {
        List<RunSummary> runs = new ArrayList<>();
        try (OpenRuns open = new OpenRuns()) {
            for (RunDirectory directory : directories) {
                RunRecord record = directory.record();
                OpenRun run = record == null ? null : open(point, directory, record);
                if (record == null || run == null) {
                    continue;
                }
                open.add(run);
                Figures figures = Figures.of(point, List.of(run), List.of(), options);
                runs.add(new RunSummary(directory.name(), record.repeat(), record.state(), figures, record.lab()));
            }
            if (!runs.isEmpty()) {
                Figures pooled = runs.size() == 1
                        ? runs.get(0).figures()
                        : Figures.of(
                                point,
                                open.all(),
                                runs.stream().map(RunSummary::figures).toList(),
                                options);
                points.add(new PointSummary(point, pooled, runs));
            }
        }
    }

    /** Opens a run to be pooled; one that is not, is noted as excluded, and there is null. */
    private @Nullable OpenRun open(PointKey point, RunDirectory directory, RunRecord record) throws LagbenchException {
        boolean complete = record.state() == RunRecord.State.COMPLETE;
        OpenRun run;
        try {
            run = OpenRun.open(directory.name(), directory.path(), record, options.corrected());
        } catch (LagbenchException e) {
            if (complete) {
                throw e;
            }
            exclude(point, directory, whyNotComplete(record) + "; " + e.sentence(), null);
            return null;
        }
        @Nullable String reason = complete ? whatIsMissing(record, run.run()) : whyNotComplete(record);
        if (reason == null || (!complete && options.includeBroken())) {
            return run;
        }
        try (run) {
            exclude(point, directory, reason, Figures.of(point, List.of(run), List.of(), options));
        }
        return null;
    }

    private void exclude(PointKey point, RunDirectory directory, String reason, @Nullable Figures figures) {
        excluded.add(new ExcludedRun(directory.name(), reason, point, figures));
    }

    private static String whyNotComplete(RunRecord record) {
        String state = record.state() == RunRecord.State.INTERRUPTED ? "interrupted" : "broke off";
        return record.failure() == null ? state : state + ": " + record.failure();
    }

    /** A capture of a complete run holds less than the run's record tells, if it was cut off since. */
    private static @Nullable String whatIsMissing(RunRecord record, JoinedRun run) {
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
