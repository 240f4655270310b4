package org.lagbench.analysis.summary;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.PacketError;

/**
 * Packets that did not leave a host, and packets that the network rejected, by the names of {@link PacketError}. Those
 * that the sender's library dropped are {@value #LIBRARY}. The counts contain packets around the recorded ones.
 *
 * @param packets packets that the sender's host did not send
 * @param replies replies that the receiver's host did not send
 * @param rejected errors that the network reported about earlier packets; it may report fewer than it rejects
 */
public record FailedSends(Map<String, Long> packets, Map<String, Long> replies, Map<String, Long> rejected) {
    static final String LIBRARY = "library";

    /** Returns the sums over runs; null if there are none. */
    static @Nullable FailedSends of(PooledRuns runs) {
        Map<String, Long> rejected = counts(runs.senders(), PacketError.RETRIED_SENDS);
        counts(runs.receivers(), PacketError.RETRIED_SENDS).forEach((error, n) -> rejected.merge(error, n, Long::sum));
        Map<String, Long> packets = counts(runs.senders(), PacketError.FAILED_SENDS);
        Long ofLibrary = Recovery.Library.count(runs, "NotSent");
        if (ofLibrary != null && ofLibrary > 0) {
            packets.put(LIBRARY, ofLibrary);
        }
        FailedSends failed = new FailedSends(packets, counts(runs.receivers(), PacketError.FAILED_SENDS), rejected);
        boolean isEmpty = failed.packets.isEmpty() && failed.replies.isEmpty() && rejected.isEmpty();
        return isEmpty ? null : failed;
    }

    private static Map<String, Long> counts(List<Map<String, Object>> sides, String name) {
        Map<String, Long> sums = new TreeMap<>();
        for (Map<String, Object> side : sides) {
            if (side.get(name) instanceof Map<?, ?> counts) {
                counts.forEach((error, count) -> {
                    if (count instanceof Number number) {
                        sums.merge(String.valueOf(error), number.longValue(), Long::sum);
                    }
                });
            }
        }
        return sums;
    }

    /** Returns what the name of a count means for packets. */
    public static String meaning(String name) {
        return name.equals(LIBRARY)
                ? "the sender's library dropped them: its queue was full, or they were late"
                : PacketError.meaning(name);
    }

    /** Returns the sum of counts. */
    public static long sum(Map<String, Long> counts) {
        Collection<Long> all = counts.values();
        return PooledRuns.total(all);
    }
}
