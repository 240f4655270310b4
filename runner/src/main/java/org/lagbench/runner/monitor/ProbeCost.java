package org.lagbench.runner.monitor;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.control.ControlConnection;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.report.table.Numbers;
import org.lagbench.runner.machine.Machine;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.Progress;
import org.lagbench.runner.sweep.SessionDirectory;
import org.lagbench.runner.sweep.Sweep;

/**
 * What the probes of a session have cost this host: CPU time of this process and its children, and bytes of the packets
 * and control connections without headers. Not thread-safe.
 */
public final class ProbeCost {
    /** Ticks of {@code /proc} in a second; a constant of Linux on every platform of lagbench. */
    private static final double TICKS_PER_S = 100;

    /** The number of the first of the four CPU times in {@code /proc/self/stat} after the program's name. */
    private static final int FIRST_TIME = 11;

    private final long startNs = System.nanoTime();
    private final double startCpuS = cpuS();
    private final long startBytes = ControlConnection.trafficBytes();
    private long probes;
    private long packetBytes;

    /** Adds a probe, complete or not. */
    void add(Probe probe) {
        probes++;
        packetBytes += probe.packetBytes();
    }

    /**
     * The cost so far.
     *
     * @param probes number of probes
     * @param cpuS CPU time in s, of everything this process did
     * @param elapsedS time in s
     * @param bytes sent and received, without headers
     */
    public record Cost(long probes, double cpuS, double elapsedS, long bytes) {
        /** Returns the bytes per day if the probes continue at this rate. */
        public double bytesPerDay() {
            return elapsedS > 0 ? bytes / elapsedS * TimeUnit.DAYS.toSeconds(1) : Double.NaN;
        }
    }

    /** Returns the cost so far. */
    public Cost cost() {
        return new Cost(
                probes,
                cpuS() - startCpuS,
                (System.nanoTime() - startNs) / (double) TimeUnit.SECONDS.toNanos(1),
                packetBytes + ControlConnection.trafficBytes() - startBytes);
    }

    /** Returns the CPU time of this process and of the children that have ended. */
    private static double cpuS() {
        List<String> lines = Machine.lines("/proc/self/stat");
        if (lines.isEmpty()) {
            return Double.NaN;
        }
        String afterName =
                lines.get(0).substring(lines.get(0).lastIndexOf(')') + 1).strip();
        String[] columns = afterName.split(" ", -1);
        long ticks = 0;
        for (int i = FIRST_TIME; i < FIRST_TIME + 4; i++) {
            ticks += Long.parseLong(columns[i]);
        }
        return ticks / TICKS_PER_S;
    }

    /**
     * What probes do to a stream on this host: the lag of short UDP streams over loopback by other processes,
     * alternately alone and during probes that follow each other without a pause.
     *
     * @param alone of the streams without probes
     * @param concurrent of the streams during probes
     */
    public record StreamEffect(Lags alone, Lags concurrent) {
        private static final int STREAMS = 3;
        private static final int PACKETS = 1_000;
        private static final int PACKET_BYTES = 992;
        private static final List<String> EXPERIMENT = List.of(
                "transports=" + Transports.load().plain(Wire.UDP).name(),
                "packet-bytes=" + PACKET_BYTES,
                "packets=" + PACKETS,
                "warm-up-packets=500",
                "pace={mode: hybrid, interval: 1ms}",
                "observe=nothing",
                "seed=1");
        private static final SummaryOptions OPTIONS = new SummaryOptions(Set.of());

        /** Medians over the streams, in ns. */
        public record Lags(double medianNs, double q99Ns) {
            private static Lags of(List<SeriesStatistics> streams) {
                return new Lags(
                        median(streams, SeriesStatistics::medianNs),
                        median(streams, stream -> stream.withoutQ99().quantileNs()));
            }

            private static double median(List<SeriesStatistics> streams, ToDoubleFunction<SeriesStatistics> figure) {
                return streams.stream().mapToDouble(figure).sorted().toArray()[STREAMS / 2];
            }
        }

        /**
         * Measures the effect, in about 20 s.
         *
         * @param directory for the files of the streams, which are deleted at the end
         * @throws LagbenchException if a stream or a probe failed
         */
        public static StreamEffect measure(List<Probe> probes, Path directory, ShutdownCoordinator shutdown)
                throws LagbenchException, InterruptedException {
            List<SeriesStatistics> alone = new ArrayList<>();
            List<SeriesStatistics> concurrent = new ArrayList<>();
            try {
                for (int i = 0; i < STREAMS; i++) {
                    alone.add(stream(List.of(), directory.resolve("alone-" + i), shutdown));
                    concurrent.add(stream(probes, directory.resolve("concurrent-" + i), shutdown));
                }
            } finally {
                FileTree.delete(directory);
            }
            return new StreamEffect(Lags.of(alone), Lags.of(concurrent));
        }

        private static SeriesStatistics stream(List<Probe> probes, Path files, ShutdownCoordinator shutdown)
                throws LagbenchException, InterruptedException {
            Experiment experiment = new ExperimentReader(Transports.load(), Engines.load()).build("stream", EXPERIMENT);
            RunGroup run = experiment.run(1);
            StringWriter errors = new StringWriter();
            try (Execution execution = new Execution(
                            experiment,
                            SessionDirectory.createIn(files, experiment),
                            Duration.ZERO,
                            false,
                            false,
                            Map.of(),
                            shutdown);
                    Sweep sweep = new Sweep(execution, Progress.lines(new PrintWriter(errors), true))) {
                FutureTask<ExitCode> stream = new FutureTask<>(() -> sweep.execute(run));
                Thread thread = new Thread(stream, "stream");
                thread.start();
                try {
                    while (!stream.isDone() && !probes.isEmpty()) {
                        for (Probe probe : probes) {
                            probe.measure(RealtimeClock.nowNs());
                        }
                    }
                } finally {
                    Uninterruptibly.join(thread);
                }
                ExitCode exitCode = stream.get();
                if (exitCode != ExitCode.OK) {
                    throw exitCode.failure(
                            "The stream failed: " + errors.toString().strip());
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof LagbenchException failure) {
                    throw failure;
                }
                throw ExitCode.BROKEN.failure("The stream failed: " + e.getCause(), e);
            }
            Summary summary = Summaries.of(Session.open(files), OPTIONS);
            if (summary.points().isEmpty()) {
                throw ExitCode.BROKEN.failure("The stream's captures are not usable: "
                        + summary.excluded().get(0).reason() + ".");
            }
            return summary.points()
                    .get(0)
                    .pooled()
                    .series()
                    .getOrDefault(PacketDelay.TRANSMIT_LAG, SeriesStatistics.NONE);
        }

        /** Returns the effect as a sentence. */
        public String sentence() {
            return "A UDP stream of " + PACKET_BYTES + " bytes each ms over loopback had a median lag of "
                    + Numbers.duration(alone.medianNs) + " (99 % quantile " + Numbers.duration(alone.q99Ns)
                    + ") alone, and of " + Numbers.duration(concurrent.medianNs) + " ("
                    + Numbers.duration(concurrent.q99Ns) + ") during probes without a pause: medians of " + STREAMS
                    + " streams of " + Numbers.grouped(PACKETS) + " packets.";
        }
    }
}
