package org.lagbench.runner.capacity;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lagbench.analysis.capacity.Convergence.Sample;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.bandwidth.BandwidthMonitor;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSource;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Registry;
import org.lagbench.core.text.Units;
import org.lagbench.core.timeseries.SeriesInfo.Domain;
import org.lagbench.runner.sweep.RunLab;

/** Estimates of the available bandwidth of a link, by the counters of its interface. */
public final class BandwidthEstimation {
    /** The source of counters that needs an agent. */
    private static final String SNMP = "snmp";

    private static final String HEADER = "estimate,at_s,bits_per_s";
    private static final int COLUMNS = 3;
    private static final Duration INTERVAL = Duration.ofMillis(100);

    private BandwidthEstimation() {}

    /** Prints the estimates of a link as CSV, by each source of counters, until a time has elapsed. */
    public static void print(
            List<String> sources, Bottleneck link, long durationNs, PrintWriter out, ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException, IOException {
        Registry<CounterSource> known = CounterSource.all();
        List<Watched> watched = new ArrayList<>();
        try {
            for (String source : sources) {
                watched.add(new Watched(source, new BandwidthMonitor(known.named(source), link)));
            }
            out.println(HEADER);
            out.flush();
            long beginNs = System.nanoTime();
            long nowNs = 0;
            do {
                for (Watched source : watched) {
                    source.sample();
                    print(out, source.name + " average", nowNs, source.average());
                    print(out, source.name + " forecast", nowNs, source.forecaster.next());
                }
                nowNs = System.nanoTime() - beginNs;
            } while (nowNs < durationNs && !shutdown.awaitInterrupt(INTERVAL));
        } finally {
            for (Watched source : watched) {
                source.monitor.close();
            }
        }
    }

    private static void print(PrintWriter out, String estimate, long atNs, double bitsPerS) {
        if (!Double.isNaN(bitsPerS)) {
            out.println(String.format(Locale.ROOT, "%s,%.3f,%.0f", estimate, atNs / Units.NS_PER_S, bitsPerS));
        }
    }

    /** The estimates by one source of counters. */
    private static final class Watched {
        private final String name;
        private final BandwidthMonitor monitor;
        private final SeriesForecaster forecaster = new SeriesForecaster(Selection.NWS, 1, Domain.NOT_NEGATIVE);
        private long learned;

        Watched(String name, BandwidthMonitor monitor) {
            this.name = name;
            this.monitor = monitor;
        }

        void sample() throws LagbenchException {
            IOException failure = monitor.failure();
            if (failure != null) {
                throw ExitCode.BROKEN.failure(
                        "The counters by " + name + " failed: " + IoErrors.reason(failure)
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
     * Runs lagbench bandwidth on the sender's host of an emulated network, and returns its estimates by name.
     *
     * @param duration how long, as on the command line
     */
    public static Map<String, List<Sample>> inLab(
            Network described, List<String> sources, String duration, ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
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
            shutdown.onInterrupt(stop);
            try {
                Map<String, List<Sample>> estimates = read(process.inputReader(), lab);
                if (process.waitFor() != ExitCode.OK.code()) {
                    throw ChildFailure.ended(
                            process, ExitCode.UNAVAILABLE, "The estimation failed; its error message is above.");
                }
                return estimates;
            } finally {
                shutdown.forget(stop);
                process.destroy();
            }
        } catch (IOException e) {
            throw ChildFailure.notStarted("The estimation cannot be started", e);
        }
    }

    /** Reads the estimates by name. Starts the competing flow when the estimation starts. */
    private static Map<String, List<Sample>> read(BufferedReader lines, RunLab lab)
            throws IOException, LagbenchException {
        Map<String, List<Sample>> estimates = new LinkedHashMap<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] cells = line.split(",", -1);
            if (line.equals(HEADER)) {
                lab.beginTimes();
            } else if (cells.length == COLUMNS) {
                estimates
                        .computeIfAbsent(cells[0], name -> new ArrayList<>())
                        .add(new Sample(Double.parseDouble(cells[1]), Double.parseDouble(cells[2])));
            }
        }
        return estimates;
    }
}
