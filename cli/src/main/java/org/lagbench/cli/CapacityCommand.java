package org.lagbench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.ExperimentOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.experiment.CapacitySpec;
import org.lagbench.experiment.CapacitySpec.Method;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.report.table.CapacityReport;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.capacity.PathRuns;
import org.lagbench.runner.capacity.TcpProbes;
import org.lagbench.runner.capacity.UdpTrains;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench capacity}: measures the capacity of a path. */
@Listed(in = HelpSection.MEASURE, order = 40)
@Command(
        name = "capacity",
        description = {
            "Measure the rate of TCP or UDP to a host where lagbench serve runs, or over the network of an experiment,"
                    + " with few bytes.",
            "",
            "Sends TCP transfers, each four times as large as those before, until one has filled the path. Reports what"
                    + " limited each, and forecasts the time of transfers of any size."
        },
        footer = {
            "  lagbench capacity 192.0.2.7 --key-file ~/lagbench.key",
            "  lagbench capacity 192.0.2.7 --key-file ~/lagbench.key --available",
            "  sudo lagbench capacity --set 'lab={rate: 100mbit, delay: 20ms}'",
            "  sudo lagbench capacity my-path.yaml",
            "  lagbench capacity 192.0.2.7 --key-file ~/lagbench.key --budget 20 --set tcp.congestion-control=cubic"
        })
public final class CapacityCommand extends Subcommand {
    /** The file with the result in the session directory, for programs. */
    private static final String JSON = "capacity.json";

    private static final long BYTES_PER_MB = 1_000_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE|HOST[:PORT]",
            description =
                    "Experiment file that describes the path, with an optional section capacity; or host where lagbench"
                            + " serve runs, port 5394 unless given. Without an argument, both sides run here.")
    private @Nullable String source;

    @ArgGroup
    private Datagrams datagrams = new Datagrams();

    /** What to measure with UDP instead of TCP. */
    private static final class Datagrams {
        @Option(
                names = "--available",
                description = "Measure the bandwidth that other traffic leaves, with short trains of UDP datagrams.")
        private boolean available;

        @Option(
                names = "--udp",
                description =
                        "Measure the capacity at the IP layer with UDP datagrams, as RFC 9097 does: fills the path"
                                + " for about 10 s.")
        private boolean udp;
    }

    @Option(
            names = "--budget",
            paramLabel = "MB",
            description = "How many megabytes to send at most (default: the experiment's, 100).")
    private @Nullable Integer budgetMb;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            completionCandidates = ExperimentOptions.Keys.class,
            description =
                    "Set a key of the experiment: lab=dumbbell, engine=java, tcp.send-buffer=4MiB. May be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Mixin
    private final KeyArguments key = new KeyArguments();

    @Mixin
    private final SessionArguments session = new SessionArguments();

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        require(budgetMb == null || budgetMb >= 1, "--budget: " + budgetMb + " is not accepted; it takes 1 or more.");
        Path file = source != null && ExperimentArguments.isFile(source) ? Path.of(source) : null;
        CapacitySpec spec = spec(file);
        List<String> all = key.with(overrides);
        all.add(spec.override());
        boolean isTcp = spec.method() == Method.TCP;
        try (PathRuns runs = session.createPath(
                file,
                file == null ? source : null,
                isTcp ? TcpProbes.values() : UdpTrains.values(),
                all,
                err(),
                shutdown())) {
            long budgetBytes = spec.budgetMb() * BYTES_PER_MB;
            return (isTcp ? probe(runs, budgetBytes) : sendTrains(runs, spec.method(), budgetBytes)).code();
        }
    }

    /** Returns what to measure, from the options or from the experiment file. */
    private CapacitySpec spec(@Nullable Path file) throws LagbenchException {
        ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load());
        String command = commandLine().getCommandName();
        List<String> ofSection = overrides.stream()
                .filter(override -> override.startsWith(command))
                .toList();
        Experiment experiment = file == null ? reader.build(command, ofSection) : reader.read(file, ofSection);
        CapacitySpec spec = Objects.requireNonNullElse(experiment.capacity(), CapacitySpec.DEFAULT);
        Method option = datagrams.available ? Method.AVAILABLE : datagrams.udp ? Method.UDP : spec.method();
        return new CapacitySpec(option, budgetMb == null ? spec.budgetMb() : budgetMb);
    }

    private ExitCode probe(PathRuns runs, long budgetBytes) throws LagbenchException, InterruptedException {
        TcpProbes probes = new TcpProbes(runs);
        ExitCode exitCode = probes.execute(budgetBytes);
        return exitCode == ExitCode.OK ? print(runs, probes.result()) : exitCode;
    }

    private ExitCode sendTrains(PathRuns runs, Method method, long budgetBytes)
            throws LagbenchException, InterruptedException {
        UdpTrains trains = new UdpTrains(runs, budgetBytes);
        boolean isAvailable = method == Method.AVAILABLE;
        ExitCode exitCode = isAvailable ? trains.searchAvailable() : trains.searchCapacity();
        return exitCode == ExitCode.OK ? print(runs, isAvailable ? trains.available() : trains.capacity()) : exitCode;
    }

    /** Returns whether the machine left the result undecided. */
    private ExitCode print(PathRuns runs, Result result) throws LagbenchException {
        AtomicFile.write(runs.directory().resolve(JSON), result.text(TableFormat.JSON));
        out().print(result.text(TableFormat.TEXT));
        out().println("Session: " + runs.directory());
        return result.tree().get().path(CapacityReport.DOUBT).isNull() ? ExitCode.OK : ExitCode.UNDECIDED;
    }
}
