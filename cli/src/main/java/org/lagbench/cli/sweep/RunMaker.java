package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.lagbench.cli.machine.Environment;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.experiment.NetworkText;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.lab.Network;
import org.lagbench.core.run.RunGroup;

/**
 * Makes runs of an experiment in its session, in whatever order they are asked for: keeps the bus and the lab that they
 * share, and the environment that they are made in. When it is closed, no process of it runs any more. Used by one
 * thread.
 */
public final class RunMaker implements AutoCloseable {
    private final SessionDirectory session;
    private final Progress progress;
    private final ShutdownCoordinator interruption;
    private final Path environmentFile;
    private final Environment environment;
    private final BusEnvironment bus = new BusEnvironment();
    private final SweepLab lab;
    private final RunProcesses processes;

    /**
     * Begins an execution of the experiment.
     *
     * @param progress is told of each run
     */
    public RunMaker(
            Experiment experiment,
            SessionDirectory session,
            ClockRequirements clocks,
            String lagbenchVersion,
            Progress progress,
            ShutdownCoordinator interruption)
            throws LagbenchException {
        this.session = session;
        this.progress = progress;
        this.interruption = interruption;
        this.environmentFile = session.newEnvironmentFile();
        this.lab = new SweepLab(experiment.lab());
        Network network = experiment.lab();
        this.environment = Environment.now(
                lagbenchVersion,
                Instant.now().toString(),
                ChildJvm.options(),
                BusEnvironment.kind(),
                network == null ? null : NetworkText.yaml(network));
        SessionDirectory.write(environmentFile, environment);
        Endpoint receiver = experiment.receiver();
        this.processes = new RunProcesses(
                session,
                receiver == null ? null : receiver.toString(),
                experiment.keyFile(),
                clocks,
                bus,
                lab,
                progress,
                interruption);
    }

    /** Makes one run. What went wrong has been told. */
    public ExitCode make(RunGroup run) throws LagbenchException, InterruptedException {
        return sweep(new RemainingTime(List.of(RemainingTime.longest(run)), System::nanoTime))
                .make(List.of(run));
    }

    /** What makes runs one after the other, of which that time is left. */
    Sweep sweep(RemainingTime timeLeft) {
        return new Sweep(session, processes, progress, timeLeft, interruption);
    }

    @Override
    public void close() throws LagbenchException {
        try (bus;
                lab) {
            SessionDirectory.write(
                    environmentFile, environment.ended(Instant.now().toString()));
            session.tidy();
        }
    }
}
