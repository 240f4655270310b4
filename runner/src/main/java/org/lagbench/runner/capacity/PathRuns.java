package org.lagbench.runner.capacity;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.Disturbances;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.Progress;
import org.lagbench.runner.sweep.Sweep;

/**
 * Sequential runs over a path, which share a session, a receiver and the lab, if there is one. {@link #close} ends all
 * processes and the execution. Used by one thread.
 */
public final class PathRuns implements AutoCloseable {
    private final Execution execution;
    private final @Nullable Path file;
    private final List<String> values;
    private final Sweep sweep;
    private final List<RunMark> disturbed = new ArrayList<>();
    private int made;
    private @Nullable Path last;
    private boolean isLastSpoiled;

    /**
     * Creates the runs of a session.
     *
     * @param file see {@link #read}
     * @param values the keys of the session's experiment whose values differ from the defaults
     * @param err receives error messages
     */
    public PathRuns(Execution execution, @Nullable Path file, List<String> values, PrintWriter err)
            throws LagbenchException {
        this.execution = execution;
        this.file = file;
        this.values = List.copyOf(values);
        this.sweep = new Sweep(execution, Progress.lines(err, true));
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

    /**
     * Executes a run. Prints a failure to the error writer.
     *
     * @param differing the keys whose values differ from those of the session
     */
    public ExitCode execute(List<String> differing) throws LagbenchException, InterruptedException {
        List<String> all = new ArrayList<>(values);
        all.addAll(differing);
        Experiment experiment = read(file, all);
        made++;
        RunGroup run = experiment.run(made);
        last = execution.session().runs().resolve(run.name());
        ExitCode exitCode = sweep.execute(run);
        RunRecord record = exitCode == ExitCode.OK ? last().record() : null;
        List<RunMark> marks = record == null ? List.of() : Disturbances.recorded(record);
        disturbed.addAll(marks);
        isLastSpoiled = marks.stream().anyMatch(RunMark::spoils);
        return exitCode;
    }

    /** Returns whether the machine spoiled the last run. */
    boolean isLastSpoiled() {
        return isLastSpoiled;
    }

    /** Returns a sentence for each way in which the machine disturbed runs, with the number of the runs. */
    public List<String> marks() {
        Map<String, Long> counts = disturbed.stream()
                .collect(Collectors.groupingBy(RunMark::sentence, LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " This was so in " + each.getValue() + " of " + made + " runs.")
                .toList();
    }

    /** Returns the directory of the session. */
    public Path directory() {
        return execution.session().directory();
    }

    /** Returns the last run. */
    public RunDirectory last() {
        return RunDirectory.read(Objects.requireNonNull(last, "a run"));
    }

    @Override
    public void close() throws LagbenchException {
        try (execution) {
            sweep.close();
        }
    }
}
