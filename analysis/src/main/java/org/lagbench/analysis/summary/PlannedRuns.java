package org.lagbench.analysis.summary;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;

/**
 * The runs that the experiment of a session plans. The experiment is read when a plan is first needed: most tables do
 * not need it, and reading YAML takes longer than a short session.
 */
public final class PlannedRuns {
    /** No planned runs. */
    public static final PlannedRuns NONE = of(Map.of());

    private final @Nullable Session session;
    private @Nullable Map<String, MeasuredPoint> points;
    private @Nullable Map<MeasuredPoint, Integer> counts;

    private PlannedRuns(@Nullable Session session, @Nullable Map<MeasuredPoint, Integer> counts) {
        this.session = session;
        this.counts = counts;
    }

    /** Returns the planned runs of a session; those that the session has if the plan is unknown. */
    static PlannedRuns of(Session session) {
        return new PlannedRuns(session, null);
    }

    /** Returns a number of planned runs of each point. */
    public static PlannedRuns of(Map<MeasuredPoint, Integer> counts) {
        return new PlannedRuns(null, Map.copyOf(counts));
    }

    /** Returns the number of planned runs of each point. */
    public synchronized Map<MeasuredPoint, Integer> counts() {
        if (counts == null) {
            Map<MeasuredPoint, Integer> found = new TreeMap<>();
            Collection<MeasuredPoint> planned = points().values();
            Collection<MeasuredPoint> known = planned.isEmpty() ? Summaries.measured(session()) : planned;
            known.forEach(point -> found.merge(point, 1, Integer::sum));
            counts = found;
        }
        return counts;
    }

    /** Returns the point of a planned run; null if the plan is unknown or does not have the run. */
    @Nullable
    MeasuredPoint point(String run) {
        return points().get(run);
    }

    private Session session() {
        return Objects.requireNonNull(session);
    }

    private synchronized Map<String, MeasuredPoint> points() {
        if (points == null) {
            points = read(session());
        }
        return points;
    }

    /**
     * Returns the point of each planned run by its name. It is empty if the plan is unknown: the session has no
     * readable experiment, or runs that the experiment does not plan, such as those of a tune.
     */
    private static Map<String, MeasuredPoint> read(Session session) {
        Path file = session.experimentFile();
        if (!Files.exists(file)) {
            return Map.of();
        }
        Transports transports = Transports.load();
        Experiment experiment;
        try {
            experiment = new ExperimentReader(transports, Engines.load(), true).read(file);
        } catch (LagbenchException e) {
            return Map.of(); // the file has another version, or is damaged; checksums reveal damage
        }
        Long seed = experiment.grid().seed();
        if (seed == null) {
            return Map.of();
        }
        Map<String, RunDirectory> directories =
                session.runs().stream().collect(Collectors.toMap(RunDirectory::name, Function.identity()));
        Map<String, MeasuredPoint> points = new LinkedHashMap<>();
        Map<MeasuredPoint, MeasuredPoint> executed = new HashMap<>();
        for (RunSpec run : experiment.runs(seed)) {
            MeasuredPoint planned = MeasuredPoint.of(run);
            points.put(run.name(), planned);
            RunDirectory directory = directories.remove(run.name());
            RunRecord record = directory == null ? null : directory.record();
            if (record != null
                    && record.state()
                            == RunRecord.State.RUNNING) { // the record of a running run does not have its network
                executed.putIfAbsent(planned, MeasuredPoint.of(record));
            } else if (record != null) {
                executed.put(planned, MeasuredPoint.of(record));
            }
        }
        points.replaceAll((name, planned) -> executed.getOrDefault(planned, planned));
        return directories.isEmpty() ? points : Map.of();
    }
}
