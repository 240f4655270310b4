package org.lagbench.cli.sweep;

import java.io.PrintWriter;
import java.util.List;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;

/** Makes all runs of an experiment that its session does not have yet. */
public final class SweepExecution {
    private SweepExecution() {}

    /**
     * Checks that this machine has the engines of an experiment, and fits the settings of its transports.
     *
     * @throws LagbenchException if not; the message says what to do
     */
    public static void checkMachine(Experiment experiment) throws LagbenchException {
        Transports transports = Transports.load();
        Engines engines = Engines.load();
        List<Requirement> requirements = experiment.runs(0).stream()
                .map(run -> new Requirement(run.transport(), run.program().engine(), run.settings()))
                .distinct()
                .toList();
        for (Requirement requirement : requirements) {
            Transport transport = transports.named(requirement.transport);
            LagbenchException unavailable = engines.named(requirement.engine).unavailableReason(transport);
            if (unavailable != null) {
                throw unavailable;
            }
            transport.checkMachine(requirement.settings);
        }
    }

    private record Requirement(String transport, String engine, Settings settings) {}

    /**
     * Makes the runs. When it returns, all its processes have ended and all failures have been reported.
     *
     * @param err receives the progress and the errors
     */
    public static ExitCode execute(Execution execution, boolean quiet, PrintWriter err)
            throws LagbenchException, InterruptedException {
        SessionDirectory session = execution.session();
        List<RunGroup> all = execution.experiment().groups(execution.seed());
        List<RunGroup> missing =
                all.stream().filter(run -> !session.isComplete(run)).toList();
        if (missing.isEmpty()) {
            return ExitCode.OK;
        }
        RemainingTime remainingTime =
                new RemainingTime(missing.stream().map(RemainingTime::longest).toList(), System::nanoTime);
        try (Progress progress = Progress.of(quiet, err, missing.size(), remainingTime);
                RunMaker maker = new RunMaker(execution, progress)) {
            BufferLimits.exceeded(
                            execution.experiment(),
                            missing.stream()
                                    .flatMap(group -> group.runs().stream())
                                    .toList())
                    .forEach(progress::note);
            Sweep sweep = maker.sweep(remainingTime);
            ExitCode exitCode = sweep.make(missing);
            int complete = all.size() - missing.size() + sweep.completed();
            if (complete < all.size()) {
                progress.error((exitCode == ExitCode.INTERRUPTED ? "Interrupted: " : "")
                        + complete + " of " + all.size()
                        + " runs are complete and kept. To make the others: lagbench sweep --resume "
                        + session.directory());
            }
            return exitCode;
        }
    }
}
