package org.lagbench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.cli.capacity.PathRuns;
import org.lagbench.cli.capacity.TcpProbes;
import org.lagbench.cli.capacity.UdpTrains;
import org.lagbench.cli.sweep.Execution;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.report.capacity.CapacityReport;
import org.lagbench.report.capacity.RateReport;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench capacity}: measures the capacity of a path. */
@Command(
        name = "capacity",
        sortOptions = false,
        description = {
            "Measure the rate of TCP or UDP to a host where lagbench serve runs, with few bytes.",
            "",
            "Sends TCP transfers, each four times as large as those before, until one has filled the path. Reports what"
                    + " limited each, and forecasts the time of transfers of any size."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench capacity 192.0.2.7",
            "  lagbench capacity 192.0.2.7 --available",
            "  sudo lagbench capacity --set 'lab={rate: 100mbit, delay: 20ms}'",
            "  lagbench capacity 192.0.2.7 --budget 20 --set tcp.congestion-control=cubic"
        })
final class CapacityCommand extends Subcommand {
    /** The file with the result in the session directory, for programs. */
    private static final String JSON = "capacity.json";

    private static final long BYTES_PER_MB = 1_000_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description =
                    "Where lagbench serve listens, by default at port 5394 (default: both sides on this machine).")
    private @Nullable String host;

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
                                + " for some 10 s.")
        private boolean udp;
    }

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
    public Integer call() throws LagbenchException, InterruptedException {
        if (budgetMb < 1) {
            throw new LagbenchException(
                    ExitCode.USAGE, "--budget: " + budgetMb + " is not accepted; it takes 1 or more.");
        }
        boolean isTcp = !datagrams.available && !datagrams.udp;
        List<String> values = new ArrayList<>(isTcp ? TcpProbes.VALUES : UdpTrains.VALUES);
        if (host != null) {
            values.add(
                    "receiver=" + Endpoint.ofOption("HOST[:PORT]", host, ReceiverConnection.DEFAULT_RECEIVER.port()));
        }
        values.addAll(overrides);
        Experiment experiment = PathRuns.read(values);
        Endpoint receiver = experiment.receiver();
        Map<String, String> environment = receiver == null
                ? Map.of()
                : ReceiverAccess.request(receiver, experiment.keyFile()).environment();
        try (Execution execution = session.create(PathRuns::read, values, environment, false, shutdown());
                PathRuns runs = new PathRuns(execution, values, err())) {
            Path directory = execution.session().directory();
            return (isTcp ? probe(runs, directory) : sendTrains(runs, directory)).code();
        }
    }

    private ExitCode probe(PathRuns runs, Path directory) throws LagbenchException, InterruptedException {
        TcpProbes probes = new TcpProbes(runs);
        ExitCode exitCode = probes.make(budgetMb * BYTES_PER_MB);
        if (exitCode == ExitCode.OK) {
            CapacityReport report = probes.report();
            print(directory, report.text(), report.json());
        }
        return exitCode;
    }

    private ExitCode sendTrains(PathRuns runs, Path directory) throws LagbenchException, InterruptedException {
        UdpTrains trains = new UdpTrains(runs, budgetMb * BYTES_PER_MB);
        ExitCode exitCode = datagrams.available ? trains.searchAvailable() : trains.searchCapacity();
        if (exitCode == ExitCode.OK) {
            RateReport report = datagrams.available ? trains.availableReport() : trains.capacityReport();
            print(directory, report.text(), report.json());
        }
        return exitCode;
    }

    private void print(Path directory, String text, String json) throws LagbenchException {
        WholeFile.write(directory.resolve(JSON), json);
        out().print(text);
        out().println("Session: " + directory);
    }
}
