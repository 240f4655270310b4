package org.lagbench.cli.sweep;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;

/** One execution of an experiment in its session: all runs of it that the session does not have yet. */
public final class SweepExecution {
    private final Experiment experiment;
    private final SessionDirectory session;
    private final ClockRequirements clocks;
    private final String lagbenchVersion;
    private final ShutdownCoordinator interruption;

    /** The experiment must have its seed. */
    public SweepExecution(
            Experiment experiment,
            SessionDirectory session,
            ClockRequirements clocks,
            String lagbenchVersion,
            ShutdownCoordinator interruption) {
        this.experiment = experiment;
        this.session = session;
        this.clocks = clocks;
        this.lagbenchVersion = lagbenchVersion;
        this.interruption = interruption;
    }

    /**
     * Sees to it that there are the programs that the experiment wants, and that the machine is as its settings ask
     * for.
     *
     * @throws LagbenchException if not, with the way out
     */
    public static void requireMeans(Experiment experiment) throws LagbenchException {
        Transports transports = Transports.load();
        Engines engines = Engines.load();
        List<Means> wanted = experiment.runs(0).stream()
                .map(run -> new Means(run.transport(), run.program().engine(), run.settings()))
                .distinct()
                .toList();
        for (Means means : wanted) {
            Transport transport = transports.named(means.transport);
            LagbenchException unavailable = engines.named(means.engine).unavailableReason(transport);
            if (unavailable != null) {
                throw unavailable;
            }
            transport.checkMachine(means.settings);
        }
    }

    /** What a run needs of this machine. */
    private record Means(String transport, String engine, Settings settings) {}

    /**
     * Makes the runs. When it returns, no process of it runs any more.
     *
     * @param progressKind how to tell how far it is, and what went wrong
     * @param err where to
     * @return how it ended; what went wrong has been told
     */
    public ExitCode execute(ProgressKind progressKind, PrintWriter err) throws LagbenchException, InterruptedException {
        List<RunGroup> all = experiment.groups(Objects.requireNonNull(experiment.seed(), "the experiment's seed"));
        List<RunGroup> missing =
                all.stream().filter(run -> !session.isComplete(run)).toList();
        if (missing.isEmpty()) {
            return ExitCode.OK;
        }
        RemainingTime timeLeft =
                new RemainingTime(missing.stream().map(RemainingTime::longest).toList(), System::nanoTime);
        try (Progress progress = progressKind.begin(err, missing.size(), timeLeft);
                RunMaker maker = new RunMaker(experiment, session, clocks, lagbenchVersion, progress, interruption)) {
            BufferLimits.exceeded(
                            experiment,
                            missing.stream()
                                    .flatMap(group -> group.runs().stream())
                                    .toList())
                    .forEach(progress::note);
            Sweep sweep = maker.sweep(timeLeft);
            ExitCode exitCode = sweep.make(missing);
            int complete = all.size() - missing.size() + sweep.completed();
            if (complete < all.size()) {
                progress.trouble(incomplete(exitCode, complete, all.size()));
            }
            return exitCode;
        }
    }

    private String incomplete(ExitCode exitCode, int complete, int all) {
        return (exitCode == ExitCode.INTERRUPTED ? "Interrupted: " : "")
                + complete + " of " + all + " runs are complete and kept. To make the others: lagbench sweep --resume "
                + session.directory();
    }
}
