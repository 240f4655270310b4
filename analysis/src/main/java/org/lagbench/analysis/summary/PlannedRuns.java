package org.lagbench.analysis.summary;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.yaml.Experiment;
import org.lagbench.core.yaml.ExperimentReader;

/**
 * The runs that the experiment of a session plans. There are none if the plan is unknown: the session has no readable
 * experiment, or runs that the experiment does not plan, such as those of a tune.
 *
 * @param runs by name
 * @param points the point of each run by the run's name
 */
record PlannedRuns(Map<String, RunSpec> runs, Map<String, MeasuredPoint> points) {
    private static final PlannedRuns UNKNOWN = new PlannedRuns(Map.of(), Map.of());

    /** Reads the plan of a session. */
    static PlannedRuns of(Session session) {
        Path file = session.experimentFile();
        if (!Files.exists(file)) {
            return UNKNOWN;
        }
        Transports transports = Transports.load();
        Experiment experiment;
        try {
            experiment = new ExperimentReader(transports, Engines.load(), true).read(file);
        } catch (LagbenchException e) {
            return UNKNOWN; // of another version, or damaged, which the checksums show
        }
        Long seed = experiment.seed();
        if (seed == null) {
            return UNKNOWN;
        }
        Map<String, RunDirectory> directories =
                session.runs().stream().collect(Collectors.toMap(RunDirectory::name, Function.identity()));
        Map<String, RunSpec> runs = new LinkedHashMap<>();
        Map<String, MeasuredPoint> points = new LinkedHashMap<>();
        Map<MeasuredPoint, RunRecord> executed = new HashMap<>();
        for (RunSpec run : experiment.runs(seed)) {
            String transport = run.point().transport();
            MeasuredPoint planned = MeasuredPoint.of(
                    run, transports.find(transport).map(Transport::title).orElse(transport));
            runs.put(run.name(), run);
            points.put(run.name(), planned);
            RunDirectory directory = directories.remove(run.name());
            RunRecord record = directory == null ? null : directory.record();
            if (record != null) {
                executed.put(planned, record);
            }
        }
        points.replaceAll((name, planned) -> {
            RunRecord record = executed.get(planned);
            if (record == null) {
                return planned;
            }
            // what was executed also has the bus, the network, and the point as an earlier version recorded it
            runs.computeIfPresent(name, (same, run) -> new RunSpec(same, record.point(), run.repeat(), run.stream()));
            return MeasuredPoint.of(record);
        });
        return directories.isEmpty() ? new PlannedRuns(runs, points) : UNKNOWN;
    }

    /**
     * Returns what is known of a run that was killed before it wrote its record; null if it is not planned, has a
     * record that cannot be read, or ran in an emulated network, whose state only a record has.
     */
    @Nullable
    RunRecord withoutRecord(RunDirectory directory) {
        RunSpec run = runs.get(directory.name());
        MeasuredPoint point = points.get(directory.name());
        if (run == null
                || point == null
                || point.lab() != null
                || Files.exists(directory.path().resolve(RunRecord.FILE_NAME))) {
            return null;
        }
        Map<String, Object> metadata = point.bus() == null ? Map.of() : Map.of("bus", point.bus());
        return new RunRecord(
                run,
                point.transportTitle(),
                RunRecord.State.BROKEN,
                directory.problem(),
                "",
                "",
                new RunRecord.Side("", "", "", metadata),
                null,
                null,
                null,
                null,
                null);
    }
}
