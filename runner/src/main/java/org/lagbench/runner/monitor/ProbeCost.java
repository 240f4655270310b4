package org.lagbench.runner.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.FileTree;
import org.lagbench.report.table.Numbers;
import org.lagbench.runner.machine.Machine;
import org.lagbench.runner.sweep.ChildJvm;

/**
 * What the probes of a session have cost this host: CPU time of this process and its children, and bytes of the packets
 * and control connections without headers. Not thread-safe.
 */
public final class ProbeCost implements Monitor.Events {
    /** Ticks of {@code /proc} in a second; a constant of Linux on every platform of lagbench. */
    private static final double TICKS_PER_S = 100;

    /** The number of the first of the four CPU times in {@code /proc/self/stat} after the program's name. */
    private static final int FIRST_TIME = 11;

    private final long startNs = System.nanoTime();
    private final double startCpuS = cpuS();
    private final long startBytes = ControlConnection.trafficBytes();
    private long probes;
    private long packetBytes;

    @Override
    public void end(Probe probe) {
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
    public record Figures(long probes, double cpuS, double elapsedS, long bytes) {
        /** Returns the bytes per day if the probes continue at this rate. */
        public double bytesPerDay() {
            return elapsedS > 0 ? bytes / elapsedS * TimeUnit.DAYS.toSeconds(1) : Double.NaN;
        }
    }

    /** Returns the cost so far. */
    public Figures figures() {
        return new Figures(
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
        private static final String EXPERIMENT =
                """
                transports: udp
                packet-bytes: %d
                packets: %d
                warm-up-packets: 500
                pace: {mode: hybrid, interval: 1ms}
                observe: nothing
                """
                        .formatted(PACKET_BYTES, PACKETS);
        private static final SummaryOptions OPTIONS = new SummaryOptions(false, false, Tail.DEFAULT, Set.of());

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
            Process stream = start(files);
            Runnable stop = stream::destroy;
            shutdown.onInterrupt(stop);
            try {
                while (stream.isAlive() && !probes.isEmpty()) {
                    for (Probe probe : probes) {
                        probe.measure(RealtimeClock.nowNs());
                    }
                }
                int exitCode = stream.waitFor();
                if (exitCode != ExitCode.OK.code()) {
                    String output = IoErrors.explained(
                            files + " cannot be read", () -> Files.readString(files.resolve("output")));
                    throw ExitCode.ofProcess(exitCode).failure("The stream failed: " + output.strip());
                }
            } finally {
                stream.destroy();
                shutdown.forget(stop);
            }
            return lag(files);
        }

        private static Process start(Path files) throws LagbenchException {
            return IoErrors.explained("A stream in " + files + " cannot be started", () -> {
                Files.createDirectories(files);
                Path experiment = Files.writeString(files.resolve("stream.yaml"), EXPERIMENT);
                List<String> command = ChildJvm.lagbench(List.of(
                        "sweep",
                        experiment.toString(),
                        "--no-report",
                        "--quiet",
                        "--output=" + files.resolve("sessions")));
                return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(files.resolve("output").toFile())
                        .start();
            });
        }

        private static SeriesStatistics lag(Path files) throws LagbenchException {
            Path session;
            try (Stream<Path> sessions = Files.list(files.resolve("sessions"))) {
                session = sessions.findFirst().orElseThrow(() -> new IOException("it has no session"));
            } catch (IOException e) {
                throw IoErrors.toException(files + " cannot be read", e);
            }
            Summary summary = Summaries.of(Session.open(session), OPTIONS);
            if (summary.points().isEmpty()) {
                throw ExitCode.BROKEN.failure("The stream's captures are not usable: "
                        + summary.excluded().get(0).reason() + ".");
            }
            return summary.points().get(0).pooled().series().getOrDefault(Series.TRANSMIT_LAG, SeriesStatistics.NONE);
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
