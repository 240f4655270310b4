package org.lagbench.analysis.summary;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * How many bytes the JVMs allocate per packet: the means over the runs, of engines that measure it.
 *
 * @param senderBytesPerPacket by the sending thread; null if a run did not measure it
 * @param receiverBytesPerPacket by the threads that receive; null if a run did not measure it
 */
public record Allocation(@Nullable Double senderBytesPerPacket, @Nullable Double receiverBytesPerPacket) {
    private static final String TITLE = "Allocation per packet";

    /** The metrics of allocation. */
    static final List<Metric<Allocation>> METRICS = List.of(
            Metric.size(
                    "allocation.senderBytesPerPacket",
                    TITLE,
                    "Sender",
                    Combination.MEDIAN,
                    Allocation::senderBytesPerPacket),
            Metric.size(
                    "allocation.receiverBytesPerPacket",
                    TITLE,
                    "Receiver",
                    Combination.MEDIAN,
                    Allocation::receiverBytesPerPacket));

    /** Returns the means; null if neither side of a run measured it. */
    static @Nullable Allocation of(PooledRuns runs) {
        Double sender = mean(runs, runs.senders(), "packetThreadBytesPerPacket");
        Double receiver = mean(runs, runs.receivers(), "connectionThreadBytesPerPacket");
        return sender == null && receiver == null ? null : new Allocation(sender, receiver);
    }

    private static @Nullable Double mean(PooledRuns runs, List<Map<String, Object>> sides, String name) {
        List<Number> values = PooledRuns.numbers(sides, name);
        return values.isEmpty() || values.size() < runs.open().size()
                ? null
                : (Double) values.stream()
                        .mapToDouble(Number::doubleValue)
                        .average()
                        .orElseThrow();
    }
}
