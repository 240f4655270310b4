package org.lagbench.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Convergence;
import org.lagbench.analysis.capacity.Convergence.Sample;
import org.lagbench.analysis.forecast.Selection;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.core.bandwidth.BandwidthMonitor;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSources;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.CompetingFlow;
import org.lagbench.core.model.Network;
import org.lagbench.core.yaml.NetworkReader;
import org.lagbench.lab.LabBottleneck;
import org.lagbench.report.capacity.BandwidthChart;
import org.lagbench.report.capacity.BandwidthReport;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.sweep.RunLab;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench bandwidth}: estimates the available bandwidth of a link from the counters of its interface. */
@Command(
        name = "bandwidth",
        sortOptions = false,
        description = {
            "Estimate the available bandwidth of a link from the counters of its interface, the kernel's or those of an"
                    + " SNMP agent: the average over a history period of 4 s, and a forecast.",
            "",
            "With --bottleneck, prints the estimates as CSV. Without it, emulates a network whose competing flow begins"
                    + " after a while, as in figure 6 of Hu, \"Network Aware Data Transmission with"
                    + " Compression\" (2003),"
                    + " and prints the estimates beside the truth, and how long each takes to be right. That"
                    + " needs root."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  sudo lagbench bandwidth",
            "  sudo lagbench bandwidth my-network.yaml --source kernel --for 30s",
            "  lagbench bandwidth --bottleneck device=eth0,rate=100000000,agent=192.0.2.1 --source snmp"
        })
final class BandwidthCommand extends Subcommand {
    private static final String KERNEL = "kernel";
    private static final String SNMP = "snmp";
    private static final String HEADER = "estimate,at_s,bits_per_s";
    private static final int COLUMNS = 3;
    private static final double NS_PER_S = 1e9;
    private static final Duration INTERVAL = Duration.ofMillis(100);

    /** Headers of UDP, IPv4 and Ethernet. */
    private static final int HEADER_BYTES = 8 + 20 + 14;

    /** Preamble, frame check sequence and interpacket gap (IEEE 802.3). */
    private static final int FRAMING_BYTES = 24;

