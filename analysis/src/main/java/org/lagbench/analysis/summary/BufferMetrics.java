package org.lagbench.analysis.summary;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * Fill levels of the socket buffers between the first packet sent and the last received, of one run or of several
 * pooled.
 *
 * @param levels the level of each buffer that the transport has: {@code send, notSent, unacked} and {@code receive}
 * @param shares shares of time, 0 to 1: TCP had data to send ({@code busy}), or was limited by the receiver's window
 *     ({@code receiveWindowLimited}) or the send buffer ({@code sendBufferLimited})
 * @param spanNs the time that they are shares of: from the first sample to the last of each run; NaN if unknown
 */
public record BufferMetrics(Map<String, Level> levels, Map<String, Double> shares, double spanNs) {
    /** The files of a run's directory that have the levels. */
    public static final List<String> FILES = List.of(BufferFiles.SENDER_FILE_NAME, BufferFiles.RECEIVER_FILE_NAME);

    private static final String TITLE = "Buffer level";

    // names of levels and shares, each with the captures' field from which it is computed
    private static final List<Map.Entry<String, String>> SENDER_LEVELS = List.of(
            Map.entry("send", "send_bytes"),
            Map.entry("notSent", "not_sent_bytes"),
            Map.entry("unacked", "unacked_bytes"));
    private static final List<Map.Entry<String, String>> RECEIVER_LEVELS =
            List.of(Map.entry("receive", "receive_bytes"));
    private static final List<Map.Entry<String, String>> TIMES = List.of(
            Map.entry("busy", "busy_us"),
            Map.entry("receiveWindowLimited", "rwnd_limited_us"),
            Map.entry("sendBufferLimited", "sndbuf_limited_us"));

    private static final String LEVELS = "occupancy.levels.";
    private static final String SHARES = "occupancy.shares.";

    /** The metrics of fill levels. */
    static final List<Metric<BufferMetrics>> METRICS = Stream.of(
                    Level.METRICS.stream()
                            .map(metric -> metric.inFamily(
                                    LEVELS + "*.",
                                    (BufferMetrics all) -> Metric.entries(LEVELS, all.levels, name -> name, "."))),
                    Stream.of(
                            Metric.time(
                                            "occupancy.span",
                                            TITLE,
                                            "Time of the samples",
                                            Combination.SUM,
                                            BufferMetrics::spanNs)
                                    .higherIsBetter(),
                            Metric.<TimeShare>quotient(
                                            "", "Buffer limit", "Share of time", TimeShare::share, TimeShare::ofUs)
                                    .inFamily(SHARES + "*", BufferMetrics::timeShares)))
            .flatMap(metrics -> metrics)
            .toList();

    /** A share of a time in µs. */
    private record TimeShare(double share, double ofUs) {}

    private static Map<String, TimeShare> timeShares(BufferMetrics all) {
        Map<String, TimeShare> shares = new LinkedHashMap<>();
        all.shares.forEach((name, share) -> shares.put(name, new TimeShare(share, all.spanNs / Units.NS_PER_US)));
        return Metric.entries(SHARES, shares, name -> name, "");
    }

    /**
     * The fill level of one buffer.
     *
     * @param samples number of samples
     * @param medianBytes median
     * @param q95Bytes 95 % quantile
     * @param mostBytes largest level
     */
    public record Level(long samples, double medianBytes, double q95Bytes, double mostBytes) {
        static final List<Metric<Level>> METRICS = List.of(
                Metric.<Level>count("samples", TITLE, "Samples", "samples", Combination.SUM, Level::samples)
                        .higherIsBetter(),
                Metric.size("medianBytes", TITLE, "Median", Combination.MEDIAN, Level::medianBytes),
                Metric.size("q95Bytes", TITLE, "Q95", Combination.MEDIAN, Level::q95Bytes),
                Metric.size("mostBytes", TITLE, "Max", Combination.MAX, Level::mostBytes));
    }

