package org.lagbench.analysis.summary;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The size of a socket buffer that the kernel granted in the runs of one point.
 *
 * @param requestedBytes the requested size; null if it was left to the kernel
 * @param leastBytes the smallest granted size of the runs, as Linux reports it: twice the request
 * @param mostBytes the largest granted size; greater than the smallest where the kernel grows buffers
 * @param limitBytes the smallest limit of the machine on requests; null unless it is below the request
 */
public record BufferGrant(@Nullable Long requestedBytes, long leastBytes, long mostBytes, @Nullable Long limitBytes) {
    /** One of the two buffers. */
    public enum BufferSide {
        SEND("send", "the sender's host", "net.core.wmem_max"),
        RECEIVE("receive", "the receiver's host", "net.core.rmem_max");

        private final String direction;
        private final String host;
        private final String sysctl;

        BufferSide(String direction, String host, String sysctl) {
            this.direction = direction;
            this.host = host;
            this.sysctl = sysctl;
        }

        /** Returns the name in files, the prefix of metadata keys: "sendBuffer". */
        public String text() {
            return direction + "Buffer";
        }
    }

    /** The metrics of both buffers. */
    static final List<Metric<Map<BufferSide, BufferGrant>>> METRICS = Arrays.stream(BufferSide.values())
            .flatMap(side ->
                    Metric.within((Map<BufferSide, BufferGrant> grants) -> grants.get(side), metrics(side)).stream())
            .toList();

    private static List<Metric<BufferGrant>> metrics(BufferSide side) {
        String id = "buffers." + side.text() + ".";
        String title = side == BufferSide.SEND ? "Send buffer" : "Receive buffer";
        return List.of(
                Metric.size(id + "requestedBytes", title, "Requested", Combination.MAX, BufferGrant::requestedBytes),
                Metric.size(id + "leastBytes", title, "Min granted", Combination.MIN, BufferGrant::leastBytes),
                Metric.size(id + "mostBytes", title, "Max granted", Combination.MAX, BufferGrant::mostBytes),
                Metric.size(id + "limitBytes", title, "Limit of the machine", Combination.MIN, BufferGrant::limitBytes)
                        .higherIsBetter());
    }

    /** Returns the grants that the runs recorded. */
    static Map<BufferSide, BufferGrant> of(PooledRuns runs) {
        Map<BufferSide, BufferGrant> grants = new EnumMap<>(BufferSide.class);
        for (BufferSide side : BufferSide.values()) {
            List<Map<String, Object>> sides = side == BufferSide.SEND ? runs.senders() : runs.receivers();
            LongSummaryStatistics granted = bytes(sides, side, "Bytes");
            LongSummaryStatistics requested = bytes(sides, side, "RequestedBytes");
            LongSummaryStatistics limits = bytes(sides, side, "LimitBytes");
            if (granted.getCount() > 0) {
                grants.put(
                        side,
                        new BufferGrant(
                                requested.getCount() == 0 ? null : (Long) requested.getMax(),
                                granted.getMin(),
                                granted.getMax(),
                                limits.getCount() == 0 ? null : (Long) limits.getMin()));
            }
        }
        return grants;
    }

    private static LongSummaryStatistics bytes(List<Map<String, Object>> sides, BufferSide side, String name) {
        return PooledRuns.numbers(sides, side.text() + name).stream()
                .mapToLong(Number::longValue)
                .summaryStatistics();
    }

    /** Returns a sentence on how to raise the limit; null if the request was granted. */
    public @Nullable String remedy(BufferSide side) {
        return limitBytes == null
                ? null
                : side.direction + "-buffer: " + requestedBytes + " bytes were requested, but " + side.host
                        + " grants at most " + limitBytes + "; to raise that: sudo sysctl -w " + side.sysctl + "="
                        + requestedBytes;
    }
}
