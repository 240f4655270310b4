package org.lagbench.runner.capacity;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.run.Traffic;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.experiment.MatrixSpec;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.GridPlan;
import org.lagbench.runner.sweep.Progress;
import org.lagbench.runner.sweep.SessionDirectory;
import org.lagbench.runner.sweep.Sweep;

/** The sessions with runs from one site to another. */
record PairMeasurement(MatrixSpec spec, MatrixSpec.Site from, MatrixSpec.Site to) {
    private static final long STREAM_PACKETS = 4_000;
    private static final long STREAM_INTERVAL_NS = 10_000_000;

    /** Returns the name of the pair: "vienna/graz". */
    String name() {
        return from.name() + "/" + to.name();
    }

    /** Executes the missing runs of a plan in the session of the pair, which is created if it does not exist. */
    ExitCode execute(Path directory, ShutdownCoordinator shutdown, Progress.Starter output)
            throws LagbenchException, InterruptedException {
        try (Execution execution = begin(directory, shutdown)) {
            return Sweep.execute(execution, new PairPlan(execution.session(), spec), output);
        }
    }

    /**
     * Executes the run of an experiment in a session.
     *
     * @param number the number of the run in the session
     * @throws LagbenchException if the run failed
     */
    RunDirectory execute(
            Path directory, ShutdownCoordinator shutdown, Experiment content, int number, Progress progress)
            throws LagbenchException, InterruptedException {
        RunGroup run = content.run().numbered(number, 1);
        try (Execution execution = begin(directory, shutdown)) {
            ExitCode exitCode = Sweep.execute(execution, new GridPlan(List.of(run)), (missing, remaining) -> progress);
            if (exitCode != ExitCode.OK) {
                throw exitCode.failure(name() + ": " + run.name() + " has failed.");
            }
            return RunDirectory.read(execution.session().runs().resolve(run.name()));
        }
    }

    private Execution begin(Path directory, ShutdownCoordinator shutdown) throws LagbenchException {
        SharedKey key = SharedKey.find(from.keyFile());
        Experiment packets = packets(spec.packets(), spec.intervalNs());
        SessionDirectory session = SessionDirectory.isSession(directory)
                ? SessionDirectory.open(directory)
                : SessionDirectory.createIn(directory, packets);
        return new Execution(packets, session, Duration.ZERO, true, false, from.agent(), key, shutdown);
    }

    /** Returns the experiment with paced packets for the bottleneck search. */
    Experiment stream() throws LagbenchException {
        return packets(STREAM_PACKETS, STREAM_INTERVAL_NS);
    }

    private Experiment packets(long packets, long intervalNs) throws LagbenchException {
        return experiment(PairPlan.packets(Traffic.ONE_WAY, spec.packetBytes(), packets, intervalNs));
    }

    /** Returns the experiment with a TCP transfer of whole pieces. */
    Experiment transfer(long bytes) throws LagbenchException {
        List<String> values = new ArrayList<>(TcpProbes.values());
        values.add("transfer-bytes=" + bytes / TcpProbes.PIECE_BYTES * TcpProbes.PIECE_BYTES);
        values.add("transfers=1");
        return experiment(values);
    }

    private Experiment experiment(List<String> values) throws LagbenchException {
        List<String> all = new ArrayList<>(values);
        all.addAll(List.of("seed=1", "receiver=" + to.agent()));
        if (from.keyFile() != null) {
            all.add("key-file=" + from.keyFile());
        }
        return new ExperimentReader(Transports.load(), Engines.load()).build(from.name() + "-" + to.name(), all);
    }
}
