package org.lagbench.analysis.summary;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.run.QueueDropFacts;

/**
 * Packets that did not leave a host, and packets that the network rejected, by the names of {@link PacketError}. The
 * counts contain packets around the recorded ones.
 *
 * @param packets packets that the sender's host did not send; as {@code EHOSTUNREACH} also those that it dropped
 *     without an error because their next hop has no known link address
 * @param ofLibrary packets that the sender's library dropped: its queue was full, or they were late
 * @param replies replies that the receiver's host did not send
 * @param rejected errors that the network reported about earlier packets; it may report fewer than it rejects
 */
public record FailedSends(
        Map<String, Long> packets, long ofLibrary, Map<String, Long> replies, Map<String, Long> rejected) {
    private static final String TITLE = "Failed sends";

    /** The metrics of failed sends. */
    static final List<Metric<FailedSends>> METRICS = List.of(
            byError("packets", "Packets", FailedSends::packets),
            byError("replies", "Replies", FailedSends::replies),
            byError("rejected", "Rejected", FailedSends::rejected),
            Metric.packets("failedSends.ofLibrary", TITLE, "Dropped by the library", FailedSends::ofLibrary)
                    .zeroIfAbsent());

    private static Metric<FailedSends> byError(
            String kind, String statistic, Function<FailedSends, Map<String, Long>> counts) {
        return Metric.packetsByName("failedSends." + kind + ".", TITLE, statistic, counts)
                .zeroIfAbsent();
    }

    /** Returns the sums over runs; null if there are none. */
    static @Nullable FailedSends of(PooledRuns runs) {
        Map<String, Long> rejected = counts(runs.senders(), PacketError.RETRIED_SENDS);
        counts(runs.receivers(), PacketError.RETRIED_SENDS).forEach((error, n) -> rejected.merge(error, n, Long::sum));
        Map<String, Long> packets = counts(runs.senders(), PacketError.FAILED_SENDS);
        long unresolved = runs.hostDrops(QueueDropFacts::unresolvedDrops);
        if (unresolved > 0) {
            packets.merge(PacketError.EHOSTUNREACH.name(), unresolved, Long::sum);
        }
        FailedSends failed = new FailedSends(
                packets,
                Objects.requireNonNullElse(Recovery.Library.count(runs, "NotSent"), 0L),
                counts(runs.receivers(), PacketError.FAILED_SENDS),
                rejected);
        boolean isEmpty = failed.notSent() == 0 && failed.replies.isEmpty() && rejected.isEmpty();
        return isEmpty ? null : failed;
    }

    private static Map<String, Long> counts(List<Map<String, Object>> sides, String name) {
        Map<String, Long> sums = new TreeMap<>();
        sides.forEach(
                side -> PacketError.counts(side, name).forEach((error, count) -> sums.merge(error, count, Long::sum)));
        return sums;
    }

    /** Returns how many packets did not leave the sender's host. */
    public long notSent() {
        return ofLibrary + sum(packets);
    }

    /** Returns the sum of counts. */
    public static long sum(Map<String, Long> counts) {
        return PooledRuns.total(counts.values());
    }
}
