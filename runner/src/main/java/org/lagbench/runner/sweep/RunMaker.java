package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.yaml.NetworkReader;
import org.lagbench.runner.machine.Environment;

/**
 * Makes runs of an experiment in any order, and records the environment in the session. When it is closed, all its
 * processes have ended. Used by one thread.
 */
public final class RunMaker implements AutoCloseable {
    private final Execution execution;
    private final Progress progress;
    private final Path environmentFile;
    private final Environment environment;
    private final RunProcesses processes;

    public RunMaker(Execution execution, Progress progress) throws LagbenchException {
        this.execution = execution;
        this.progress = progress;
        this.environmentFile = execution.session().newEnvironmentFile();
        Network network = execution.experiment().lab();
        this.environment = new Environment(
                ChildJvm.options(), BusEnvironment.kind(), network == null ? null : NetworkReader.format(network));
        WholeFile.write(environmentFile, environment.toJson());
        this.processes = new RunProcesses(execution, progress);
    }

    /** Makes one run, and reports its failure to the progress. */
    public ExitCode make(RunGroup run) throws LagbenchException, InterruptedException {
        return sweep(new RemainingTime(List.of(RemainingTime.longest(run)), System::nanoTime))
                .make(List.of(run));
    }

    /** Returns an object that makes the runs of a list one after the other. */
    Sweep sweep(RemainingTime remainingTime) {
        return new Sweep(execution, processes, progress, remainingTime);
    }

    @Override
    public void close() throws LagbenchException {
        try (processes) {
            environment.end(Instant.now());
            WholeFile.write(environmentFile, environment.toJson());
            execution.session().deleteEmptyLogs();
        }
    }
}
