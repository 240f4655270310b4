package org.lagbench.cli;

import java.nio.file.Path;
import org.lagbench.cli.capacity.PathRuns;
import org.lagbench.cli.capacity.TcpProbes;
import org.lagbench.cli.capacity.UdpTrains;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.report.capacity.CapacityReport;
import org.lagbench.report.capacity.RateReport;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    private static final int DEFAULT_BUDGET_MB = 100;

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

    @Mixin
    private final PathArguments path = new PathArguments(DEFAULT_BUDGET_MB);

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        long budgetBytes = path.budgetBytes();
        boolean isTcp = !datagrams.available && !datagrams.udp;
        try (PathSession session = path.open(isTcp ? TcpProbes.VALUES : UdpTrains.VALUES, err(), shutdown())) {
            ExitCode exitCode = isTcp
                    ? probe(session.runs(), session.directory(), budgetBytes)
                    : sendTrains(session.runs(), session.directory(), budgetBytes);
            return exitCode.code();
        }
    }

    private ExitCode probe(PathRuns runs, Path directory, long budgetBytes)
            throws LagbenchException, InterruptedException {
        TcpProbes probes = new TcpProbes(runs);
        ExitCode exitCode = probes.make(budgetBytes);
        if (exitCode == ExitCode.OK) {
            CapacityReport report = probes.report();
            print(directory, report.text(), report.json());
        }
        return exitCode;
    }

    private ExitCode sendTrains(PathRuns runs, Path directory, long budgetBytes)
            throws LagbenchException, InterruptedException {
        UdpTrains trains = new UdpTrains(runs, budgetBytes);
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