    /** The minimum size of a frame, framing included (IEEE 802.3). */
    private static final int LEAST_BYTES = 84;

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
            description = "Whose counters: kernel, snmp (default: both; kernel without an agent).")
    private List<String> sources = new ArrayList<>();

    @Option(names = "--for", paramLabel = "TIME", description = "How long (default: ${DEFAULT-VALUE}).")
    private String duration = "24s";

    @Option(
            names = "--figures",
            paramLabel = "DIRECTORY",
            description = "Also write a figure of the estimates and the truth there, as SVG and PNG.")
    private @Nullable Path figures;

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        long durationNs = Intervals.ofOption("--for", duration).toNanos();
        if (bottleneck == null) {
            compareInLab();
        } else if (figures != null) {
            throw new LagbenchException(
                    ExitCode.USAGE, "--figures does not fit --bottleneck: the truth of a real link is unknown.");
        } else {
            print(Bottleneck.parse(bottleneck), durationNs);
        }
        return ExitCode.OK.code();
    }

    /** Prints the estimates of a link as CSV. */
    private void print(Bottleneck link, long durationNs) throws LagbenchException, InterruptedException, IOException {
        if (sources.isEmpty()) {
            sources = link.agent().isEmpty() ? List.of(KERNEL) : List.of(KERNEL, SNMP);
        }
        CounterSources known = CounterSources.load();
        List<Watched> watched = new ArrayList<>();
        try {
            for (String source : sources) {
                watched.add(new Watched(source, BandwidthMonitor.start(known.named(source), link)));
            }
            out().println(HEADER);
            out().flush();
            long beginNs = System.nanoTime();
            long nowNs = 0;
            do {
                for (Watched source : watched) {
                    source.sample();
                    print(source.name + " average", nowNs, source.average());
                    print(source.name + " forecast", nowNs, source.forecaster.next());
                }
                nowNs = System.nanoTime() - beginNs;
            } while (nowNs < durationNs && !shutdown().awaitInterrupt(INTERVAL));
        } finally {
            for (Watched source : watched) {
                source.monitor.close();
            }
        }
    }

    private void print(String estimate, long atNs, double bitsPerS) {
        if (!Double.isNaN(bitsPerS)) {
            out().println(String.format(Locale.ROOT, "%s,%.3f,%.0f", estimate, atNs / NS_PER_S, bitsPerS));
        }
    }

    /** The estimates by one source of counters. */
    private static final class Watched {
        private final String name;
        private final BandwidthMonitor monitor;
        private final SeriesForecaster forecaster = new SeriesForecaster(Selection.NWS, 1);
        private long learned;

        Watched(String name, BandwidthMonitor monitor) {
            this.name = name;
            this.monitor = monitor;
        }

        void sample() throws LagbenchException {
            IOException failure = monitor.failure();
            if (failure != null) {
                throw new LagbenchException(
                        ExitCode.BROKEN,
                        "The counters by " + name + " failed: " + failure.getMessage()
                                + (name.equals(SNMP)
                                        ? "; check that the agent is reachable and has the interface."
                                        : "; check that the interface exists."),
                        failure);
            }
            BandwidthMonitor.Latest latest = monitor.latest();
            if (latest.number() != learned && latest.bitsPerS() >= 0) {
                learned = latest.number();
                forecaster.learn(latest.bitsPerS());
            }
        }

        double average() {
            double average = monitor.availableBitsPerS();
            return average < 0 ? Double.NaN : average;
        }
    }

    /**
     * Runs this command on the sender's host of an emulated network, and compares the estimates with the true values.
     */
    private void compareInLab() throws LagbenchException, InterruptedException {
        Network described = NetworkReader.named(network);
        if (described.flows().size() != 1 || described.forward().rateBitsPerS() == 0) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "The network " + described.name() + " is not accepted; use one with a rate and one competing flow,"
                            + " such as dumbbell.");
        }
        if (sources.isEmpty()) {
            if (LabBottleneck.hasAgent()) {
                sources = List.of(KERNEL, SNMP);
            } else {
                sources = List.of(KERNEL);
                err().println("snmpd is not installed; only the kernel's counters are shown.");
            }
        }
        Map<String, List<Sample>> estimates;
        try (RunLab lab = new RunLab(described)) {
            ProcessBuilder builder = new ProcessBuilder(lab.command(List.of(
                            "bandwidth",
                            "--source=" + String.join(",", sources),
                            "--for=" + duration,
                            "--bottleneck="
                                    + lab.bottleneck(sources.contains(SNMP)).text())))
                    .redirectError(Redirect.INHERIT);
            Process process = builder.start();
            Runnable stop = process::destroy;
            shutdown().onInterrupt(stop);
            try {
                estimates = read(process.inputReader(), lab);
                if (process.waitFor() != ExitCode.OK.code()) {
                    throw ChildFailure.ended(
                            process, ExitCode.UNAVAILABLE, "The estimation failed; its error message is above.");
                }
            } finally {
                shutdown().forget(stop);
                process.destroy();
            }
        } catch (IOException e) {
            throw ChildFailure.notStarted("The estimation cannot be started", e);
        }
        CompetingFlow flow = described.flows().get(0);
        double rate = described.forward().rateBitsPerS();
        List<Convergence> rows = new ArrayList<>();
        estimates.forEach((name, samples) -> rows.add(
                Convergence.of(name, samples, flow.startNs() / NS_PER_S, rate, rate - wireBitsPerS(described, flow))));
        if (figures != null && !rows.isEmpty()) {
            BandwidthChart.write(figures, estimates, rows.get(0), flow.startNs() / NS_PER_S)
                    .forEach(err()::println);
        }
        StringBuilder text = new StringBuilder();
        BandwidthReport.write(rows, TableFormat.TEXT, text);
        out().print(text);
        out().flush();
    }

    /** Reads the estimates by name. Starts the competing flow when the estimation starts. */
    private static Map<String, List<Sample>> read(BufferedReader lines, RunLab lab)
            throws IOException, LagbenchException {
        Map<String, List<Sample>> estimates = new LinkedHashMap<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] cells = line.split(",", -1);
            if (line.equals(HEADER)) {
                lab.beginFlows();
            } else if (cells.length == COLUMNS) {
                estimates
                        .computeIfAbsent(cells[0], name -> new ArrayList<>())
                        .add(new Sample(Double.parseDouble(cells[1]), Double.parseDouble(cells[2])));
            }
        }
        return estimates;
    }

    /** Returns the bandwidth that a flow uses on a link, framing included. */
    private static double wireBitsPerS(Network network, CompetingFlow flow) {
        int frameBytes = flow.packetBytes() + HEADER_BYTES;
        int wireBytes = network.framing() == Network.Framing.ETHERNET
                ? Math.max(LEAST_BYTES, frameBytes + FRAMING_BYTES)
                : frameBytes;
        return flow.rateBitsPerS() * (double) wireBytes / flow.packetBytes();
    }
}
