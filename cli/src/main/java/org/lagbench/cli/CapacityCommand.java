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
import org.lagbench.runner.capacity.ProbePlan;
import org.lagbench.runner.capacity.TcpProbes;
import org.lagbench.runner.capacity.UdpTrains;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.Progress;
import org.lagbench.runner.sweep.SessionDirectory;
import org.lagbench.runner.sweep.Sweep;
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
            "  lagbench capacity 192.0.2.7 --key-file ~/lagbench.key --budget 20 --set tcp.congestion-control=cubic",
            "  lagbench capacity --resume results/capacity-20260101T120000Z --budget 200"
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

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue this session directory: execute only its missing runs. With --budget, it may send"
                    + " more.")
    private @Nullable Path resume;

    @Mixin
    private final ResumeArguments resumed = new ResumeArguments();

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        require(budgetMb == null || budgetMb >= 1, "--budget: " + budgetMb + " is not accepted; it takes 1 or more.");
        try (Execution execution = resume == null ? begin() : begin(resume)) {
            CapacitySpec spec =
                    withBudget(Objects.requireNonNull(execution.experiment().capacity()));
            long budgetBytes = spec.budgetMb() * BYTES_PER_MB;
            SessionDirectory directory = execution.session();
            ProbePlan plan = spec.method() == Method.TCP
                    ? new TcpProbes(directory, budgetBytes)
                    : new UdpTrains(directory, spec.method() == Method.UDP, budgetBytes);
            Progress progress = Progress.lines(err(), true);
            ExitCode exitCode = Sweep.execute(execution, plan, (missing, remaining) -> progress);
            return (exitCode == ExitCode.OK ? print(directory.directory(), plan.result()) : exitCode).code();
        }
    }

    private Execution begin() throws LagbenchException {
        Path file = source != null && ExperimentArguments.isFile(source) ? Path.of(source) : null;
        CapacitySpec spec = spec(file);
        List<String> all = key.with(overrides);
        all.add(spec.override());
        return session.createPath(
                file,
                file == null ? source : null,
                spec.method() == Method.TCP ? TcpProbes.values() : UdpTrains.values(),
                all,
                shutdown());
    }

    private Execution begin(Path directory) throws LagbenchException {
        require(
                source == null && overrides.isEmpty() && !datagrams.available && !datagrams.udp,
                "--resume uses the session's own experiment: omit the path, --set, --available and --udp.");
        SessionDirectory opened = SessionDirectory.open(directory);
        Experiment experiment = reader().read(opened.experimentFile(), List.of());
        require(experiment.capacity() != null, directory + " is not the session of lagbench capacity.");
        resumed.check(opened.directory(), experiment.files(), experiment.hosts(), err());
        return session.begin(opened, experiment, ReceiverAccess.keyFor(experiment, shutdown()), false, shutdown());
    }

    private static ExperimentReader reader() {
        return new ExperimentReader(Transports.load(), Engines.load());
    }

    /** Returns what to measure, from the options or from the experiment file. */
    private CapacitySpec spec(@Nullable Path file) throws LagbenchException {
        String command = commandLine().getCommandName();
        List<String> ofSection = overrides.stream()
                .filter(override -> override.startsWith(command))
                .toList();
        Experiment experiment = file == null ? reader().build(command, ofSection) : reader().read(file, ofSection);
        CapacitySpec spec = Objects.requireNonNullElse(experiment.capacity(), CapacitySpec.DEFAULT);
        Method option = datagrams.available ? Method.AVAILABLE : datagrams.udp ? Method.UDP : spec.method();
        return withBudget(new CapacitySpec(option, spec.budgetMb()));
    }

    private CapacitySpec withBudget(CapacitySpec spec) {
        return budgetMb == null ? spec : new CapacitySpec(spec.method(), budgetMb);
    }

    /** Prints and writes the result. Returns {@link ExitCode#UNDECIDED} if spoiled runs leave it undecided. */
    private ExitCode print(Path directory, Result result) throws LagbenchException {
        AtomicFile.write(directory.resolve(JSON), result.text(TableFormat.JSON));
        out().print(result.text(TableFormat.TEXT));
        out().println("Session: " + directory);
        return result.tree().get().path(CapacityReport.DOUBT).isNull() ? ExitCode.OK : ExitCode.UNDECIDED;
    }
}
