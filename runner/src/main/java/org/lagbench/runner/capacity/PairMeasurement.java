package org.lagbench.runner.capacity;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engines;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.experiment.MatrixSpec;
import org.lagbench.runner.machine.Json;
import org.lagbench.runner.machine.Machine;
import org.lagbench.runner.sweep.ChildJvm;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.RemoteRuns;
import org.lagbench.runner.sweep.SessionDirectory;

/**
 * The measurement from one site to another: the lag of paced packets, the round trip, and TCP transfers of growing size
 * until one fills the path or the budget is used.
 */
record PairMeasurement(MatrixSpec spec, MatrixSpec.Site from, MatrixSpec.Site to) {
    private static final long FIRST_BYTES = 1 << 16;
    private static final long STREAM_PACKETS = 4_000;
    private static final long STREAM_INTERVAL_NS = 10_000_000;

    /** Returns the experiment with one-way packets, which is also the experiment of the session. */
    Experiment lag() throws LagbenchException {
        return packets("one-way");
    }

    /** Executes the missing runs of the session, and returns the number of its runs. */
    int execute(RemoteRuns runs) throws LagbenchException {
        int number = 1;
        runs.execute(lag(), number++);
        runs.execute(packets("round-trip"), number++);
        List<ProbeVerdict> verdicts = new ArrayList<>();
        long left = spec.budgetBytes();
        for (long bytes = FIRST_BYTES; Probe.canGrow(verdicts); bytes *= Probe.GROWTH) {
            left -= bytes + TcpProbes.WARM_UP_PIECES * TcpProbes.PIECE_BYTES;
            if (left < 0) {
                break;
            }
            RunDirectory run = runs.execute(transfer(bytes), number++);
            TransferMetrics.probes(run.path(), Objects.requireNonNull(run.record(), run.name()))
                    .forEach(probe -> verdicts.add(probe.verdict()));
        }
        return number - 1;
    }

    /** Returns the experiment with paced packets for the bottleneck search. */
    Experiment stream() throws LagbenchException {
        return packets("one-way", STREAM_PACKETS, STREAM_INTERVAL_NS);
    }

    private Experiment packets(String traffic) throws LagbenchException {
        return packets(traffic, spec.packets(), spec.intervalNs());
    }

    private Experiment packets(String traffic, long packets, long intervalNs) throws LagbenchException {
        return experiment(
                false,
                List.of(
                        "traffic=" + traffic,
                        "packet-bytes=" + spec.packetBytes(),
                        "packets=" + packets,
                        "warm-up-packets=20",
                        "pace.mode=sleep",
                        "pace.interval=" + Durations.format(intervalNs),
                        "drain=2s"));
    }

    /** Returns the experiment with a TCP transfer of whole pieces. */
    Experiment transfer(long bytes) throws LagbenchException {
        return experiment(
                true,
                List.of(
                        "traffic=transfer",
                        "transfer-bytes=" + bytes / TcpProbes.PIECE_BYTES * TcpProbes.PIECE_BYTES,
                        "packet-bytes=" + TcpProbes.PIECE_BYTES,
                        "transfers=1",
                        "warm-up-packets=" + TcpProbes.WARM_UP_PIECES,
                        "drain=0s"));
    }

    /** Runs a task in the session of the pair, which is created if it does not exist. */
    <T> T inSession(Path directory, ShutdownCoordinator shutdown, CheckedFunction<RemoteRuns, T> task)
            throws LagbenchException {
        SharedKey key = SharedKey.find(from.keyFile());
        Experiment lag = lag();
        try (Execution execution = new Execution(
                lag,
                SessionDirectory.isSession(directory)
                        ? SessionDirectory.open(directory)
                        : SessionDirectory.createIn(directory, lag),
                Duration.ZERO,
                true,
                false,
                key,
                shutdown)) {
            AtomicFile.write(
                    execution.session().newEnvironmentFile(),
                    Json.text(Machine.environment(ChildJvm.options(), "none", null)) + "\n");
            T result = task.apply(new RemoteRuns(execution, from.agent(), key));
            execution.session().deleteEmptyLogs();
            return result;
        }
    }

    private Experiment experiment(boolean overConnection, List<String> values) throws LagbenchException {
        Transports transports = Transports.load();
        Engines engines = Engines.load();
        List<String> all = new ArrayList<>(values);
        all.add("transports="
                + transports.plain(overConnection ? Wire.TCP : Wire.UDP).name());
        all.add("engine=" + engines.withoutJvm().name());
        all.addAll(List.of("observe=none", "seed=1", "receiver=" + to.agent()));
        if (from.keyFile() != null) {
            all.add("key-file=" + from.keyFile());
        }
        return new ExperimentReader(transports, engines).build(from.name() + "-" + to.name(), all);
    }
}
