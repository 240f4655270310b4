package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.PathEstimate;
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
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.transport.Transports;
import org.lagbench.report.capacity.CapacityReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench capacity}: measures the capacity of a path with TCP transfers. */
@Command(
        name = "capacity",
        sortOptions = false,
        description = {
            "Measure the rate of TCP to a host where lagbench serve runs, with few bytes.",
            "",
            "Sends transfers, each four times as large as the one before, until one has filled the path. Reports what"
                    + " limited each, and forecasts the time of transfers of any size."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench capacity 192.0.2.7",
            "  sudo lagbench capacity --set 'lab={rate: 100mbit, delay: 20ms}'",
            "  lagbench capacity 192.0.2.7 --budget 20 --set tcp.congestion-control=cubic"
        })
final class CapacityCommand extends Subcommand {
    private static final long FIRST_BYTES = 1 << 16;
    private static final int PIECE_BYTES = 1 << 14;
    private static final int WARM_UP_PIECES = 4;
    private static final int GROWTH = 4;
    private static final long BYTES_PER_MB = 1_000_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description =
                    "Where lagbench serve listens, by default at port 5394 (default: both sides on this machine).")
    private @Nullable String host;

    @Option(
            names = "--budget",
            paramLabel = "MB",
            description = "How many megabytes to send at most (default: ${DEFAULT-VALUE}).")
    private int budgetMb = 100;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Set a key of the experiment: lab=dumbbell, engine=java, tcp.send-buffer=4MiB. May be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Mixin
    private final SessionArguments session = new SessionArguments();

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        if (budgetMb < 1) {
            throw new LagbenchException(
                    ExitCode.USAGE, "--budget: " + budgetMb + " is not accepted; it takes 1 or more.");
        }
        List<Probe> probes = new ArrayList<>();
        long budget = budgetMb * BYTES_PER_MB;
        for (long bytes = FIRST_BYTES; canGrow(probes); bytes *= GROWTH) {
            budget -= bytes + WARM_UP_PIECES * PIECE_BYTES;
            if (budget < 0) {
                break;
            }
            ExitCode exitCode = probe(bytes, probes);
            if (exitCode != ExitCode.OK) {
                return exitCode.code();
            }
        }
        Optional<PathEstimate> estimate = PathEstimate.of(
                probes.stream().map(Probe::verdict).toList(),
                probes.stream().map(Probe::elapsedNs).toList());
        out().print(new CapacityReport(probes, estimate).text());
        out().flush();
        return ExitCode.OK.code();
    }

    /**
     * Returns whether a larger probe may give more information. It does not if a probe filled the path, or if window or
     * application limited the last two probes.
     */
    private static boolean canGrow(List<Probe> probes) {
        List<Verdict> verdicts =
                probes.stream().map(probe -> probe.verdict().verdict()).toList();
        List<Verdict> lastTwo = verdicts.subList(Math.max(0, verdicts.size() - 2), verdicts.size());
        boolean isLimited = lastTwo.size() == 2
                && lastTwo.stream().allMatch(verdict -> verdict == Verdict.WINDOW || verdict == Verdict.APPLICATION);
        return !verdicts.contains(Verdict.NETWORK) && !isLimited;
    }

    private ExitCode probe(long bytes, List<Probe> into) throws LagbenchException, InterruptedException, IOException {
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
                session.create(all -> reader.build("capacity", all), values, environment, false, shutdown())) {
            ExitCode exitCode = SweepExecution.execute(execution, new ProgressOutput(err(), true, false, null, null));
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
