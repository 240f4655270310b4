package org.lagbench.analysis.stage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;

/**
 * How full the sockets' buffers were between the first packet sent and the last received, of one run or of several
 * pooled.
 *
 * @param levels each buffer's, by its field in the captures: {@code send_bytes, not_sent_bytes, unacked_bytes} and
 *     {@code receive_bytes}; those that the transport does not have are not there
 * @param limited how great a part of the time TCP had something to send ({@code busy_us}) and was held up by the
 *     receiver's window ({@code rwnd_limited_us}) or by the send buffer's size ({@code sndbuf_limited_us}), 0 to 1
 */
public record BufferFigures(Map<String, Level> levels, Map<String, Double> limited) {
    private static final String SENDER_FILE = "sender-buffers.npy";
    private static final String RECEIVER_FILE = "receiver-buffers.npy";
    private static final List<String> SENDER_LEVELS = List.of("send_bytes", "not_sent_bytes", "unacked_bytes");
    private static final List<String> RECEIVER_LEVELS = List.of("receive_bytes");
    private static final List<String> TIMES = List.of("busy_us", "rwnd_limited_us", "sndbuf_limited_us");

    /**
     * How full one buffer was.
     *
     * @param samples how often it was looked at
     * @param medianBytes median
     * @param q95Bytes 95 % quantile
     * @param maximumBytes the most that was seen
     */
    public record Level(long samples, double medianBytes, double q95Bytes, double maximumBytes) {}

    /**
     * A run to be looked at.
     *
     * @param directory its directory
     * @param run its packets
     */
    public record Source(Path directory, JoinedRun run) {}

    /** What the files in the runs' directories tell; null if there are none. */
    public static @Nullable BufferFigures of(List<Source> sources) throws LagbenchException {
        List<Samples> sender = new ArrayList<>();
        List<Samples> receiver = new ArrayList<>();
        for (Source source : sources) {
            Path senderFile = source.directory().resolve(SENDER_FILE);
            Path receiverFile = source.directory().resolve(RECEIVER_FILE);
            if (source.run().sent() > 0
                    && source.run().received() > 0
                    && Files.exists(senderFile)
                    && Files.exists(receiverFile)) {
                sender.add(Samples.of(senderFile, source.run()));
                receiver.add(Samples.of(receiverFile, source.run()));
            }
        }
        if (sender.isEmpty()) {
            return null;
        }
        Map<String, Level> levels = new LinkedHashMap<>();
        for (String name : SENDER_LEVELS) {
            putLevel(levels, name, sender);
        }
        for (String name : RECEIVER_LEVELS) {
            putLevel(levels, name, receiver);
        }
        Map<String, Double> limited = new LinkedHashMap<>();
        for (String name : TIMES) {
            putShare(limited, name, sender);
        }
        return new BufferFigures(levels, limited);
    }

    private static void putLevel(Map<String, Level> levels, String name, List<Samples> files) throws LagbenchException {
        SeriesStatistics statistics = SeriesStatistics.of(consumer -> {
            for (Samples samples : files) {
                samples.forEach(name, consumer);
            }
        });
        if (statistics.n() > 0) {
            levels.put(
                    name,
                    new Level(
                            statistics.n(),
                            statistics.medianNs(),
                            statistics.withoutQ95().quantileNs(),
                            statistics.maximumNs()));
        }
    }

    /** These count up: what counts is by how much between the first and the last look. */
    private static void putShare(Map<String, Double> shares, String name, List<Samples> files)
            throws LagbenchException {
        double partUs = 0;
        double wholeUs = 0;
        for (Samples samples : files) {
            partUs += samples.increase(name);
            wholeUs += samples.increase("at_ns") / 1e3;
        }
        if (partUs >= 0 && wholeUs > 0) {
            shares.put(name, Math.min(1, partUs / wholeUs));
        }
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

        /** How much a field grew; −∞ if it is not known. */
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
