package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.PooledRuns.OpenRun;
import org.lagbench.analysis.summary.Summary.DamagedFile;
import org.lagbench.analysis.summary.Summary.ExcludedRun;
import org.lagbench.core.capture.BestEffortFiles;
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
    private final List<DamagedFile> damage = new ArrayList<>();

    /** The runs that metrics include. */
    private final List<RunDirectory> included = new ArrayList<>();

    private Summaries(SummaryOptions options) {
        this.options = options;
    }

    /**
     * Computes the summary of a session. Runs that cannot be used are excluded.
     *
     * @throws LagbenchException with the path, if a capture that was readable before cannot be read any more
     */
    public static Summary of(Session session, SummaryOptions options) throws LagbenchException {
        Summaries summaries = new Summaries(options);
        session.damage().forEach((file, what) -> summaries.damage.add(new DamagedFile(session.name(), file, what)));
        PlannedRuns planned = PlannedRuns.of(session);
        Map<MeasuredPoint, Map<RunDirectory, RunRecord>> runsByPoint = new TreeMap<>();
        for (RunDirectory run : session.runs()) {
            RunRecord record = run.record();
            if (record == null) {
                summaries.excluded.add(
                        new ExcludedRun(run.name(), String.valueOf(run.problem()), planned.point(run.name()), null));
            } else {
                MeasuredPoint point = MeasuredPoint.of(record);
                if (record.state() == RunRecord.State.RUNNING) {
                    point = Objects.requireNonNullElse(planned.point(run.name()), point);
                }
                runsByPoint.computeIfAbsent(point, any -> new LinkedHashMap<>()).put(run, record);
            }
        }
        for (Map.Entry<MeasuredPoint, Map<RunDirectory, RunRecord>> entry : runsByPoint.entrySet()) {
            summaries.summarize(entry.getKey(), entry.getValue());
        }
        summaries.excluded.sort(Comparator.comparing(ExcludedRun::name));
        if (options.includes(MetricGroup.STREAMS)) {
            StreamEffect.of(summaries.included).forEach(summaries::add);
        }
        return new Summary(
                session.name(),
                options.corrected(),
                summaries.points,
                StreamSum.of(summaries.included),
                summaries.excluded,
                summaries.damage,
                planned);
    }

    /** Returns the points of a session's runs, in the order of tables; also of runs that metrics leave out. */
    public static List<MeasuredPoint> points(Session session) {
        return measured(session).stream().distinct().sorted().toList();
    }

    /** Returns the point of each run of a session that has a record. */
    static List<MeasuredPoint> measured(Session session) {
        return session.runs().stream()
                .map(RunDirectory::record)
                .filter(Objects::nonNull)
                .map(MeasuredPoint::of)
                .toList();
    }

    /** Runs that are closed together. */
    private record OpenRuns(List<OpenRun> all) implements AutoCloseable {
        @Override
        public void close() throws LagbenchException {
            JoinedRun.closeAll(all.stream().flatMap(OpenRun::captures).toList());
        }
    }

    /** Adds the effect of other streams to the metrics of its point. */
    private void add(StreamEffect effect) {
        points.replaceAll(point -> point.point().equals(effect.point())
                ? new PointSummary(point.point(), point.pooled().plus(MetricGroup.STREAMS, effect), point.runs())
                : point);
    }

    private void summarize(MeasuredPoint point, Map<RunDirectory, RunRecord> records) throws LagbenchException {
        List<RunSummary> runs = new ArrayList<>();
        try (OpenRuns open = new OpenRuns(new ArrayList<>())) {
            for (Map.Entry<RunDirectory, RunRecord> entry : records.entrySet()) {
                RunDirectory directory = entry.getKey();
                RunRecord record = entry.getValue();
                OpenRun run = open(point, directory, record);
                if (run != null) {
                    open.all().add(run);
                    Metrics metrics = Metrics.of(point, List.of(run), List.of(), options);
                    runs.add(new RunSummary(
                            directory.name(),
                            record.run().repeat(),
                            record.state(),
                            metrics,
                            record.lab(),
                            record.decision()));
                    included.add(directory);
                    directory
                            .damage()
                            .forEach((file, what) -> damage.add(new DamagedFile(directory.name(), file, what)));
                    addMissing(directory.name(), record);
                }
            }
            if (!runs.isEmpty()) {
                List<Metrics> ofEach = runs.stream().map(RunSummary::metrics).toList();
                Metrics pooled = runs.size() == 1 ? ofEach.get(0) : Metrics.of(point, open.all(), ofEach, options);
                points.add(new PointSummary(point, pooled, runs));
            }
        }
    }

    /** Adds the files that the sides of a run could not write. */
    private void addMissing(String run, RunRecord record) {
        Stream.of(record.sender(), record.receiver())
                .filter(Objects::nonNull)
                .flatMap(side -> BestEffortFiles.missing(side.metadata()).entrySet().stream())
                .map(file -> new DamagedFile(run, file.getKey(), "could not be written: " + file.getValue()))
                .forEach(damage::add);
    }

    /** Opens a run for pooling; returns null if the run is excluded. */
    private @Nullable OpenRun open(MeasuredPoint point, RunDirectory directory, RunRecord record)
            throws LagbenchException {
        List<String> reasons = directory.flaws();
        boolean isDamaged = directory.packetDamage() != null;
        OpenRun run;
        try {
            run = OpenRun.open(directory, record, options.corrected());
        } catch (LagbenchException e) {
            if (!isDamaged) {
                reasons.add(e.sentence());
            }
            excluded.add(new ExcludedRun(directory.name(), String.join("; ", reasons), point, null));
            return null;
        }
        String mismatch = directory.mismatch(run.run());
        if (mismatch != null && !isDamaged) {
            reasons.add(mismatch);
        }
        if (reasons.isEmpty() || options.includeBroken()) {
            if (mismatch != null) {
                damage.add(new DamagedFile(
                        directory.name(), RunRecord.FILE_NAME, "contradicts the captures: " + mismatch));
            }
            return run;
        }
        try (run) {
            Metrics metrics = isDamaged ? null : Metrics.of(point, List.of(run), List.of(), options);
            excluded.add(new ExcludedRun(directory.name(), String.join("; ", reasons), point, metrics));
        }
        return null;
    }
}
