package org.lagbench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.transfer.Probe;
import org.lagbench.cli.sweep.ProgressOutput;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
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
        PathProbes path = new PathProbes(
                host, overrides, session, new ProgressOutput(err(), true, false, null, null), shutdown());
        ExitCode exitCode = path.send(budgetMb * BYTES_PER_MB);
        if (exitCode != ExitCode.OK) {
            return exitCode.code();
        }
        List<Probe> probes = path.probes();
        Optional<PathEstimate> estimate = PathEstimate.of(
                probes.stream().map(Probe::verdict).toList(),
                probes.stream().map(Probe::elapsedNs).toList());
        out().print(new CapacityReport(probes, estimate).text());
        out().flush();
        return ExitCode.OK.code();
    }
}
