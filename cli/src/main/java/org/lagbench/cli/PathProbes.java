package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Verdict;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.transfer.Probe;
import org.lagbench.cli.sweep.Execution;
import org.lagbench.cli.sweep.ProgressOutput;
import org.lagbench.cli.sweep.SweepExecution;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.experiment.ExperimentReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.transport.Transports;

/** Measures a path with transfers, each four times as large as the one before, until one has filled it. */
final class PathProbes {
    private static final long FIRST_BYTES = 1 << 16;
    private static final int PIECE_BYTES = 1 << 14;
    private static final int WARM_UP_PIECES = 4;
    private static final int GROWTH = 4;

    private final @Nullable String host;
    private final List<String> overrides;
    private final SessionArguments session;
    private final ProgressOutput output;
    private final ShutdownCoordinator shutdown;
    private final List<Probe> probes = new ArrayList<>();

    /**
     * @param host the other host and port as on the command line; null for a receiver on this machine
     * @param overrides keys of the experiment
     */
    PathProbes(
            @Nullable String host,
            List<String> overrides,
            SessionArguments session,
            ProgressOutput output,
            ShutdownCoordinator shutdown) {
        this.host = host;
        this.overrides = List.copyOf(overrides);
        this.session = session;
        this.output = output;
        this.shutdown = shutdown;
    }

    /**
     * Sends the probes.
     *
     * @param budgetBytes how many bytes to send at most
     * @return the outcome of the last probe
     */
    ExitCode send(long budgetBytes) throws LagbenchException, InterruptedException, IOException {
        long budget = budgetBytes;
        for (long bytes = FIRST_BYTES; canGrow(); bytes *= GROWTH) {
            budget -= bytes + WARM_UP_PIECES * PIECE_BYTES;
            if (budget < 0) {
                break;
            }
            ExitCode exitCode = send(bytes, probes);
            if (exitCode != ExitCode.OK) {
                return exitCode;
            }
        }
        return ExitCode.OK;
    }

    /** Returns the answered probes, in the order of their sizes. */
    List<Probe> probes() {
        return List.copyOf(probes);
    }

    /**
     * Returns whether a larger probe may give more information. It does not if a probe filled the path, or if window or
     * application limited the last two probes.
     */
    private boolean canGrow() {
        List<Verdict> verdicts =
                probes.stream().map(probe -> probe.verdict().verdict()).toList();
        List<Verdict> lastTwo = verdicts.subList(Math.max(0, verdicts.size() - 2), verdicts.size());
        boolean isLimited = lastTwo.size() == 2
                && lastTwo.stream().allMatch(verdict -> verdict == Verdict.WINDOW || verdict == Verdict.APPLICATION);
        return !verdicts.contains(Verdict.NETWORK) && !isLimited;
    }

    private ExitCode send(long bytes, List<Probe> into) throws LagbenchException, InterruptedException, IOException {
        List<String> values = new ArrayList<>(List.of(
                "transports=tcp",
                "traffic=transfer",
                "transfer-bytes=" + bytes,
                "packet-bytes=" + PIECE_BYTES,
                "transfers=1",
                "warm-up-packets=" + WARM_UP_PIECES,
                "engine=c",
                "observe=nothing",
                "drain=0s"));
        if (host != null) {
            values.add(
                    "receiver=" + Endpoint.ofOption("HOST[:PORT]", host, ReceiverConnection.DEFAULT_RECEIVER.port()));
        }
        values.addAll(overrides);
        ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load());
        Experiment experiment = reader.build("capacity", values);
        Endpoint receiver = experiment.receiver();
        Map<String, String> environment = receiver == null
                ? Map.of()
                : ReceiverAccess.request(receiver, experiment.keyFile()).environment();
        try (Execution execution =
                session.create(all -> reader.build("capacity", all), values, environment, false, shutdown)) {
            ExitCode exitCode = SweepExecution.execute(execution, output);
            if (exitCode == ExitCode.OK) {
                into.addAll(probes(execution.session().directory()));
            }
            return exitCode;
        }
    }

    private static List<Probe> probes(Path directory) throws LagbenchException {
        List<Probe> probes = new ArrayList<>();
        for (RunDirectory run : Session.open(directory).runs()) {
            RunRecord record = run.record();
            if (record != null) {
                probes.addAll(Probe.read(run.path(), record));
            }
        }
        return probes;
    }
}
