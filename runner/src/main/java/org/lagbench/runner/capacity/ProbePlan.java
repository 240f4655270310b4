package org.lagbench.runner.capacity;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.Disturbances;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.report.table.Result;
import org.lagbench.runner.sweep.Plan;
import org.lagbench.runner.sweep.RunTable;
import org.lagbench.runner.sweep.SessionDirectory;

/** Probes a path run after run: what those before have shown decides what the next one sends. */
public abstract class ProbePlan implements Plan {
    private final ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load());
    private final Path experimentFile;
    private final Map<Point, Integer> repeats = new HashMap<>();
    private final List<RunMark> marks = new ArrayList<>();
    private int made;
    private boolean isOver;

    /** Creates the plan of a session, whose experiment has all keys in which the runs do not differ. */
    ProbePlan(SessionDirectory session) {
        this.experimentFile = session.experimentFile();
    }

    /**
     * Reads an experiment with one point.
     *
     * @param file the experiment file that describes the path; null for none
     * @param values the keys of the experiment that are not in the file, or differ
     */
    public static Experiment read(@Nullable Path file, List<String> values) throws LagbenchException {
        ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load());
        Experiment experiment = file == null ? reader.build("capacity", values) : reader.readPath(file, values);
        if (experiment.runCount() != 1) {
            throw ExitCode.USAGE.failure((file == null ? "--set" : file.toString())
                    + ": the path is measured at one point, but these values make " + experiment.runCount()
                    + "; give each key one value.");
        }
        return experiment;
    }

    /** Returns the keys in which the next run differs from the session's experiment; empty at the end. */
    abstract Optional<List<String>> nextKeys();

    /**
     * Accepts the next run, which is complete.
     *
     * @param isSpoiled whether the machine spoiled it
     */
    abstract void accept(RunDirectory run, RunRecord record, boolean isSpoiled) throws LagbenchException;

    /** Returns the result of the runs so far. */
    public abstract Result result();

    @Override
    public final Next next(RunTable soFar) throws LagbenchException {
        Optional<List<String>> keys = nextKeys();
        while (keys.isPresent()) {
            RunGroup planned = reader.read(experimentFile, keys.get()).run();
            Point point = planned.runs().get(0).point();
            RunGroup run = soFar.repeat(planned, repeats.getOrDefault(point, 0) + 1);
            if (!soFar.isComplete(run)) {
                return new Next(soFar.outcomes(run).isEmpty() ? List.of(run) : List.of(), null, List.of());
            }
            repeats.merge(point, 1, Integer::sum);
            RunDirectory directory =
                    RunDirectory.read(soFar.directory(run.runs().get(0)));
            RunRecord record = Objects.requireNonNull(directory.record(), run.name());
            List<RunMark> found = Disturbances.recorded(record);
            marks.addAll(found);
            made++;
            accept(directory, record, found.stream().anyMatch(RunMark::spoils));
            keys = nextKeys();
        }
        isOver = true;
        return new Next(List.of(), null, List.of());
    }

    /** Returns the subcommand that continues the plan. */
    String command() {
        return "capacity";
    }

    @Override
    public final Extent extent(RunTable soFar) {
        return new Extent(soFar.complete(), null, isOver, command());
    }

    /** Returns a sentence for each way in which the machine disturbed runs, with the number of the runs. */
    final List<String> disturbed() {
        Map<String, Long> counts = marks.stream()
                .collect(Collectors.groupingBy(RunMark::sentence, LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " This was so in " + each.getValue() + " of " + made + " runs.")
                .toList();
    }
}
