package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Convergence;
import org.lagbench.analysis.capacity.Convergence.Sample;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.LinkCapacity;
import org.lagbench.core.model.Network;
import org.lagbench.core.text.Units;
import org.lagbench.experiment.NetworkReader;
import org.lagbench.lab.LabBottleneck;
import org.lagbench.report.chart.BandwidthReport;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.capacity.BandwidthEstimation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench bandwidth}: estimates the available bandwidth of a link from the counters of its interface. */
@Listed(in = HelpSection.MEASURE, order = 50)
@Command(
        name = "bandwidth",
        description = {
            "Estimate the available bandwidth of a link from the counters of its interface, the kernel's or those of an"
                    + " SNMP agent: the average over a history period of 4 s, and a forecast.",
            "",
            "With --bottleneck, prints the estimates as CSV. Without it, emulates a network whose competing flow begins"
                    + " after a while, as in figure 6 of Hu, \"Network Aware Data Transmission with"
                    + " Compression\" (2003),"
                    + " and prints the estimates next to the truth, and how long each takes to be right. That"
                    + " needs root."
        },
        footer = {
            "  sudo lagbench bandwidth",
            "  sudo lagbench bandwidth my-network.yaml --source kernel --for 30s",
            "  lagbench bandwidth --bottleneck device=eth0,rate=100000000,agent=192.0.2.1 --source snmp"
        })
public final class BandwidthCommand extends Subcommand {
    private static final String KERNEL = "kernel";
    private static final String SNMP = "snmp";

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE|NETWORK",
            description = "A network with a rate and one competing flow (default: ${DEFAULT-VALUE}).")
    private String network = "dumbbell";

    @Option(
            names = "--bottleneck",
            paramLabel = "LINK",
            description =
                    "A real link instead: device=NAME,rate=BITS_PER_S and optionally count=sent or received (sent),"
                            + " overhead=BYTES per packet (24), counters=FILE (/proc/net/dev), agent=HOST[:PORT] and"
                            + " community=NAME (public).")
    private @Nullable String bottleneck;

    @Option(
            names = "--source",
            split = ",",
            paramLabel = "NAME",
            description = "Source of the counters: kernel, snmp (default: both; kernel without an agent).")
    private List<String> sources = new ArrayList<>();

    @Option(names = "--for", paramLabel = "TIME", description = "How long to measure (default: ${DEFAULT-VALUE}).")
    private String duration = "24s";

    @Option(
            names = "--figures",
            paramLabel = "DIRECTORY",
            description = "Directory for a chart of the estimates and the true values, as SVG and PNG.")
    private @Nullable Path figures;

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        long durationNs = Durations.ofOption("--for", duration).toNanos();
        if (bottleneck == null) {
            compareInLab();
        } else {
            require(
                    figures == null,
                    "--figures cannot be combined with --bottleneck: the true bandwidth of a real link is unknown.");
            Bottleneck link = Bottleneck.parse(bottleneck);
            if (sources.isEmpty()) {
                sources = link.agent().isEmpty() ? List.of(KERNEL) : List.of(KERNEL, SNMP);
            }
            BandwidthEstimation.print(sources, link, durationNs, out(), shutdown());
        }
        return ExitCode.OK.code();
    }

    /** Compares the estimates in an emulated network with the true values. */
    private void compareInLab() throws LagbenchException, InterruptedException {
        Network described = NetworkReader.named(network);
        require(
                described.flows().size() == 1 && described.forward().rateBitsPerS() != 0,
                "The network " + described.name() + " is not accepted; use one with a rate and one competing flow,"
                        + " such as dumbbell.");
        if (sources.isEmpty()) {
            if (LabBottleneck.hasAgent()) {
                sources = List.of(KERNEL, SNMP);
            } else {
                sources = List.of(KERNEL);
                err().println("snmpd is not installed; only the kernel's counters are shown.");
            }
        }
        Map<String, List<Sample>> estimates = BandwidthEstimation.inLab(described, sources, duration, shutdown());
        Network.CompetingFlow flow = described.flows().get(0);
        double rate = described.forward().rateBitsPerS();
        long wireBytes = new LinkCapacity(described.forward(), described.framing()).udpWireBytes(flow.packetBytes());
        List<Convergence> rows = new ArrayList<>();
        estimates.forEach((name, samples) -> rows.add(Convergence.of(
                name,
                samples,
                flow.startNs() / Units.NS_PER_S,
                rate,
                rate - flow.rateBitsPerS() * (double) wireBytes / flow.packetBytes())));
        if (figures != null && !rows.isEmpty()) {
            BandwidthReport.draw(figures, estimates, rows.get(0), flow.startNs() / Units.NS_PER_S)
                    .forEach(err()::println);
        }
        print(TableFormat.TEXT.text(BandwidthReport.document(rows)));
    }
}
