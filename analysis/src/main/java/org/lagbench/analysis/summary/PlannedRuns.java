package org.lagbench.analysis.summary;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;

/** The runs that the experiment of a session plans. */
final class PlannedRuns {
    private PlannedRuns() {}

    /**
     * Returns the point of each planned run by its name. It is empty if the plan is unknown: the session has no
     * readable experiment, or runs that the experiment does not plan, such as those of a tune.
     */
    static Map<String, MeasuredPoint> of(Session session) {
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
        Long seed = experiment.plan().seed();
        if (seed == null) {
            return Map.of();
        }
        Map<String, RunDirectory> directories =
                session.runs().stream().collect(Collectors.toMap(RunDirectory::name, Function.identity()));
        Map<String, MeasuredPoint> points = new LinkedHashMap<>();
        Map<MeasuredPoint, MeasuredPoint> executed = new HashMap<>();
        for (RunSpec run : experiment.runs(seed)) {
            String transport = run.point().transport();
            MeasuredPoint planned = MeasuredPoint.of(
                    run, transports.find(transport).map(Transport::title).orElse(transport));
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
