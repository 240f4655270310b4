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
 * @param levels each buffer's by name: {@code send, notSent, unacked} and {@code receive}; those that the transport
 *     does not have are not there
 * @param shares how great a part of the time TCP had something to send ({@code busy}) and was held up by the receiver's
 *     window ({@code receiveWindowLimited}) or by the send buffer's size ({@code sendBufferLimited}), 0 to 1
 */
public record BufferFigures(Map<String, Level> levels, Map<String, Double> shares) {
    private static final String SENDER_FILE = "sender-buffers.npy";
    private static final String RECEIVER_FILE = "receiver-buffers.npy";

    /** The fields of the captures by the name of the level or share. */
    private static final Map<String, String> SENDER_LEVELS = new LinkedHashMap<>();

    private static final Map<String, String> RECEIVER_LEVELS = Map.of("receive", "receive_bytes");
    private static final Map<String, String> TIMES = new LinkedHashMap<>();

    static {
        SENDER_LEVELS.put("send", "send_bytes");
        SENDER_LEVELS.put("notSent", "not_sent_bytes");
        SENDER_LEVELS.put("unacked", "unacked_bytes");
        TIMES.put("busy", "busy_us");
        TIMES.put("receiveWindowLimited", "rwnd_limited_us");
        TIMES.put("sendBufferLimited", "sndbuf_limited_us");
    }

    /**
     * How full one buffer was.
     *
     * @param samples how often it was looked at
     * @param medianBytes median
     * @param q95Bytes 95 % quantile
     * @param mostBytes the most that was seen
     */
    public record Level(long samples, double medianBytes, double q95Bytes, double mostBytes) {}

    /**
     * What the files of runs tell; null if there are none.
     *
     * @param runs the runs by their directories
     */
    public static @Nullable BufferFigures of(Map<Path, JoinedRun> runs) throws LagbenchException {
        List<Samples> sender = new ArrayList<>();
        List<Samples> receiver = new ArrayList<>();
        for (Map.Entry<Path, JoinedRun> entry : runs.entrySet()) {
            JoinedRun run = entry.getValue();
            Path senderFile = entry.getKey().resolve(SENDER_FILE);
            Path receiverFile = entry.getKey().resolve(RECEIVER_FILE);
            if (run.sent() > 0 && run.received() > 0 && Files.exists(senderFile) && Files.exists(receiverFile)) {
                sender.add(Samples.of(senderFile, run));
                receiver.add(Samples.of(receiverFile, run));
            }
        }
        if (sender.isEmpty()) {
            return null;
        }
        Map<String, Level> levels = new LinkedHashMap<>();
        putLevels(levels, SENDER_LEVELS, sender);
        putLevels(levels, RECEIVER_LEVELS, receiver);
        return new BufferFigures(levels, shares(sender));
    }

    private static void putLevels(Map<String, Level> levels, Map<String, String> fields, List<Samples> files)
            throws LagbenchException {
        for (Map.Entry<String, String> field : fields.entrySet()) {
            SeriesStatistics statistics = SeriesStatistics.of(consumer -> {
                for (Samples samples : files) {
                    samples.forEach(field.getValue(), consumer);
                }
            });
            if (statistics.n() > 0) {
                levels.put(
                        field.getKey(),
                        new Level(
                                statistics.n(),
                                statistics.medianNs(),
                                statistics.withoutQ95().quantileNs(),
                                statistics.maximumNs()));
            }
        }
    }

    /** The times count up: a share is by how much they do between the first and the last look. */
    private static Map<String, Double> shares(List<Samples> files) throws LagbenchException {
        Map<String, Double> shares = new LinkedHashMap<>();
        for (Map.Entry<String, String> time : TIMES.entrySet()) {
            double partUs = 0;
            double wholeUs = 0;
            for (Samples samples : files) {
                partUs += samples.increase(time.getValue());
                wholeUs += samples.increase("at_ns") / 1e3;
            }
            if (partUs >= 0 && wholeUs > 0) {
                shares.put(time.getKey(), Math.min(1, partUs / wholeUs));
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