    /**
     * Reads the levels of runs; null if none has them.
     *
     * @param runs the runs by their directories
     */
    public static @Nullable BufferMetrics of(Map<Path, JoinedRun> runs) throws LagbenchException {
        List<Samples> sender = new ArrayList<>();
        List<Samples> receiver = new ArrayList<>();
        for (Map.Entry<Path, JoinedRun> entry : runs.entrySet()) {
            JoinedRun run = entry.getValue();
            Path senderFile = entry.getKey().resolve(BufferFiles.SENDER_FILE_NAME);
            Path receiverFile = entry.getKey().resolve(BufferFiles.RECEIVER_FILE_NAME);
            if (run.sent() > 0 && run.received() > 0 && Files.exists(senderFile) && Files.exists(receiverFile)) {
                sender.add(Samples.of(senderFile, run));
                receiver.add(Samples.of(receiverFile, run));
            }
        }
        if (sender.isEmpty()) {
            return null;
        }
        Map<String, Level> levels = new LinkedHashMap<>();
        addLevels(levels, SENDER_LEVELS, sender);
        addLevels(levels, RECEIVER_LEVELS, receiver);
        double spanNs = 0;
        for (Samples samples : sender) {
            spanNs += samples.increase("at_ns");
        }
        return new BufferMetrics(levels, shares(sender, spanNs), spanNs > 0 ? spanNs : Double.NaN);
    }

    private static void addLevels(
            Map<String, Level> levels, List<Map.Entry<String, String>> fields, List<Samples> files)
            throws LagbenchException {
        for (Map.Entry<String, String> field : fields) {
            SeriesStatistics bytes = SeriesStatistics.of(consumer -> {
                for (Samples samples : files) {
                    samples.forEach(field.getValue(), consumer);
                }
            });
            if (bytes.n() > 0) {
                double q95Bytes = bytes.withoutQ95().quantileNs();
                levels.put(field.getKey(), new Level(bytes.n(), bytes.medianNs(), q95Bytes, bytes.maximumNs()));
            }
        }
    }

    /** Returns the shares of cumulative times: how much they grew between the first and the last sample. */
    private static Map<String, Double> shares(List<Samples> files, double wholeNs) throws LagbenchException {
        Map<String, Double> shares = new LinkedHashMap<>();
        for (Map.Entry<String, String> time : TIMES) {
            double partUs = 0;
            for (Samples samples : files) {
                partUs += samples.increase(time.getValue());
            }
            if (partUs >= 0 && wholeNs > 0) {
                shares.put(time.getKey(), Math.min(1, partUs * Units.NS_PER_US / wholeNs));
            }
        }
        return shares;
    }

    /** The samples of one file between two times. */
    private record Samples(Path file, long fromNs, long toNs) {
        static Samples of(Path file, JoinedRun run) throws LagbenchException {
            return new Samples(file, run.sentNs(0), run.receivedNs(run.received() - 1));
        }

        void forEach(String name, LongConsumer consumer) throws LagbenchException {
            try (CaptureReader reader = CaptureReader.open(file)) {
                int at = reader.field("at_ns");
                int field = reader.field(name);
                for (long i = 0; i < reader.records(); i++) {
                    long atNs = reader.value(i, at);
                    long value = reader.value(i, field);
                    if (atNs >= fromNs && atNs <= toNs && value >= 0) {
                        consumer.accept(value);
                    }
                }
            }
        }

        /** Returns how much a field grew; −∞ if unknown. */
        double increase(String name) throws LagbenchException {
            long[] firstAndLast = {Long.MIN_VALUE, Long.MIN_VALUE};
            forEach(name, value -> {
                firstAndLast[0] = firstAndLast[0] == Long.MIN_VALUE ? value : firstAndLast[0];
                firstAndLast[1] = value;
            });
            return firstAndLast[0] == Long.MIN_VALUE
                    ? Double.NEGATIVE_INFINITY
                    : (double) (firstAndLast[1] - firstAndLast[0]);
        }
    }
}
